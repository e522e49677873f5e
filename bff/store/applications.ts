// Sessions, applications, and consents.

import { type Database, query, type Transaction } from './database.ts';
import { parseFirst, parseRow, parseRows, toInsert } from './rows.ts';
import {
  applicationSchema,
  consentSchema,
  sessionSchema,
  type ApplicationRow,
  type ApplicationStore,
  type ConsentRow,
  type IsSameApplication,
  type NewApplication,
} from './store.ts';

/** Browsers create a new idempotency key for each application, so only a forged request meets more under one key. */
const maxCompared = 20;

export function createApplicationStore(database: Database): ApplicationStore {
  return {
    async addSession({ id, origin, createdAt }) {
      await database.all(...toInsert('session', { id, origin, createdAt }));
    },

    async findSession(id) {
      const rows = await database.all('select * from session where id = ?', id);
      return parseFirst(sessionSchema, rows);
    },

    async endSession(id, at) {
      const sql = 'update session set ended_at = ? where id = ? and ended_at is null';
      await database.all(sql, at, id);
    },

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
      const rows = await database.all('select * from application where id = ?', id);
      return parseFirst(applicationSchema, rows);
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
      return parseFirst(applicationSchema, rows);
    },

    async listConsents(applicationId) {
      const sql = 'select * from consent where application_id = ? order by seq';
      return parseRows(consentSchema, await database.all(sql, applicationId));
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
  const ofKey = 'select * from application where session_id = ? and idempotency_key = ?';
  const own = parseFirst(applicationSchema, yield* query(ofKey, sessionId, idempotencyKey));
  if (own || (yield* findActive(sessionId))) return own;
  const others = yield* query(
    `select application.* from application join session on session.id = session_id
     where idempotency_key = ? and erased_at is null
       and origin = (select origin from session where id = ?)
     order by seq desc limit ${maxCompared}`,
    idempotencyKey,
    sessionId,
  );
  const same = parseRows(applicationSchema, others).find(isSame);
  if (!same) return undefined;
  const move = 'update application set session_id = ? where id = ? returning *';
  return parseFirst(applicationSchema, yield* query(move, sessionId, same.id));
}

function* findActive(sessionId: string): Transaction<ApplicationRow | undefined> {
  const rows = yield* query(
    `select * from application
     where session_id = ? and state <> 'rejected' and erased_at is null`,
    sessionId,
  );
  return parseFirst(applicationSchema, rows);
}

function* insertApplication({ key, ...row }: NewApplication): Transaction<ApplicationRow> {
  const columns = { ...row, state: 'received', keyId: key.keyId, wrappedKey: key.bytes };
  const [added] = yield* query(...toInsert('application', columns, '{now}'));
  return parseRow(applicationSchema, added);
}

export function* insertConsent(consent: ConsentRow): Transaction<void> {
  yield* query(...toInsert('consent', consent));
}
