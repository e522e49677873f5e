// Events for the partner's systems: recorded by triggers (event-schema.ts), and sent here in the order of each application.

import * as z from 'zod/mini';
import { type Database, joinSql, sql, type Statement, type Transaction } from './database.ts';
import { parseFirst, parseRow, parseRows } from './rows.ts';
import {
  type EventClaim,
  type EventConsumer,
  eventConsumers,
  eventCountSchema,
  type EventReceiver,
  eventSchema,
  type EventStore,
  givenUpEventSchema,
  listedEventSchema,
} from './store.ts';

/** Longer than any delay. A stream that is due later than that was scheduled before the clock was set back. */
const maxDelayMs = 27 * 60 * 60 * 1000;
/** A consumer that no process has had for so long is removed: its configuration is gone. */
const unseenMs = 3 * 24 * 60 * 60 * 1000;
/** Pending streams are counted up to here, because the number of a large backlog does not matter. */
const maxCount = 10_000;

export function createEventStore(database: Database): EventStore {
  return {
    async registerEventConsumers(consumers) {
      const names = new Set<EventConsumer>(consumers.map(({ name }) => name));
      await database.transaction(function* () {
        for (const name of eventConsumers) {
          // Another process may have a consumer that this one lacks, for example during an upgrade.
          if (names.has(name) || database.isShared) continue;
          yield sql`delete from event_consumer where name = ${name}`;
        }
        for (const { name, target } of consumers) {
          // First, so that of several processes one has added the consumer, and the others wait for its commit.
          const rows = yield sql`
            insert into event_consumer (name, target, seen_at) values (${name}, ${target}, ${newAt})
            on conflict (name) do update set seen_at = {now}, target = excluded.target
            returning seen_at`;
          if (parseFirst(seenSchema, rows)?.seenAt === newAt) yield* addConsumer(name);
        }
        if (!database.isShared) return;
        yield sql`delete from event_consumer where seen_at < {now} - ${unseenMs}`;
      });
    },

    async claimEvent(receiver, leaseMs) {
      const consumer = receiver.name;
      const [row] = await database.all(toEventClaimStatement(receiver, leaseMs));
      if (row === undefined) return undefined;
      const { applicationId, sequence, ...claimed } = parseRow(claimedSchema, row);
      const rows = await database.all(sql`
        select event.*, application.campaign_id from event
        join application on application.id = event.application_id
        where application_id = ${applicationId} and consumer = ${consumer}
          and sequence = ${sequence}`);
      const event = parseFirst(eventSchema, rows);
      // Its application was deleted in the meantime.
      return event && { ...claimed, consumer, event };
    },

    async recordEventSent(claim) {
      return (await database.all(toAdvanceStatement(claim, 'sent'))).length > 0;
    },

    async recordEventFailed(claim, outcome, delayMs) {
      const rows = await database.all(sql`
        update event_stream set is_sending = 0, next_at = {now} + ${Math.round(delayMs)},
          last_outcome = ${outcome}
        where ${isOwn(claim)} returning fence`);
      return rows.length > 0;
    },

    recordEventGivenUp(claim, outcome) {
      const { applicationId, sequence } = claim.event;
      return database.transaction(function* () {
        const rows = yield toAdvanceStatement(claim, outcome);
        if (rows.length === 0) return false;
        yield sql`
          update event set given_up_at = {now}
          where application_id = ${applicationId} and consumer = ${claim.consumer}
            and sequence = ${sequence}`;
        return true;
      });
    },

    async stopEventReceiver({ name, target }) {
      await database.all(sql`
        update event_consumer set stopped_target = ${target},
          stopped_at = case when ${isStopped(target)} then stopped_at else {now} end
        where name = ${name}`);
    },

    async removeEventConsumer(consumer) {
      const rows = await database.all(sql`
        delete from event_consumer where name = ${consumer} returning name`);
      return rows.length > 0;
    },

    async findNextEventMs(receiver) {
      const row = parseFirst(nextSchema, await database.all(toNextEventStatement(receiver)));
      return row?.ms ?? undefined;
    },

    async countEvents() {
      const rows = await database.all(countEventsStatement);
      return parseRows(eventCountSchema, rows);
    },

    async listEvents(applicationId) {
      const rows = await database.all(sql`
        ${listStatement} where stream.application_id = ${applicationId}
        order by stream.consumer desc, event.sequence`);
      return parseRows(listedEventSchema, rows);
    },

    async listFailingEvents(limit) {
      const rows = await database.all(sql`
        ${listStatement}
        where stream.consumer in (select name from event_consumer) and stream.next_at is not null
          and stream.attempts > stream.is_sending and event.sequence = stream.next_sequence
        order by stream.pending_since, stream.application_id limit ${limit}`);
      return parseRows(listedEventSchema, rows);
    },

    async listGivenUpEvents(limit) {
      const rows = await database.all(sql`
        select event.*, application.campaign_id from event
        join application on application.id = event.application_id
        where event.consumer in (select name from event_consumer) and given_up_at is not null
        order by given_up_at limit ${limit}`);
      return parseRows(givenUpEventSchema, rows);
    },

    retryEvents({ applicationId, since, fromSequence }) {
      const ofApplication = (column: Statement) =>
        applicationId === undefined ? sql`` : sql`and ${column} = ${applicationId}`;
      return database.transaction(function* () {
        yield sql`
          update event_consumer set stopped_at = null, stopped_target = null
          where stopped_at is not null`;
        // All events from the earliest one that is sent again, so that they arrive in their order.
        const conditions = [
          sql`given_up_at is not null`,
          ...(since === undefined ? [] : [sql`happened_at >= ${since}`]),
          ...(fromSequence === undefined ? [] : [sql`sequence >= ${fromSequence}`]),
        ];
        const isAgain = sql`(${joinSql(conditions, ' or ')})`;
        const first = sql`(
          select min(sequence) from event
          where event.application_id = event_stream.application_id
            and event.consumer = event_stream.consumer and ${isAgain})`;
        yield sql`
          update event_stream set next_sequence = ${first}, next_at = 0, is_sending = 0,
            fence = fence + 1, attempts = 0, first_attempt_at = null,
            pending_since = coalesce(pending_since, {now})
          where ${first} < next_sequence
            and (application_id, consumer) in (
              select application_id, consumer from event
              where ${isAgain} and consumer in (select name from event_consumer)
                ${ofApplication(sql`application_id`)})`;
        yield sql`
          update event set given_up_at = null
          where given_up_at is not null and consumer in (select name from event_consumer)
            ${ofApplication(sql`application_id`)}`;
        yield sql`
          update event set dismissed_at = null
          where dismissed_at is not null and sequence >= (
            select next_sequence from event_stream
            where event_stream.application_id = event.application_id
              and event_stream.consumer = event.consumer)
            ${ofApplication(sql`application_id`)}`;
        const pending = yield sql`
          update event_stream set next_at = 0, attempts = 0, first_attempt_at = null
          where next_at is not null and is_sending = 0
            and consumer in (select name from event_consumer)
            ${ofApplication(sql`application_id`)}
          returning last_sequence - next_sequence + 1 as count`;
        return parseRows(sumSchema, pending).reduce((sum, { count }) => sum + count, 0);
      });
    },

    async dismissGivenUpEvents(applicationId) {
      const ofApplication =
        applicationId === undefined ? sql`` : sql`and application_id = ${applicationId}`;
      const rows = await database.all(sql`
        update event set given_up_at = null, dismissed_at = {now}
        where given_up_at is not null ${ofApplication}
        returning id`);
      return rows.length;
    },
  };
}

