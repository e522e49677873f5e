// The error rows of the funding service, once for all tests: the wire, how the BFF classifies it, and how the application ends.

import type { RefusalReason } from '../../bff/funding-service/failure-texts.ts';
import type { ErrorRowId } from '../../sandbox/errors.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';

/** Names the outcome for the applicant. `test/whole/error-table.test.ts` has the response and the sentence of each. */
export type Ending =
  | 'lead rejected'
  | 'lead delayed'
  | 'lead confirming'
  | 'offers refused'
  | 'offers away'
  | 'contact kept'
  | 'report kept'
  | 'report rejected'
  | 'file kept'
  | 'file rejected';

export interface ErrorRow {
  readonly row: ErrorRowId;
  readonly operation: PartnerOperation;
  /** If true, the spec shows the text. If false, the sandbox chose it. */
  readonly isShown: boolean;
  /** Status in `http` failure style. In `body` style, it is 200. */
  readonly status: number;
  /** `<field_name>` and `<application_id>` are placeholders. */
  readonly text: string;
  readonly meaning: RefusalReason | 'authentication';
  /** Undefined for errors that the spec's table "Errors" does not have. */
  readonly ending: Ending | undefined;
}

type Tuple = readonly [ErrorRowId, number, string, ErrorRow['meaning'], Ending?];

const partnerMissing = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
const contentType = 'Invalid Request Header. Content-Type must be application/json.';

/** The rows of the spec's table "Errors" with a text, in its order. Copied from the spec, not from the sandbox. */
// prettier-ignore
const shownRows: readonly Tuple[] = [
  ['pre-approval-offer/application-id-missing', 400, 'Missing Application ID', 'application-id-missing', 'offers refused'],
  ['contact-user/application-id-missing', 400, 'Missing Application ID', 'application-id-missing', 'contact kept'],
  ['pre-approval-offer/application-id-invalid', 400, 'Invalid Application ID', 'application-id-invalid', 'offers refused'],
  ['pre-approval-offer/application-not-found', 404, 'Application not found', 'application-not-found', 'offers refused'],
  ['contact-user/application-not-found', 404, 'Application not found', 'application-not-found', 'contact kept'],
  ['pre-approval-offer/authentication-invalid', 401, 'Invalid username and password', 'authentication', 'offers away'],
  ['contact-user/authentication-invalid', 401, 'Invalid username and password', 'authentication', 'contact kept'],
  ['pre-approval-offer/partner-headers-missing', 400, partnerMissing, 'partner-headers-missing', 'offers away'],
  ['contact-user/partner-headers-missing', 400, partnerMissing, 'partner-headers-missing', 'contact kept'],
  // The BFF writes both fields of this body, so the report is not rejected.
  ['asset-report/application-id-missing', 400, 'applicationId is required', 'application-id-missing', 'report kept'],
  ['asset-report/report-missing', 400, 'assetReportJson is required', 'asset-report-missing', 'report kept'],
  // The funding service accepted this lead, so another report would not help.
  ['asset-report/application-not-found', 404, 'Application not found: <application_id>', 'application-not-found', 'report kept'],
  ['asset-report/report-invalid', 400, 'Invalid Asset Report JSON - missing report data', 'asset-report-invalid', 'report rejected'],
  ['asset-report/processing-failed', 500, 'Asset report submission failed', 'processing-failed', 'report kept'],
  ['create-lead/missing-required-field', 400, 'Missing required field: <field_name>', 'missing-field', 'lead rejected'],
  // The BFF writes every field of this body, so the file is not rejected.
  ['upload-file/missing-required-field', 400, 'Error: Missing required field: <field_name>', 'missing-field', 'file kept'],
];

