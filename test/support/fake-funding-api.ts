// A BFF in memory that returns the responses of a test and records the requests.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type {
  BankReportStatus,
  ContactResponse,
  DocumentStatus,
} from '../../shared/api/attachments.ts';
import type {
  Handoff,
  HandoffClaim,
  HandoffClaimRequest,
  HandoffStatus,
  PhoneHandoff,
} from '../../shared/api/handoff.ts';
import type { DraftKeyResponse } from '../../shared/api/draft-key.ts';
import type { Offers } from '../../shared/api/offers.ts';
import type { PlaceResponse } from '../../shared/api/place.ts';
import type { Session } from '../../shared/api/session.ts';
import type {
  FailureCode,
  Failure,
  FundingApi,
  Result,
  Upload,
  SubmissionProof,
} from '../../widget/api/funding-api.ts';
import { createConfiguration } from './configuration.ts';

export function ok<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function fail(code: FailureCode, errors: Failure['errors'] = []): Failure {
  return { ok: false, code, errors };
}

/** A failure after which the BFF asks for a delay. */
export function busy(code: FailureCode, retryAfterMs: number): Failure {
  return { ...fail(code), retryAfterMs };
}

export const acceptedStatus: ApplicationStatus = {
  status: 'accepted',
  reference: '0199a3c2-7d11-7c3e-9b2a-1f0c7a5e88d1',
  receivedAt: '2026-11-20T15:00:00.000Z',
  delayed: false,
};

export const receivedStatus: ApplicationStatus = { ...acceptedStatus, status: 'received' };

export const rejectedStatus: ApplicationStatus = {
  ...acceptedStatus,
  status: 'rejected',
  errors: [],
};

/** A session without an application or attachments, except for `changes`. */
export function createSession(changes: Partial<Session> = {}): Session {
  return {
    expiresAt: '2026-11-20T16:00:00.000Z',
    isProven: true,
    application: null,
    documents: [],
    assetReport: null,
    contact: null,
    ...changes,
  };
}

/** The responses of a BFF that has this application, for example with attachments in the session. */
export function withApplication(
  application: ApplicationStatus = acceptedStatus,
  session: Partial<Session> = {},
) {
  return { session: ok(createSession({ application, ...session })), status: ok(application) };
}

/** A handoff that no phone has claimed. */
export const waitingHandoff: Handoff = {
  url: 'https://apply.partner.example/phone#AAAAAAAAAAAAAAAAAAAAAA',
  code: '7K4M-92XQ',
  number: '42',
  expiresAt: '2026-11-20T15:05:00.000Z',
};

/** The handoff on a phone that has claimed it. */
export const claimedHandoff: PhoneHandoff = {
  state: 'claimed',
  partnerName: 'Millstone Supply Co.',
  reference: acceptedStatus.reference,
  businessName: 'Ro•••• Ba••••',
  choices: ['17', '42', '63'],
  expiresAt: '2026-11-20T15:05:00.000Z',
};

export const deliveredDocument = {
  number: 1,
  name: 'a.pdf',
  category: 'drivers-license',
  bytes: 1,
  status: 'delivered',
  delayed: false,
} as const satisfies DocumentStatus;

/** A document that the BFF holds for changes. */
export const heldDocument = {
  ...deliveredDocument,
  status: 'received',
  changeable: { needsCategory: false, heldSeconds: 30 },
} as const satisfies DocumentStatus;

type Operations = Omit<Required<FundingApi>, 'endsWithPage'>;
type ResponseTo<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>;

export class FakeFundingApi implements Required<FundingApi> {
  endsWithPage = false;
  /** The response to `endSession`. */
  ended: Result<undefined> = ok(undefined);
  configuration: Result<Configuration> = ok(createConfiguration());
  session: Result<Session> = ok(createSession());
  application: Result<ApplicationStatus> = ok(acceptedStatus);
  status: Result<ApplicationStatus> = ok(acceptedStatus);
  place: Result<PlaceResponse> = ok({ place: null });
  offers: Result<Offers> = ok({
    decision: 'pending',
    offers: [],
    checkedAt: '2026-11-20T15:01:00.000Z',
  });
  contact: Result<ContactResponse> = ok({ contact: 'enabled' });
  assetReport: Result<BankReportStatus> = ok({ status: 'delivered', delayed: false });
  handoff: Result<Handoff> = ok(waitingHandoff);
  handoffStatus: Result<HandoffStatus | PhoneHandoff> = ok({ state: 'waiting' });
  claim: Result<HandoffClaim> = ok(claimedHandoff);
  confirmation: Result<undefined> = ok(undefined);
  /** The response to `endHandoff`. */
  handoffEnded: Result<undefined> = ok(undefined);
  /** The documents that this phone has sent. */
  phoneDocuments: DocumentStatus[] = [];
  /** Handles an upload. Default: the upload is accepted. */
  handleUpload: (upload: Upload, number: number) => Promise<Result<DocumentStatus>> = async (
    { file, category },
    number,
  ) => {
    const { name, size: bytes } = file;
    return ok({ number, name, category, bytes, status: 'delivered', delayed: false });
  };

  /** The response to `getDraftKey`. `createDraftKey` creates a key, and `endDraftKey` removes it. */
  draftKey: Result<DraftKeyResponse> = ok({ draftKey: null });
  /** The end of created keys: 7 days from now, because browser tests use the real clock. */
  draftKeyExpiresAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
  /** The browser keeps the cookie of the key. */
  keepsDraftCookie = true;
  draftKeysEnded = 0;

