// Every failure the sandbox can answer: the rows of the spec's Errors table, and those whose wording the spec does not show.

import { operationIds, type OperationId } from './operation-ids.ts';

export type FailureHttpStatus = 400 | 401 | 403 | 404 | 409 | 415 | 500;

export interface ErrorRow {
  /** Status when failures are served in `http` style; the spec shows none. */
  readonly httpStatus: FailureHttpStatus;
  /** The message; `<field_name>` and `<application_id>` are placeholders. */
  readonly text: string;
  readonly condition: string;
  /** Whether the spec shows this wording. Where it does not, the text is the sandbox's own choice. */
  readonly isShown: boolean;
  /** `error` of the token operation's answer (RFC 6749 section 5.2, and the platform's own `invalid_client_id`). */
  readonly oauthError?: string;
}

const partnerHeadersMissing =
  'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
const contentTypeInvalid = 'Invalid Request Header. Content-Type must be application/json.';
const contentTypeCondition = 'Content-Type header missing or not application/json';
const partnerInvalidCondition = 'PartnerId or PartnerName given, but not valid';
const tokenInvalidCondition = 'Invalid or expired token';

export const errorRows = {
  'token/content-type-invalid': oauth(
    'invalid_request',
    'Content-Type must be application/x-www-form-urlencoded',
    'Body not sent as a form',
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

  'create-lead/missing-required-field': shown(
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

  'pre-approval-offer/application-id-missing': shown(
    400,
    'Missing Application ID',
    'ApplicationID header absent',
  ),
  'pre-approval-offer/application-id-invalid': shown(
    400,
    'Invalid Application ID',
    'ApplicationID invalid',
  ),
  'pre-approval-offer/application-not-found': shown(404, 'Application not found', 'Lead not found'),
  'pre-approval-offer/authentication-invalid': shown(
    401,
    'Invalid username and password',
    'Authentication invalid',
  ),
  'pre-approval-offer/partner-headers-missing': shown(
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

  'contact-user/application-id-missing': shown(
    400,
    'Missing Application ID',
    'ApplicationID header absent',
  ),
  'contact-user/application-not-found': shown(404, 'Application not found', 'Lead not found'),
  'contact-user/authentication-invalid': shown(
    401,
    'Invalid username and password',
    'Authentication invalid',
  ),
  'contact-user/partner-headers-missing': shown(
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

  'asset-report/application-id-missing': shown(
    400,
    'applicationId is required',
    'applicationId missing',
  ),
  'asset-report/report-missing': shown(
    400,
    'assetReportJson is required',
    'assetReportJson missing',
  ),
  'asset-report/application-not-found': shown(
    404,
    'Application not found: <application_id>',
    'Lead does not exist',
  ),
  'asset-report/report-invalid': shown(
    400,
    'Invalid Asset Report JSON - missing report data',
    'Malformed JSON or no report data',
  ),
  'asset-report/processing-failed': shown(
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

  'upload-file/missing-required-field': shown(
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
    'A field that is not text, or a file that is not an object',
  ),
  'upload-file/content-type-invalid': chosen(
    415,
    `Error: ${contentTypeInvalid}`,
    contentTypeCondition,
  ),
  'upload-file/malformed-json': chosen(400, 'Error: Malformed JSON', 'Body is not a JSON object'),
} as const satisfies Record<`${OperationId}/${string}`, ErrorRow>;

export type ErrorRowId = keyof typeof errorRows;

export function isErrorRowId(text: string): text is ErrorRowId {
  return Object.hasOwn(errorRows, text);
}

export function toOperationId(row: ErrorRowId): OperationId {
  const operation = operationIds.find((id) => row.startsWith(`${id}/`));
  if (!operation) throw new RangeError('An error row names no operation');
  return operation;
}

/** The row's message with its placeholder, if it has one, filled in. */
export function toErrorText(row: ErrorRowId, subject = ''): string {
  return errorRows[row].text.replace(/<(?:field_name|application_id)>/, () => subject);
}

function shown(httpStatus: FailureHttpStatus, text: string, condition: string): ErrorRow {
  return { httpStatus, text, condition, isShown: true };
}

function chosen(httpStatus: FailureHttpStatus, text: string, condition: string): ErrorRow {
  return { httpStatus, text, condition, isShown: false };
}

function oauth(oauthError: string, text: string, condition: string): ErrorRow {
  return { httpStatus: 400, text, condition, isShown: false, oauthError };
}
