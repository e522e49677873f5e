// The bank report of the demonstration bank: invented accounts of a small bakery whose balances match their transactions.

import type { BankReport } from '../../shared/api/bank-report.ts';

export interface DemonstrationInstitution {
  readonly id: string;
  readonly name: string;
}

export interface DemonstrationAccount {
  readonly kind: 'checking' | 'savings';
  readonly name: string;
  readonly officialName: string;
  /** The last digits of the account number, as banks show them. */
  readonly mask: string;
}

export interface DemonstrationReportOptions {
  readonly institution: DemonstrationInstitution;
  /** The accounts to share. The transactions of an account are the same with or without the other account. */
  readonly accounts: readonly DemonstrationAccount[];
  /** Days of history. The last day is the day of `now` in UTC. */
  readonly days: number;
  readonly now: Date;
}

/** No real bank has these names. */
export const demonstrationInstitutions: readonly DemonstrationInstitution[] = [
  { id: 'ins_demonstration_1', name: 'Example National Bank' },
  { id: 'ins_demonstration_2', name: 'Sample Street Credit Union' },
  { id: 'ins_demonstration_3', name: 'Make-Believe Business Bank' },
  { id: 'ins_demonstration_4', name: 'Placeholder Savings & Trust' },
];

export const demonstrationAccounts: readonly DemonstrationAccount[] = [
  { kind: 'checking', name: 'Business Checking', officialName: 'Everyday Checking', mask: '4821' },
  { kind: 'savings', name: 'Business Savings', officialName: 'Reserve Savings', mask: '7706' },
];

const dayMs = 86_400_000;
const [sunday, monday, tuesday, wednesday, thursday, friday, saturday] = [
  0, 1, 2, 3, 4, 5, 6,
] as const;
const currency = { iso_currency_code: 'USD', unofficial_currency_code: null };
const owner = {
  names: ['Sample Account Holder'],
  emails: [{ data: 'owner@bakery.example', primary: true, type: 'primary' }],
  phone_numbers: [{ data: '+1 202 555 0148', primary: true, type: 'work' }],
  addresses: [
    {
      data: {
        street: '1 Example Street',
        city: 'Springfield',
        region: 'IL',
        postal_code: '62701',
        country: 'US',
      },
      primary: true,
    },
  ],
};
const transferName = 'Transfer to savings';
const interestName = 'Interest paid';

/** Weekday, interval in weeks, name, cents, spread. A positive amount is a debit, as in the report. */
const weekly: readonly (readonly [number, number, string, number, number])[] = [
  // The shop is closed on Monday. Card sales settle on the next banking day, those of the weekend on Monday.
  [monday, 1, 'Card settlement', -412_500, 0.18],
  [wednesday, 1, 'Card settlement', -121_800, 0.2],
  [thursday, 1, 'Card settlement', -127_300, 0.2],
  [friday, 1, 'Card settlement', -139_600, 0.2],
  [monday, 1, 'Cash deposit', -84_000, 0.3],
  [tuesday, 1, 'Flour and grain supplier', 97_400, 0.15],
  [thursday, 1, 'Dairy supplier', 58_200, 0.15],
  [friday, 2, 'Payroll', 742_000, 0.04],
  [wednesday, 2, 'Federal payroll tax', 168_000, 0.04],
  [wednesday, 2, 'Packaging supplier', 31_900, 0.25],
  [friday, 1, 'Wholesale order, cafe', -61_500, 0.25],
];

/** Day of the month, name, cents, spread, months (0 to 11). Without months: every month. */
const monthly: readonly (readonly [number, string, number, number, (readonly number[])?])[] = [
  [1, 'Shop rent', 385_000, 0],
  [3, 'Card processing fees', 61_200, 0.08],
  [5, 'Oven lease', 41_250, 0],
  [9, 'Gas and electricity', 78_400, 0.2],
  [12, 'Water and sewer', 14_300, 0.15],
  [15, 'Business insurance', 32_800, 0],
  [15, 'Federal estimated tax', 240_000, 0, [0, 3, 5, 8]],
  [18, 'Internet and telephone', 13_999, 0],
  [20, 'State sales tax', 126_000, 0.1],
  [24, 'Owner draw', 250_000, 0],
  [26, transferName, 50_000, 0],
  [28, 'Monthly account fee', 1500, 0],
  [1, interestName, -2140, 0.05],
];

interface Entry {
  /** Days after the first day of the report. */
  readonly day: number;
  readonly name: string;
  readonly cents: number;
  /** A pending transaction changes the available balance only. */
  readonly pending?: boolean;
}

