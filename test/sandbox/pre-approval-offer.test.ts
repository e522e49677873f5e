import { describe, expect, it } from 'vitest';
import { openSandbox, toLead, type Client } from './sandbox-client.ts';

const offerFields = [
  'OfferId',
  'Product',
  'Loan_Amount',
  'Est_Term',
  'Payment_Frequency',
  'Est_Payment_Amount',
  'Monthly_Rate',
  'APR_Range_Low',
  'APR_Range_High',
  'Fee_Range_Low',
  'Fee_Range_High',
  'Funding_Disclosures',
  'Total_Cost_of_Loan',
  'Cents_on_the_Dollar',
  'Total_Interest_Cost',
];

const found = 'Application found.';
const noneYet = 'No related pre-approval offers have been created yet.';

async function decisionOf(client: Client, Company: string) {
  const id = await client.openApplication({ Company });
  const { body } = await client.getOffers(id);
  const { PreApproval_Status: status, PreApproval_Offers: offers } = body.PreApproval_Data;
  return { text: body.ResponseText, status, count: offers.length, offers };
}

describe('get pre-approval offer', () => {
  it('has no offers at first, and three after a while', async () => {
    const client = await openSandbox({ offerDelayMs: 12_000 });
    const created = (await client.createLead(toLead({ ID: 'mine-1' }))).body;

    await client.control('/clock', { advanceMs: 11_999 });
    const early = (await client.getOffers(created.ApplicationID)).body;
    expect(early).toEqual({
      IsSuccessful: true,
      ResponseText: noneYet,
      ReferenceID: 'mine-1',
      pURL: created.pURL,
      PreApproval_Data: { PreApproval_Status: 'Qualified', PreApproval_Offers: [] },
    });

    await client.control('/clock', { advanceMs: 1 });
    const late = (await client.getOffers(created.ApplicationID)).body;
    expect(late.ResponseText).toBe(found);
    expect(late.PreApproval_Data.PreApproval_Status).toBe('Qualified');
    expect(late.PreApproval_Data.PreApproval_Offers).toHaveLength(3);
  });

  it('gives every offer its fifteen fields, and the same offers at each call', async () => {
    const client = await openSandbox({ offerDelayMs: 0 });
    const id = await client.openApplication();

    const first = (await client.getOffers(id)).body.PreApproval_Data.PreApproval_Offers;
    const second = (await client.getOffers(id)).body.PreApproval_Data.PreApproval_Offers;

    for (const offer of first) {
      expect(Object.keys(offer).toSorted()).toEqual(offerFields.toSorted());
    }
    expect(second).toEqual(first);
    expect(new Set(first.map((offer: { OfferId: string }) => offer.OfferId)).size).toBe(3);
  });

  it.each([
    ['[not qualified]', 'Not Qualified', 0, found],
    ['[no offers]', 'Qualified', 0, noneYet],
    ['[offers now]', 'Qualified', 3, found],
    ['[One  Offer]', 'Qualified', 1, found],
    ['[many offers]', 'Qualified', 8, found],
    ['[something else]', 'Qualified', 0, noneYet],
  ])('answers as the tag %s asks', async (tag, status, count, text) => {
    const decision = await decisionOf(await openSandbox(), `Harbor Bakery ${tag}`);
    expect(decision).toMatchObject({ status, count, text });
  });

  it('does not qualify an amount of nothing', async () => {
    const client = await openSandbox();
    const id = await client.openApplication({ LoanAmount: 0 });
    const { body } = await client.getOffers(id);
    expect(body.PreApproval_Data.PreApproval_Status).toBe('Not Qualified');
  });

  it('sends untidy figures when asked to', async () => {
    const { offers } = await decisionOf(await openSandbox(), 'Harbor Bakery [untidy offers]');
    expect(offers[0]).toMatchObject({ Loan_Amount: '85000', Product: null, Monthly_Rate: null });
    expect(offers[1]).toMatchObject({ APR_Range_Low: null, Est_Term: '' });
    expect(offers[0]).not.toHaveProperty('Fee_Range_High');
  });

  it('gives no offers to a partner for whom they are not enabled', async () => {
    const client = await openSandbox({ areOffersEnabled: false });
    expect(await decisionOf(client, 'Harbor Bakery [many offers]')).toMatchObject({ count: 0 });
  });

  it('answers a later outcome when it is set', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();

    await client.control(`/leads/${id}/outcome`, { outcome: 'not-qualified' });

    const { body } = await client.getOffers(id);
    expect(body.PreApproval_Data.PreApproval_Status).toBe('Not Qualified');
  });

  it('refuses an id whose letters changed their case as invalid, not as unknown', async () => {
    const client = await openSandbox({ randomBytes: (size) => new Uint8Array(size).fill(30) });
    const id = await client.openApplication();
    expect(id).toBe('00QeeeeeeeeeeeeEAA');
    const { body } = await client.getOffers(id.toUpperCase());
    expect(body.ResponseText).toBe('Invalid Application ID');
  });
});