  /** Handles a change of a category. Default: the document is held, and then delivered. */
  handleChange: (number: number, category: string) => Promise<Result<DocumentStatus>> = async (
    number,
    category,
  ) => ok({ ...heldDocument, number, category });
  handleRemoval: (number: number) => Promise<Result<undefined>> = async () => ok(undefined);

  readonly changes: (readonly [number: number, category: string])[] = [];
  readonly removals: number[] = [];
  readonly submissions: { readonly body: string; readonly key: string }[] = [];
  /** The bot-check proof of each submission. */
  readonly proofs: (SubmissionProof | undefined)[] = [];
  readonly uploads: Upload[] = [];
  readonly reports: unknown[] = [];
  readonly contacts: unknown[] = [];
  readonly requestedZips: string[] = [];
  readonly requestedLocales: (string | undefined)[] = [];
  sessionsOpened = 0;
  sessionsEnded = 0;
  offersRequests = 0;
  readonly claims: HandoffClaimRequest[] = [];
  readonly pickedNumbers: string[] = [];
  handoffsCreated = 0;
  handoffRequests = 0;
  handoffsEnded = 0;

  /** The next request of this kind waits. Returns a function that sends its response. */
  hold<Name extends keyof Operations>(name: Name): (response: ResponseTo<Name>) => void {
    const { promise, resolve } = Promise.withResolvers<ResponseTo<Name>>();
    const operation = this[name] as (...values: unknown[]) => Promise<unknown>;
    const waiting = (...values: unknown[]) => {
      Object.assign(this, { [name]: operation });
      void operation(...values);
      return promise;
    };
    Object.assign(this, { [name]: waiting });
    return resolve;
  }

  /** Uploads report this progress, then wait. Returns a function that sends the response. */
  holdUploads(response: Result<DocumentStatus> = ok(heldDocument), progress = 0): () => void {
    const { promise, resolve } = Promise.withResolvers<Result<DocumentStatus>>();
    this.handleUpload = ({ onProgress }) => {
      onProgress(progress);
      return promise;
    };
    return () => resolve(response);
  }

  /** Uploads report this progress, then wait until they are aborted. */
  holdUploadsUntilAborted(progress = 0): void {
    this.handleUpload = ({ signal, onProgress }) =>
      new Promise((resolve) => {
        onProgress(progress);
        signal.addEventListener('abort', () => resolve(fail('network')));
      });
  }

  getConfiguration = async (locale?: string) => {
    this.requestedLocales.push(locale);
    return this.configuration;
  };

  openSession = async () => {
    this.sessionsOpened += 1;
    return this.session;
  };

  /** Includes the application that was submitted to this BFF. */
  getSession = async () => {
    const { session, application } = this;
    if (!session.ok || session.value.application || this.submissions.length === 0) return session;
    return ok({ ...session.value, application: application.ok ? application.value : null });
  };

  endSession = async () => {
    this.sessionsEnded += 1;
    return this.ended;
  };

  getDraftKey = async () => this.draftKey;

  createDraftKey = async () => {
    if (!this.draftKey.ok) return this.draftKey;
    const bytes = String.fromCodePoint(...crypto.getRandomValues(new Uint8Array(32)));
    const key = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const { draftKey } = this.draftKey.value;
    const created = ok({ draftKey: draftKey ?? { key, expiresAt: this.draftKeyExpiresAt } });
    if (this.keepsDraftCookie) this.draftKey = created;
    return created;
  };

  endDraftKey = async () => {
    this.draftKeysEnded += 1;
    if (this.draftKey.ok) this.draftKey = ok({ draftKey: null });
    return ok(undefined);
  };

  submitApplication = async (body: string, key: string, proof?: SubmissionProof) => {
    this.submissions.push({ body, key });
    this.proofs.push(proof);
    return this.application;
  };

  getApplication = async () => this.status;

  getPlace = async (zip: string) => {
    this.requestedZips.push(zip);
    return this.place;
  };

  getOffers = async () => {
    this.offersRequests += 1;
    return this.offers;
  };

  enableContact = async (consent: unknown) => {
    this.contacts.push(consent);
    return this.contact;
  };

  uploadDocument = async (upload: Upload) => {
    this.uploads.push(upload);
    return this.handleUpload(upload, this.uploads.length);
  };

  changeDocumentCategory = async (number: number, category: string) => {
    this.changes.push([number, category]);
    return this.handleChange(number, category);
  };

  removeDocument = async (number: number) => {
    this.removals.push(number);
    return this.handleRemoval(number);
  };

  submitAssetReport = async (report: unknown) => {
    this.reports.push(report);
    return this.assetReport;
  };

  createHandoff = async () => {
    this.handoffsCreated += 1;
    return this.handoff;
  };

  getHandoff = async () => {
    this.handoffRequests += 1;
    return this.handoffStatus;
  };

  endHandoff = async () => {
    this.handoffsEnded += 1;
    return this.handoffEnded;
  };

  claimHandoff = async (request: HandoffClaimRequest) => {
    this.claims.push(request);
    return this.claim;
  };

  confirmHandoff = async (number: string) => {
    this.pickedNumbers.push(number);
    return this.confirmation;
  };

  listDocuments = async () => ok({ documents: this.phoneDocuments });
}
