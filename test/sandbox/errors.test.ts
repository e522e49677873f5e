import { describe, expect, it } from 'vitest';
import { errorRows as sandboxRows, type ErrorRowId } from '../../sandbox/errors.ts';
import { failureStatuses } from '../../sandbox/state.ts';
import { errorRows, fillText, responseFields } from '../support/error-rows.ts';
import {
  createSandboxClient,
  report,
  toFile,
  toLead,
  type Reply,
  type SandboxClient,
} from './sandbox-client.ts';

/** @param leadId the ApplicationID of a lead. */
type Ask = (client: SandboxClient, leadId: string) => Promise<Reply>;

const unknownId = '00Q000000000000EAA';
const failing = { Company: 'Harbor Bakery [asset-report/processing-failed]' };
const wrongToken = { Authorization: 'Bearer wrong' };
const otherPartner = { PartnerId: 'P-1002' };
const noType = { 'Content-Type': undefined };

/** A request that meets each error, except those of the token operation. */
const asks: Readonly<Partial<Record<ErrorRowId, Ask>>> = {
  'create-lead/missing-required-field': (client) =>
    client.createLead(toLead({ Company: undefined })),
  'create-lead/authentication-invalid': (client) => client.createLead(toLead(), wrongToken),
  'create-lead/invalid-field-value': (client) =>
    client.createLead(toLead({ AnnualRevenue: 'plenty' })),
  'create-lead/duplicate-id': async (client) => {
    const lead = toLead();
    await client.createLead(lead);
    return client.createLead(lead);
  },
  'create-lead/partner-headers-missing': (client) =>
    client.createLead(toLead(), { PartnerId: undefined }),
  'create-lead/partner-headers-invalid': (client) => client.createLead(toLead(), otherPartner),
  'create-lead/content-type-invalid': (client) =>
    client.createLead(toLead(), { 'Content-Type': 'text/plain' }),
  'create-lead/malformed-json': (client) => client.createLead('{"ID":'),

  'pre-approval-offer/application-id-missing': (client) => client.getOffers(undefined),
  'pre-approval-offer/application-id-invalid': (client) => client.getOffers('not-an-id'),
  'pre-approval-offer/application-not-found': (client) => client.getOffers(unknownId),
  'pre-approval-offer/authentication-invalid': (client, leadId) =>
    client.getOffers(leadId, wrongToken),
  'pre-approval-offer/partner-headers-missing': (client, leadId) =>
    client.getOffers(leadId, { PartnerName: undefined }),
  'pre-approval-offer/partner-headers-invalid': (client, leadId) =>
    client.getOffers(leadId, { PartnerName: 'Somebody' }),
  'pre-approval-offer/content-type-invalid': (client, leadId) => client.getOffers(leadId, noType),

  'contact-user/application-id-missing': (client) => client.contactUser(undefined),
  'contact-user/application-not-found': (client) => client.contactUser(unknownId),
  'contact-user/authentication-invalid': (client, leadId) =>
    client.contactUser(leadId, { Authorization: undefined }),
  'contact-user/partner-headers-missing': (client, leadId) =>
    client.contactUser(leadId, { PartnerId: undefined }),
  'contact-user/partner-headers-invalid': (client, leadId) =>
    client.contactUser(leadId, otherPartner),
  'contact-user/content-type-invalid': (client, leadId) => client.contactUser(leadId, noType),

  'asset-report/application-id-missing': (client) =>
    client.submitReport({ assetReportJson: report }),
  'asset-report/report-missing': (client, applicationId) => client.submitReport({ applicationId }),
  'asset-report/application-not-found': (client) =>
    client.submitReport({ applicationId: unknownId, assetReportJson: report }),
  'asset-report/report-invalid': (client, applicationId) =>
    client.submitReport({ applicationId, assetReportJson: {} }),
  'asset-report/processing-failed': async (client) => {
    const applicationId = await client.submitApplication(failing);
    return client.submitReport({ applicationId, assetReportJson: report });
  },
  'asset-report/authentication-invalid': (client, applicationId) =>
    client.submitReport({ applicationId, assetReportJson: report }, { Authorization: 'Basic abc' }),
  'asset-report/content-type-invalid': (client) =>
    client.submitReport('{}', { 'Content-Type': 'text/json' }),

  'upload-file/missing-required-field': (client, leadId) =>
    client.upload({ leadId, file: toFile({ ext: undefined }) }),
  'upload-file/authentication-invalid': (client, leadId) =>
    client.upload({ leadId, file: toFile() }, wrongToken),
  'upload-file/lead-not-found': (client) => client.upload({ leadId: unknownId, file: toFile() }),
  'upload-file/category-not-allowed': (client, leadId) =>
    client.upload({ leadId, file: toFile({ category: 'Tax Return Extension' }) }),
  'upload-file/content-not-base64': (client, leadId) =>
    client.upload({ leadId, file: toFile({ file: 'SGVsbG8' }) }),
  'upload-file/invalid-field-value': (client, leadId) =>
    client.upload({ leadId, file: toFile({ name: 7 }) }),
  'upload-file/content-type-invalid': (client) =>
    client.upload('{}', { 'Content-Type': 'multipart/form-data' }),
  'upload-file/malformed-json': (client) => client.upload('[]'),
};

/** Values of the placeholders in the messages, for the requests above. */
const subjects: Readonly<Partial<Record<ErrorRowId, string>>> = {
  'asset-report/application-not-found': unknownId,
  'create-lead/missing-required-field': 'Company',
  'create-lead/invalid-field-value': 'AnnualRevenue',
  'upload-file/missing-required-field': 'ext',
  'upload-file/invalid-field-value': 'name',
};

describe('the error table', () => {
  describe.each(failureStatuses)('in %s style', (failureStatus) => {
    it.each(errorRows)('returns $row to a real request', async (errorRow) => {
      const { row, operation, status } = errorRow;
      const client = await createSandboxClient({ failureStatus });

      const reply = await asks[row]!(client, await client.submitApplication());

      const fields = responseFields[operation];
      const [flag = '', message = ''] = fields;
      expect(reply.status).toBe(failureStatus === 'http' ? status : 200);
      expect(reply.body[flag]).toBe(false);
      expect(reply.body[message]).toBe(fillText(errorRow, subjects[row] ?? ''));
      expect(Object.keys(reply.body).toSorted()).toEqual(fields.toSorted());
      expect(client.context.state.calls.at(-1)?.outcome).toBe(row);
    });
  });

  it('has the rows of the spec, plus those of the token operation', () => {
    const rows = Object.entries(sandboxRows).filter(([row]) => !row.startsWith('token/'));
    const shown = rows.map(([row, { isShown }]) => [row, isShown]);
    const expected = errorRows.map(({ row, isShown }) => [row, isShown]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  });

  it('echoes the submitted reference as ReferenceID', async () => {
    const client = await createSandboxClient();
    const lead = await client.createLead(toLead({ ID: 'mine-1', Industry: 'Baking' }));
    const file = await client.upload({ leadId: unknownId, file: toFile() });
    expect(lead.body.ReferenceID).toBe('mine-1');
    expect(file.body.ReferenceID).toBe(unknownId);
  });
});
