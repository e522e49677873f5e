// The state of the element, slice by slice, and the only way to change it.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type {
  BankReportStatus,
  ContactStatus,
  DocumentStatus,
} from '../../shared/api/attachments.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Handoff, HandoffState, PhoneHandoff } from '../../shared/api/handoff.ts';
import type { Offers } from '../../shared/api/offers.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import { locales, type Locale } from '../../shared/application/lists.ts';
import type { StateCode } from '../../shared/application/states.ts';
import type { Consent } from '../../shared/application/consent.ts';
import type { FailureCode } from '../api/funding-api.ts';
import type { Draft } from './draft.ts';
import type { FormStepId, StepId } from './navigation.ts';

export interface AppState {
  /** The element is in the document. Polling runs only then. */
  readonly isConnected: boolean;
  readonly isOffline: boolean;
  /** The browser stores the draft. */
  readonly savesDraft: boolean;
  readonly loading: LoadingState;
  readonly chunks: ChunksState;
  readonly language: LanguageState;
  readonly session: SessionState;
  readonly device: DeviceState;
  /** Undefined until the configuration has loaded, and after the applicant has closed the application. */
  readonly form: FormState | undefined;
  readonly statusCheck: StatusCheckState;
  readonly sent: SentState;
  readonly documents: DocumentsState;
  readonly bank: BankState;
  readonly contact: ContactState;
  readonly offers: OffersState;
  readonly closing: ClosingState;
  readonly handoff: HandoffPanelState;
  readonly phone: PhoneState;
}

/** Answers that the applicant keeps on this device for longer than the tab is open. */
export interface DeviceState {
  /**
   * `unavailable`: the host page or the browser lacks something. `off`: the applicant can turn it on. `starting`: waits for the
   * key. `failed`: the browser keeps no cookie or no entry, or the BFF did not respond.
   */
  readonly status: 'unavailable' | 'off' | 'starting' | 'on' | 'failed';
  /** The end, while it is on. Epoch milliseconds of the BFF's clock. */
  readonly endsAt: number | undefined;
}

/** Loading the configuration, without which there is no form. */
export interface LoadingState {
  readonly problem: FailureCode | undefined;
  /** The BFF is at capacity. The element repeats the request after the delay of `Retry-After`. */
  readonly isRetrying: boolean;
  /** The applicant requested this load, so the heading of the form takes the focus. */
  readonly isRepeated: boolean;
}

/** The lazy-loaded chunks: the steps of the form after the first one, and the steps after the submission. */
export interface ChunksState {
  readonly form: ChunkStatus;
  readonly after: ChunkStatus;
  /** The applicant pressed Continue before the steps of the form were loaded. */
  readonly isAwaited: boolean;
}

type ChunkStatus = 'waiting' | 'loaded' | 'failed';

export interface LanguageState {
  readonly locale: Locale;
  /** The messages of another language are loading. */
  readonly isLoading: boolean;
  /** The languages of the BFF's configuration that the form has. */
  readonly offered: readonly Locale[];
  /** This language could not be loaded. */
  readonly failed: Locale | undefined;
}

export interface SessionState {
  /** The end of the session in the last response of the BFF. Epoch milliseconds of this device's clock. */
  readonly response: { readonly endsAt: number; readonly receivedAt: number } | undefined;
  /** Epoch milliseconds. Undefined while unknown. */
  readonly endsAt: number | undefined;
  readonly notice: 'ends' | 'ended' | undefined;
  /** Why the session could not be extended. */
  readonly problem: FailureCode | undefined;
  /** The last request before the end did not extend the session. */
  readonly isFinal: boolean;
}

/**
 * Why the last action of a step failed. `rejected-with-documents`: the funding service rejected the application after documents
 * or a bank report were added. `rejected-earlier`: it rejected the application while the page was closed, so the answers are
 * gone. `submit-unanswered`: the request was sent, its response was lost. `challenge-not-offered`: the host page has no
 * `challenge`, which the BFF requires. `session-refused`: no session could be started. `offline`: the browser is offline.
 * `already-sent`: the browser's Back led to the form of a sent application.
 */
export type FormProblem =
  | FailureCode
  | 'rejected-with-documents'
  | 'rejected-earlier'
  | 'submit-unanswered'
  | 'challenge-not-offered'
  | 'session-refused'
  | 'offline'
  | 'already-sent';

/** An error of one field: its path, and a code that the message catalog has a text for. */
export interface StepError {
  readonly path: string;
  readonly code: FieldError['code'];
}

/**
 * `read`: how an amount was read. `unclear`: the amount can't be read. `range`: the partner's lender does not fund this amount.
 * `suggestion`: the answer is probably mistyped. `filled`: the ZIP code has filled in city or state. `other-state`: the ZIP code
 * belongs to another state.
 */