/** `seen_at` of a consumer that the current transaction has added. */
const newAt = 0;

function* addConsumer(name: EventConsumer): Transaction<void> {
  yield sql`update event_consumer set seen_at = {now} where name = ${name}`;
  // Events are recorded only for consumers in the table. The earlier events alone would mislead the receiver.
  yield sql`
    update event set dismissed_at = {now}
    where consumer = ${name} and (application_id, sequence) in (
      select event.application_id, event.sequence from event_stream
      join event on event.application_id = event_stream.application_id
        and event.consumer = event_stream.consumer and event.sequence >= next_sequence
      where event_stream.consumer = ${name} and next_at is not null)`;
  yield sql`
    update event_stream set next_sequence = last_sequence + 1, next_at = null,
      pending_since = null, is_sending = 0, fence = fence + 1
    where consumer = ${name} and next_at is not null`;
}

const seenSchema = z.object({ seenAt: z.int() });
const claimedSchema = z.object({
  applicationId: z.string(),
  sequence: z.int(),
  fencingToken: z.int(),
  attempts: z.int(),
  firstAttemptAt: z.int(),
  claimedAt: z.int(),
});
const nextSchema = z.object({ ms: z.nullable(z.int()) });
const sumSchema = z.object({ count: z.int() });

/**
 * Claims the stream that is due. Events that were never tried have `next_at` 0, so they come before retries. Exported for a test of
 * the query plan.
 */
