// Applications and their consents in the SQLite journal.

import type {
  ApplicationRow,
  ConsentRow,
  IsSameApplication,
  Journal,
  NewApplication,
} from './journal.ts';
import type { Database } from './sqlite-database.ts';
import { toApplication, toConsent } from './sqlite-rows.ts';

type ApplicationStore = Pick<
  Journal,
  | 'addApplication'
  | 'findApplication'
  | 'takeApplicationByKey'
  | 'findCurrentApplication'
  | 'addConsent'
  | 'listConsents'
>;

/** Applications of other sessions under one key: a browser makes a new key each time, so more than a few are somebody's play. */
const maxCompared = 20;

export function createApplicationStore(database: Database): ApplicationStore {
  function findOne(sql: string, ...values: string[]): ApplicationRow | undefined {
    const [row] = database.all(sql, ...values);
    return row === undefined ? undefined : toApplication(row);
  }

  function findLive(sessionId: string): ApplicationRow | undefined {
    return findOne(
      `select * from application where session_id = ? and state <> 'rejected'`,
      sessionId,
    );
  }

  function takeByKey(
    sessionId: string,
    idempotencyKey: string,
    isSame: IsSameApplication,
  ): ApplicationRow | undefined {
    const own = findOne(
      'select * from application where session_id = ? and idempotency_key = ?',
      sessionId,
      idempotencyKey,
    );
    if (own || findLive(sessionId)) return own;
    const lost = listOfOtherSessions(sessionId, idempotencyKey).find(isSame);
    return (
      lost &&
      findOne('update application set session_id = ? where id = ? returning *', sessionId, lost.id)
    );
  }

  function listOfOtherSessions(sessionId: string, idempotencyKey: string): ApplicationRow[] {
    return database
      .all(
        `select application.* from application join session on session.id = session_id
         where idempotency_key = ? and origin = (select origin from session where id = ?)
         order by application.rowid desc limit ${maxCompared}`,
        idempotencyKey,
        sessionId,
      )
      .map(toApplication);
  }

  function insert(application: NewApplication): ApplicationRow {
    const [row] = database.all(
      `insert into application
         (id, session_id, idempotency_key, fingerprint, state, key_id, wrapped_key, sealed_lead, received_at, next_at)
       values (?, ?, ?, ?, 'received', ?, ?, ?, ?, ?) returning *`,
      application.id,
      application.sessionId,
      application.idempotencyKey,
      application.fingerprint,
      application.key.keyId,
      application.key.bytes,
      application.sealedLead,
      application.receivedAt,
      application.receivedAt,
    );
    return toApplication(row);
  }

  function insertConsent(consent: ConsentRow): void {
    database.all(
      `insert into consent
         (id, application_id, consent_id, version, text, text_hash, given_at, sealed_address)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      consent.id,
      consent.applicationId,
      consent.consentId,
      consent.version,
      consent.text,
      consent.textHash,
      consent.givenAt,
      consent.sealedAddress ?? null,
    );
  }

  return {
    async addApplication(application, consents, isSame = () => false) {
      return database.transaction(() => {
        const { sessionId, idempotencyKey } = application;
        const sameKey = takeByKey(sessionId, idempotencyKey, isSame);
        if (sameKey) return { kind: 'same-key', application: sameKey };
        const live = findLive(sessionId);
        if (live) return { kind: 'other-live', application: live };
        const added = insert(application);
        for (const consent of consents) insertConsent(consent);
        return { kind: 'added', application: added };
      });
    },

    async findApplication(id) {
      return findOne('select * from application where id = ?', id);
    },

    async takeApplicationByKey(sessionId, idempotencyKey, isSame) {
      return database.transaction(() => takeByKey(sessionId, idempotencyKey, isSame));
    },

    async findCurrentApplication(sessionId) {
      return findOne(
        `select * from application where session_id = ?
         order by state <> 'rejected' desc, rowid desc limit 1`,
        sessionId,
      );
    },

    async addConsent(consent) {
      insertConsent(consent);
    },

    async listConsents(applicationId) {
      return database
        .all('select * from consent where application_id = ? order by rowid', applicationId)
        .map(toConsent);
    },
  };
}
