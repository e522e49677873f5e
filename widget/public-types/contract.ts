// The types of what travels between the element and its BFF, for pages with a transport of their own (`api`).

/** How hosts with a transport of their own reach the BFF: one method a route, and every failure is a value. */
export interface FundingApi {
  /** The session ends with this page, since the browser keeps no cookie of the BFF; known once something else was asked after it. */
  readonly endsWithPage: boolean;
  /** @param locale language of its texts, for example `es`. */
  getConfiguration(locale?: string): Promise<Result<Configuration>>;
  /** Begins a session or resumes the one this browser has. */
  openSession(): Promise<Result<Session>>;
  /** The session this page has, and never another one. */
  getSession(): Promise<Result<Session>>;
  /** Ends the session for good; what was sent stays sent. */
  endSession(): Promise<Result<undefined>>;
  /** `body` is the serialized application; the same body must come with the same key. */
  submitApplication(
    body: string,
    idempotencyKey: string,
    proof?: SubmissionProof,
  ): Promise<Result<ApplicationStatus>>;
  getApplication(): Promise<Result<ApplicationStatus>>;
  getOffers(): Promise<Result<Offers>>;
  enableContact(consent: ConsentGiven): Promise<Result<ContactAnswer>>;
  uploadDocument(upload: Upload): Promise<Result<DocumentStatus>>;
  submitAssetReport(report: unknown): Promise<Result<AssetReportStatus>>;
}

export type Result<Value> = { readonly ok: true; readonly value: Value } | Failure;

export interface Failure {
  readonly ok: false;
  readonly code: FailureCode;
  readonly errors: readonly FieldError[];
  readonly retryAfterMs?: number;
}

/** `network`: no answer of the BFF arrived; anything else is the BFF's own code. */
export type FailureCode =
  | 'network'
  | 'origin-refused'
  | 'header-missing'
  | 'not-found'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'too-large'
  | 'invalid-request'
  | 'session-missing'
  | 'too-many-requests'
  | 'too-busy'
  | 'too-soon'
  | 'automation-suspected'
  | 'challenge-required'
  | 'challenge-unavailable'
  | 'idempotency-key-missing'
  | 'idempotency-key-reused'
  | 'application-exists'
  | 'application-missing'
  | 'application-pending'
  | 'application-rejected'
  | 'consent-required'
  | 'document-name-invalid'
  | 'document-category-invalid'
  | 'document-length-required'
  | 'document-empty'
  | 'document-too-large'
  | 'document-incomplete'
  | 'document-type-refused'
  | 'document-type-mismatch'
  | 'document-damaged'
  | 'document-picture-damaged'
  | 'document-password'
  | 'document-attachments'
  | 'document-active-content'
  | 'document-media'
  | 'document-scripts'
  | 'document-unsafe'
  | 'document-not-checked'
  | 'document-too-many-pixels'
  | 'document-infected'
  | 'document-limit-reached'
  | 'document-space-exhausted'
  | 'document-rejected'
  | 'asset-report-invalid'
  | 'asset-report-rejected'
  | 'service-refused'
  | 'service-unavailable'
  | 'storage-unavailable'
  | 'inspection-unavailable'
  | 'internal';

/** What an applicant can be told: a failure, or what the form itself has found. */
export type FlowProblem =
  | FailureCode
  | 'rejected-with-documents'
  | 'rejected-earlier'
  | 'submit-unanswered'
  | 'challenge-not-offered'
  | 'session-refused'
  | 'offline'
  | 'already-sent';

/** `pointer` is a JSON Pointer (RFC 6901) into the application, for example `/business/address/zip`. */
export interface FieldError {
  pointer: string;
  code:
    | 'required'
    | 'invalid'
    | 'too-long'
    | 'too-small'
    | 'too-large'
    | 'not-a-number'
    | 'not-in-list'
    | 'email'
    | 'phone'
    | 'zip'
    | 'ssn'
    | 'ein'
    | 'date'
    | 'date-in-future'
    | 'too-young'
    | 'name-mismatch'
    | 'unknown-field'
    | 'rejected';
}