export type Advice =
  | { readonly kind: 'read'; readonly dollars: number }
  | { readonly kind: 'unclear' | 'range' }
  | { readonly kind: 'suggestion'; readonly value: string }
  | { readonly kind: 'filled'; readonly place: string }
  | { readonly kind: 'other-state'; readonly state: StateCode };

export interface FormState {
  readonly configuration: Configuration;
  readonly step: StepId;
  /** The last step of the form that the applicant has seen. */
  readonly furthestStep: FormStepId;
  /** False if the host page has a start page of its own. */
  readonly hasStartPage: boolean;
  /** Set by "Change" on the review: Continue leads back to the review. */
  readonly returnsToReview: boolean;
  readonly draft: Draft;
  /** The draft at the start: prefilled by the host page, or restored. While it is the current draft, nothing has been typed. */
  readonly initialDraft: Draft;
  /** How often the applicant has cleared all answers. */
  readonly timesCleared: number;
  /** Errors on the current step. */
  readonly errors: readonly StepError[];
  /** Errors that the funding service reported, until the step of each is completed again. */
  readonly rejections: readonly StepError[];
  readonly problem: FormProblem | undefined;
  /** The delay that the BFF sent in `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  readonly isSubmitting: boolean;
  readonly application: ApplicationStatus | undefined;
  /** The reference of the application that the funding service has rejected last. */
  readonly rejectedReference: string | undefined;
  readonly record: SubmittedRecord | undefined;
  readonly restored: RestoredDraft | undefined;
  /** Advice about answers on the current step, by path. It never prevents Continue. */
  readonly advice: Readonly<Record<string, Advice>>;
  /** Answers that the form has filled in itself, by path. An answer of the applicant differs, and is never replaced. */
  readonly filled: Draft;
  /** Paths of accepted consents whose text changed with the language. The applicant must accept them again. */
  readonly rewordedConsents: readonly string[];
  /** Ids of expanded disclosures, and paths of revealed secrets. A step change empties it. */
  readonly expanded: readonly string[];
}

/** The submitted answers, for reading and printing. They exist in memory only. */
export interface SubmittedRecord {
  /** The SSN and the EIN are reduced to their last four digits, and the date of birth to its year. */
  readonly answers: Draft;
  /** The accepted consents, with the texts that the applicant read. */
  readonly consents: readonly Consent[];
  /** The language of the consents. */
  readonly locale: Configuration['locale'];
}

/** A draft of an earlier page was restored. */
export interface RestoredDraft {
  /** The step on which it was restored. */
  readonly step: FormStepId;
  /** Paths of answers that are never stored. The applicant must enter them again. */
  readonly omitted: readonly string[];
  /** The last step that the applicant has seen. A step before it may lack answers. */
  readonly reached: FormStepId;
  /** The applicant has read the notice. */
  readonly isSeen: boolean;
}

/** Checks of the application's status. */
export interface StatusCheckState {
  readonly isChecking: boolean;
  /** The last check was started by the applicant, so its result is announced. */
  readonly isRequested: boolean;
  readonly checkedAt: Date | undefined;
}

/** The page after the submission. */
export interface SentState {
  /** The reference of the application whose check mark was drawn. It is drawn once. */
  readonly drawnFor: string | undefined;
  /** The outcome of "Copy", until the step changes. */
  readonly copy: 'copied' | 'refused' | undefined;
}

export interface DocumentsState {
  /** Files that the BFF does not have yet. */
  readonly queued: readonly QueuedDocument[];
  /** Files that the BFF has. */
  readonly uploaded: readonly UploadedDocument[];
  /** Numbers of documents that the applicant has removed. A response that is older than the removal may still list them. */
  readonly removed: readonly number[];
  /** Names of the last chosen files that had been chosen before. They are ignored. */
  readonly repeated: readonly string[];
  /** The applicant was about to leave with unsent files, or with files without a category. */
  readonly warnsOfUnsent: boolean;
  /** The id of the next chosen file. The id of a file, and so its row, never changes. */
  readonly nextId: number;
}

/** `queued`: waits for its upload, which begins by itself. `failed`: see `problem`. */
export interface QueuedDocument {
  readonly id: number;
  /** The file to send: a photo after it was prepared. */
  readonly file: File;
  /** The file that the applicant chose. */
  readonly original: File;
  /** Empty if the applicant has not chosen one. The BFF then waits for it. */
  readonly category: string;
  readonly state: 'queued' | 'sending' | 'failed';
  /** The photo is being prepared. Its upload waits. */
  readonly isPreparing: boolean;
  /** The location could not be removed from the photo. */
  readonly keepsLocation: boolean;
  readonly thumbnail: HTMLCanvasElement | undefined;
  /** 0 to 1. */
  readonly progress: number;
  /** The applicant has removed the file, and the BFF may have it already. The document is removed when the response arrives. */
  readonly isRemoving: boolean;
  /** The BFF could not scan the file. The upload is repeated automatically. */
  readonly waitsForScan: boolean;
  readonly problem: DocumentProblem | undefined;
  /** The applicant has pressed Retry. After the next failure, the file can be removed too. */
  readonly wasRetried: boolean;
}

