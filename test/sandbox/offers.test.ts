import { describe, expect, it } from 'vitest';
import { computeAprPercent, computePayment, createOffers } from '../../sandbox/offers.ts';
import { leadSchema } from '../../shared/funding-service/lead.ts';
import { preApprovalOfferSchema } from '../../shared/funding-service/pre-approval.ts';
import { toLead } from './sandbox-client.ts';

const perYear: Readonly<Record<string, number>> = {
  Daily: 252,
  Weekly: 52,
  'Bi-Weekly': 26,
  Monthly: 12,
};

const leads = [
  { LoanAmount: 85_000, AnnualRevenue: 640_000 },
  { LoanAmount: 1_000_000, AnnualRevenue: 250_000 },
  { LoanAmount: 300, AnnualRevenue: 0 },
  { LoanAmount: 12_345, AnnualRevenue: 90_000, TimeInBusinessMonths: 5 },
];

describe('offers', () => {
  it.each(leads)('have consistent figures for %j', (changes) => {
    const lead = leadSchema.parse(toLead(changes));
    for (const offer of createOffers('00QAAAAAAAAAAAAEAA', lead, 8)) {
      preApprovalOfferSchema.parse(offer);
      const count = Math.round((offer.Est_Term / 12) * perYear[offer.Payment_Frequency]!);
      expect(offer.Loan_Amount).toBeGreaterThan(0);
      expect(offer.Loan_Amount).toBeLessThanOrEqual(lead.LoanAmount);
      expect(offer.Est_Payment_Amount * count).toBeCloseTo(offer.Total_Cost_of_Loan, 2);
      expect(offer.Loan_Amount + offer.Total_Interest_Cost).toBeCloseTo(
        offer.Total_Cost_of_Loan,
        2,
      );
      expect(offer.Cents_on_the_Dollar).toBeCloseTo(
        offer.Total_Interest_Cost / offer.Loan_Amount,
        2,
      );
      expect(offer.Fee_Range_Low).toBeLessThanOrEqual(offer.Fee_Range_High);
      expect(offer.APR_Range_Low).toBeGreaterThan(offer.Monthly_Rate * 12 - 0.06);
      expect(offer.APR_Range_Low).toBeLessThanOrEqual(offer.APR_Range_High);
      expect(offer.Funding_Disclosures).toContain(`${offer.APR_Range_Low.toFixed(2)}%`);
      expect(offer.Funding_Disclosures.length).toBeGreaterThan(600);
    }
  });

  it('differ in amount, term, frequency', () => {
    const offers = createOffers('00QAAAAAAAAAAAAEAA', leadSchema.parse(toLead()), 3);
    expect(offers.map((offer) => offer.Payment_Frequency)).toEqual(['Monthly', 'Weekly', 'Daily']);
    expect(new Set(offers.map((offer) => offer.Loan_Amount)).size).toBe(3);
    expect(new Set(offers.map((offer) => offer.Est_Term)).size).toBe(3);
  });

  it.each([0, 1, 7])('cost what their figures say with seed %i', (seed) => {
    for (const changes of leads) {
      const lead = leadSchema.parse(toLead(changes));
      for (const offer of createOffers('00QAAAAAAAAAAAAEAA', lead, 8, { seed })) {
        const count = Math.round((offer.Est_Term / 12) * perYear[offer.Payment_Frequency]!);
        for (const [apr, fee] of [
          [offer.APR_Range_Low, offer.Fee_Range_Low],
          [offer.APR_Range_High, offer.Fee_Range_High],
        ] as const) {
          // The sum of all payments, each discounted at the APR, is the money that is paid out.
          const rate = apr / 100 / perYear[offer.Payment_Frequency]!;
          let present = 0;
          for (let index = 1; index <= count; index += 1) {
            present += offer.Est_Payment_Amount / (1 + rate) ** index;
          }
          const proceeds = offer.Loan_Amount - fee;
          expect(Math.abs(present - proceeds)).toBeLessThan(0.5 + proceeds * 0.001);
        }
      }
    }
  });

  it('are the same for the same answers', () => {
    const lead = leadSchema.parse(toLead());
    const again = leadSchema.parse(toLead());
    expect(again.ID).not.toBe(lead.ID);
    expect(createOffers('00QAAAAAAAAAAAAEAA', again, 8)).toEqual(
      createOffers('00QAAAAAAAAAAAAEAA', lead, 8),
    );
  });

  it('vary with the seed', () => {
    const lead = leadSchema.parse(toLead());
    const payments = (seed: number) =>
      createOffers('00QAAAAAAAAAAAAEAA', lead, 8, { seed }).map((one) => one.Est_Payment_Amount);
    expect(new Set([...payments(0), ...payments(1)]).size).toBe(16);
  });

  it('cost more for a lower credit score', () => {
    const [good, poor] = ['720-779', '500-549'].map((CreditScore) => {
      const lead = leadSchema.parse(toLead({ CreditScore }));
      return createOffers('00QAAAAAAAAAAAAEAA', lead, 8).find(
        ({ Product }) => Product === 'Term Loan',
      );
    });
    expect(poor!.Monthly_Rate).toBeGreaterThan(good!.Monthly_Rate);
  });

  it('begin with the products that fit the business', () => {
    const products = (changes: object) =>
      createOffers('00QAAAAAAAAAAAAEAA', leadSchema.parse(toLead({ ...changes })), 3).map(
        ({ Product }) => Product,
      );
    expect(products({})).toEqual(['Term Loan', 'Short-Term Loan', 'Working Capital Loan']);
    expect(products({ TimeInBusinessMonths: 4, CreditScore: 'Below 580' })).toEqual([
      'Merchant Cash Advance',
      'Term Loan',
      'Short-Term Loan',
    ]);
  });

  it('include advances with a factor', () => {
    const lead = leadSchema.parse(toLead());
    const advance = createOffers('00QAAAAAAAAAAAAEAA', lead, 8).find(
      ({ Product }) => Product === 'Merchant Cash Advance',
    )!;
    const factor = advance.Total_Cost_of_Loan / advance.Loan_Amount;
    expect(factor).toBeGreaterThan(1.2);
    expect(factor).toBeLessThan(1.35);
  });

  it('match a textbook loan', () => {
    // 10,000 at 12% per year over 12 months costs 888.49 per month. Without a fee, the APR equals the rate.
    expect(computePayment(10_000, 0.01, 12)).toBe(888.49);
    expect(computeAprPercent(10_000, { payment: 888.49, count: 12, perYear: 12 })).toBeCloseTo(
      12,
      1,
    );
    expect(computePayment(1_200, 0, 12)).toBe(100);
  });
});