export interface Configuration {
  environment: 'sandbox' | 'staging' | 'production';
  partnerName: string;
  locales: string[];
  locale?: string | undefined;
  fundingReasons: Choice[];
  businessTypes: Choice[];
  creditScores: Choice[];
  requiredFields: ('birthDate' | 'ssn' | 'taxId' | 'ownershipPercent' | 'employees')[];
  consents: Consent[];
  documents: {
    maxBytes: number;
    maxFiles: number;
    maxTotalBytes?: number | undefined;
    extensions: string[];
    categories: DocumentCategory[];
    checklist?: ChecklistItem[] | undefined;
  };
  bankConnection: 'off' | 'demonstration' | 'host';
  challenge?: { provider: string; siteKey: string } | null | undefined;
  offers: {
    showMonthlyRate: boolean;
    showCentsOnTheDollar: boolean;
    notQualifiedNotice: string;
  };
  creditCheckNotice?: string | undefined;
  support: {
    name?: string | undefined;
    phone?: string | undefined;
    email?: string | undefined;
    url?: string | undefined;
  };
}

export interface Choice {
  value: string;
  label: string;
}

export interface Consent {
  id: string;
  version: string;
  label: string;
  text: string;
  links?: { label: string; url: string }[] | undefined;
  required: boolean;
}

export interface DocumentCategory {
  id: string;
  label: string;
  group: 'bank-statements' | 'identity' | 'financials' | 'ownership' | 'debt' | 'lender' | 'other';
}

export interface ChecklistItem {
  id: string;
  label: string;
  categories: string[];
  count: number;
}

/** Times are written as in ISO 8601, here and below. */
export interface Session {
  expiresAt: string;
  isProven?: boolean | undefined;
  handle?: string | undefined;
  application: ApplicationStatus | null;
  documents: DocumentStatus[];
  assetReport: AssetReportStatus | null;
  contact: { status: ContactAnswer['contact'] } | null;
}

/**
 * `received`: the BFF keeps it safe. `confirming`: the funding service may have it, its answer was lost. `accepted` and
 * `rejected`: by the funding service.
 */
export interface ApplicationStatus {
  status: 'received' | 'confirming' | 'accepted' | 'rejected';
  reference: string;
  receivedAt: string;
  delayed: boolean;
  trackingUrl?: string | undefined;
  errors?: FieldError[] | undefined;
}

/** `received`: the BFF keeps it safe. `delivered`: the funding service has it. `rejected`: by it, or by the virus scanner. */
export interface DocumentStatus {
  /** Counts up from 1. */
  number: number;
  name?: string | undefined;
  category: string;
  bytes: number;
  status: AssetReportStatus['status'];
  delayed: boolean;
  problem?: 'document-infected' | undefined;
}

export interface AssetReportStatus {
  status: 'received' | 'delivered' | 'rejected';
  delayed: boolean;
}

export interface ContactAnswer {
  contact: 'received' | 'enabled';
}

/** `pending`: no decision yet, or qualified and no offer made yet. */
export interface Offers {
  decision: 'qualified' | 'not-qualified' | 'pending';
  offers: Offer[];
  checkedAt: string;
  trackingUrl?: string | undefined;
}

/** Money in USD, rates in percent, term in months; `null` where the service says nothing. */
export interface Offer {
  id: string;
  product: string | null;
  amount: number | null;
  termMonths: number | null;
  paymentFrequency: string | null;
  paymentAmount: number | null;
  monthlyRate: number | null;
  aprLow: number | null;
  aprHigh: number | null;
  feeLow: number | null;
  feeHigh: number | null;
  disclosures: string | null;
  totalCost: number | null;
  centsOnTheDollar: number | null;
  totalInterest: number | null;
}

export interface ConsentGiven {
  id: string;
  version: string;
  locale?: string | undefined;
}

export interface SubmissionProof {
  /** Something stands in the field that nobody sees. */
  readonly isHoneypotFilled: boolean;
  readonly challengeToken?: string;
}

export interface Upload {
  readonly file: File;
  readonly category: string;
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}