/** `heic`: an iPhone photo format that the applicant can convert. */
export type DocumentProblem =
  | { readonly kind: 'type' | 'heic' | 'size' | 'empty' | 'count' | 'space' }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      /** The same file can be sent again. */
      readonly isRetryable: boolean;
      /** Retrying earlier has no effect. */
      readonly retryAfterMs?: number;
    };

export interface UploadedDocument {
  readonly id: number;
  readonly status: DocumentStatus;
  /** The category that the applicant has chosen, until the BFF has it. */
  readonly wantedCategory?: string | undefined;
  readonly isRemoving?: boolean;
  /** Why the last change or removal failed. */
  readonly problem?: FailureCode | undefined;
  /** The latest list of the BFF does not have it. After the next one, the document is gone: another tab has removed it. */
  readonly isUnlisted?: boolean;
  /** The chosen file and its thumbnail, if this page sent it. */
  readonly original?: File | undefined;
  readonly thumbnail?: HTMLCanvasElement | undefined;
}

export interface BankState {
  /** The demonstration bank of the sandbox. */
  readonly demonstration: 'closed' | 'loading' | 'open';
  readonly isSending: boolean;
  /** The latest bank report. */
  readonly report: BankReportStatus | undefined;
  readonly problem: FailureCode | undefined;
  readonly retryAfterMs: number | undefined;
  readonly institution: string;
  readonly accounts: readonly string[];
  /** The applicant pressed Share without choosing these. */
  readonly lacksInstitution: boolean;
  readonly lacksAccounts: boolean;
}

export interface ContactState {
  readonly hasConsent: boolean;
  /** The applicant pressed the button without the consent. */
  readonly lacksConsent: boolean;
  readonly status: 'idle' | 'sending' | ContactStatus['status'];
  readonly problem: FailureCode | undefined;
}

export interface OffersState {
  /** The last response of the BFF. */
  readonly response: Offers | undefined;
  /** Why the last request failed. An earlier response stays. */
  readonly problem: FailureCode | undefined;
  /** A request of the applicant is in progress. */
  readonly isChecking: boolean;
  /** The last request was the applicant's, so its result is announced. */
  readonly isRequested: boolean;
  /** The element has been polling since `since`. */
  readonly isPolling: boolean;
  /** Polling has ended without a decision. */
  readonly hasTimedOut: boolean;
  readonly since: Date | undefined;
  readonly order: 'arrival' | 'apr' | 'cost' | 'payment';
  readonly isTable: boolean;
  /** The chosen offer, and whether the host page prevented the default action. */
  readonly chosen: { readonly key: string; readonly isPrevented: boolean } | undefined;
}

/** Closing the application on this device. */
export interface ClosingState {
  readonly isClosing: boolean;
  readonly warnsOfUnsent: boolean;
  readonly problem: FailureCode | undefined;
  /** Set after the application was closed: the step on which it was. */
  readonly closedStep: StepId | undefined;
}

/** Documents from a phone, as the device on which the application was begun shows them. */
export interface HandoffPanelState {
  /** `starting`: the panel or its code is loading. */
  readonly view: 'closed' | 'starting' | 'open';
  /** The codes for the phone. Undefined once they are used or have ended, and if an earlier page requested them. */
  readonly invitation: Handoff | undefined;
  readonly status: HandoffState;
  readonly problem: FailureCode | undefined;
  readonly retryAfterMs: number | undefined;
}

/** The phone's own page (attribute `handoff`). */
export interface PhoneState {
  /** `stopped`: `problem` says why. `declined`: the applicant did not start this. */
  readonly screen: 'starting' | 'code' | 'confirm' | 'documents' | 'done' | 'declined' | 'stopped';
  /** The application that this phone sends documents for. */
  readonly handoff: PhoneHandoff | undefined;
  /** The typed code. */
  readonly code: string;
  /** The applicant pressed Continue with another number of characters. */
  readonly lacksCode: boolean;
  /** A request of the applicant is in progress. */
  readonly isBusy: boolean;
  readonly problem: FailureCode | undefined;
  readonly retryAfterMs: number | undefined;
}

export const emptyDocuments: DocumentsState = {
  queued: [],
  uploaded: [],
  removed: [],
  repeated: [],
  warnsOfUnsent: false,
  nextId: 1,
};

