// The public events of the element from its first step on. They contain no answer of the applicant. `index.ts` exports their classes.

import { transientCodes } from '../api/funding-api.ts';
import type { StepId } from './navigation.ts';
import type { FormProblem } from './store.ts';
import type { Locale } from '../../shared/application/lists.ts';

/** Problems after which the same action may succeed. */
const retryableCodes: ReadonlySet<FormProblem> = new Set<FormProblem>([
  ...transientCodes,
  'too-soon',
  'inspection-unavailable',
  'application-pending',
  'challenge-required',
  'challenge-unavailable',
  'submit-unanswered',
  'session-refused',
  'offline',
]);

/** Bubbles out of the shadow root, so that the host page can listen on any ancestor. */
export class FundingEvent extends Event {
  constructor(name: string, cancelable = false) {
    super(name, { bubbles: true, composed: true, cancelable });
  }
}

/** The form, or the status of an application that was sent earlier, shows for the first time. */
export class FundingReadyEvent extends FundingEvent {
  static readonly eventName = 'funding-ready';
  /** The language of the form. */
  readonly locale: Locale;

  constructor(locale: Locale) {
    super(FundingReadyEvent.eventName);
    this.locale = locale;
  }
}

/** A step shows: the first one, and each one after that. The event is dispatched after the step is rendered. */
export class FundingStepEvent extends FundingEvent {
  static readonly eventName = 'funding-step';
  /** The name of the step. */
  readonly step: StepId;
  /** The position of the step among all steps of this form, from 0. */
  readonly index: number;

  constructor(step: StepId, index: number) {
    super(FundingStepEvent.eventName);
    this.step = step;
    this.index = index;
  }
}

/** An action of the applicant failed, or the funding service rejected the application. The form shows the reason. */
export class FundingErrorEvent extends FundingEvent {
  static readonly eventName = 'funding-error';
  /** The reason. */
  readonly code: FormProblem;
  /** If true, the same action may succeed later. */
  readonly isRetryable: boolean;

  constructor(code: FormProblem) {
    super(FundingErrorEvent.eventName);
    this.code = code;
    this.isRetryable = retryableCodes.has(code);
  }
}

/** The session was ended, or the answers were cleared: by the applicant, or by the methods `finish()` or `reset()`. */
export class FundingExitEvent extends FundingEvent {
  static readonly eventName = 'funding-exit';
  /** `finished`: with "Close my application on this device" or `finish()`. `cleared`: with "Clear my answers" or `reset()`. */
  readonly reason: 'finished' | 'cleared';
  /** The name of the step that the applicant left. */
  readonly step: StepId;

  constructor(reason: 'finished' | 'cleared', step: StepId) {
    super(FundingExitEvent.eventName);
    this.reason = reason;
    this.step = step;
  }
}

declare global {
  interface HTMLElementEventMap {
    'funding-ready': FundingReadyEvent;
    'funding-step': FundingStepEvent;
    'funding-error': FundingErrorEvent;
    'funding-exit': FundingExitEvent;
  }
}
