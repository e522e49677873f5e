// test/conformance/sandbox.test.ts sends a request that meets each error.

import { describe, expect, it } from 'vitest';
import { errorRows as sandboxRows } from '../../sandbox/errors.ts';
import { errorRows } from '../support/error-rows.ts';
import { createSandboxClient, report, toFile, toLead } from './sandbox-client.ts';

describe('the error table', () => {
  it('has the rows of the spec, plus those of the token operation', () => {
    const rows = Object.entries(sandboxRows).filter(([row]) => !row.startsWith('token/'));
    const shown = rows.map(([row, { isShown }]) => [row, isShown]);
    const expected = errorRows.map(({ row, isShown }) => [row, isShown]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  });

  it('has a failure that only a magic word causes', async () => {
    const client = await createSandboxClient({ failureStatus: 'http' });
    const Company = 'Harbor Bakery [asset-report/processing-failed]';
    const applicationId = await client.submitApplication({ Company });
    const { status, body } = await client.submitReport({ applicationId, assetReportJson: report });
    expect([status, body]).toEqual([
      500,
      { success: false, message: 'Asset report submission failed', assetReportId: null },
    ]);
  });

  it('echoes the submitted reference as ReferenceID', async () => {
    const client = await createSandboxClient();
    const lead = await client.createLead(toLead({ ID: 'mine-1', Industry: 'Baking' }));
    const file = await client.upload({ leadId: '00Q000000000000EAA', file: toFile() });
    expect(lead.body.ReferenceID).toBe('mine-1');
    expect(file.body.ReferenceID).toBe('00Q000000000000EAA');
  });
});
