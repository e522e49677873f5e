// Sessions, applications, and consents.

import { type Database, sql, type Statement, type Transaction } from './database.ts';
import { revokeHandoffsOf } from './handoffs.ts';
import { parseFirst, parseRow, parseRows } from './rows.ts';
import {
  applicationSchema,
  consentSchema,
  sessionSchema,
  type ApplicationRow,
  type ApplicationStore,
  type Claim,
  type ConsentRow,
  type IsSameApplication,
  type NewApplication,
} from './store.ts';

/** Browsers create a new idempotency key for each application, so only a forged request meets more under one key. */
const maxCompared = 20;

export function createApplicationStore(database: Database): ApplicationStore {
  return {
    async addSession({ id, origin, createdAt }) {
      const [added] = await database.all(sql`
        insert into session (id, origin, created_at) values (${id}, ${origin}, ${createdAt})
        returning *`);
      return parseRow(sessionSchema, added);
    },

    async findSession(id) {
      const rows = await database.all(sql`select * from session where id = ${id}`);
      return parseFirst(sessionSchema, rows);
    },

    async endSession(id, at) {
      await database.transaction(function* () {
        yield sql`update session set ended_at = ${at} where id = ${id} and ended_at is null`;
        yield revokeHandoffsOf(id);
      });
    },

    addApplication(application, consents, isSame = () => false, leaseMs?: number) {
      const { sessionId, idempotencyKey } = application;
      return database.transaction(
        function* () {
          const sameKey = yield* findOrMove(sessionId, idempotencyKey, isSame);
          if (sameKey) return { kind: 'same-key', application: sameKey };
          const active = yield* findActive(sessionId);
          if (active) return { kind: 'other-active', application: active };
          const added = yield* insertApplication(application, leaseMs);
          for (const consent of consents) yield insertConsent(consent);
          return { kind: 'added', application: added, claim: toFirstClaim(added) };
        },
        toLocks(sessionId, idempotencyKey),
      );
    },

    async findApplication(id) {
      const rows = await database.all(sql`select * from application where id = ${id}`);
      return parseFirst(applicationSchema, rows);
    },

    findOrMoveApplication(sessionId, idempotencyKey, isSame) {
      return database.transaction(
        () => findOrMove(sessionId, idempotencyKey, isSame),
        toLocks(sessionId, idempotencyKey),
      );
    },

    async findCurrentApplication(sessionId) {
      const rows = await database.all(sql`
        select * from application where session_id = ${sessionId} and erased_at is null
        order by case when state = 'rejected' then 1 else 0 end, seq desc limit 1`);
      return parseFirst(applicationSchema, rows);
    },

    async listConsents(applicationId) {
      const rows = await database.all(sql`
        select * from consent where application_id = ${applicationId} order by seq`);
      return parseRows(consentSchema, rows);
    },
  };
}

/** Submissions with the same key or session run one after the other, so that two of them cannot both add an application. */
function toLocks(sessionId: string, idempotencyKey: string): readonly string[] {
  return [`key/${idempotencyKey}`, `session/${sessionId}`];
}

function* findOrMove(
  sessionId: string,
  idempotencyKey: string,
  isSame: IsSameApplication,
): Transaction<ApplicationRow | undefined> {
  const ofKey = yield sql`
    select * from application
    where session_id = ${sessionId} and idempotency_key = ${idempotencyKey}`;
  const own = parseFirst(applicationSchema, ofKey);
  if (own || (yield* findActive(sessionId))) return own;
  const others = yield sql`
    select application.* from application join session on session.id = session_id
    where idempotency_key = ${idempotencyKey} and erased_at is null
      and origin = (select origin from session where id = ${sessionId})
    order by seq desc limit ${maxCompared}`;
  const same = parseRows(applicationSchema, others).find(isSame);
  if (!same) return undefined;
  const moved = yield sql`
    update application set session_id = ${sessionId} where id = ${same.id} returning *`;
  return parseFirst(applicationSchema, moved);
}

function* findActive(sessionId: string): Transaction<ApplicationRow | undefined> {
  const rows = yield sql`
    select * from application
    where session_id = ${sessionId} and state <> 'rejected' and erased_at is null`;
  return parseFirst(applicationSchema, rows);
}

/** With a lease, the row is the same as after a first claim (`claimDue`). */
function* insertApplication(row: NewApplication, leaseMs?: number): Transaction<ApplicationRow> {
  const delivery =
    leaseMs === undefined
      ? sql`'received', 0, 0, null, 0`
      : sql`'sending', 1, 1, {now}, {now} + ${Math.round(leaseMs)}`;
  const [added] = yield sql`
    insert into application (id, session_id, idempotency_key, fingerprint, key_id, wrapped_key,
      encrypted_lead, encrypted_business_name, received_at, next_at,
      state, fence, attempts, first_attempt_at, lease_until)
    values (${row.id}, ${row.sessionId}, ${row.idempotencyKey}, ${row.fingerprint},
      ${row.key.keyId}, ${row.key.bytes}, ${row.encryptedLead}, ${row.encryptedBusinessName},
      ${row.receivedAt}, {now}, ${delivery})
    returning *`;
  return parseRow(applicationSchema, added);
}

/** The claim of a row that was inserted with a lease. */
function toFirstClaim(application: ApplicationRow): Claim | undefined {
  const { firstAttemptAt: claimedAt } = application;
  if (claimedAt === undefined) return undefined;
  return { kind: 'application', fencingToken: 1, claimedAt, application };
}

export function insertConsent(row: ConsentRow): Statement {
  return sql`
    insert into consent (id, application_id, consent_id, version, text, text_hash, locale, given_at,
      encrypted_address)
    values (${row.id}, ${row.applicationId}, ${row.consentId}, ${row.version}, ${row.text},
      ${row.textHash}, ${row.locale}, ${row.givenAt}, ${row.encryptedAddress})`;
}
