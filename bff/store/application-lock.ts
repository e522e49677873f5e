// The lock of an application, and whether it still accepts attachments and handoffs.

import { sql, type Transaction } from './database.ts';

/** One transaction at a time changes an application together with its attachments and handoffs. */
export function toApplicationLock(id: string): string {
  return `application/${id}`;
}

/** Returns true if the application is neither rejected nor erased. Hold the lock, so that this stays true. */
export function* isOpenApplication(id: string): Transaction<boolean> {
  const rows = yield sql`
    select id from application
    where id = ${id} and state not in ('rejected', 'erased') and erased_at is null`;
  return rows.length > 0;
}
