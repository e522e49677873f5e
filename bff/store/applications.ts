// Sessions, applications, and consents.

import * as z from 'zod/mini';
import {
  type Database,
  joinSql,
  type Rows,
  sql,
  type Statement,
  type Transaction,
  unawaited,
} from './database.ts';
import { revokeHandoffsOf } from './handoffs.ts';
import { parseFirst, parseRow, parseRows, toProperties } from './rows.ts';
import {
  applicationSchema,
  consentSchema,
  progressSchema,
  sessionSchema,
  type ApplicationRow,
  type ApplicationStore,
  type Claim,
  type ConsentRow,
  type IsSameApplication,
  type NewApplication,
  type NewSession,
} from './store.ts';

/** A row of a session beside the columns of its current application, whose `id` is null if there is none. */
const joinedSessionSchema = z.pipe(
  z.object({ ...sessionSchema.shape, id: z.nullable(z.string()), ownId: z.string() }),
  z.transform(({ id, ownId, ...session }) => ({
    session: { ...session, id: ownId },
    hasApplication: id !== null,
  })),
);

/** The column of a new application whose value depends on the clock of the store. */
const insertedSchema = z.pick(progressSchema, { firstAttemptAt: true });

export function createApplicationStore(database: Database): ApplicationStore {
  return {
    // Almost every request runs this query, so the session and its application come together.
    async findSession(id) {
      const [row] = await database.all(sql`
        select application.*, session.id as own_id, origin, created_at, ended_at, scope
        from session left join application on application.seq = (
          select seq from application where session_id = session.id and erased_at is null
          order by case when state = 'rejected' then 1 else 0 end, seq desc limit 1)
        where session.id = ${id}`);
      if (row === undefined) return undefined;
      const properties = toProperties(row);
      const { session, hasApplication } = joinedSessionSchema.parse(properties);
      const application = hasApplication ? applicationSchema.parse(properties) : undefined;
      return { ...session, application };
    },

    async endSession(session, at) {
      const { id } = session;
      await database.transaction(function* () {
        // A concurrent request may be adding the first application.
        yield unawaited(insertSession(session));
        yield unawaited(
          sql`update session set ended_at = ${at} where id = ${id} and ended_at is null`,
        );
        yield unawaited(revokeHandoffsOf(id));
      });
    },

    addApplication(application, consents, isSame = () => false, leaseMs?: number) {
      const { session, idempotencyKey } = application;
      return database.transaction(
        function* () {
          const { sameKey, active } = yield* findOrMove(session, idempotencyKey, isSame);
          if (sameKey) return { kind: 'same-key', application: sameKey };
          if (active) return { kind: 'other-active', application: active };
          yield unawaited(insertUsedSession(session));
          const added = yield* insertApplication(application, leaseMs);
          if (consents.length > 0) yield unawaited(insertConsents(consents));
          return { kind: 'added', application: added, claim: toFirstClaim(added) };
        },
        toLocks(session, idempotencyKey),
      );
    },

    async findApplication(id) {
      const rows = await database.all(sql`select * from application where id = ${id}`);
      return parseFirst(applicationSchema, rows);
    },

    async findOrMoveApplication(session, idempotencyKey, isSame) {
      const rows = await database.all(toCandidatesStatement(session, idempotencyKey));
      const found = pickCandidates(rows, session, idempotencyKey, isSame);
      if (!found.toMove) return found.sameKey;
      const { sameKey } = await database.transaction(
        () => findOrMove(session, idempotencyKey, isSame),
        toLocks(session, idempotencyKey),
      );
      return sameKey;
    },

    async listConsents(applicationId) {
      const rows = await database.all(sql`
        select * from consent where application_id = ${applicationId} order by seq`);
      return parseRows(consentSchema, rows);
    },
  };
}

/** Submissions with the same key or session run one after the other, so that two of them cannot both add an application. */
function toLocks({ id }: NewSession, idempotencyKey: string): readonly string[] {
  return [`key/${idempotencyKey}`, `session/${id}`];
}

/** Several requests of one anonymous session can add it. */
function insertSession({ id, origin, createdAt }: NewSession): Statement {
  return sql`
    insert into session (id, origin, created_at) values (${id}, ${origin}, ${createdAt})
    on conflict do nothing`;
}

/** For an application that the same transaction adds. */
function insertUsedSession({ id, origin, createdAt }: NewSession): Statement {
  return sql`
    insert into session (id, origin, created_at, is_unused)
    values (${id}, ${origin}, ${createdAt}, 0)
    on conflict (id) do update set is_unused = 0`;
}

