// Applications and their consents in the SQLite journal.

import type { ApplicationRow, ConsentRow, Journal, NewApplication } from './journal.ts';
import type { Database } from './sqlite-database.ts';
import { toApplication, toConsent } from './sqlite-rows.ts';

type ApplicationStore = Pick<
  Journal,
  | 'addApplication'
  | 'findApplication'
  | 'findApplicationByKey'
  | 'findCurrentApplication'
  | 'addConsent'
  | 'listConsents'
>;

export function createApplicationStore(database: Database): ApplicationStore {
  function findOne(sql: string, ...values: string[]): ApplicationRow | undefined {
    const [row] = database.all(sql, ...values);
    return row === undefined ? undefined : toApplication(row);
  }

  function findByKey(sessionId: string, idempotencyKey: string): ApplicationRow | undefined {
    return findOne(
      'select * from application where session_id = ? and idempotency_key = ?',
      sessionId,
      idempotencyKey,
    );
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
    async addApplication(application, consents) {
      return database.transaction(() => {
        const sameKey = findByKey(application.sessionId, application.idempotencyKey);
        if (sameKey) return { kind: 'same-key', application: sameKey };
        const live = findOne(
          `select * from application where session_id = ? and state <> 'rejected'`,
          application.sessionId,
        );
        if (live) return { kind: 'other-live', application: live };
        const added = insert(application);
        for (const consent of consents) insertConsent(consent);
        return { kind: 'added', application: added };
      });
    },

    async findApplication(id) {
      return findOne('select * from application where id = ?', id);
    },

    async findApplicationByKey(sessionId, idempotencyKey) {
      return findByKey(sessionId, idempotencyKey);
    },

    async findCurrentApplication(sessionId) {
      return findOne(
        'select * from application where session_id = ? order by received_at desc, rowid desc limit 1',
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