/** Errors whose wording the spec does not show, including those that its header table implies. */
// prettier-ignore
const chosenRows: readonly Tuple[] = [
  ['create-lead/authentication-invalid', 401, 'Invalid or expired access token', 'authentication', 'lead delayed'],
  ['create-lead/invalid-field-value', 400, 'Invalid value for field: <field_name>', 'invalid-field', 'lead rejected'],
  ['create-lead/duplicate-id', 409, 'Duplicate ID: an application with this ID was submitted earlier', 'duplicate-id', 'lead confirming'],
  ['create-lead/partner-headers-missing', 400, partnerMissing, 'partner-headers-missing'],
  ['create-lead/partner-headers-invalid', 403, 'Invalid PartnerName or PartnerId', 'partner-headers-missing'],
  ['create-lead/content-type-invalid', 415, contentType, 'request-malformed'],
  ['create-lead/malformed-json', 400, 'Malformed JSON', 'request-malformed'],
  // For these two operations, the sandbox reports wrong partner headers with the text of a refused login: the spec shows no other.
  ['pre-approval-offer/partner-headers-invalid', 403, 'Invalid username and password', 'authentication'],
  ['contact-user/partner-headers-invalid', 403, 'Invalid username and password', 'authentication'],
  ['pre-approval-offer/content-type-invalid', 415, contentType, 'request-malformed'],
  ['contact-user/content-type-invalid', 415, contentType, 'request-malformed'],
  ['asset-report/authentication-invalid', 401, 'Invalid or expired access token', 'authentication'],
  ['asset-report/content-type-invalid', 415, contentType, 'request-malformed'],
  ['upload-file/authentication-invalid', 401, 'Error: Invalid or expired access token', 'authentication', 'file kept'],
  ['upload-file/lead-not-found', 404, 'Error: No lead was found for leadId', 'application-not-found', 'file kept'],
  ['upload-file/category-not-allowed', 400, 'Error: Category is not allowed', 'category-not-allowed', 'file rejected'],
  ['upload-file/content-not-base64', 400, 'Error: File content is not valid Base64', 'content-not-base64', 'file kept'],
  // Only Create Lead has fields of the applicant.
  ['upload-file/invalid-field-value', 400, 'Error: Invalid value for field: <field_name>', 'unrecognized'],
  ['upload-file/content-type-invalid', 415, `Error: ${contentType}`, 'request-malformed'],
  ['upload-file/malformed-json', 400, 'Error: Malformed JSON', 'request-malformed'],
];

export const errorRows: readonly ErrorRow[] = [
  ...shownRows.map((tuple) => toRow(tuple, true)),
  ...chosenRows.map((tuple) => toRow(tuple, false)),
];

/** The names of the flag, the message, and the other fields of each operation's response (spec, "Endpoints"). */
export const responseFields: Readonly<Record<PartnerOperation, readonly string[]>> = {
  'create-lead': ['IsSuccessful', 'ResponseText', 'ApplicationID', 'ReferenceID', 'pURL'],
  'pre-approval-offer': ['IsSuccessful', 'ResponseText', 'ReferenceID', 'pURL', 'PreApproval_Data'],
  'contact-user': ['IsSuccessful', 'ResponseText'],
  'asset-report': ['success', 'message', 'assetReportId'],
  'upload-file': ['IsSuccessful', 'ResponseMessage', 'DocumentId', 'ReferenceID'],
};

/** The body of a failed operation, without the fields that are null. */
export function toFailure(operation: PartnerOperation, text: string): object {
  const [flag = '', message = ''] = responseFields[operation];
  return { [flag]: false, [message]: text };
}

/** The row's message with the name of a field, or an ApplicationID. */
export function fillText({ text }: ErrorRow, subject: string): string {
  return text.replace(/<\w+>/, subject);
}

function toRow([row, status, text, meaning, ending]: Tuple, isShown: boolean): ErrorRow {
  // The id of a row begins with its operation.
  const operation = row.slice(0, row.indexOf('/')) as PartnerOperation;
  return { row, operation, isShown, status, text, meaning, ending };
}