/** A complete report in the structure of the aggregation provider (spec, "Asset report record"). */
export function createDemonstrationReport(options: DemonstrationReportOptions): BankReport {
  const { institution, accounts, days, now } = options;
  // The same institution always has the same figures.
  const random = createRandom(institution.id);
  const ledgers = createLedgers(days, now, random);
  return {
    report: {
      asset_report_id: createId(random),
      client_report_id: `demonstration-${toDate(now)}`,
      date_generated: now.toISOString(),
      days_requested: days,
      items: [
        {
          institution_id: institution.id,
          institution_name: institution.name,
          item_id: createId(random),
          date_last_updated: now.toISOString(),
          accounts: accounts.map((account) =>
            toReportAccount(account, ledgers[account.kind], options, random),
          ),
        },
      ],
    },
  };
}

function toReportAccount(
  account: DemonstrationAccount,
  entries: readonly Entry[],
  { days, now }: DemonstrationReportOptions,
  random: () => number,
) {
  const accountId = createId(random);
  const dates = Array.from({ length: days }, (_, day) => toDate(now, day - days + 1));
  const balances = createBalances(entries, days, account.kind === 'checking' ? 180_000 : 1_150_000);
  const current = balances.at(-1) ?? 0;
  const available = current - sumCents(entries.filter(({ pending }) => pending));
  return {
    account_id: accountId,
    name: account.name,
    official_name: account.officialName,
    type: 'depository',
    subtype: account.kind,
    mask: account.mask,
    days_available: days,
    ownership_type: null,
    balances: { ...currency, available: available / 100, current: current / 100, limit: null },
    owners: [owner],
    // Aggregation providers list the newest entry first.
    historical_balances: balances
      .map((cents, day) => ({ date: dates[day], current: cents / 100, ...currency }))
      .reverse(),
    transactions: entries
      .map(({ day, name, cents, pending = false }) => ({
        account_id: accountId,
        transaction_id: createId(random),
        amount: cents / 100,
        date: dates[day],
        name,
        original_description: name.toUpperCase(),
        pending,
        ...currency,
      }))
      .reverse(),
  };
}

/** The transactions of both accounts, oldest first. */
function createLedgers(
  days: number,
  now: Date,
  random: () => number,
): Record<DemonstrationAccount['kind'], Entry[]> {
  const checking: Entry[] = [];
  const savings: Entry[] = [];
  // Transactions of a weekend are booked on Monday.
  let due: (readonly [name: string, cents: number])[] = [];
  for (let day = 0; day < days; day += 1) {
    const date = new Date(now.getTime() + (day - days + 1) * dayMs);
    const weekday = date.getUTCDay();
    const week = Math.floor((date.getTime() / dayMs + 3) / 7);
    for (const [onWeekday, everyWeeks, name, cents, spread] of weekly) {
      const isDue = onWeekday === weekday && week % everyWeeks === 0;
      if (isDue) due.push([name, vary(cents, spread, random)]);
    }
    for (const [onDate, name, cents, spread, months] of monthly) {
      const isDue = onDate === date.getUTCDate() && months?.includes(date.getUTCMonth()) !== false;
      if (isDue) due.push([name, vary(cents, spread, random)]);
    }
    if (weekday === saturday || weekday === sunday) continue;
    for (const [name, cents] of due) {
      const ledger = name === interestName ? savings : checking;
      ledger.push({ day, name, cents });
      if (name === transferName)
        savings.push({ day, name: 'Transfer from checking', cents: -cents });
    }
    due = [];
  }
  const purchase = vary(6400, 0.5, random);
  checking.push({ day: days - 1, name: 'Kitchen supply store', cents: purchase, pending: true });
  return { checking, savings };
}

/** The balance at the end of each day. The opening balance is chosen so that the lowest balance is `lowest`. */
function createBalances(entries: readonly Entry[], days: number, lowest: number): number[] {
  const booked = entries.filter(({ pending }) => !pending);
  const changes = Array.from(
    { length: days },
    (_, day) => -sumCents(booked.filter((entry) => entry.day <= day)),
  );
  const opening = lowest - Math.min(0, ...changes);
  return changes.map((change) => opening + change);
}

function sumCents(entries: readonly Entry[]): number {
  return entries.reduce((sum, { cents }) => sum + cents, 0);
}

function vary(cents: number, spread: number, random: () => number): number {
  return Math.round(cents * (1 + spread * (2 * random() - 1)));
}

function toDate(now: Date, offsetDays = 0): string {
  return new Date(now.getTime() + offsetDays * dayMs).toISOString().slice(0, 10);
}

function createId(random: () => number): string {
  return Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join('');
}

/** mulberry32, seeded with an FNV-1a hash. */
function createRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
