// Failure texts of real platforms that say nothing about an application: outages, limits, permissions, locks, automation, and
// proxies. They come from public bug reports and the platforms' documentation. None of them may cause an erasure.

export interface FailureText {
  readonly text: string;
  /** The platform's error code, when its error arrays contain one. */
  readonly code?: string;
}

/** A platform of the kind that issues the funding service's tokens, with its own automation language. */
const applicationPlatform: readonly FailureText[] = [
  {
    text: 'An unexpected error occurred. Please include this ErrorId if you contact support: 1786421-53201 (-1290112341)',
    code: 'UNKNOWN_EXCEPTION',
  },
  { text: 'An unexpected error occurred' },
  { text: 'An unexpected error occurred while saving Company' },
  { text: 'System.LimitException: Too many SOQL queries: 101', code: 'APEX_ERROR' },
  { text: 'System.LimitException: Too many DML statements: 151', code: 'APEX_ERROR' },
  { text: 'System.LimitException: Apex CPU time limit exceeded', code: 'APEX_ERROR' },
  { text: 'System.LimitException: Apex heap size too large: 12174591', code: 'APEX_ERROR' },
  { text: 'System.CalloutException: Read timed out', code: 'APEX_ERROR' },
  { text: 'Read timed out' },
  {
    text: 'System.NullPointerException: Attempt to de-reference a null object\n\nClass.CreditAppService.createLead: line 214, column 1',
    code: 'APEX_ERROR',
  },
  {
    text: 'System.DmlException: Insert failed. First exception on row 0; first error: UNABLE_TO_LOCK_ROW, unable to obtain exclusive access to this record or 1 records: 0015e00000AbCdEAAV: []',
    code: 'APEX_ERROR',
  },
  { text: 'unable to obtain exclusive access to this record', code: 'UNABLE_TO_LOCK_ROW' },
  {
    text: 'System.DmlException: Insert failed. First exception on row 0; first error: CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY, LeadTrigger: execution of AfterInsert caused by: System.DmlException: Update failed. First exception on row 0; first error: FIELD_CUSTOM_VALIDATION_EXCEPTION, Required field: [Company]: []',
    code: 'APEX_ERROR',
  },
  {
    text: 'Insert failed. First exception on row 0; first error: REQUIRED_FIELD_MISSING, Required fields are missing: [Company]: [Company]',
  },
  {
    text: 'Insert failed. First exception on row 0; first error: STRING_TOO_LONG, Company: data value too large (max length=80): [Company]',
  },
  {
    text: 'Insert failed. First exception on row 0; first error: INVALID_FIELD_FOR_INSERT_UPDATE, Unable to create/update fields: Company. Please check the security settings of this field and verify that it is read/write for your profile or permission set.: [Company]',
  },
  { text: "No such column 'AnnualRevenue' on sobject of type Lead", code: 'INVALID_FIELD' },
  {
    text: 'bad value for restricted picklist field: Retail',
    code: 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
  },
  { text: 'TotalRequests Limit exceeded.', code: 'REQUEST_LIMIT_EXCEEDED' },
  { text: 'REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.' },
  { text: 'ConcurrentPerOrgLongTxn Limit exceeded.', code: 'REQUEST_LIMIT_EXCEEDED' },
  { text: 'storage limit exceeded', code: 'STORAGE_LIMIT_EXCEEDED' },
  {
    text: 'insufficient access rights on cross-reference id',
    code: 'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY',
  },
  { text: 'insufficient access rights on object id', code: 'INSUFFICIENT_ACCESS_OR_READONLY' },
  { text: 'invalid cross reference id', code: 'INVALID_CROSS_REFERENCE_KEY' },
  { text: 'The REST API is not enabled for this Organization.', code: 'API_DISABLED_FOR_ORG' },
  {
    text: 'This feature is not currently enabled for this user.',
    code: 'FUNCTIONALITY_NOT_ENABLED',
  },
  { text: 'Your query request was running for too long.', code: 'QUERY_TIMEOUT' },
  {
    text: 'The server is currently unavailable, please try again later',
    code: 'SERVER_UNAVAILABLE',
  },
  { text: 'Server too busy. Request must be retried later', code: 'SERVER_UNAVAILABLE' },
  { text: 'Request must be retried later' },
  {
    text: 'We are currently performing maintenance, and the service is not available. Your data must be resubmitted afterwards.',
  },
];

const partnerPlatform: readonly FailureText[] = [
  { text: 'Partner P-1001 is not allowed to submit leads' },
  { text: 'Partner is not active. Company must be enabled by an administrator.' },
  { text: 'Campaign is not valid for this partner' },
  { text: 'Invalid configuration for partner Acme' },
  { text: 'The value of the partner configuration is invalid' },
  { text: 'Unexpected token < in JSON at position 0' },
  { text: 'Object reference not set to an instance of an object.' },
  { text: 'java.net.SocketTimeoutException: Read timed out' },
  { text: 'ORA-12541: TNS:no listener' },
  {
    text: 'could not execute statement; nested exception is org.hibernate.exception.LockAcquisitionException',
  },
  { text: 'Deadlock found when trying to get lock; try restarting transaction' },
  { text: 'value too long for type character varying(80)' },
  { text: '' },
];

const gateways: readonly FailureText[] = [
  { text: 'Endpoint request timed out' },
  { text: 'Too Many Requests' },
  { text: 'Service Unavailable' },
  { text: 'Internal Server Error' },
  {
    text: 'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
  },
  { text: 'Execution failed due to configuration error: Invalid endpoint address' },
  { text: 'Invalid category of error' },
  { text: 'Forbidden' },
  { text: 'The request is blocked.' },
];

export const failureTexts: readonly FailureText[] = [
  ...applicationPlatform,
  ...partnerPlatform,
  ...gateways,
];

/** HTTP statuses of real failures. */
export const failureStatuses = [200, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503] as const;

/** Response bodies that contain the text of a failure. */
export const failureShapes: Readonly<Record<string, (failure: FailureText) => unknown>> = {
  'the operation’s own body': ({ text }) => ({
    IsSuccessful: false,
    success: false,
    ResponseText: text,
    ResponseMessage: text,
    message: text,
  }),
  'the operation’s body without a flag': ({ text }) => ({ ResponseText: text, message: text }),
  'an error array': ({ text, code = 'UNKNOWN_EXCEPTION' }) => [{ errorCode: code, message: text }],
  'a single message': ({ text }) => ({ message: text }),
  'a page': ({ text }) => `<html><body><h1>${text}</h1></body></html>`,
};
