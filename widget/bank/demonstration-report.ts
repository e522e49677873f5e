// The bank report of the demonstration bank: invented accounts of a small bakery whose balances match their transactions.

import type { BankReport } from '../../shared/api/bank-report.ts';

/** No real bank has these names. */
export const demonstrationInstitutions = [
  'Example National Bank',
  'Sample Street Credit Union',
  'Make-Believe Business Bank',
  'Placeholder Savings & Trust',
];

/** `mask`: the last digits of the account number. */
export const demonstrationAccounts = [
  { kind: 'checking', mask: '4821' },
  { kind: 'savings', mask: '7706' },
] as const;

type DemonstrationAccount = (typeof demonstrationAccounts)[number];

const dayMs = 86_400_000;
const reportDays = 90;

/** Balances in dollars before the first transaction. They are high enough that no account is overdrawn. */
const openingBalances = { checking: 30_000, savings: 12_000 };

/** Name, dollars, and days between two transactions. A positive amount is a debit, as in reports of aggregation providers. */
const transactions: Record<
  DemonstrationAccount['kind'],
  readonly (readonly [name: string, amount: number, intervalDays: number])[]
> = {
  checking: [
    ['Card settlement', -2450, 2],
    ['Flour and grain supplier', 974, 7],
    ['Dairy supplier', 582, 7],
    ['Payroll', 7420, 14],
    ['Federal payroll tax', 1680, 14],
    ['Shop rent', 3850, 30],
    ['Gas and electricity', 784, 30],
    ['State sales tax', 1260, 30],
    ['Owner draw', 2500, 30],
    ['Transfer to savings', 500, 30],
  ],
  savings: [
    ['Transfer from checking', -500, 30],
    ['Interest paid', -21, 30],
  ],
};

/** A report of the last 90 days, with the fields of the spec ("Asset report record"). */
export function createDemonstrationReport(
  institution: string,
  accounts: readonly DemonstrationAccount[],
  now: Date,
): BankReport {
  const time = now.toISOString();
  return {
    report: {
      asset_report_id: `demonstration-report-${time}`,
      client_report_id: `demonstration-${time}`,
      date_generated: time,
      days_requested: reportDays,
      items: [
        {
          institution_name: institution,
          accounts: accounts.map((account) => createAccount(account, now)),
        },
      ],
    },
  };
}

function createAccount({ kind, mask }: DemonstrationAccount, now: Date) {
  const name = `Business ${kind}`;
  const today = Math.floor(now.getTime() / dayMs);
  const balances: { date: string; current: number }[] = [];
  const entries: { transaction_id: string; amount: number; date: string; name: string }[] = [];
  let current = openingBalances[kind];
  for (let day = today - reportDays + 1; day <= today; day += 1) {
    const date = new Date(day * dayMs).toISOString().slice(0, 10);
    for (const [index, [entry, amount, intervalDays]] of transactions[kind].entries()) {
      if (day % intervalDays !== 0) continue;
      current -= amount;
      entries.push({ transaction_id: `${mask}-${date}-${index}`, amount, date, name: entry });
    }
    balances.push({ date, current });
  }
  return {
    account_id: `demonstration-account-${mask}`,
    name,
    official_name: name,
    type: 'depository',
    subtype: kind,
    mask,
    days_available: reportDays,
    balances: { current, available: current },
    owners: [
      {
        names: ['Sample Account Holder'],
        emails: [{ data: 'owner@bakery.example', primary: true, type: 'primary' }],
      },
    ],
    // Aggregation providers list the newest entry first.
    historical_balances: balances.reverse(),
    transactions: entries.reverse(),
  };
}
