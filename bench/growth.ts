// Measures the operations of the store when it is empty, and with 1,000,000 finished and 100,000 waiting applications.

import { randomBytes } from 'node:crypto';
import { defaultSettings } from '../bff/config/settings.ts';
import {
  type Database,
  rawSql,
  sql,
  type Statement,
  type Transaction,
} from '../bff/store/database.ts';
import { createId } from '../bff/runtime/ids.ts';
import { createStore, openDatabase } from '../bff/store/open-store.ts';
import type { Claim, Store } from '../bff/store/store.ts';
import { toMedian } from './goals.ts';
import { type Engine, createApplication, createConsents } from './store.ts';

const finished = 1_000_000;
const waiting = 100_000;
const rowsPerStatement = 100_000;
const leadBytes = 2_000;
const day = 24 * 60 * 60 * 1000;
/** The finished applications arrived during this time. */
const finishedDays = 300;
/** An operation may take this many times as long in the large store. */
export const maxRatio = 2;
/** Differences below this are noise. */
const minDifferenceMs = 0.1;

const operations = [
  'store',
  'claim of a new application',
  'result',
  'claim of a waiting application',
  'next due time',
  'status',
  'metrics',
  'retention',
] as const;
export type Operation = (typeof operations)[number];

/** Milliseconds of each run. */
export type Times = Readonly<Record<Operation, readonly number[]>>;

/** Frequent operations run this many times, and the others a tenth of it. */
const runs = 200;
const warmUpRuns = 50;

export interface Growth {
  readonly lines: readonly string[];
  readonly isMissed: boolean;
}

