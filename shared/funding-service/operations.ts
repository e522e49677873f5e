// The six operations of the funding service and their responses as it documents them (spec, "Endpoints").
// The sandbox builds the responses. The BFF does not rely on these types: it reads real responses tolerantly (bff/funding-service).

import type { PreApprovalOffer, PreApprovalStatus } from './pre-approval.ts';

/** The operations that need an access token. */
export const partnerOperations = [
  'create-lead',
  'pre-approval-offer',
  'contact-user',
  'asset-report',
  'upload-file',
] as const;
export type PartnerOperation = (typeof partnerOperations)[number];

/** All operations, by the names that logs, metrics, faults, and error rows use. */
export const operations = ['token', ...partnerOperations] as const;
export type Operation = (typeof operations)[number];

/** The funding service accepts a token for two hours. The token response does not state this (spec, "Limits"). */
export const tokenLifetimeMs = 2 * 60 * 60 * 1000;

/** The path of Submit Asset Report below the base URL. Its first segment is the aggregation provider's name. */
export function toAssetReportPath(aggregatorName: string): string {
  return `/${encodeURIComponent(aggregatorName.toLowerCase())}/asset-report/`;
}

/** Operation 1, Get access token. */
export interface TokenResponse {
  readonly access_token: string;
  readonly instance_url: string;
  readonly id: string;
  readonly token_type: string;
  /** Epoch milliseconds as text. */
  readonly issued_at: string;
  /** Base64. */
  readonly signature: string;
}

/** Operation 2, Create Lead. */
export interface CreateLeadResponse {
  readonly IsSuccessful: boolean;
  readonly ResponseText: string;
  readonly ApplicationID: string | null;
  readonly ReferenceID: string | null;
  readonly pURL: string | null;
}

/** Operation 3, Get Pre-Approval Offer. */
export interface PreApprovalResponse {
  readonly IsSuccessful: boolean;
  readonly ResponseText: string;
  readonly ReferenceID: string | null;
  readonly pURL: string | null;
  readonly PreApproval_Data: {
    readonly PreApproval_Status: PreApprovalStatus;
    readonly PreApproval_Offers: readonly PreApprovalOffer[];
  } | null;
}

/** Operation 4, Contact User. */
export interface ContactUserResponse {
  readonly IsSuccessful: boolean;
  readonly ResponseText: string;
}

/** Operation 5, Submit Asset Report. */
export interface AssetReportResponse {
  readonly success: boolean;
  readonly message: string;
  readonly assetReportId: string | null;
}

/** Operation 6, Upload File. */
export interface UploadFileResponse {
  readonly IsSuccessful: boolean;
  readonly ResponseMessage: string;
  readonly DocumentId: string | null;
  readonly ReferenceID: string | null;
}