export const emptyBank: BankState = {
  demonstration: 'closed',
  isSending: false,
  report: undefined,
  problem: undefined,
  retryAfterMs: undefined,
  institution: '',
  accounts: [],
  lacksInstitution: false,
  lacksAccounts: false,
};

export const emptyContact: ContactState = {
  hasConsent: false,
  lacksConsent: false,
  status: 'idle',
  problem: undefined,
};

export const emptyOffers: OffersState = {
  response: undefined,
  problem: undefined,
  isChecking: false,
  isRequested: false,
  isPolling: false,
  hasTimedOut: false,
  since: undefined,
  order: 'arrival',
  isTable: false,
  chosen: undefined,
};

export const emptyHandoff: HandoffPanelState = {
  view: 'closed',
  invitation: undefined,
  status: 'none',
  problem: undefined,
  retryAfterMs: undefined,
};

export const initialState: AppState = {
  isConnected: false,
  isOffline: false,
  savesDraft: false,
  loading: { problem: undefined, isRetrying: false, isRepeated: false },
  chunks: { form: 'waiting', after: 'waiting', isAwaited: false },
  language: { locale: 'en', isLoading: false, offered: locales, failed: undefined },
  session: {
    response: undefined,
    endsAt: undefined,
    notice: undefined,
    problem: undefined,
    isFinal: false,
  },
  device: { status: 'unavailable', endsAt: undefined },
  form: undefined,
  statusCheck: { isChecking: false, isRequested: false, checkedAt: undefined },
  sent: { drawnFor: undefined, copy: undefined },
  documents: emptyDocuments,
  bank: emptyBank,
  contact: emptyContact,
  offers: emptyOffers,
  closing: { isClosing: false, warnsOfUnsent: false, problem: undefined, closedStep: undefined },
  handoff: emptyHandoff,
  phone: {
    screen: 'starting',
    handoff: undefined,
    code: '',
    lacksCode: false,
    isBusy: false,
    problem: undefined,
    retryAfterMs: undefined,
  },
};

/** Runs after every change, with the state before and after it. It may call `update`; that change follows this one. */
export type Reaction = (before: AppState, after: AppState) => void;

export class Store {
  #state: AppState;
  readonly #reactions: readonly Reaction[];
  readonly #changes: (readonly [AppState, AppState])[] = [];

  /** @param reactions run in this order after every change. */
  constructor(reactions: readonly Reaction[], state: AppState = initialState) {
    this.#reactions = reactions;
    this.#state = state;
  }

  get state(): AppState {
    return this.#state;
  }

  /** Replaces the state at once, then runs the reactions. Does nothing when `change` returns the same state. */
  update(change: (state: AppState) => AppState): void {
    const before = this.#state;
    this.#state = change(before);
    if (this.#state === before) return;
    this.#changes.push([before, this.#state]);
    // A reaction has called: its change waits, so that every reaction sees all changes in the same order.
    if (this.#changes.length > 1) return;
    try {
      for (const [earlier, later] of this.#changes) {
        for (const react of this.#reactions) react(earlier, later);
      }
    } finally {
      this.#changes.length = 0;
    }
  }

  /** Changes the form, if there is one. */
  updateForm(change: (form: FormState) => FormState): void {
    this.update((state) => {
      const form = state.form && change(state.form);
      return form === state.form ? state : { ...state, form };
    });
  }

  /** Changes members of one slice. */
  merge<Name extends SliceName>(slice: Name, changes: Partial<AppState[Name]>): void {
    this.update((state) => ({ ...state, [slice]: { ...state[slice], ...changes } }));
  }
}

/** The slices, which are objects; the other members of the state are set with `update`. */
type SliceName = {
  [Name in keyof AppState]-?: AppState[Name] extends object ? Name : never;
}[keyof AppState];

export function hasUnsentFiles({ queued }: DocumentsState): boolean {
  return queued.some(isSendable);
}

/** Returns true if the file can be sent, now or later. */
export function isSendable({ state, problem }: QueuedDocument): boolean {
  return state !== 'failed' || (problem?.kind === 'failed' && problem.isRetryable);
}

/** Returns true if only the typed answers differ. */
export function isTyping(before: AppState, after: AppState): boolean {
  return (
    before.form !== undefined &&
    after.form !== undefined &&
    isEqualExcept(before, after, 'form') &&
    isEqualExcept(before.form, after.form, 'draft')
  );
}

function isEqualExcept<Value extends object>(
  one: Value,
  other: Value,
  except: keyof Value,
): boolean {
  const keys = Object.keys(one) as (keyof Value)[];
  return keys.every((key) => key === except || one[key] === other[key]);
}
