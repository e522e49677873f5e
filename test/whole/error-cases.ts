// One case per row of the spec's table "Errors": the response of the BFF, and the sentence that the applicant reads.

import {
  allowContact,
  returnRow,
  apply,
  applyAgain,
  getOffers,
  forgetLeads,
  sendFile,
  sendReport,
  type ErrorCase,
} from './error-setup.ts';

type Expectation = Pick<ErrorCase, 'send' | 'response' | 'sentence' | 'responseAfter'>;

const awaySentence =
  'The lender’s system isn’t responding right now. Nothing you sent is lost. Try again in a few minutes.';
const offersRefused: Expectation = {
  send: getOffers,
  response: [502, 'service-refused'],
  sentence:
    'We’re having trouble with the lender’s system. Nothing you sent is lost, and you don’t need to send it again.',
  responseAfter: [200, 'qualified'],
};
const offersAway: Expectation = {
  ...offersRefused,
  response: [503, 'service-unavailable'],
  sentence: awaySentence,
};
// None of these refusals is about the applicant, so the contact request waits.
const contactKept: Expectation = {
  send: allowContact,
  response: [202, 'received'],
  sentence:
    'We received your request and are sending it to the lender. You don’t need to ask again.',
  responseAfter: [200, 'enabled'],
};
const leadDelayed: Expectation = {
  send: apply,
  response: [202, 'received'],
  sentence:
    'We saved it, but the lender’s system hasn’t received it yet. We’ll keep trying. You don’t need to send it again.',
  responseAfter: [201, 'accepted'],
};
const reportKept: Expectation = {
  send: sendReport,
  response: [202, 'received'],
  sentence:
    'We received your bank report, but the lender’s system hasn’t received it yet. We’ll keep trying.',
  responseAfter: [201, 'delivered'],
};
const fileKept: Expectation = {
  send: sendFile,
  response: [202, 'received'],
  sentence: 'Received, but not sent to the lender yet',
  responseAfter: [201, 'delivered'],
};
const partnerHeadersText =
  'Invalid Request Header. PartnerName or PartnerId parameters are missing.';

