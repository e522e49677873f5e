// Erases data that is older than the settings allow, or that an operator orders to erase, and scrubs it from the disk.

import * as z from 'zod/mini';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';
import type { Settings } from '../config/settings.ts';
import type { StartTimer } from '../runtime/timers.ts';
import type { ContentFiles } from './content-files.ts';
import {
  type Database,
  rawSql,
  sql,
  type Statement,
  type Transaction,
  unawaited,
} from './database.ts';
import { toApplicationLock } from './application-lock.ts';
import { parseRows } from './rows.ts';
import type { ClaimStore, OperatorStore, RetentionStore } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Age at which incomplete uploads and sessions without an application are deleted: an hour after the session's latest end. */
export const abandonedMs = (sessionLifetime.maxSeconds + 60 * 60) * 1000;
/** Maximum rows per statement, so that a purge does not block others. The next purge continues. */
const batch = 500;
/** Each attachment can have hundreds of chunks. */
const chunkBatch = 20;

const firstPurgeMs = 30_000;
const purgeEveryMs = 10 * 60_000;
/** Erasures within this time are scrubbed together. */
const scrubDelayMs = 10_000;
/** On a shared database every process scrubs, and a scrub is a vacuum of whole tables. */
const sharedScrubDelayMs = 60_000;

export type RetentionEvent =
  | { readonly event: 'purged'; readonly rows: number }
  /** An application, or an attachment of it, was erased undelivered. */
  | { readonly event: 'undelivered-erased'; readonly reference: string }
  | { readonly event: 'retention-failed'; readonly error: unknown };

type Retention = Settings['retention'];

