// One real request for each row of the error table, its text copied from the spec and not from the sandbox.

import { report, toFile, toLead, type Client, type Reply } from './sandbox-client.ts';

export interface ErrorCase {
  readonly row: string;
  readonly text: string;
  readonly httpStatus: number;
  readonly ask: (client: Client) => Promise<Reply>;
}

export const unknownId = '00Q000000000000EAA';
const missingPartner = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';

/** As the spec's Errors table shows them, from top to bottom. */
export const shownRows: readonly ErrorCase[] = [
  {
    row: 'pre-approval-offer/application-id-missing',
    text: 'Missing Application ID',
    httpStatus: 400,
    ask: async (client) => client.getOffers(undefined),
  },
  {
    row: 'contact-user/application-id-missing',
    text: 'Missing Application ID',
    httpStatus: 400,
    ask: async (client) => client.contactUser(undefined),
  },
  {
    row: 'pre-approval-offer/application-id-invalid',
    text: 'Invalid Application ID',
    httpStatus: 400,
    ask: async (client) => client.getOffers('not-an-id'),
  },
  {
    row: 'pre-approval-offer/application-not-found',
    text: 'Application not found',
    httpStatus: 404,
    ask: async (client) => client.getOffers(unknownId),
  },
  {
    row: 'contact-user/application-not-found',
    text: 'Application not found',
    httpStatus: 404,
    ask: async (client) => client.contactUser(unknownId),
  },
  {
    row: 'pre-approval-offer/authentication-invalid',
    text: 'Invalid username and password',
    httpStatus: 401,
    ask: async (client) =>
      client.getOffers(await client.openApplication(), { Authorization: 'Bearer wrong' }),
  },
  {
    row: 'contact-user/authentication-invalid',
    text: 'Invalid username and password',
    httpStatus: 401,
    ask: async (client) =>
      client.contactUser(await client.openApplication(), { Authorization: undefined }),
  },
  {
    row: 'pre-approval-offer/partner-headers-missing',
    text: missingPartner,
    httpStatus: 400,
    ask: async (client) =>
      client.getOffers(await client.openApplication(), { PartnerName: undefined }),
  },
  {
    row: 'contact-user/partner-headers-missing',
    text: missingPartner,
    httpStatus: 400,
    ask: async (client) =>
      client.contactUser(await client.openApplication(), { PartnerId: undefined }),
  },
  {
    row: 'asset-report/application-id-missing',
    text: 'applicationId is required',
    httpStatus: 400,
    ask: async (client) => client.submitReport({ assetReportJson: report }),
  },
  {
    row: 'asset-report/report-missing',
    text: 'assetReportJson is required',
    httpStatus: 400,
    ask: async (client) => client.submitReport({ applicationId: await client.openApplication() }),
  },
  {
    row: 'asset-report/application-not-found',
    text: `Application not found: ${unknownId}`,
    httpStatus: 404,
    ask: async (client) =>
      client.submitReport({ applicationId: unknownId, assetReportJson: report }),
  },
  {
    row: 'asset-report/report-invalid',
    text: 'Invalid Asset Report JSON - missing report data',
    httpStatus: 400,
    ask: async (client) =>
      client.submitReport({ applicationId: await client.openApplication(), assetReportJson: {} }),
  },
  {
    row: 'asset-report/processing-failed',
    text: 'Asset report submission failed',
    httpStatus: 500,
    ask: async (client) => {
      const company = 'Harbor Bakery [asset-report/processing-failed]';
      const applicationId = await client.openApplication({ Company: company });
      return client.submitReport({ applicationId, assetReportJson: report });
    },
  },
  {
    row: 'create-lead/missing-required-field',
    text: 'Missing required field: Company',
    httpStatus: 400,
    ask: async (client) => client.createLead(toLead({ Company: undefined })),
  },
  {
    row: 'upload-file/missing-required-field',
    text: 'Error: Missing required field: ext',
    httpStatus: 400,
    ask: async (client) =>
      client.upload({
        leadId: await client.openApplication(),
        file: toFile({ ext: undefined }),
      }),
  },
];

