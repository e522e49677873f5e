// The SQL with which rows are claimed, freed, and found to be due.

import type { Database } from './database.ts';

/** The longest pause is the hour a service may ask for; only a clock that was set back leaves a row further ahead. */
const furthestAheadMs = 65 * 60 * 1000;
/** So often a row that ends the process is tried again at once; after that it lets others go first. */
const freeInterruptions = 2;
const longestInterruptionPauseMs = 15 * 60 * 1000;

/** A row found `sending` was begun and never recorded: its outcome is unknown. */
const claimed = `
  state = 'sending', fence = fence + 1, attempts = attempts + 1,
  lease_until = {now} + ?, first_attempt_at = coalesce(first_attempt_at, {now}),
  uncertain_attempts = uncertain_attempts + case state when 'sending' then 1 else 0 end,
  interruptions = interruptions + case state when 'sending' then 1 else 0 end`;

/**
 * What may be claimed, the first found being taken: rows never tried, so that those on which the service fails again and
 * again do not stand before them; rows somebody left under way; rows whose pause is over; rows that a clock set back has
 * left far ahead. Each is one look at the index of its state, which is why they are not one condition.
 */
const dueParts = [
  { condition: `state = 'received' and next_at <= {now}`, order: 'next_at, seq' },
  { condition: `state = 'sending' and lease_until <= {now}`, order: 'lease_until, seq' },
  { condition: `state = 'waiting' and next_at <= {now}`, order: 'next_at, seq' },
  {
    condition: `state = 'received' and next_at > {now} + ${furthestAheadMs}`,
    order: 'next_at, seq',
  },
  {
    condition: `state = 'waiting' and next_at > {now} + ${furthestAheadMs}`,
    order: 'next_at, seq',
  },
] as const;

/** One of a kind at a time: whoever sends twenty documents leaves room for the next. */
const hasNoSiblingUnderWay = `
  not exists (select 1 from child other where other.application_id = child.application_id
    and other.kind = child.kind and other.state = 'sending' and other.lease_until > {now}
    and other.id <> child.id)`;

/** A child has no time before its application is accepted; this looks once more at what is about to be sent. */
const hasAcceptedParent = `
  exists (select 1 from application a where a.id = child.application_id and a.state = 'accepted'
    and a.erased_at is null)`;

export interface ClaimStatements {
  /** Value: the lease in milliseconds. They answer the row's id and the journal's time as `claimed_at`. */
  readonly claimApplication: string;
  /** Values: the lease, the row's id. */
  readonly claimApplicationById: string;
  /** Value: the lease; the kind is part of the text, since each part needs it. */
  readonly claimChild: Readonly<Record<'document' | 'asset-report' | 'contact', string>>;
  /** Values: the lease, the row's id. */
  readonly claimChildById: string;
}

/** What the delivery asks again and again; exported so that a test can watch how SQLite goes about it. */
export function createClaimStatements(skipLocked: Database['skipLocked']): ClaimStatements {
  const claim = (table: 'application' | 'child', id: string) => `
    update ${table} set ${claimed} where id = ${id} returning id, {now} as claimed_at`;
  const first = (table: 'application' | 'child', besides: string) => {
    const parts = dueParts.map(
      ({ condition, order }) => `
        (select id from ${table} where ${condition} ${besides}
         order by ${order} limit 1 ${skipLocked})`,
    );
    return claim(table, `coalesce(${parts.join(',')})`);
  };
  const anyDue = dueParts.map(({ condition }) => `(${condition})`).join(' or ');
  const mayBeSent = `and ${hasAcceptedParent} and ${hasNoSiblingUnderWay}`;
  const firstOf = (kind: string) => first('child', `and kind = '${kind}' ${mayBeSent}`);
  return {
    claimApplication: first('application', ''),
    claimApplicationById: claim(
      'application',
      `(select id from application where id = ? and (${anyDue}) ${skipLocked})`,
    ),
    claimChild: {
      document: firstOf('document'),
      'asset-report': firstOf('asset-report'),
      contact: firstOf('contact'),
    },
    claimChildById: claim(
      'child',
      `(select id from child where id = ? and (${anyDue}) ${mayBeSent} ${skipLocked})`,
    ),
  };
}

/** A row for each index. The child's values: its kind, three times. */
export const nextDueStatements = {
  application: `
    select min(next_at) - {now} as ms from application where state = 'received'
    union all
    select min(next_at) - {now} as ms from application where state = 'waiting'
    union all
    select min(lease_until) - {now} as ms from application where state = 'sending'`,
  child: `
    select min(next_at) - {now} as ms from child where kind = ? and state = 'received'
    union all
    select min(next_at) - {now} as ms from child where kind = ? and state = 'waiting'
    union all
    select min(lease_until) - {now} as ms from child where kind = ? and state = 'sending'`,
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