export const errorCases: readonly ErrorCase[] = [
  {
    ...offersRefused,
    row: 'pre-approval-offer/application-id-missing',
    text: 'Missing Application ID',
    logged: 'application-id-missing',
  },
  {
    ...contactKept,
    row: 'contact-user/application-id-missing',
    text: 'Missing Application ID',
    logged: 'application-id-missing',
  },
  {
    ...offersRefused,
    row: 'pre-approval-offer/application-id-invalid',
    text: 'Invalid Application ID',
    logged: 'application-id-invalid',
  },
  {
    ...offersRefused,
    row: 'pre-approval-offer/application-not-found',
    text: 'Application not found',
    startFault: forgetLeads,
    logged: 'application-not-found',
  },
  {
    ...contactKept,
    row: 'contact-user/application-not-found',
    text: 'Application not found',
    startFault: forgetLeads,
    logged: 'application-not-found',
  },
  {
    ...offersAway,
    row: 'pre-approval-offer/authentication-invalid',
    text: 'Invalid username and password',
    startFault: returnRow('pre-approval-offer/authentication-invalid', 'always'),
    logged: 'FUNDING_USERNAME',
  },
  {
    ...contactKept,
    row: 'contact-user/authentication-invalid',
    text: 'Invalid username and password',
    startFault: returnRow('contact-user/authentication-invalid', 'always'),
    logged: 'FUNDING_USERNAME',
  },
  {
    ...offersAway,
    row: 'pre-approval-offer/partner-headers-missing',
    text: partnerHeadersText,
    logged: 'FUNDING_PARTNER_ID',
  },
  {
    ...contactKept,
    row: 'contact-user/partner-headers-missing',
    text: partnerHeadersText,
    logged: 'FUNDING_PARTNER_NAME',
  },

  // The BFF writes both fields of this body, so the report is not rejected.
  {
    ...reportKept,
    row: 'asset-report/application-id-missing',
    text: 'applicationId is required',
    logged: 'application-id-missing',
  },
  {
    ...reportKept,
    row: 'asset-report/report-missing',
    text: 'assetReportJson is required',
    logged: 'asset-report-missing',
  },
  // The funding service accepted this lead, so another report would not help.
  {
    ...reportKept,
    row: 'asset-report/application-not-found',
    text: 'Application not found: <application_id>',
    startFault: forgetLeads,
    logged: 'application-not-found',
  },
  {
    ...reportKept,
    row: 'asset-report/report-invalid',
    text: 'Invalid Asset Report JSON - missing report data',
    response: [422, 'asset-report-rejected'],
    sentence:
      'The lender couldn’t use your bank report. Connect your bank again, or send bank statements instead.',
    logged: 'asset-report-invalid',
  },
  {
    ...reportKept,
    row: 'asset-report/processing-failed',
    text: 'Asset report submission failed',
    logged: 'processing-failed',
  },

  {
    ...leadDelayed,
    row: 'create-lead/missing-required-field',
    text: 'Missing required field: BusinessAddress.City',
    startFault: returnRow('create-lead/missing-required-field', 1, 'BusinessAddress.City'),
    response: [422, 'application-rejected'],
    sentence: 'Enter the city',
    path: 'business/address/city',
    logged: 'missing-field',
    sendAgain: applyAgain,
  },
  {
    ...leadDelayed,
    row: 'create-lead/authentication-invalid',
    text: 'Invalid or expired access token',
    startFault: returnRow('create-lead/authentication-invalid', 'always'),
    logged: 'FUNDING_USERNAME',
  },
  {
    ...leadDelayed,
    row: 'create-lead/invalid-field-value',
    text: 'Invalid value for field: AnnualRevenue',
    startFault: returnRow('create-lead/invalid-field-value', 1, 'AnnualRevenue'),
    response: [422, 'application-rejected'],
    sentence:
      'Check your answer for “Annual revenue” and submit again. The lender couldn’t use this one.',
    path: 'business/annualRevenue',
    logged: 'invalid-field',
    sendAgain: applyAgain,
  },
  {
    ...leadDelayed,
    row: 'create-lead/duplicate-id',
    text: 'Duplicate ID: an application with this ID was submitted earlier',
    response: [202, 'confirming'],
    sentence:
      'We saved it and are confirming that the lender received it, which may take a little longer. You don’t need to send it again.',
    logged: 'application-unconfirmed',
    responseAfter: [202, 'confirming'],
  },

  // The BFF writes every field of this body, so the file is not rejected.
  {
    ...fileKept,
    row: 'upload-file/missing-required-field',
    text: 'Error: Missing required field: leadId',
    startFault: returnRow('upload-file/missing-required-field', 1, 'leadId'),
    logged: 'missing-field',
  },
  {
    ...fileKept,
    row: 'upload-file/authentication-invalid',
    text: 'Error: Invalid or expired access token',
    startFault: returnRow('upload-file/authentication-invalid', 'always'),
    logged: 'FUNDING_USERNAME',
  },
  {
    ...fileKept,
    row: 'upload-file/lead-not-found',
    text: 'Error: No lead was found for leadId',
    startFault: forgetLeads,
    logged: 'application-not-found',
  },
  {
    ...fileKept,
    row: 'upload-file/category-not-allowed',
    text: 'Error: Category is not allowed',
    response: [422, 'document-rejected'],
    sentence:
      'The lender couldn’t accept this file. Check what you chose for “What is this document?”, or send another copy.',
    logged: 'category-not-allowed',
  },
  {
    ...fileKept,
    row: 'upload-file/content-not-base64',
    text: 'Error: File content is not valid Base64',
    logged: 'content-not-base64',
  },
];
