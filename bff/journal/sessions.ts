// Sessions in the journal: enough to know one again, and to end it for good.

import type { Database } from './database.ts';
import type { SessionStore } from './journal.ts';
import { toSession } from './rows.ts';

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
