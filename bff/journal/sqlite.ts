// The journal in one SQLite file, for a BFF that runs as one process.

import type { Journal } from './journal.ts';
import { createApplicationStore } from './sqlite-applications.ts';
import { createChildStore } from './sqlite-children.ts';
import { createClaimStore } from './sqlite-claims.ts';
import { openDatabase } from './sqlite-database.ts';
import { toSession } from './sqlite-rows.ts';

/**
 * @param url `file:` and a path, for example `file:.data/journal.db`; `file::memory:` keeps nothing.
 *
 * `node:sqlite` is synchronous: a small commit holds the event loop for about 0.3 ms on a disk with a write cache.
 */
export function openSqliteJournal(url: string): Journal {
  const database = openDatabase(url);

  return {
    ...createApplicationStore(database),
    ...createChildStore(database),
    ...createClaimStore(database),

    async addSession({ id, origin, createdAt }) {
      database.all(
        'insert into session (id, origin, created_at) values (?, ?, ?)',
        id,
        origin,
        createdAt,
      );
    },

    async findSession(id) {
      const [row] = database.all('select * from session where id = ?', id);
      return row === undefined ? undefined : toSession(row);
    },

    async endSession(id, at) {
      database.all('update session set ended_at = ? where id = ? and ended_at is null', at, id);
    },

    async check() {
      database.all(
        'insert into heartbeat (id, at) values (1, 1) on conflict (id) do update set at = at + 1',
      );
    },

    async close() {
      database.close();
    },
  };
}
