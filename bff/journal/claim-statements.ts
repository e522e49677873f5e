// The SQL with which rows are claimed, freed, and found to be due.

import type { Database } from './database.ts';

/** The longest pause is the hour a service may ask for; only a clock that was set back leaves a row further ahead. */
const furthestAheadMs = 65 * 60 * 1000;
/** So often a row that ends the process is tried again at once; after that it lets others go first. */
const freeInterruptions = 2;
const longestInterruptionPauseMs = 15 * 60 * 1000;

const isPending = `state in ('received', 'waiting')`;

/** Each part names its state as the partial indexes do: written shorter, SQLite reads the whole table. */
const isDue = `(
  (${isPending} and next_at <= {now}) or
  (${isPending} and next_at > {now} + ${furthestAheadMs}) or
  (state = 'sending' and lease_until <= {now}))`;

const dueAt = `case state when 'sending' then lease_until else next_at end`;

/** A row found `sending` was begun and never recorded: its outcome is unknown. */
const claimed = `
  state = 'sending', fence = fence + 1, attempts = attempts + 1,
  lease_until = {now} + ?, first_attempt_at = coalesce(first_attempt_at, {now}),
  uncertain_attempts = uncertain_attempts + case state when 'sending' then 1 else 0 end,
  interruptions = interruptions + case state when 'sending' then 1 else 0 end`;

const hasAcceptedParent = `
  exists (select 1 from application a where a.id = child.application_id and a.state = 'accepted'
    and a.erased_at is null)`;

/** One of a kind at a time: whoever sends twenty documents leaves room for the next. */
const hasNoSiblingUnderWay = `
  not exists (select 1 from child other where other.application_id = child.application_id
    and other.kind = child.kind and other.state = 'sending' and other.lease_until > {now}
    and other.id <> child.id)`;

export interface ClaimStatements {
  /** Their values: the lease in milliseconds, the kind of a child, the row's id where only that one is wanted. */
  readonly claimApplication: string;
  readonly claimApplicationById: string;
  readonly claimChild: string;
  readonly claimChildById: string;
}

/** What the delivery asks again and again; exported so that a test can watch how SQLite goes about it. */
export function createClaimStatements(skipLocked: Database['skipLocked']): ClaimStatements {
  const claim = (table: 'application' | 'child', condition: string) => `
    update ${table} set ${claimed} where id = (
      select id from ${table} where ${condition} order by ${dueAt}, seq limit 1 ${skipLocked})
    returning *`;
  const isDueChild = `kind = ? and ${isDue} and ${hasAcceptedParent} and ${hasNoSiblingUnderWay}`;
  return {
    claimApplication: claim('application', isDue),
    claimApplicationById: claim('application', `id = ? and ${isDue}`),
    claimChild: claim('child', isDueChild),
    claimChildById: claim('child', `${isDueChild} and id = ?`),
  };
}

/** A row for each index, since one `min` over both would read what it need not. The child's values: its kind, twice. */
export const nextDueStatements = {
  application: `
    select min(next_at) - {now} as ms from application where ${isPending}
    union all
    select min(lease_until) - {now} as ms from application where state = 'sending'`,
  child: `
    select min(next_at) - {now} as ms from child
      where kind = ? and ${isPending} and ${hasAcceptedParent} and ${hasNoSiblingUnderWay}
    union all
    select min(lease_until) - {now} as ms from child
      where kind = ? and state = 'sending' and ${hasAcceptedParent}`,
} as const;

const interruptionPauseMs = `(1000 * (1 << (case when interruptions > 20 then 20 else interruptions end)))`;
const interruptionEnd = `({now} + case when ${interruptionPauseMs} > ${longestInterruptionPauseMs}
  then ${longestInterruptionPauseMs} else ${interruptionPauseMs} end)`;

/** Frees rows that an ended process left `sending`; those that may have ended it wait a little, and longer each time. */
export const releaseStatements = (['application', 'child'] as const).flatMap((table) => [
  `update ${table} set lease_until = 0
   where state = 'sending' and interruptions < ${freeInterruptions}`,
  `update ${table} set lease_until = ${interruptionEnd}
   where state = 'sending' and interruptions >= ${freeInterruptions}
     and lease_until > ${interruptionEnd}`,
]);
