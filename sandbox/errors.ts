// Every error that the operations of the funding service can return.

import { operations, type Operation } from '../shared/funding-service/operations.ts';

/** One row of the spec's Errors table, or an error whose wording the spec does not show. */
export interface ErrorRow {
  /** Status in `http` failure style. The spec shows none. */
  readonly httpStatus: 400 | 401 | 403 | 404 | 409 | 415 | 500;
  /** The message. `<field_name>` and `<application_id>` are placeholders. */
  readonly text: string;
  readonly condition: string;
  /** If true, the spec shows this wording. If false, the sandbox chose it. */
  readonly isShown: boolean;
  /** `error` in the response of the token operation (RFC 6749 section 5.2, and the platform's own `invalid_client_id`). */
  readonly oauthError?: string;
}

const partnerHeadersMissing =
  'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
const contentTypeInvalid = 'Invalid Request Header. Content-Type must be application/json.';
const contentTypeCondition = 'Content-Type header missing or not application/json';
const partnerInvalidCondition = 'PartnerId or PartnerName not valid';
const tokenInvalidCondition = 'Invalid or expired token';

export const errorRows = {
  'token/content-type-invalid': oauth(
    'invalid_request',
    'Content-Type must be application/x-www-form-urlencoded',
    'Body is not form-encoded',
  ),
  'token/missing-parameter': oauth(
    'invalid_request',
    'missing required parameter: <field_name>',
    'One of the five parameters missing or empty',
  ),
  'token/unsupported-grant-type': oauth(
    'unsupported_grant_type',
    'grant type not supported',
    'grant_type is not "password"',
  ),
  'token/client-id-invalid': oauth(
    'invalid_client_id',
    'client identifier invalid',
    'Unknown client_id',
  ),
  'token/client-secret-invalid': oauth(
    'invalid_client',
    'invalid client credentials',
    'Wrong client_secret',
  ),
  'token/user-invalid': oauth(
    'invalid_grant',
    'authentication failure',
    'Wrong username or password',
  ),

  'create-lead/missing-required-field': fromSpec(
    400,
    'Missing required field: <field_name>',
    'Required field missing',
  ),
  'create-lead/authentication-invalid': chosen(
    401,
    'Invalid or expired access token',
    tokenInvalidCondition,
  ),
  'create-lead/invalid-field-value': chosen(
    400,
    'Invalid value for field: <field_name>',
    'Invalid field value (e.g. non-numeric AnnualRevenue)',
  ),
  'create-lead/duplicate-id': chosen(
    409,
    'Duplicate ID: an application with this ID was submitted earlier',
    'Duplicate ID submitted earlier',
  ),
  'create-lead/partner-headers-missing': chosen(
    400,
    partnerHeadersMissing,
    'PartnerName or PartnerId header missing',
  ),
  'create-lead/partner-headers-invalid': chosen(
    403,
    'Invalid PartnerName or PartnerId',
    partnerInvalidCondition,
  ),
  'create-lead/content-type-invalid': chosen(415, contentTypeInvalid, contentTypeCondition),
  'create-lead/malformed-json': chosen(400, 'Malformed JSON', 'Body is not a JSON object'),

  'pre-approval-offer/application-id-missing': fromSpec(
    400,
    'Missing Application ID',
    'ApplicationID header absent',
  ),
  'pre-approval-offer/application-id-invalid': fromSpec(
    400,
    'Invalid Application ID',
    'ApplicationID invalid',
  ),
  'pre-approval-offer/application-not-found': fromSpec(
    404,
    'Application not found',
    'Lead not found',
  ),
  'pre-approval-offer/authentication-invalid': fromSpec(
    401,
    'Invalid username and password',
    'Authentication invalid',
  ),
  'pre-approval-offer/partner-headers-missing': fromSpec(
    400,
    partnerHeadersMissing,
    'PartnerName or PartnerId header missing',
  ),
  'pre-approval-offer/partner-headers-invalid': chosen(
    403,
    'Invalid username and password',
    partnerInvalidCondition,
  ),
  'pre-approval-offer/content-type-invalid': chosen(415, contentTypeInvalid, contentTypeCondition),

  'contact-user/application-id-missing': fromSpec(
    400,
    'Missing Application ID',
    'ApplicationID header absent',
  ),
  'contact-user/application-not-found': fromSpec(404, 'Application not found', 'Lead not found'),
  'contact-user/authentication-invalid': fromSpec(
    401,
    'Invalid username and password',
    'Authentication invalid',
  ),
  'contact-user/partner-headers-missing': fromSpec(
    400,
    partnerHeadersMissing,
    'PartnerName or PartnerId header missing',
  ),
  'contact-user/partner-headers-invalid': chosen(
    403,
    'Invalid username and password',
    partnerInvalidCondition,
  ),
  'contact-user/content-type-invalid': chosen(415, contentTypeInvalid, contentTypeCondition),

  'asset-report/application-id-missing': fromSpec(
    400,
    'applicationId is required',
    'applicationId missing',
  ),
  'asset-report/report-missing': fromSpec(
    400,
    'assetReportJson is required',
    'assetReportJson missing',
  ),
  'asset-report/application-not-found': fromSpec(
    404,
    'Application not found: <application_id>',
    'Lead does not exist',
  ),
  'asset-report/report-invalid': fromSpec(
    400,
    'Invalid Asset Report JSON - missing report data',
    'Malformed JSON or no report data',
  ),
  'asset-report/processing-failed': fromSpec(
    500,
    'Asset report submission failed',
    'Processing failure',
  ),
  'asset-report/authentication-invalid': chosen(
    401,
    'Invalid or expired access token',
    tokenInvalidCondition,
  ),
  'asset-report/content-type-invalid': chosen(415, contentTypeInvalid, contentTypeCondition),

  'upload-file/missing-required-field': fromSpec(
    400,
    'Error: Missing required field: <field_name>',
    'Required field missing (leadId, file, or name, ext, file, category inside it)',
  ),
  'upload-file/authentication-invalid': chosen(
    401,
    'Error: Invalid or expired access token',
    tokenInvalidCondition,
  ),
  'upload-file/lead-not-found': chosen(
    404,
    'Error: No lead was found for leadId',
    'leadId not matching an existing lead',
  ),
  'upload-file/category-not-allowed': chosen(
    400,
    'Error: Category is not allowed',
    'Category not allowed',
  ),
  'upload-file/content-not-base64': chosen(
    400,
    'Error: File content is not valid Base64',
    'Content not valid Base64',
  ),
  'upload-file/invalid-field-value': chosen(
    400,
    'Error: Invalid value for field: <field_name>',
    'A field is not a string, or file is not an object',
  ),
  'upload-file/content-type-invalid': chosen(
    415,
    `Error: ${contentTypeInvalid}`,
    contentTypeCondition,
  ),
  'upload-file/malformed-json': chosen(400, 'Error: Malformed JSON', 'Body is not a JSON object'),
} as const satisfies Record<`${Operation}/${string}`, ErrorRow>;

export type ErrorRowId = keyof typeof errorRows;

export function isErrorRowId(text: string): text is ErrorRowId {
  return Object.hasOwn(errorRows, text);
}

export function toOperation(row: ErrorRowId): Operation {
  const operation = operations.find((name) => row.startsWith(`${name}/`));
  if (!operation) throw new RangeError(`The error row ${row} belongs to no operation`);
  return operation;
}

/** The row's message. `subject` replaces its placeholder. */
export function toErrorText(row: ErrorRowId, subject = ''): string {
  return errorRows[row].text.replace(/<(?:field_name|application_id)>/, () => subject);
}

/** A row whose wording the spec shows. */
function fromSpec(httpStatus: ErrorRow['httpStatus'], text: string, condition: string): ErrorRow {
  return { httpStatus, text, condition, isShown: true };
}

/** A row whose wording the sandbox chose, because the spec shows none. */
function chosen(httpStatus: ErrorRow['httpStatus'], text: string, condition: string): ErrorRow {
  return { httpStatus, text, condition, isShown: false };
}

function oauth(oauthError: string, text: string, condition: string): ErrorRow {
  return { httpStatus: 400, text, condition, isShown: false, oauthError };
}
