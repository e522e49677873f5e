import { describe, expect, it } from 'vitest';
import { preApprovalOfferSchema } from '../../shared/funding-service/pre-approval.ts';
import { createSandboxClient, toLead, type SandboxClient } from './sandbox-client.ts';

const found = 'Application found.';
const noOffersYet = 'No related pre-approval offers have been created yet.';

async function getDecision(client: SandboxClient, Company: string) {
  const id = await client.submitApplication({ Company });
  const { body } = await client.getOffers(id);
  const { PreApproval_Status: status, PreApproval_Offers: offers } = body.PreApproval_Data;
  return { text: body.ResponseText, status, count: offers.length, offers };
}

describe('Get Pre-Approval Offer', () => {
  it('returns three offers once the offer delay has passed', async () => {
    const client = await createSandboxClient({ offerDelayMs: 12_000 });
    const created = (await client.createLead(toLead({ ID: 'mine-1' }))).body;

    await client.postControl('/clock', { advanceMs: 11_999 });
    const early = (await client.getOffers(created.ApplicationID)).body;
    expect(early).toEqual({
      IsSuccessful: true,
      ResponseText: noOffersYet,
      ReferenceID: 'mine-1',
      pURL: created.pURL,
      PreApproval_Data: { PreApproval_Status: 'Qualified', PreApproval_Offers: [] },
    });

    await client.postControl('/clock', { advanceMs: 1 });
    const late = (await client.getOffers(created.ApplicationID)).body;
    expect(late.ResponseText).toBe(found);
    expect(late.PreApproval_Data.PreApproval_Status).toBe('Qualified');
    expect(late.PreApproval_Data.PreApproval_Offers).toHaveLength(3);
  });

  it('returns the same offers, with fifteen fields each, at every call', async () => {
    const client = await createSandboxClient({ offerDelayMs: 0 });
    const id = await client.submitApplication();

    const first = (await client.getOffers(id)).body.PreApproval_Data.PreApproval_Offers;
    const second = (await client.getOffers(id)).body.PreApproval_Data.PreApproval_Offers;

    for (const offer of first) {
      expect(Object.keys(offer).toSorted()).toEqual(
        Object.keys(preApprovalOfferSchema.shape).toSorted(),
      );
    }
    expect(second).toEqual(first);
    expect(new Set(first.map((offer: { OfferId: string }) => offer.OfferId)).size).toBe(3);
  });

  it.each([
    ['[not qualified]', 'Not Qualified', 0, found],
    ['[no offers]', 'Qualified', 0, noOffersYet],
    ['[offers now]', 'Qualified', 3, found],
    ['[One  Offer]', 'Qualified', 1, found],
    ['[many offers]', 'Qualified', 8, found],
    ['[something else]', 'Qualified', 0, noOffersYet],
  ])('decides according to the tag %s', async (tag, status, count, text) => {
    const decision = await getDecision(await createSandboxClient(), `Harbor Bakery ${tag}`);
    expect(decision).toMatchObject({ status, count, text });
  });

  it('does not qualify an amount of 0', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication({ LoanAmount: 0 });
    const { body } = await client.getOffers(id);
    expect(body.PreApproval_Data.PreApproval_Status).toBe('Not Qualified');
  });

  it('returns untidy figures for the tag [untidy offers]', async () => {
    const { offers } = await getDecision(
      await createSandboxClient(),
      'Harbor Bakery [untidy offers]',
    );
    expect(offers[0]).toMatchObject({
      Loan_Amount: expect.stringMatching(/^\d+$/),
      Product: null,
      Monthly_Rate: null,
    });
    expect(offers[1]).toMatchObject({ APR_Range_Low: null, Est_Term: '' });
    expect(offers[0]).not.toHaveProperty('Fee_Range_High');
  });

  it('returns no offers if they are not enabled for the partner', async () => {
    const client = await createSandboxClient({ areOffersEnabled: false });
    expect(await getDecision(client, 'Harbor Bakery [many offers]')).toMatchObject({ count: 0 });
  });

  it('returns an outcome that was set after creation', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();

    await client.postControl(`/leads/${id}/outcome`, { outcome: 'not-qualified' });

    const { body } = await client.getOffers(id);
    expect(body.PreApproval_Data.PreApproval_Status).toBe('Not Qualified');
  });

  it('rejects an id with changed letter case as invalid', async () => {
    const client = await createSandboxClient({
      randomBytes: (size) => new Uint8Array(size).fill(30),
    });
    const id = await client.submitApplication();
    expect(id).toBe('00QeeeeeeeeeeeeEAA');
    const { body } = await client.getOffers(id.toUpperCase());
    expect(body.ResponseText).toBe('Invalid Application ID');
  });
});