/** Conditions of the spec whose wording it does not show, and conditions that its header table implies: texts of our own. */
export const chosenRows: readonly ErrorCase[] = [
  {
    row: 'create-lead/authentication-invalid',
    text: 'Invalid or expired access token',
    httpStatus: 401,
    ask: async (client) => client.createLead(toLead(), { Authorization: 'Bearer wrong' }),
  },
  {
    row: 'create-lead/invalid-field-value',
    text: 'Invalid value for field: AnnualRevenue',
    httpStatus: 400,
    ask: async (client) => client.createLead(toLead({ AnnualRevenue: 'plenty' })),
  },
  {
    row: 'create-lead/duplicate-id',
    text: 'Duplicate ID: an application with this ID was submitted earlier',
    httpStatus: 409,
    ask: async (client) => {
      const lead = toLead();
      await client.createLead(lead);
      return client.createLead(lead);
    },
  },
  {
    row: 'create-lead/partner-headers-missing',
    text: missingPartner,
    httpStatus: 400,
    ask: async (client) => client.createLead(toLead(), { PartnerId: undefined }),
  },
  {
    row: 'create-lead/partner-headers-invalid',
    text: 'Invalid PartnerName or PartnerId',
    httpStatus: 403,
    ask: async (client) => client.createLead(toLead(), { PartnerId: 'P-1002' }),
  },
  {
    row: 'create-lead/content-type-invalid',
    text: 'Invalid Request Header. Content-Type must be application/json.',
    httpStatus: 415,
    ask: async (client) => client.createLead(toLead(), { 'Content-Type': 'text/plain' }),
  },
  {
    row: 'create-lead/malformed-json',
    text: 'Malformed JSON',
    httpStatus: 400,
    ask: async (client) => client.createLead('{"ID":'),
  },
  {
    row: 'pre-approval-offer/partner-headers-invalid',
    text: 'Invalid username and password',
    httpStatus: 403,
    ask: async (client) =>
      client.getOffers(await client.openApplication(), { PartnerName: 'Somebody' }),
  },
  {
    row: 'pre-approval-offer/content-type-invalid',
    text: 'Invalid Request Header. Content-Type must be application/json.',
    httpStatus: 415,
    ask: async (client) =>
      client.getOffers(await client.openApplication(), { 'Content-Type': undefined }),
  },
  {
    row: 'contact-user/partner-headers-invalid',
    text: 'Invalid username and password',
    httpStatus: 403,
    ask: async (client) =>
      client.contactUser(await client.openApplication(), { PartnerId: 'P-1002' }),
  },
  {
    row: 'contact-user/content-type-invalid',
    text: 'Invalid Request Header. Content-Type must be application/json.',
    httpStatus: 415,
    ask: async (client) =>
      client.contactUser(await client.openApplication(), { 'Content-Type': undefined }),
  },
  {
    row: 'asset-report/authentication-invalid',
    text: 'Invalid or expired access token',
    httpStatus: 401,
    ask: async (client) =>
      client.submitReport(
        { applicationId: await client.openApplication(), assetReportJson: report },
        { Authorization: 'Basic abc' },
      ),
  },
  {
    row: 'asset-report/content-type-invalid',
    text: 'Invalid Request Header. Content-Type must be application/json.',
    httpStatus: 415,
    ask: async (client) => client.submitReport('{}', { 'Content-Type': 'text/json' }),
  },
  {
    row: 'upload-file/authentication-invalid',
    text: 'Error: Invalid or expired access token',
    httpStatus: 401,
    ask: async (client) =>
      client.upload(
        { leadId: await client.openApplication(), file: toFile() },
        { Authorization: 'Bearer wrong' },
      ),
  },
  {
    row: 'upload-file/lead-not-found',
    text: 'Error: No lead was found for leadId',
    httpStatus: 404,
    ask: async (client) => client.upload({ leadId: unknownId, file: toFile() }),
  },
  {
    row: 'upload-file/category-not-allowed',
    text: 'Error: Category is not allowed',
    httpStatus: 400,
    ask: async (client) =>
      client.upload({
        leadId: await client.openApplication(),
        file: toFile({ category: 'Tax Return Extension' }),
      }),
  },
  {
    row: 'upload-file/content-not-base64',
    text: 'Error: File content is not valid Base64',
    httpStatus: 400,
    ask: async (client) =>
      client.upload({ leadId: await client.openApplication(), file: toFile({ file: 'SGVsbG8' }) }),
  },
  {
    row: 'upload-file/invalid-field-value',
    text: 'Error: Invalid value for field: name',
    httpStatus: 400,
    ask: async (client) =>
      client.upload({ leadId: await client.openApplication(), file: toFile({ name: 7 }) }),
  },
  {
    row: 'upload-file/content-type-invalid',
    text: 'Error: Invalid Request Header. Content-Type must be application/json.',
    httpStatus: 415,
    ask: async (client) => client.upload('{}', { 'Content-Type': 'multipart/form-data' }),
  },
  {
    row: 'upload-file/malformed-json',
    text: 'Error: Malformed JSON',
    httpStatus: 400,
    ask: async (client) => client.upload('[]'),
  },
];
