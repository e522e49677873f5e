// What all processes share about their logins at the funding service: one row for each set of credentials that is in trouble.

import * as z from 'zod/mini';
import { loginStateKinds, type LoginStore } from '../funding-service/login-pauses.ts';
import { query, type Database } from './database.ts';

/** Longer than any pause: what then still stands there belongs to credentials that nobody has any more. */
const forgottenMs = 24 * 60 * 60 * 1000;

const nowSchema = z.object({ now: z.int() });

const stateSchema = z.object({
  refusals: z.int(),
  kind: z.enum(loginStateKinds),
  until: z.int(),
});

export function createLoginStore(database: Database): LoginStore {
  return {
    changeLogin: (credentials, change) =>
      database.transaction(
        function* changeAlone() {
          const [row] = yield* query(
            'select refusals, kind, until_at as until from login where credentials = ?',
            credentials,
          );
          const [clock] = yield* query('select {now} as now');
          const { now } = nowSchema.parse(clock);
          // A row that cannot be read is as good as none: the login goes on, and writes it anew.
          const kept = stateSchema.safeParse(row).data;
          const { state, answer } = change(kept, now);
          if (state === kept && row !== undefined) return answer;
          yield* query(
            'delete from login where credentials = ? or until_at < ?',
            credentials,
            now - forgottenMs,
          );
          if (state) {
            yield* query(
              'insert into login (credentials, refusals, kind, until_at) values (?, ?, ?, ?)',
              credentials,
              state.refusals,
              state.kind,
              state.until,
            );
          }
          return answer;
        },
        [`login/${credentials}`],
      ),
  };
}
