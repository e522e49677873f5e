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

/** The status in `http` style, the text, and a request that gets them. `id` is the ApplicationID of an application. */
type ErrorCase = readonly [
  httpStatus: number,
  text: string,
  ask: (client: SandboxClient, id: string) => Promise<Reply>,
];

const unknownId = '00Q000000000000EAA';
const missingId = 'Missing Application ID';
const notFound = 'Application not found';
const wrongUser = 'Invalid username and password';
const wrongToken = 'Invalid or expired access token';
const wrongType = 'Invalid Request Header. Content-Type must be application/json.';
const missingPartner = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
const noToken = { Authorization: undefined };
const badToken = { Authorization: 'Bearer wrong' };

/** The rows of the spec's Errors table, in its order. The texts are copied from the spec, not from the sandbox. */
const shownRows: Readonly<Record<string, ErrorCase>> = {
  'pre-approval-offer/application-id-missing': [400, missingId, (c) => c.getOffers(undefined)],
  'contact-user/application-id-missing': [400, missingId, (c) => c.contactUser(undefined)],
  'pre-approval-offer/application-id-invalid': [
    400,
    'Invalid Application ID',
    (c) => c.getOffers('not-an-id'),
  ],
  'pre-approval-offer/application-not-found': [404, notFound, (c) => c.getOffers(unknownId)],
  'contact-user/application-not-found': [404, notFound, (c) => c.contactUser(unknownId)],
  'pre-approval-offer/authentication-invalid': [
    401,
    wrongUser,
    (c, id) => c.getOffers(id, badToken),
  ],
  'contact-user/authentication-invalid': [401, wrongUser, (c, id) => c.contactUser(id, noToken)],
  'pre-approval-offer/partner-headers-missing': [
    400,
    missingPartner,
    (c, id) => c.getOffers(id, { PartnerName: undefined }),
  ],
  'contact-user/partner-headers-missing': [
    400,
    missingPartner,
    (c, id) => c.contactUser(id, { PartnerId: undefined }),
  ],
  'asset-report/application-id-missing': [
    400,
    'applicationId is required',
    (c) => c.submitReport({ assetReportJson: report }),
  ],
  'asset-report/report-missing': [
    400,
    'assetReportJson is required',
    (c, applicationId) => c.submitReport({ applicationId }),
  ],
  'asset-report/application-not-found': [
    404,
    `Application not found: ${unknownId}`,
    (c) => c.submitReport({ applicationId: unknownId, assetReportJson: report }),
  ],
  'asset-report/report-invalid': [
    400,
    'Invalid Asset Report JSON - missing report data',
    (c, applicationId) => c.submitReport({ applicationId, assetReportJson: {} }),
  ],
  'asset-report/processing-failed': [
    500,
    'Asset report submission failed',
    async (c) => {
      const Company = 'Harbor Bakery [asset-report/processing-failed]';
      const applicationId = await c.submitApplication({ Company });
      return c.submitReport({ applicationId, assetReportJson: report });
    },
  ],
  'create-lead/missing-required-field': [
    400,
    'Missing required field: Company',
    (c) => c.createLead(toLead({ Company: undefined })),
  ],
  'upload-file/missing-required-field': [
    400,
    'Error: Missing required field: ext',
    (c, leadId) => c.upload({ leadId, file: toFile({ ext: undefined }) }),
  ],
};

