// The bank report of the demonstration bank.

import { describe, expect, it } from 'vitest';
import { bankReportSchema } from '../../../shared/api/bank-report.ts';
import { assetReportJsonSchema } from '../../../shared/funding-service/asset-report.ts';
import {
  createDemonstrationReport,
  demonstrationAccounts,
} from '../../../widget/bank/demonstration-report.ts';

const now = new Date('2026-03-18T15:04:05Z');
const create = () => createDemonstrationReport('Example National Bank', demonstrationAccounts, now);
const { report } = assetReportJsonSchema.parse(create());
const accounts = report.items.flatMap((item) => item.accounts);

describe('createDemonstrationReport', () => {
  it('matches the schema of the API', () => {
    expect(() => bankReportSchema.parse(create())).not.toThrow();
  });

  it('does not change when it is converted to JSON', () => {
    expect(JSON.parse(JSON.stringify(create()))).toEqual(create());
  });

  it('names the institution', () => {
    expect(report.items[0]!.institution_name).toBe('Example National Bank');
  });

  it('contains the chosen accounts', () => {
    const savings = demonstrationAccounts.slice(1);
    const [item] = createDemonstrationReport('Bank', savings, now).report.items;
    expect(item!.accounts).toMatchObject([{ subtype: 'savings', mask: '7706' }]);
  });

  it('contains its date', () => {
    expect(report.date_generated).toBe(now.toISOString());
  });
});

describe.each(accounts.map((account) => [account.subtype, account] as const))(
  'the %s account',
  (_subtype, { days_available, balances, historical_balances, transactions }) => {
    it('has one balance for each day, the newest first', () => {
      const dates = Array.from({ length: 90 }, (_, back) =>
        new Date(now.getTime() - back * 86_400_000).toISOString().slice(0, 10),
      );
      expect(historical_balances.map(({ date }) => date)).toEqual(dates);
    });

    it('has as many balances as the report has days', () => {
      expect(historical_balances).toHaveLength(report.days_requested);
      expect(historical_balances).toHaveLength(days_available);
    });

    it('has balances that match the transactions', () => {
      for (const [index, { date, current }] of historical_balances.slice(0, -1).entries()) {
        const spent = transactions
          .filter((entry) => entry.date === date)
          .reduce((sum, { amount }) => sum + amount, 0);
        expect(current, date).toBe(historical_balances[index + 1]!.current - spent);
      }
    });

    it('has the newest balance as its current one', () => {
      expect(balances.current).toBe(historical_balances[0]!.current);
    });

    it('gives each transaction a unique id', () => {
      const ids = transactions.map((entry) => entry.transaction_id);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('is never overdrawn', () => {
      expect(Math.min(...historical_balances.map(({ current }) => current))).toBeGreaterThan(0);
    });
  },
);
