// Applications and their consents in the store.

import { type Database, query, type Transaction } from './database.ts';
import { toApplication, toConsent, toSession } from './rows.ts';
import type {
  ApplicationRow,
  ApplicationStore,
  ConsentRow,
  IsSameApplication,
  NewApplication,
  SessionStore,
} from './store.ts';

/** Applications of other sessions under one key: a browser makes a new key each time, so more than a few are somebody's play. */
const maxCompared = 20;

export function createApplicationStore(database: Database): ApplicationStore {
  return {
    addApplication(application, consents, isSame = () => false) {
      const { sessionId, idempotencyKey } = application;
      return database.transaction(
        function* () {
          const sameKey = yield* takeByKey(sessionId, idempotencyKey, isSame);
          if (sameKey) return { kind: 'same-key', application: sameKey };
          const live = yield* findLive(sessionId);
          if (live) return { kind: 'other-active', application: live };
          const added = yield* insert(application);
          for (const consent of consents) yield* insertConsent(consent);
          return { kind: 'added', application: added };
        },
        toLocks(sessionId, idempotencyKey),
      );
    },

    async findApplication(id) {
      const [row] = await database.all('select * from application where id = ?', id);
      return row === undefined ? undefined : toApplication(row);
    },

    findOrMoveApplication(sessionId, idempotencyKey, isSame) {
      return database.transaction(
        () => takeByKey(sessionId, idempotencyKey, isSame),
        toLocks(sessionId, idempotencyKey),
      );
    },

    async findCurrentApplication(sessionId) {
      const [row] = await database.all(
        `select * from application where session_id = ? and erased_at is null
         order by case when state = 'rejected' then 1 else 0 end, seq desc limit 1`,
        sessionId,
      );
      return row === undefined ? undefined : toApplication(row);
    },

    async listConsents(applicationId) {
      const rows = await database.all(
        'select * from consent where application_id = ? order by seq',
        applicationId,
      );
      return rows.map(toConsent);
    },
  };
}

/** Two requests that could make one application out of two, or two out of one, wait for each other. */
function toLocks(sessionId: string, idempotencyKey: string): readonly string[] {
  return [`key/${idempotencyKey}`, `session/${sessionId}`];
}

function* findOne(sql: string, ...values: string[]): Transaction<ApplicationRow | undefined> {
  const [row] = yield* query(sql, ...values);
  return row === undefined ? undefined : toApplication(row);
}

function findLive(sessionId: string): Transaction<ApplicationRow | undefined> {
  return findOne(
    `select * from application
     where session_id = ? and state <> 'rejected' and erased_at is null`,
    sessionId,
  );
}

function* takeByKey(
  sessionId: string,
  idempotencyKey: string,
  isSame: IsSameApplication,
): Transaction<ApplicationRow | undefined> {
  const own = yield* findOne(
    'select * from application where session_id = ? and idempotency_key = ?',
    sessionId,
    idempotencyKey,
  );
  if (own || (yield* findLive(sessionId))) return own;
  const others = yield* listOfOtherSessions(sessionId, idempotencyKey);
  const lost = others.find(isSame);
  return (
    lost &&
    (yield* findOne(
      'update application set session_id = ? where id = ? returning *',
      sessionId,
      lost.id,
    ))
  );
}

function* listOfOtherSessions(
  sessionId: string,
  idempotencyKey: string,
): Transaction<ApplicationRow[]> {
  const rows = yield* query(
    `select application.* from application join session on session.id = session_id
     where idempotency_key = ? and erased_at is null
       and origin = (select origin from session where id = ?)
     order by seq desc limit ${maxCompared}`,
    idempotencyKey,
    sessionId,
  );
  return rows.map(toApplication);
}

function* insert(application: NewApplication): Transaction<ApplicationRow> {
  const [row] = yield* query(
    `insert into application
       (id, session_id, idempotency_key, fingerprint, state, key_id, wrapped_key, encrypted_lead, received_at, next_at)
     values (?, ?, ?, ?, 'received', ?, ?, ?, ?, {now}) returning *`,
    application.id,
    application.sessionId,
    application.idempotencyKey,
    application.fingerprint,
    application.key.keyId,
    application.key.bytes,
    application.encryptedLead,
    application.receivedAt,
  );
  return toApplication(row);
}

/** Also used where a consent is given later on. */
export function* insertConsent(consent: ConsentRow): Transaction<void> {
  yield* query(
    `insert into consent
       (id, application_id, consent_id, version, text, text_hash, given_at, encrypted_address, locale)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    consent.id,
    consent.applicationId,
    consent.consentId,
    consent.version,
    consent.text,
    consent.textHash,
    consent.givenAt,
    consent.encryptedAddress ?? null,
    consent.locale ?? null,
  );
}

export function createSessionStore(database: Database): SessionStore {
  return {
    async addSession({ id, origin, createdAt }) {
      await database.all(
        'insert into session (id, origin, created_at) values (?, ?, ?)',
        id,
        origin,
        createdAt,
      );
    },

    async findSession(id) {
      const [row] = await database.all('select * from session where id = ?', id);
      return row === undefined ? undefined : toSession(row);
    },

    async endSession(id, at) {
      await database.all(
        'update session set ended_at = ? where id = ? and ended_at is null',
        at,
        id,
      );
    },
  };
}
