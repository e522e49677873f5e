// Erases everything personal of one application; what stays is a tombstone: ids, states, times, and the texts consented to.

import * as z from 'zod/mini';
import { query, type Database, type Work } from './database.ts';

const stateSchema = z.object({ state: z.string() });

/** Refused while one of its rows is being sent, since what is under way cannot be called back. */
export function* eraseApplication(
  id: string,
  forUpdate: Database['forUpdate'],
): Work<'erased' | 'sending' | 'not-found'> {
  // Held from here on, so that nothing is claimed between the look and the deed.
  const [row] = yield* query(`select state from application where id = ? ${forUpdate}`, id);
  if (row === undefined) return 'not-found';
  const children = yield* query(
    `select state from child where application_id = ? ${forUpdate}`,
    id,
  );
  const states = [row, ...children].map((raw) => stateSchema.parse(raw).state);
  if (states.includes('sending')) return 'sending';
  yield* eraseContent(id);
  return 'erased';
}

/** Without its key, nothing that was sealed for the application can be opened, wherever a copy may lie. */
function* eraseContent(id: string): Work<void> {
  yield* query(
    `update child set sealed_name = null, fingerprint = null,
       finished_at = coalesce(finished_at, {now}),
       state = case when state in ('accepted', 'rejected') then state else 'erased' end
     where application_id = ?`,
    id,
  );
  // After its children took no more pieces.
  yield* query(
    'delete from chunk where child_id in (select id from child where application_id = ?)',
    id,
  );
  yield* query('update consent set sealed_address = null where application_id = ?', id);
  yield* query(
    `update application set sealed_lead = null, sealed_tracking_url = null, wrapped_key = ?,
       fingerprint = '', erased_at = coalesce(erased_at, {now}),
       finished_at = coalesce(finished_at, {now}),
       state = case when state in ('accepted', 'rejected') then state else 'erased' end
     where id = ?`,
    new Uint8Array(0),
    id,
  );
}
