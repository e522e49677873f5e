import { describe, expect, it } from 'vitest';
import { readTags, taggableRows } from '../../sandbox/scenarios.ts';
import { createSandboxClient, report, toFile, toLead } from './sandbox-client.ts';

describe('scenario tags', () => {
  it('are read from the business name in any case or spacing', () => {
    expect(readTags('Harbor [One  Offer] Bakery [ SLOW ][nothing] (slow)')).toEqual([
      'one offer',
      'slow',
    ]);
    expect(readTags('Harbor Bakery')).toEqual([]);
  });

  it('delay every operation on a slow lead', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication({ Company: 'Harbor Bakery [slow]' });
    await client.getOffers(id);
    expect(client.delays).toEqual([8_000, 8_000]);
  });

  it('drop the response after creating a lead', async () => {
    const client = await createSandboxClient();
    const reply = await client.createLead(toLead({ Company: 'Harbor Bakery [lost answer]' }));
    expect(reply.status).toBe(504);
    expect((await client.getControl('/leads')).body.leads).toHaveLength(1);
  });

  it('reject the first two requests of an outage lead', async () => {
    const client = await createSandboxClient();
    const lead = toLead({ Company: 'Harbor Bakery [outage]' });
    const statuses: number[] = [];
    while (statuses.length < 3) statuses.push((await client.createLead(lead)).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it.each(taggableRows)('select the error %s', async (row) => {
    const client = await createSandboxClient();
    const operation = row.split('/')[0] ?? '';
    const created = await client.createLead(toLead({ Company: `Harbor Bakery [${row}]` }));
    const id: string = created.body.ApplicationID;
    if (operation === 'pre-approval-offer') await client.getOffers(id);
    if (operation === 'contact-user') await client.contactUser(id);
    if (operation === 'upload-file') await client.upload({ leadId: id, file: toFile() });
    if (operation === 'asset-report') {
      await client.submitReport({ applicationId: id, assetReportJson: report });
    }
    expect((await client.getControl('/calls')).body.calls.at(-1).outcome).toBe(row);
  });
});