/** Errors whose wording the spec does not show, including those that its header table implies. */
const chosenRows: Readonly<Record<string, ErrorCase>> = {
  'create-lead/authentication-invalid': [401, wrongToken, (c) => c.createLead(toLead(), badToken)],
  'create-lead/invalid-field-value': [
    400,
    'Invalid value for field: AnnualRevenue',
    (c) => c.createLead(toLead({ AnnualRevenue: 'plenty' })),
  ],
  'create-lead/duplicate-id': [
    409,
    'Duplicate ID: an application with this ID was submitted earlier',
    async (c) => {
      const lead = toLead();
      await c.createLead(lead);
      return c.createLead(lead);
    },
  ],
  'create-lead/partner-headers-missing': [
    400,
    missingPartner,
    (c) => c.createLead(toLead(), { PartnerId: undefined }),
  ],
  'create-lead/partner-headers-invalid': [
    403,
    'Invalid PartnerName or PartnerId',
    (c) => c.createLead(toLead(), { PartnerId: 'P-1002' }),
  ],
  'create-lead/content-type-invalid': [
    415,
    wrongType,
    (c) => c.createLead(toLead(), { 'Content-Type': 'text/plain' }),
  ],
  'create-lead/malformed-json': [400, 'Malformed JSON', (c) => c.createLead('{"ID":')],
  'pre-approval-offer/partner-headers-invalid': [
    403,
    wrongUser,
    (c, id) => c.getOffers(id, { PartnerName: 'Somebody' }),
  ],
  'pre-approval-offer/content-type-invalid': [
    415,
    wrongType,
    (c, id) => c.getOffers(id, { 'Content-Type': undefined }),
  ],
  'contact-user/partner-headers-invalid': [
    403,
    wrongUser,
    (c, id) => c.contactUser(id, { PartnerId: 'P-1002' }),
  ],
  'contact-user/content-type-invalid': [
    415,
    wrongType,
    (c, id) => c.contactUser(id, { 'Content-Type': undefined }),
  ],
  'asset-report/authentication-invalid': [
    401,
    wrongToken,
    (c, applicationId) =>
      c.submitReport({ applicationId, assetReportJson: report }, { Authorization: 'Basic abc' }),
  ],
  'asset-report/content-type-invalid': [
    415,
    wrongType,
    (c) => c.submitReport('{}', { 'Content-Type': 'text/json' }),
  ],
  'upload-file/authentication-invalid': [
    401,
    `Error: ${wrongToken}`,
    (c, leadId) => c.upload({ leadId, file: toFile() }, badToken),
  ],
  'upload-file/lead-not-found': [
    404,
    'Error: No lead was found for leadId',
    (c) => c.upload({ leadId: unknownId, file: toFile() }),
  ],
  'upload-file/category-not-allowed': [
    400,
    'Error: Category is not allowed',
    (c, leadId) => c.upload({ leadId, file: toFile({ category: 'Tax Return Extension' }) }),
  ],
  'upload-file/content-not-base64': [
    400,
    'Error: File content is not valid Base64',
    (c, leadId) => c.upload({ leadId, file: toFile({ file: 'SGVsbG8' }) }),
  ],
  'upload-file/invalid-field-value': [
    400,
    'Error: Invalid value for field: name',
    (c, leadId) => c.upload({ leadId, file: toFile({ name: 7 }) }),
  ],
  'upload-file/content-type-invalid': [
    415,
    `Error: ${wrongType}`,
    (c) => c.upload('{}', { 'Content-Type': 'multipart/form-data' }),
  ],
  'upload-file/malformed-json': [400, 'Error: Malformed JSON', (c) => c.upload('[]')],
};

/** The response fields of each operation: its flag, its message, and the others (spec, "Endpoints"). */
const fields: Readonly<Record<string, readonly [string, string, ...string[]]>> = {
  'create-lead': ['IsSuccessful', 'ResponseText', 'ApplicationID', 'ReferenceID', 'pURL'],
  'pre-approval-offer': ['IsSuccessful', 'ResponseText', 'ReferenceID', 'pURL', 'PreApproval_Data'],
  'contact-user': ['IsSuccessful', 'ResponseText'],
  'asset-report': ['success', 'message', 'assetReportId'],
  'upload-file': ['IsSuccessful', 'ResponseMessage', 'DocumentId', 'ReferenceID'],
};

const cases = Object.entries({ ...shownRows, ...chosenRows });

describe('the error table', () => {
  describe.each(['body', 'http'] as const)('in %s style', (failureStatus) => {
    it.each(cases)('returns %s to a real request', async (row, [httpStatus, text, ask]) => {
      const client = await createSandboxClient({ failureStatus });
      const { status, body } = await ask(client, await client.submitApplication());
      const [flag = '', message = '', ...others] = fields[row.split('/')[0] ?? ''] ?? [];
      expect(status).toBe(failureStatus === 'http' ? httpStatus : 200);
      expect(body).toMatchObject({ [flag]: false, [message]: text });
      expect(Object.keys(body).toSorted()).toEqual([flag, message, ...others].toSorted());
      expect(client.context.state.calls.at(-1)?.outcome).toBe(row);
    });
  });

  it('has a test for every row, except those of the token operation', () => {
    const rows = Object.keys(errorRows).filter((row) => !row.startsWith('token/'));
    expect(rows.toSorted()).toEqual(cases.map(([row]) => row).toSorted());
  });

  it('marks the rows whose wording the spec shows', () => {
    const shown = Object.entries(errorRows).filter(([, { isShown }]) => isShown);
    expect(shown.map(([row]) => row).toSorted()).toEqual(Object.keys(shownRows).toSorted());
  });

  it('echoes the submitted reference as ReferenceID', async () => {
    const client = await createSandboxClient();
    const lead = await client.createLead(toLead({ ID: 'mine-1', Industry: 'Baking' }));
    const file = await client.upload({ leadId: unknownId, file: toFile() });
    expect([lead.body.ReferenceID, file.body.ReferenceID]).toEqual(['mine-1', unknownId]);
  });
});
