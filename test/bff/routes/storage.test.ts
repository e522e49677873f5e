// What an applicant is told when nothing can be kept: never "received".

import { expect, it } from 'vitest';
import { createStore } from '../../../bff/store/open-store.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { createManualTime } from '../manual-time.ts';
import { createRig, isProblem } from '../bff-rig.ts';

it('answers 503 while the disk is full, and takes the same application once there is room', async () => {
  const time = createManualTime();
  const database = openSqlite('file::memory:', { clock: time.clock });
  const rig = await createRig({ time, store: createStore(database) });
  const browser = rig.openBrowser();
  await browser.send('POST', '/v1/session');
  // Without free pages, which the migrations of a new store leave.
  await database.all('vacuum');
  // Fills the one page that applications have so far, so that the next one needs another.
  await database.all(
    `insert into application (id, session_id, idempotency_key, fingerprint, state, key_id,
       wrapped_key, encrypted_lead, received_at, next_at)
     select 'filler', id, 'k', 'f', 'rejected', '1', zeroblob(60), zeroblob(3500), 1, 1 from session`,
  );
  const pages = await database.all('pragma page_count');
  await database.all(`pragma max_page_count = ${(pages[0] as { page_count: number }).page_count}`);

  const full = await browser.apply();
  expect(isProblem(full, 'storage-unavailable')).toBe(true);
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '5']);
  expect(rig.logLines.join('')).toContain('"cause":{"name":"Error","code":"ERR_SQLITE_ERROR"');
  expect(await database.all(`select id from application where id <> 'filler'`)).toEqual([]);

  await database.all('pragma max_page_count = 100000');
  expect((await browser.apply()).json.status).toBe('accepted');
});
