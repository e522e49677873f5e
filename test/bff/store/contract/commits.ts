// The contract of commits: writes of one turn of the event loop share one.

import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, sql, unawaited } from '../../../../bff/store/database.ts';

/** @param open Opens a database that is closed after the test. */
export function describeCommits(
  open: () => Promise<Database>,
  countCommits: (database: Database) => Promise<unknown>,
): void {
  describe('writes of one turn of the event loop', () => {
    let database: Database;

    beforeEach(async () => {
      database = await open();
      await database.scrub();
    });

    /** A transaction that inserts sessions, under the lock of the first one. */
    const add = (...ids: readonly string[]) =>
      database.transaction(
        function* () {
          for (const id of ids) {
            yield unawaited(
              sql`insert into session (id, origin, created_at) values (${id}, 'o', 1)`,
            );
          }
        },
        ids.slice(0, 1),
      );
    const list = async (from = database) =>
      (await from.all(sql`select id from session order by id`))
        .map((row) => (row as { readonly id: string }).id)
        .join();

    it('share one commit', async () => {
      const ids = Array.from({ length: 10 }, (_, index) => `s${index}`);
      await Promise.all(ids.map((id) => add(id)));
      expect(await countCommits(database)).toBe(1);
      expect(await list()).toBe(ids.join());
    });

    it('keep their results when one of them fails', async () => {
      await add('s0');
      const results = await Promise.allSettled([add('s1'), add('undone', 's0'), add('s2')]);
      const statuses = results.map(({ status }) => status);
      expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await list()).toBe('s0,s1,s2');
    });

    it('are invisible to a read before their commit', async () => {
      const added = add('s1');
      expect(await list()).toBe('');
      await added;
      expect(await list()).toBe('s1');
    });

    it('are committed before the database closes', async () => {
      const other = await open();
      const added = add('s1');
      await database.close();
      await added;
      expect(await list(other)).toBe('s1');
    });
  });
}
