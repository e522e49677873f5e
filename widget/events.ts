// The public events of the element; none carries anything an applicant gave.

import type { FlowEvent } from './flow/flow-event.ts';
import type { StepId } from './flow/steps.ts';
import type { Locale } from '../shared/application/application.ts';

type FlowEventOf<Kind extends FlowEvent['kind']> = Extract<FlowEvent, { readonly kind: Kind }>;

/** Leaves the shadow root, so that a page may listen anywhere. */
class FundingEvent extends Event {
  constructor(name: string, cancelable = false) {
    super(name, { bubbles: true, composed: true, cancelable });
  }
}

/** The form, or what has become of an earlier application, is shown for the first time. */
export class FundingReadyEvent extends FundingEvent {
  static readonly eventName = 'funding-ready';
  readonly locale: Locale;

  constructor(locale: Locale) {
    super(FundingReadyEvent.eventName);
    this.locale = locale;
  }
}

/** Another step is shown. */
export class FundingStepEvent extends FundingEvent {
  static readonly eventName = 'funding-step';
  readonly step: StepId;

  constructor(step: StepId) {
    super(FundingStepEvent.eventName);
    this.step = step;
  }
}

/** The BFF has the application; comes again when its status changes. */
export class FundingSubmittedEvent extends FundingEvent {
  static readonly eventName = 'funding-submitted';
  readonly reference: string;
  readonly status: FlowEventOf<'submitted'>['status'];

  constructor({ reference, status }: FlowEventOf<'submitted'>) {
    super(FundingSubmittedEvent.eventName);
    this.reference = reference;
    this.status = status;
  }
}

/** The BFF has a file, or it is known what the lender made of it. */
export class FundingDocumentEvent extends FundingEvent {
  static readonly eventName = 'funding-document';
  readonly number: number;
  /** The id of its category in the BFF's configuration. */
  readonly category: string;
  readonly status: FlowEventOf<'document'>['status'];

  constructor({ number, category, status }: FlowEventOf<'document'>) {
    super(FundingDocumentEvent.eventName);
    this.number = number;
    this.category = category;
    this.status = status;
  }
}

/** The lender has decided, or there is another number of offers. */
export class FundingOffersEvent extends FundingEvent {
  static readonly eventName = 'funding-offers';
  readonly decision: FlowEventOf<'offers'>['decision'];
  readonly count: number;

  constructor({ decision, count }: FlowEventOf<'offers'>) {
    super(FundingOffersEvent.eventName);
    this.decision = decision;
    this.count = count;
  }
}

/** The applicant has chosen an offer. `preventDefault()` keeps the tracking address from being opened. */
export class FundingOfferChosenEvent extends FundingEvent {
  static readonly eventName = 'funding-offer-chosen';
  readonly offerId: string;
  /** The number under which the form shows it, from 1: in the order in which the offers came. */
  readonly position: number;
  readonly trackingUrl: string | undefined;

  constructor(offerId: string, position: number, trackingUrl: string | undefined) {
    super(FundingOfferChosenEvent.eventName, true);
    this.offerId = offerId;
    this.position = position;
    this.trackingUrl = trackingUrl;
  }
}

/** Something the applicant wanted did not work, and says why on the screen. */
export class FundingErrorEvent extends FundingEvent {
  static readonly eventName = 'funding-error';
  readonly code: FlowEventOf<'problem'>['code'];
  /** Trying again may help. */
  readonly isRetryable: boolean;

  constructor({ code, isRetryable }: FlowEventOf<'problem'>) {
    super(FundingErrorEvent.eventName);
    this.code = code;
    this.isRetryable = isRetryable;
  }
}

/** The applicant has finished on this computer, or has cleared the answers. */
export class FundingExitEvent extends FundingEvent {
  static readonly eventName = 'funding-exit';
  readonly reason: FlowEventOf<'exit'>['reason'];
  /** The one that was shown. */
  readonly step: StepId;

  constructor({ reason, step }: FlowEventOf<'exit'>) {
    super(FundingExitEvent.eventName);
    this.reason = reason;
    this.step = step;
  }
}

/**
 * The applicant wants to connect a bank and `bankConnection` is `host`: the page opens its own aggregator and gives the
 * finished report to `submitAssetReport()`.
 */
export class FundingBankRequestEvent extends FundingEvent {
  static readonly eventName = 'funding-bank-request';

  constructor() {
    super(FundingBankRequestEvent.eventName);
  }
}

/** What the flow tells, as the event a page hears. */
export function toFundingEvent(event: FlowEvent): Event {
  switch (event.kind) {
    case 'submitted':
      return new FundingSubmittedEvent(event);
    case 'document':
      return new FundingDocumentEvent(event);
    case 'offers':
      return new FundingOffersEvent(event);
    case 'problem':
      return new FundingErrorEvent(event);
    case 'exit':
      return new FundingExitEvent(event);
  }
}

declare global {
  interface HTMLElementEventMap {
    'funding-ready': FundingReadyEvent;
    'funding-step': FundingStepEvent;
    'funding-submitted': FundingSubmittedEvent;
    'funding-document': FundingDocumentEvent;
    'funding-offers': FundingOffersEvent;
    'funding-offer-chosen': FundingOfferChosenEvent;
    'funding-error': FundingErrorEvent;
    'funding-exit': FundingExitEvent;
    'funding-bank-request': FundingBankRequestEvent;
  }
}