export async function measureGrowth(
  { name, withUrl }: Engine,
  report: (line: string) => void,
): Promise<Growth> {
  report(`${name}: empty store`);
  const empty = await withUrl(async (url) => {
    const { store, database } = await open(url);
    const times = await measureOperations(store);
    await database.close();
    return times;
  });
  return withUrl(async (url) => {
    const { store, database, recorded } = await open(url);
    const startedAt = performance.now();
    await fill(database);
    // On PostgreSQL, the purge merges the state changes, of which there are never a million in operation. The first purge leaves
    // its rows at the end of the table, where they keep the vacuum from making the table small.
    for (let purges = 0; purges < 2; purges += 1) {
      await store.purge(retention);
      await store.scrub();
    }
    report(`${name}: filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    const full = await measureOperations(store);
    const comparisons = operations.map((operation) =>
      compareTimes(operation, empty[operation], full[operation]),
    );
    const lines = comparisons.map(({ line }) => `${name.padEnd(12)}${line}`);
    for (const line of lines) report(line);
    const missed = comparisons.filter(({ isMissed }) => isMissed);
    recorded.clear();
    for (const { operation } of missed) await measureOperations(store, operation);
    if (missed.length > 0) lines.push(`${name}: plans`, ...(await explain(database, recorded)));
    await database.close();
    return { lines, isMissed: comparisons.some(({ isMissed }) => isMissed) };
  });
}

/** Compares medians. */
export function compareTimes(
  operation: Operation,
  empty: readonly number[],
  full: readonly number[],
): { readonly operation: Operation; readonly line: string; readonly isMissed: boolean } {
  const [before, after] = [toMedian(empty), toMedian(full)];
  const ratio = after / before;
  const isMissed = ratio > maxRatio && after - before > minDifferenceMs;
  const line = [
    operation.padEnd(32),
    `empty ${before.toFixed(2)} ms`.padEnd(18),
    `full ${after.toFixed(2)} ms`.padEnd(18),
    `${ratio.toFixed(2)}x`.padEnd(9),
    `(goal ${maxRatio}x: ${isMissed ? 'missed' : 'met'})`,
  ].join('');
  return { operation, line, isMissed };
}

/** A store that records its statements, by their SQL. */
async function open(url: string) {
  const database = await openDatabase(url);
  const recorded = new Map<string, Statement>();
  const record = (statement: Statement) => recorded.set(statement.sql, statement);
  function* watch<Result>(work: () => Transaction<Result>): Transaction<Result> {
    const steps = work();
    let step = steps.next([]);
    while (!step.done) {
      record(step.value);
      step = steps.next(yield step.value);
    }
    return step.value;
  }
  const store = createStore({
    ...database,
    all(statement) {
      record(statement);
      return database.all(statement);
    },
    transaction: (work, locks) => database.transaction(() => watch(work), locks),
  });
  return { store, database, recorded };
}

/** @param only measures this operation alone, once. */
async function measureOperations(store: Store, only?: Operation): Promise<Times> {
  const times: Record<Operation, number[]> = {
    store: [],
    'claim of a new application': [],
    result: [],
    'claim of a waiting application': [],
    'next due time': [],
    status: [],
    metrics: [],
    retention: [],
  };
  let isWarm = false;
  async function time<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await work();
    if (isWarm) times[operation].push(performance.now() - startedAt);
    return result;
  }
  const total = only === undefined ? warmUpRuns + runs : 1;
  for (let run = 0; run < total; run += 1) {
    isWarm = run >= warmUpRuns;
    if (only !== 'metrics' && only !== 'retention') await deliverOne(store, time);
    if (run % 10 === 0 && (only === undefined || only === 'retention')) {
      await time('retention', () => store.purge(retention));
    }
    if (only === undefined || only === 'metrics') {
      await time('metrics', async () => [await store.countStates(), await store.countRefused()]);
    }
  }
  return times;
}

const leaseMs = 60_000;
const accepted = { state: 'accepted', serviceId: 'a0B000000000000001' } as const;

async function deliverOne(
  store: Store,
  time: <Result>(operation: Operation, work: () => Promise<Result>) => Promise<Result>,
): Promise<void> {
  const id = createId(Date.now());
  await time('store', () => store.addApplication(createApplication(id), createConsents(id)));
  const first = await time('claim of a new application', () => claim(store));
  await store.recordResult(first, { state: 'waiting', delayMs: 0, isUncertain: false });
  const second = await time('claim of a waiting application', () => claim(store));
  await time('result', () => store.recordResult(second, accepted));
  await time('next due time', () => store.findNextDueMs(['application', 'document']));
  await time('status', () => store.findSession(id));
}

async function claim(store: Store): Promise<Claim> {
  const claimed = await store.claimDue('application', leaseMs);
  if (!claimed || claimed.kind === 'unreadable') throw new Error('No application is due');
  return claimed;
}

const { retention } = defaultSettings();

/** The rows of SQL statements that both databases run, because inserting them through the store would take an hour. */
async function fill(database: Database): Promise<void> {
  for (let from = 0; from < finished + waiting; from += rowsPerStatement) {
    await fillRange(database, from, Math.min(from + rowsPerStatement, finished + waiting));
  }
  // PostgreSQL does this by itself after a while.
  if (database.isShared) await database.all(rawSql('analyze'));
}

async function fillRange(database: Database, from: number, to: number): Promise<void> {
  const isFinished = from < finished;
  const now = Date.now();
  const series = sql`
    with recursive series(n) as (
      select cast(${from} as bigint) union all
      select n + 1 from series where n + 1 < cast(${to} as bigint))`;
  const id = toId('7000');
  const age = isFinished
    ? sql`${day} + cast((${finished} - n) * ${(finishedDays * day) / finished} as bigint)`
    : sql`${60 * 60 * 1000} - (n % 3600)`;
  const at = sql`${now} - (${age})`;
  await database.all(sql`
    insert into session (id, origin, created_at, is_unused) ${series}
    select ${toId('8000')}, 'http://localhost:8080', ${at}, 0 from series`);
  const delivery = isFinished
    ? sql`case n % 10 when 0 then 'rejected' else 'accepted' end, null, ${at} + 1000, null`
    : sql`'waiting', ${randomBytes(leadBytes)}, null, ${now} + (n % 1200 - 600) * 1000`;
  await database.all(sql`
    insert into application (id, session_id, idempotency_key, fingerprint, key_id, wrapped_key,
      received_at, attempts, fence, state, encrypted_lead, finished_at, next_at) ${series}
    select ${id}, ${toId('8000')}, ${id}, ${id}, '1', ${randomBytes(61)}, ${at}, 1, 1, ${delivery}
      from series`);
  await database.all(sql`
    insert into consent (id, application_id, consent_id, version, text, text_hash, locale,
      given_at) ${series}
    select ${id}, ${id}, 'credit', '1', 'I agree.', 'ab', 'en', ${at} from series`);
  if (!isFinished) return;
  await database.all(sql`
    insert into attachment (id, application_id, kind, category, created_at, state, number,
      finished_at) ${series}
    select ${id}, ${id}, 'document', 'other', ${at}, 'accepted', 1, ${at} + 1000
      from series where n % 10 = 1`);
}

/** SQL of a UUID that ends with the number of the row. */
function toId(version: string): Statement {
  const template = `00000000-0000-${version}-8000-000000000000`;
  return sql`substr(${template}, 1, 36 - length(cast(n as text))) || cast(n as text)`;
}

async function explain(
  database: Database,
  statements: ReadonlyMap<string, Statement>,
): Promise<readonly string[]> {
  const prefix = rawSql(database.isShared ? 'explain' : 'explain query plan');
  const lines: string[] = [];
  for (const statement of statements.values()) {
    const rows = await database.all(sql`${prefix} ${statement}`);
    lines.push(`  ${statement.sql.replaceAll(/\s+/g, ' ').trim().slice(0, 160)}`);
    for (const row of rows) lines.push(`    ${toPlanLine(row)}`);
  }
  return lines;
}

function toPlanLine(row: unknown): string {
  const { detail, 'QUERY PLAN': plan } = row as Readonly<Record<string, string>>;
  return detail ?? plan ?? '';
}
