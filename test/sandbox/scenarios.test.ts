import { describe, expect, it } from 'vitest';
import { readTags, taggableRows } from '../../sandbox/scenarios.ts';
import { openSandbox, report, toFile, toLead } from './sandbox-client.ts';

describe('magic values', () => {
  it('are read from brackets in the name of the business, in any case and spacing', () => {
    expect(readTags('Harbor [One  Offer] Bakery [ SLOW ][nothing] (slow)')).toEqual([
      'one offer',
      'slow',
    ]);
    expect(readTags('Harbor Bakery')).toEqual([]);
  });

  it('make a lead slow', async () => {
    const client = await openSandbox();
    const id = await client.openApplication({ Company: 'Harbor Bakery [slow]' });
    await client.getOffers(id);
    expect(client.waits).toEqual([8_000, 8_000]);
  });

  it('lose the answer of a lead that was created', async () => {
    const client = await openSandbox();
    const reply = await client.createLead(toLead({ Company: 'Harbor Bakery [lost answer]' }));
    expect(reply.status).toBe(504);
    expect((await client.look('/leads')).body.leads).toHaveLength(1);
  });

  it('turn away two attempts of each application', async () => {
    const client = await openSandbox();
    const lead = toLead({ Company: 'Harbor Bakery [outage]' });
    const statuses: number[] = [];
    while (statuses.length < 3) statuses.push((await client.createLead(lead)).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it.each(taggableRows)('call up %s', async (row) => {
    const client = await openSandbox();
    const operation = row.split('/')[0] ?? '';
    const created = await client.createLead(toLead({ Company: `Harbor Bakery [${row}]` }));
    const id: string = created.body.ApplicationID;
    if (operation === 'pre-approval-offer') await client.getOffers(id);
    if (operation === 'contact-user') await client.contactUser(id);
    if (operation === 'upload-file') await client.upload({ leadId: id, file: toFile() });
    if (operation === 'asset-report') {
      await client.submitReport({ applicationId: id, assetReportJson: report });
    }
    expect((await client.look('/calls')).body.calls.at(-1).outcome).toBe(row);
  });

  it('are documented by the sandbox itself', async () => {
    const client = await openSandbox();
    const { scenarios } = (await client.look('/scenarios')).body;
    const page = (await client.look('/')).text;
    for (const { tag, description } of scenarios) {
      expect(page).toContain(`[${tag}]`);
      expect(page).toContain(description);
    }
  });
});
