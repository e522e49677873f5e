import { describe, expect, it } from 'vitest';
import { toOffers } from '../../../bff/funding-service/responses.ts';

const offer = {
  OfferId: 'o-1',
  Product: 'Term Loan',
  Loan_Amount: 50_000,
  Est_Term: 24,
  Payment_Frequency: 'Weekly',
  Est_Payment_Amount: 540.25,
  Monthly_Rate: 1.9,
  APR_Range_Low: 18.5,
  APR_Range_High: 24,
  Fee_Range_Low: 0,
  Fee_Range_High: 3,
  Funding_Disclosures: 'Terms apply.',
  Total_Cost_of_Loan: 56_186,
  Cents_on_the_Dollar: 12.4,
  Total_Interest_Cost: 6186,
};

const read = {
  id: 'o-1',
  product: 'Term Loan',
  amount: 50_000,
  termMonths: 24,
  paymentFrequency: 'Weekly',
  paymentAmount: 540.25,
  monthlyRate: 1.9,
  aprLow: 18.5,
  aprHigh: 24,
  feeLow: 0,
  feeHigh: 3,
  disclosures: 'Terms apply.',
  totalCost: 56_186,
  centsOnTheDollar: 12.4,
  totalInterest: 6186,
};

describe('toOffers', () => {
  it('reads all fifteen fields', () => {
    expect(toOffers([offer])).toEqual([read]);
    expect(Object.keys(offer)).toHaveLength(15);
  });

  it('reads numeric text as numbers', () => {
    const texts = Object.fromEntries(
      Object.entries(offer).map(([name, value]) => [name, String(value)]),
    );
    expect(toOffers([texts])).toEqual([read]);
  });

  it('leaves disclosures as they came, to the last blank', () => {
    const disclosures = '\r\n  Terms <b>apply</b>. \n\n';
    expect(toOffers([{ Funding_Disclosures: disclosures }])[0]?.disclosures).toBe(disclosures);
    expect(toOffers([{ Funding_Disclosures: ' \n' }])[0]?.disclosures).toBeNull();
  });

  it('reads what is absent, null or no number as null, and never as zero', () => {
    const nothing = Object.fromEntries(Object.keys(read).map((name) => [name, null]));
    expect(toOffers([{}])).toEqual([{ ...nothing, id: 'offer-1' }]);
    const nulls = Object.fromEntries(Object.keys(offer).map((name) => [name, null]));
    expect(toOffers([nulls])).toEqual([{ ...nothing, id: 'offer-1' }]);
    expect(toOffers([{ OfferId: 9, Loan_Amount: 'n/a' }])).toEqual([{ ...nothing, id: '9' }]);
  });

  it("keeps the service's order and leaves out what is no offer", () => {
    const offers = toOffers([{ OfferId: 'b' }, null, 'x', { OfferId: 'a' }]);
    expect(offers.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it.each([[null], [undefined], [{}], ['[]']])('takes %j for no offers', (value) => {
    expect(toOffers(value)).toEqual([]);
  });
});
