import { describe, expect, it } from 'vitest';
import { errorRows } from '../../sandbox/errors.ts';
import {
  createSandboxClient,
  report,
  toFile,
  toLead,
  type SandboxClient,
  type Reply,
} from './sandbox-client.ts';

interface ErrorCase {
  readonly row: string;
  readonly text: string;
  readonly httpStatus: number;
  readonly ask: (client: SandboxClient) => Promise<Reply>;
}

const unknownId = '00Q000000000000EAA';
const missingPartner = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';

/** The rows of the spec's Errors table, in its order. The texts are copied from the spec, not from the sandbox. */
const shownRows: readonly ErrorCase[] = [
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
      client.getOffers(await client.submitApplication(), { Authorization: 'Bearer wrong' }),
  },
  {
    row: 'contact-user/authentication-invalid',
    text: 'Invalid username and password',
    httpStatus: 401,
    ask: async (client) =>
      client.contactUser(await client.submitApplication(), { Authorization: undefined }),
  },
  {
    row: 'pre-approval-offer/partner-headers-missing',
    text: missingPartner,
    httpStatus: 400,
    ask: async (client) =>
      client.getOffers(await client.submitApplication(), { PartnerName: undefined }),
  },
  {
    row: 'contact-user/partner-headers-missing',
    text: missingPartner,
    httpStatus: 400,
    ask: async (client) =>
      client.contactUser(await client.submitApplication(), { PartnerId: undefined }),
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
    ask: async (client) => client.submitReport({ applicationId: await client.submitApplication() }),
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
      client.submitReport({ applicationId: await client.submitApplication(), assetReportJson: {} }),
  },
  {
    row: 'asset-report/processing-failed',
    text: 'Asset report submission failed',
    httpStatus: 500,
    ask: async (client) => {
      const company = 'Harbor Bakery [asset-report/processing-failed]';
      const applicationId = await client.submitApplication({ Company: company });
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
        leadId: await client.submitApplication(),
        file: toFile({ ext: undefined }),
      }),
  },
];

/** Errors whose wording the spec does not show, including those that its header table implies. */
const chosenRows: readonly ErrorCase[] = [
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
      client.getOffers(await client.submitApplication(), { PartnerName: 'Somebody' }),
  },
  {
    row: 'pre-approval-offer/content-type-invalid',
    text: 'Invalid Request Header. Content-Type must be application/json.',
    httpStatus: 415,
    ask: async (client) =>
      client.getOffers(await client.submitApplication(), { 'Content-Type': undefined }),
  },
  {
    row: 'contact-user/partner-headers-invalid',
    text: 'Invalid username and password',
    httpStatus: 403,
    ask: async (client) =>
      client.contactUser(await client.submitApplication(), { PartnerId: 'P-1002' }),
  },
  {
    row: 'contact-user/content-type-invalid',
    text: 'Invalid Request Header. Content-Type must be application/json.',
    httpStatus: 415,
    ask: async (client) =>
      client.contactUser(await client.submitApplication(), { 'Content-Type': undefined }),
  },
  {
    row: 'asset-report/authentication-invalid',
    text: 'Invalid or expired access token',
    httpStatus: 401,
    ask: async (client) =>
      client.submitReport(
        { applicationId: await client.submitApplication(), assetReportJson: report },
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
        { leadId: await client.submitApplication(), file: toFile() },
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
        leadId: await client.submitApplication(),
        file: toFile({ category: 'Tax Return Extension' }),
      }),
  },
  {
    row: 'upload-file/content-not-base64',
    text: 'Error: File content is not valid Base64',
    httpStatus: 400,
    ask: async (client) =>
      client.upload({
        leadId: await client.submitApplication(),
        file: toFile({ file: 'SGVsbG8' }),
      }),
  },
  {
    row: 'upload-file/invalid-field-value',
    text: 'Error: Invalid value for field: name',
    httpStatus: 400,
    ask: async (client) =>
      client.upload({ leadId: await client.submitApplication(), file: toFile({ name: 7 }) }),
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

/** The response fields of each operation other than its flag and its message (spec, "Endpoints"). */
const otherFields: Readonly<Record<string, readonly string[]>> = {
  'create-lead': ['ApplicationID', 'ReferenceID', 'pURL'],
  'pre-approval-offer': ['ReferenceID', 'pURL', 'PreApproval_Data'],
  'contact-user': [],
  'asset-report': ['assetReportId'],
  'upload-file': ['DocumentId', 'ReferenceID'],
};

const messageFields: Readonly<Record<string, readonly [string, string]>> = {
  'asset-report': ['success', 'message'],
  'upload-file': ['IsSuccessful', 'ResponseMessage'],
};

const cases = [...shownRows, ...chosenRows];

describe('the error table', () => {
  describe.each(['body', 'http'] as const)('in %s style', (failureStatus) => {
    it.each(cases)('returns $row to a real request', async ({ row, text, httpStatus, ask }) => {
      const client = await createSandboxClient({ failureStatus });

      const reply = await ask(client);

      const operation = row.split('/')[0] ?? '';
      const [flag, message] = messageFields[operation] ?? ['IsSuccessful', 'ResponseText'];
      expect(reply.status).toBe(failureStatus === 'http' ? httpStatus : 200);
      expect(reply.body[flag]).toBe(false);
      expect(reply.body[message]).toBe(text);
      const fields = [flag, message, ...(otherFields[operation] ?? [])];
      expect(Object.keys(reply.body).toSorted()).toEqual(fields.toSorted());
      expect(client.context.state.calls.at(-1)?.outcome).toBe(row);
    });
  });

  it('has a test for every row, except those of the token operation', () => {
    const tested = cases.map(({ row }) => row).toSorted();
    const all = Object.keys(errorRows).filter((row) => !row.startsWith('token/'));
    expect(all.toSorted()).toEqual(tested);
  });

  it('marks the rows whose wording the spec shows', () => {
    const shown = Object.entries(errorRows).filter(([, row]) => row.isShown);
    expect(shown.map(([id]) => id).toSorted()).toEqual(shownRows.map(({ row }) => row).toSorted());
  });

  it('echoes the submitted reference as ReferenceID', async () => {
    const client = await createSandboxClient();
    const lead = await client.createLead(toLead({ ID: 'mine-1', Industry: 'Baking' }));
    const file = await client.upload({ leadId: unknownId, file: toFile() });
    expect(lead.body.ReferenceID).toBe('mine-1');
    expect(file.body.ReferenceID).toBe(unknownId);
  });
});