export function toEventClaimStatement(
  { name: consumer, target }: EventReceiver,
  leaseMs: number,
): Statement {
  const toLookup = (condition: Statement) => sql`
    (select application_id from event_stream
     where consumer = ${consumer} and next_at is not null and ${condition}
       and ${mayReceive(consumer, target)}
     order by next_at, application_id limit 1 for update skip locked)`;
  return sql`
    update event_stream set is_sending = 1, fence = fence + 1, attempts = attempts + 1 - is_sending,
      next_at = {now} + ${Math.round(leaseMs)}, first_attempt_at = coalesce(first_attempt_at, {now})
    where consumer = ${consumer} and application_id = coalesce(
      ${toLookup(sql`next_at <= {now}`)}, ${toLookup(sql`next_at > {now} + ${maxDelayMs}`)})
    returning application_id, next_sequence as sequence, fence as fencing_token, attempts,
      first_attempt_at, {now} as claimed_at`;
}

/** Exported for a test of the query plan. */
export function toNextEventStatement({ name: consumer, target }: EventReceiver): Statement {
  return sql`
    select min(next_at) - {now} as ms from event_stream
    where consumer = ${consumer} and next_at is not null
      and ${mayReceive(consumer, target)}`;
}

function mayReceive(name: EventConsumer, target: string): Statement {
  return sql`exists (
    select 1 from event_consumer where name = ${name} and not (${isStopped(target)}))`;
}

/**
 * True if this target answered 410. During a change of WEBHOOK_URL, processes with the old target and with the new one share a
 * consumer.
 */
function isStopped(target: Statement | string): Statement {
  return sql`stopped_at is not null and stopped_target = ${target}`;
}

/** Exported for a test of the query plan. */
export const countEventsStatement = sql`
  select name as consumer, case when ${isStopped(sql`target`)} then stopped_at end as stopped_at,
    (select count(*) from (
      select 1 from event_stream where consumer = name and next_at is not null
      limit ${maxCount}) as first) as pending,
    (select min(pending_since) from event_stream
      where consumer = name and next_at is not null) as pending_since,
    (select count(*) from event where consumer = name and given_up_at is not null) as given_up,
    (select min(given_up_at) from event
      where consumer = name and given_up_at is not null) as given_up_since
  from event_consumer order by name`;

/** The event that is sent next has the delivery of its stream. Those after it wait for it. */
const isNext = sql`event.sequence = stream.next_sequence`;
const listStatement = sql`
  select event.*, application.campaign_id,
    case when given_up_at is not null then 'given-up'
      when event.sequence < stream.next_sequence and dismissed_at is not null then 'dismissed'
      when event.sequence < stream.next_sequence then 'sent'
      when ${isNext} and stream.is_sending = 1 then 'sending'
      else 'waiting' end as state,
    case when ${isNext} then stream.attempts - stream.is_sending else 0 end as failed_attempts,
    case when ${isNext} and stream.attempts > stream.is_sending
      then stream.last_outcome end as last_outcome,
    case when ${isNext} and stream.is_sending = 0 then stream.next_at end as next_at
  from event_stream stream
  join event on event.application_id = stream.application_id and event.consumer = stream.consumer
  join application on application.id = stream.application_id`;

function isOwn({ consumer, event, fencingToken }: EventClaim): Statement {
  return sql`application_id = ${event.applicationId} and consumer = ${consumer}
    and fence = ${fencingToken} and is_sending = 1`;
}

/** Ends an event. The next one of the application is due at once. */
function toAdvanceStatement(claim: EventClaim, outcome: string): Statement {
  return sql`
    update event_stream set next_sequence = next_sequence + 1, is_sending = 0, attempts = 0,
      first_attempt_at = null, last_outcome = ${outcome},
      next_at = case when last_sequence > next_sequence then 0 end,
      pending_since = case when last_sequence > next_sequence then coalesce((
        select happened_at from event where event.application_id = event_stream.application_id
          and event.consumer = event_stream.consumer
          and event.sequence = event_stream.next_sequence + 1), pending_since) end
    where ${isOwn(claim)} returning fence`;
}