/** The stored applications that a submission with an idempotency key has to respect. */
interface Candidates {
  /** The application of the session with this key. */
  readonly sameKey?: ApplicationRow | undefined;
  /** The active application of the session. */
  readonly active?: ApplicationRow | undefined;
  /** The same application in another session, if this session has none with the key, and no active one. */
  readonly toMove?: ApplicationRow | undefined;
}

function* findOrMove(
  session: NewSession,
  idempotencyKey: string,
  isSame: IsSameApplication,
): Transaction<Candidates> {
  const rows = yield toCandidatesStatement(session, idempotencyKey);
  const found = pickCandidates(rows, session, idempotencyKey, isSame);
  if (!found.toMove) return found;
  yield unawaited(insertUsedSession(session));
  yield unawaited(sql`update session set is_unused = 1 where id = ${found.toMove.sessionId}`);
  const moved = yield sql`
    update application set session_id = ${session.id} where id = ${found.toMove.id} returning *`;
  return { sameKey: parseFirst(applicationSchema, moved) };
}

/**
 * One statement, because each application needs it twice. Browsers create a new idempotency key for each application, so only a
 * forged request meets more than 20 under one key. The limit is no value: SQLite would compile the statement again at each run,
 * because its plan depends on the limit.
 */
function toCandidatesStatement({ id, origin }: NewSession, idempotencyKey: string): Statement {
  return sql`
    select * from (select * from application
      where session_id = ${id}
        and (idempotency_key = ${idempotencyKey} or (state <> 'rejected' and erased_at is null))
    ) as own
    union all
    select * from (select application.* from application join session on session.id = session_id
      where idempotency_key = ${idempotencyKey} and erased_at is null and origin = ${origin}
        and session_id <> ${id}
      order by seq desc limit 20
    ) as others`;
}

function pickCandidates(
  rows: Rows,
  session: NewSession,
  idempotencyKey: string,
  isSame: IsSameApplication,
): Candidates {
  const applications = parseRows(applicationSchema, rows);
  const own = applications.filter(({ sessionId }) => sessionId === session.id);
  const sameKey = own.find((row) => row.idempotencyKey === idempotencyKey);
  const active = own.find((row) => row.state !== 'rejected' && row.erasedAt === undefined);
  if (sameKey || active) return { sameKey, active };
  return { toMove: applications.find(isSame) };
}

/** With a lease, the row is the same as after a first claim (`claimDue`). */
function* insertApplication(row: NewApplication, leaseMs?: number): Transaction<ApplicationRow> {
  const delivery =
    leaseMs === undefined
      ? sql`'received', 0, 0, null, 0`
      : sql`'sending', 1, 1, {now}, {now} + ${Math.round(leaseMs)}`;
  const [added] = yield sql`
    insert into application (id, session_id, idempotency_key, fingerprint, key_id, wrapped_key,
      encrypted_lead, encrypted_business_name, campaign_id, received_at, next_at,
      state, fence, attempts, first_attempt_at, lease_until)
    values (${row.id}, ${row.session.id}, ${row.idempotencyKey}, ${row.fingerprint},
      ${row.key.keyId}, ${row.key.bytes}, ${row.encryptedLead}, ${row.encryptedBusinessName},
      ${row.campaignId}, ${row.receivedAt}, {now}, ${delivery})
    returning first_attempt_at`;
  const { session, ...columns } = row;
  // All other columns have their defaults. Reading them back and parsing them would take as long as the insert.
  return {
    ...columns,
    ...parseRow(insertedSchema, added),
    sessionId: session.id,
    encryptedBusinessName: row.encryptedBusinessName,
    campaignId: row.campaignId,
    state: leaseMs === undefined ? 'received' : 'sending',
    attempts: leaseMs === undefined ? 0 : 1,
    uncertainAttempts: 0,
    clearedAttempts: 0,
    interruptions: 0,
    lastOutcome: undefined,
    heldReason: undefined,
    refusedSince: undefined,
    serviceId: undefined,
    encryptedTrackingUrl: undefined,
    errors: [],
    finishedAt: undefined,
    erasedAt: undefined,
  };
}

/** The claim of a row that was inserted with a lease. */
function toFirstClaim(application: ApplicationRow): Claim | undefined {
  const { firstAttemptAt: claimedAt } = application;
  if (claimedAt === undefined) return undefined;
  return { kind: 'application', fencingToken: 1, claimedAt, application };
}

export function insertConsents(rows: readonly ConsentRow[]): Statement {
  const values = rows.map(
    (row) => sql`
      (${row.id}, ${row.applicationId}, ${row.consentId}, ${row.version}, ${row.text},
        ${row.textHash}, ${row.locale}, ${row.givenAt}, ${row.encryptedAddress})`,
  );
  return sql`
    insert into consent (id, application_id, consent_id, version, text, text_hash, locale, given_at,
      encrypted_address)
    values ${joinSql(values, ',')}`;
}
