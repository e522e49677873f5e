// Sessions, applications, and consents.

import { type Database, query, type Transaction } from './database.ts';
import { toApplication, toConsent, toFirst, toSession } from './rows.ts';
import type {
  ApplicationRow,
  ApplicationStore,
  ConsentRow,
  IsSameApplication,
  NewApplication,
  SessionStore,
} from './store.ts';

/** Browsers create a new idempotency key for each application, so only a forged request meets more under one key. */
const maxCompared = 20;

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
      return toFirst(await database.all('select * from session where id = ?', id), toSession);
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

export function createApplicationStore(database: Database): ApplicationStore {
  return {
    addApplication(application, consents, isSame = () => false) {
      const { sessionId, idempotencyKey } = application;
      return database.transaction(
        function* () {
          const sameKey = yield* findOrMove(sessionId, idempotencyKey, isSame);
          if (sameKey) return { kind: 'same-key', application: sameKey };
          const active = yield* findActive(sessionId);
          if (active) return { kind: 'other-active', application: active };
          const added = yield* insertApplication(application);
          for (const consent of consents) yield* insertConsent(consent);
          return { kind: 'added', application: added };
        },
        toLocks(sessionId, idempotencyKey),
      );
    },

    async findApplication(id) {
      return toFirst(
        await database.all('select * from application where id = ?', id),
        toApplication,
      );
    },

    findOrMoveApplication(sessionId, idempotencyKey, isSame) {
      return database.transaction(
        () => findOrMove(sessionId, idempotencyKey, isSame),
        toLocks(sessionId, idempotencyKey),
      );
    },

    async findCurrentApplication(sessionId) {
      const rows = await database.all(
        `select * from application where session_id = ? and erased_at is null
         order by case when state = 'rejected' then 1 else 0 end, seq desc limit 1`,
        sessionId,
      );
      return toFirst(rows, toApplication);
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

/** Submissions with the same key or session run one after the other, so that two of them cannot both add an application. */
function toLocks(sessionId: string, idempotencyKey: string): readonly string[] {
  return [`key/${idempotencyKey}`, `session/${sessionId}`];
}

function* findOrMove(
  sessionId: string,
  idempotencyKey: string,
  isSame: IsSameApplication,
): Transaction<ApplicationRow | undefined> {
  const own = toFirst(
    yield* query(
      'select * from application where session_id = ? and idempotency_key = ?',
      sessionId,
      idempotencyKey,
    ),
    toApplication,
  );
  if (own || (yield* findActive(sessionId))) return own;
  const others = yield* query(
    `select application.* from application join session on session.id = session_id
     where idempotency_key = ? and erased_at is null
       and origin = (select origin from session where id = ?)
     order by seq desc limit ${maxCompared}`,
    idempotencyKey,
    sessionId,
  );
  const same = others.map(toApplication).find(isSame);
  if (!same) return undefined;
  return toFirst(
    yield* query(
      'update application set session_id = ? where id = ? returning *',
      sessionId,
      same.id,
    ),
    toApplication,
  );
}

function* findActive(sessionId: string): Transaction<ApplicationRow | undefined> {
  const rows = yield* query(
    `select * from application
     where session_id = ? and state <> 'rejected' and erased_at is null`,
    sessionId,
  );
  return toFirst(rows, toApplication);
}

function* insertApplication(application: NewApplication): Transaction<ApplicationRow> {
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