const idSchema = z.object({ id: z.string() });
const attachmentSchema = z.object({ applicationId: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const stateSchema = z.object({ state: z.string() });

export function createRetentionStore(
  database: Database,
  contentFiles: ContentFiles | undefined,
): RetentionStore {
  return {
    async purge(retention) {
      const receivedUntil = before(retention.undeliveredDays * dayMs);
      const undelivered = [
        ...(await eraseUndeliveredApplications(database, receivedUntil)),
        ...(await eraseUndeliveredAttachments(database, receivedUntil)),
      ];
      let rows = undelivered.length;
      rows += await database.transaction(() => deleteOldApplications(retention));
      for (const statement of toPurgeStatements(retention)) {
        rows += (await database.all(statement)).length;
      }
      if (database.isShared) await database.all(mergeStatement);
      return { undelivered: [...new Set(undelivered)], rows };
    },

    async scrub() {
      if (contentFiles) await removeUnusedFiles(database, contentFiles);
      return database.scrub();
    },
  };
}

/** Removes the files whose keys are deleted, or whose upload ended with the process. Each file is younger than its row. */
async function removeUnusedFiles(database: Database, files: ContentFiles): Promise<void> {
  const found = await files.list();
  if (found.length === 0) return;
  const rows = await database.all(sql`select attachment_id as id from chunk where number = 0`);
  const used = new Set(parseRows(idSchema, rows).map(({ id }) => id));
  for (const id of found) if (!used.has(id)) await files.remove(id);
}

/**
 * Merges the rows of `state_change`. On PostgreSQL, each change adds one. Two processes may merge at the same time: each row is deleted
 * by one of them, and counted by the one that deleted it.
 */
const mergeStatement = sql`
  with taken as (delete from state_change returning kind, from_state, to_state, count)
  insert into state_change (kind, from_state, to_state, count)
  select kind, from_state, to_state, sum(count) from taken group by kind, from_state, to_state`;

function before(ms: number): Statement {
  return sql`{now} - ${ms}`;
}

/** Only held and unconfirmed applications: a wrong clock must never erase one that is still being delivered. */
async function eraseUndeliveredApplications(
  database: Database,
  receivedUntil: Statement,
): Promise<readonly string[]> {
  const rows = await database.all(sql`
    select id from application
    where state in ('held', 'unconfirmed') and received_at <= ${receivedUntil} and erased_at is null
    order by received_at limit ${batch}`);
  const erased: string[] = [];
  for (const { id } of parseRows(idSchema, rows)) {
    if ((await eraseApplication(database, id)) === 'erased') erased.push(id);
  }
  return erased;
}

/**
 * Returns the ids of their applications. One transaction for each application: several in one would lock the rows and the events of one
 * application while they wait for those of another, whose erasure or delivery may wait for the first.
 */
async function eraseUndeliveredAttachments(
  database: Database,
  createdUntil: Statement,
): Promise<readonly string[]> {
  const isOld = sql`state = 'held' and created_at <= ${createdUntil}`;
  const rows = await database.all(sql`
    select application_id from attachment where ${isOld} order by created_at limit ${batch}`);
  const ids = new Set(parseRows(attachmentSchema, rows).map(({ applicationId }) => applicationId));
  const erased: string[] = [];
  for (const id of ids) {
    const count = await database.transaction(
      function* () {
        const attachments = yield sql`
          update attachment
          set state = 'erased', encrypted_name = null, fingerprint = null, finished_at = {now}
          where application_id = ${id} and ${isOld} returning id`;
        for (const { id: attachmentId } of parseRows(idSchema, attachments)) {
          yield sql`delete from chunk where attachment_id = ${attachmentId}`;
        }
        return attachments.length;
      },
      [toApplicationLock(id)],
    );
    if (count > 0) erased.push(id);
  }
  return erased;
}

/** Returns the number of applications. Their sessions then count as unused. */
function* deleteOldApplications(retention: Retention): Transaction<number> {
  const deleted = yield toDeletionStatement(retention);
  for (const { sessionId } of parseRows(sessionSchema, deleted)) {
    yield unawaited(sql`update session set is_unused = 1 where id = ${sessionId}`);
  }
  return deleted.length;
}

/** Exported for a test of the query plan. */
export function toDeletionStatement(retention: Retention): Statement {
  const isOld = sql`state in ('accepted', 'rejected', 'erased')
    and received_at <= ${before(retention.evidenceDays * dayMs)}`;
  return sql`delete from application where ${batchOf('application', isOld, sql`session_id`)}`;
}

/** Checks the condition twice, because another process may change the row after it was selected. */
function batchOf(table: string, condition: Statement, returned = sql`id`): Statement {
  return sql`
    ${condition} and id in (
      select id from ${rawSql(table)} where ${condition} limit ${batch}) returning ${returned}`;
}

/** Exported for a test of the query plans. */
export function toPurgeStatements(retention: Retention): readonly Statement[] {
  const abandoned = sql`created_at <= ${before(abandonedMs)}`;
  const recordEnded = sql`finished_at <= ${before(retention.recordDays * dayMs)}`;
  const rejectionEnded = sql`finished_at <= ${before(retention.rejectedDays * dayMs)}`;
  const hasOldLead = sql`state = 'rejected' and encrypted_lead is not null and ${rejectionEnded}`;
  const hasOldUrl = sql`encrypted_tracking_url is not null and ${recordEnded}`;
  const hasOldName = sql`encrypted_name is not null and ${recordEnded}`;
  const hasOldBusinessName = sql`
    encrypted_business_name is not null and received_at <= ${before(abandonedMs)}`;
  const isAbandoned = sql`state = 'receiving' and ${abandoned}`;
  const isUnused = sql`is_unused = 1 and ${abandoned} and not exists (
    select 1 from application where session_id = session.id)`;
  return [
    // Before the chunks: without the lead, `retryRejected` leaves the application and its attachments alone.
    sql`update application set encrypted_lead = null where ${batchOf('application', hasOldLead)}`,
    sql`delete from chunk where attachment_id in (
      select id from attachment where state = 'rejected' and ${rejectionEnded}
        and exists (select 1 from chunk where attachment_id = attachment.id) limit ${chunkBatch})
      returning attachment_id`,
    sql`update application set encrypted_tracking_url = null
      where ${batchOf('application', hasOldUrl)}`,
    sql`update attachment set encrypted_name = null where ${batchOf('attachment', hasOldName)}`,
    sql`update application set encrypted_business_name = null
      where ${batchOf('application', hasOldBusinessName)}`,
    sql`delete from attachment where ${batchOf('attachment', isAbandoned)}`,
    sql`delete from handoff where ${batchOf('handoff', abandoned)}`,
    sql`delete from session where ${batchOf('session', isUnused)}`,
  ];
}

/** Returns `sending` while a row is being sent, because that cannot be undone. */
export function eraseApplication(
  database: Database,
  id: string,
): ReturnType<OperatorStore['erase']> {
  return database.transaction(
    function* () {
      // Locks the rows, so that no worker claims one before it is erased.
      const applications = yield sql`select state from application where id = ${id} for update`;
      if (applications.length === 0) return 'not-found';
      const attachments = yield sql`
        select state from attachment where application_id = ${id} for update`;
      const rows = parseRows(stateSchema, [...applications, ...attachments]);
      if (rows.some(({ state }) => state === 'sending')) return 'sending';

      // Before the attachments, whose erasure is then no event of its own. Copies of encrypted values that remain elsewhere, as in a
      // backup, cannot be decrypted without the key.
      yield sql`
        update application set encrypted_lead = null, encrypted_tracking_url = null,
          encrypted_business_name = null,
          wrapped_key = ${new Uint8Array(0)}, fingerprint = '',
          erased_at = coalesce(erased_at, {now}), finished_at = coalesce(finished_at, {now}),
          state = case when state in ('accepted', 'rejected') then state else 'erased' end
        where id = ${id}`;
      yield sql`
        update attachment set encrypted_name = null, fingerprint = null,
          finished_at = coalesce(finished_at, {now}),
          state = case when state in ('accepted', 'rejected') then state else 'erased' end
        where application_id = ${id}`;
      // An upload adds no chunks to an erased attachment, so the chunks go after the change of state.
      yield sql`
        delete from chunk where attachment_id in (
          select id from attachment where application_id = ${id})`;
      yield sql`update consent set encrypted_address = null where application_id = ${id}`;
      // The phone's session then finds no handoff, and ends.
      yield sql`delete from handoff where application_id = ${id}`;
      return 'erased';
    },
    [toApplicationLock(id)],
  );
}

export interface RetentionWorkerOptions {
  readonly store: RetentionStore & Pick<ClaimStore, 'isShared'>;
  readonly retention: Retention;
  readonly startTimer: StartTimer;
  /** Returns 0 to 1, exclusive. Spreads the purges of several processes. */
  readonly random: () => number;
  readonly onEvent: (event: RetentionEvent) => void;
}

export interface RetentionWorker {
  /** Purges after 30 seconds, then every ten minutes. */
  start(): void;
  /** Resolves when a purge in progress has ended. */
  stop(): Promise<void>;
  /** Purges now, also without `start`. Never rejects. */
  runOnce(): Promise<void>;
  /** Call after data was erased. Does nothing before `start`. */
  scheduleScrub(): void;
}

/** Runs once per process. Several processes may share a store. */
export function createRetentionWorker(options: RetentionWorkerOptions): RetentionWorker {
  const { store, retention, startTimer, random, onEvent } = options;
  let isStarted = false;
  let purging: Promise<void> = Promise.resolve();
  let cancelPurge: () => void = () => undefined;
  let cancelScrub: (() => void) | undefined;

  /** Returns true if it succeeded. A scrub has to follow, because discarded uploads do not call `scheduleScrub`. */
  async function purge(): Promise<boolean> {
    try {
      const { rows, undelivered } = await store.purge(retention);
      for (const reference of undelivered) onEvent({ event: 'undelivered-erased', reference });
      if (rows > 0) onEvent({ event: 'purged', rows });
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  async function scrub(): Promise<void> {
    try {
      if (!(await store.scrub())) scheduleScrub();
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    onEvent({ event: 'retention-failed', error });
    scheduleScrub();
  }

  function scheduleScrub(): void {
    if (!isStarted) return;
    cancelScrub ??= startTimer(store.isShared ? sharedScrubDelayMs : scrubDelayMs, () => {
      cancelScrub = undefined;
      void scrub();
    });
  }

  function schedulePurge(delayMs: number): void {
    cancelPurge = startTimer(delayMs * (0.9 + random() / 5), () => {
      purging = purge().then((isPurged) => {
        // Not awaited, because a vacuum can take long.
        if (isPurged) void scrub();
        if (isStarted) schedulePurge(purgeEveryMs);
      });
    });
  }

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      schedulePurge(firstPurgeMs);
    },

    async stop() {
      isStarted = false;
      cancelPurge();
      cancelScrub?.();
      cancelScrub = undefined;
      await purging;
    },

    async runOnce() {
      if (await purge()) await scrub();
    },

    scheduleScrub,
  };
}
