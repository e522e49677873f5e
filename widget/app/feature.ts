// The interface of a feature (a folder such as `documents/` or `offers/`): the values that it receives, and the parts that it provides.

import type { CSSResult, TemplateResult } from 'lit';
import type { BankReportStatus } from '../../shared/api/attachments.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { Locale } from '../../shared/application/lists.ts';
import type { FundingApi, Result } from '../api/funding-api.ts';
import type { ErrorMessage, FieldContext } from '../fields/field.ts';
import type { Format } from '../i18n/format.ts';
import type { Messages, Translate } from '../i18n/messages.ts';
import type { FundingSettings } from '../types.ts';
import type { DeviceDraft } from './device-draft.ts';
import type { FormStepId, StepId, StoredDraft, ValidateStep } from './navigation.ts';
import type { PollingEnvironment } from './polling.ts';
import type { AppState, FormState, Reaction, Store } from './store.ts';

/** The messages and formats of the current language. */
export interface Wording {
  readonly t: Translate;
  readonly format: Format;
  readonly locale: Locale;
}

/** The argument of the templates of a step. */
export interface StepContext extends Wording {
  readonly state: AppState;
  readonly form: FormState;
  readonly configuration: Configuration;
  readonly settings: FundingSettings;
  readonly fields: FieldContext;
  readonly actions: AppActions;
  /** The current time. */
  readonly now: () => Date;
  /** The session ends with this page, because the browser blocks cookies. */
  readonly endsWithPage: boolean;
  /** The `aria-level` of a heading: 0 for the heading of the step, 1 and 2 for headings inside it. Never more than 6. */
  readonly headingLevel: (depth: 0 | 1 | 2) => number;
  /** The name of an industry in the current language. */
  readonly toIndustryLabel: (value: string) => string;
  /** Returns true if the applicant has expanded this disclosure or revealed this secret. A step change resets it. */
  readonly isExpanded: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** Focuses the element with this id, or the first field of this path, after the next render. */
  readonly focus: (id: string) => void;
  /** Dispatches an event from the element. Returns false if the host page prevented its default action. */
  readonly dispatch: (event: Event) => boolean;
}

/** Actions for the buttons of all steps. */
export interface AppActions {
  /** Shows the step after this one. */
  readonly next: () => void;
  /** "Change" on the review. */
  readonly editStep: (step: FormStepId) => void;
  /** Shows a step after the submission. */
  readonly showStep: (step: StepId) => void;
  /** Ends the session on this device. Returns `warned` if files would be lost; the second call ends it. */
  readonly close: () => Promise<'closed' | 'warned' | 'failed'>;
}

export interface Heading {
  readonly title: string;
  /** A drawing above the title. */
  readonly mark?: TemplateResult | undefined;
  readonly why?: string;
}

export interface StepView {
  readonly toHeading: (context: StepContext) => Heading;
  readonly render: (context: StepContext) => TemplateResult;
  /** Content below the step, or beside it in a wide container, instead of the list of steps. */
  readonly renderAside?: (context: StepContext) => TemplateResult;
}

/** The lazy-loaded chunk of the form. Until it is loaded, the applicant can only answer the first step. */
export interface FormChunk {
  readonly steps: { readonly [Step in StepId]?: StepView };
  readonly validate: ValidateStep;
  readonly submit: () => Promise<void>;
  readonly react: Reaction;
  /** Goes to the next step, or shows the errors of this one. */
  readonly withStepCompleted: (form: FormState) => FormState;
  /** Removes the errors that the answer with this path has corrected, and the advice about it. */
  readonly withCorrectedErrors: (form: FormState, path: string) => FormState;
  /** Adds advice about an answer that the applicant has completed. `typed` is the text before it was formatted. */
  readonly advise: (path: string, typed: string) => void;
  readonly renderAdvice: (wording: Wording, form: FormState, path: string) => unknown;
  /** Decrypts the answers that an earlier page has kept on this device. */
  readonly restoreDevice: DeviceDraft['restore'];
  readonly withStoredDraft: (form: FormState, stored: StoredDraft) => FormState;
  /** Applies the session of an earlier page, or of another tab. */
  readonly withSession: (state: AppState, session: Session) => AppState;
  /** The applicant is active, which extends the session. Called for every key. */
  readonly noteActivity: () => void;
  readonly toIndustryLabel: (value: string, locale: Locale) => string;
  /** The errors of the current step as messages, in the order of its fields. */
  readonly toErrorMessages: (wording: Wording, form: FormState) => readonly ErrorMessage[];
  /** Like `Feature.toAnnouncements`. */
  readonly toAnnouncements: (
    before: AppState,
    after: AppState,
    wording: Wording,
  ) => readonly string[];
  /** Like `Feature.toHostEvents`. */
  readonly toHostEvents: (before: AppState, after: AppState) => readonly Event[];
  readonly renderFieldError: (t: Translate, path: string, sentence: string | undefined) => unknown;
  readonly renderErrorSummary: (context: StepContext, errors: readonly ErrorMessage[]) => unknown;
  readonly renderSessionNotice: (context: StepContext) => unknown;
  /** @param clear "Clear my answers". */
  readonly renderRestored: (context: StepContext, clear: TemplateResult) => unknown;
  readonly renderSaved: (context: StepContext, clear: TemplateResult) => unknown;
  /** The steps of the form with their answers, for a wide container. */
  readonly renderSteps: (context: StepContext) => unknown;
}

export interface FeatureEnvironment {
  readonly store: Store;
  readonly api: FundingApi;
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  readonly addPart: AddPart;
}

/** The English texts and the style sheets of a lazy-loaded part. */
export interface LazyPart {
  readonly messages: Messages;
  readonly styles: readonly CSSResult[];
}

/** Makes the texts and styles of a part available. Call it before the part renders. */
export type AddPart = (part: LazyPart) => void;

/** One feature after the submission. A factory `createX(environment): Feature` makes it once for each element. */
export interface Feature {
  readonly steps?: { readonly [Step in StepId]?: StepView };
  /** Starts and stops what the feature does in the background. It runs after every change of the state. */
  readonly react?: Reaction;
  /** Messages for screen readers about a change (WCAG 2.2, 4.1.3). */
  readonly toAnnouncements?: (
    before: AppState,
    after: AppState,
    wording: Wording,
  ) => readonly string[];
  /** The events for the host page that a change causes. */
  readonly toHostEvents?: (before: AppState, after: AppState) => readonly Event[];
}

/** The lazy-loaded chunk of the steps after the submission. */
export interface AfterChunk {
  readonly features: readonly Feature[];
  /** Sends a bank report of the host page. */
  readonly sendBankReport: (report: unknown) => Promise<Result<BankReportStatus>>;
  /** The steps after the submission with their states, for a wide container. */
  readonly renderSteps: (context: StepContext) => unknown;
  /** Renders the footer of every step after the submission. */
  readonly renderFooter: (context: StepContext) => unknown;
  /** Renders the page after closing. */
  readonly renderClosed: (wording: Wording, load: () => void) => unknown;
}
