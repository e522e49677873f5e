// The bank report of the demonstration bank.

import { describe, expect, it } from 'vitest';
import { bankReportSchema } from '../../../shared/api/bank-report.ts';
import { assetReportJsonSchema } from '../../../shared/funding-service/asset-report.ts';
import {
  createDemonstrationReport,
  demonstrationAccounts,
  demonstrationInstitutions,
  type DemonstrationReportOptions,
} from '../../../widget/bank/demonstration-report.ts';

const now = new Date('2026-03-18T15:04:05Z');

describe('createDemonstrationReport', () => {
  it('matches the schema of the API', () => {
    expect(() => bankReportSchema.parse(createDemonstrationReport(options()))).not.toThrow();
  });

  it('matches the schema of the funding service', () => {
    expect(() => assetReportJsonSchema.parse(createDemonstrationReport(options()))).not.toThrow();
  });

  it('does not change when it is converted to JSON', () => {
    const report = createDemonstrationReport(options());
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('names the institution', () => {
    const [item] = parse().report.items;
    expect(item!.institution_name).toBe(demonstrationInstitutions[0]!.name);
  });

  it('contains the chosen accounts', () => {
    const chosen = demonstrationAccounts.slice(1);
    const accounts = accountsOf({ accounts: chosen });
    expect(accounts.map(({ subtype, mask }) => ({ subtype, mask }))).toEqual([
      { subtype: 'savings', mask: '7706' },
    ]);
  });

  it('is the same for the same options', () => {
    expect(createDemonstrationReport(options())).toEqual(createDemonstrationReport(options()));
  });

  it('differs between institutions', () => {
    const [first, second] = demonstrationInstitutions.map((institution) =>
      accountsOf({ institution }).map(({ balances }) => balances),
    );
    expect(first).not.toEqual(second);
  });

  it('contains its date and its number of days', () => {
    const { report } = parse({ days: 61 });
    expect(report.date_generated).toBe(now.toISOString());
    expect(report.days_requested).toBe(61);
    expect(report.items[0]!.accounts.map(({ days_available }) => days_available)).toEqual([61, 61]);
  });

  it('gives each transaction a unique id', () => {
    const ids = accountsOf({ days: 365 }).flatMap(({ transactions }) =>
      transactions.map((entry) => entry.transaction_id),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has both entries of a transfer on the same day', () => {
    const [checking, savings] = accountsOf({ days: 180 });
    const out = checking!.transactions.filter(({ name }) => name === 'Transfer to savings');
    const into = savings!.transactions.filter(({ name }) => name === 'Transfer from checking');
    expect(out.length).toBeGreaterThanOrEqual(5);
    expect(into.map(({ date, amount }) => [date, -amount])).toEqual(
      out.map(({ date, amount }) => [date, amount]),
    );
  });

  it('has no checking transactions on a weekend', () => {
    const [checking] = accountsOf({ days: 90 });
    const weekdays = checking!.transactions.map(({ date }) => new Date(date).getUTCDay());
    expect(weekdays).not.toContain(0);
    expect(weekdays).not.toContain(6);
  });

  describe.each([1, 30, 90, 365])('over %i days', (days) => {
    it('has one balance for each day, the newest first', () => {
      for (const { historical_balances: balances } of accountsOf({ days })) {
        const expected = Array.from({ length: days }, (_, back) =>
          new Date(now.getTime() - back * 86_400_000).toISOString().slice(0, 10),
        );
        expect(balances.map(({ date }) => date)).toEqual(expected);
      }
    });

    it('has balances that match the booked transactions', () => {
      for (const { historical_balances: balances, transactions } of accountsOf({ days })) {
        for (const [index, { date, current }] of balances.slice(0, -1).entries()) {
          const cents = transactions
            .filter((entry) => entry.date === date && entry['pending'] === false)
            .reduce((sum, { amount }) => sum + toCents(amount), 0);
          expect(toCents(current), date).toBe(toCents(balances[index + 1]!.current) - cents);
        }
      }
    });

    it('subtracts pending transactions from the available balance', () => {
      for (const { balances, historical_balances: history, transactions } of accountsOf({ days })) {
        const pending = transactions
          .filter((entry) => entry['pending'] === true)
          .reduce((sum, { amount }) => sum + toCents(amount), 0);
        expect(balances.current).toBe(history[0]!.current);
        expect(toCents(balances.available!)).toBe(toCents(balances.current!) - pending);
      }
    });

    it('never overdraws an account', () => {
      for (const { historical_balances: balances } of accountsOf({ days })) {
        expect(Math.min(...balances.map(({ current }) => current))).toBeGreaterThan(0);
      }
    });
  });

  it('has similar income and expenses over a year', () => {
    const [checking] = accountsOf({ days: 365 });
    const amounts = checking!.transactions.map(({ amount }) => amount);
    const moneyIn = -sum(amounts.filter((amount) => amount < 0));
    const moneyOut = sum(amounts.filter((amount) => amount > 0));
    expect(moneyIn).toBeGreaterThan(350_000);
    expect(moneyIn).toBeLessThan(650_000);
    expect(moneyOut / moneyIn).toBeGreaterThan(0.9);
    expect(moneyOut / moneyIn).toBeLessThan(1.05);
  });
});

function options(changes: Partial<DemonstrationReportOptions> = {}): DemonstrationReportOptions {
  return {
    institution: demonstrationInstitutions[0]!,
    accounts: demonstrationAccounts,
    days: 90,
    now,
    ...changes,
  };
}

function parse(changes: Partial<DemonstrationReportOptions> = {}) {
  return assetReportJsonSchema.parse(createDemonstrationReport(options(changes)));
}

function accountsOf(changes: Partial<DemonstrationReportOptions>) {
  return parse(changes).report.items.flatMap(({ accounts }) => accounts);
}

function toCents(dollars: number): number {
  return Math.round(dollars * 100);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
