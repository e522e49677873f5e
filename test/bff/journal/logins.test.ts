// The state of logins in the journal, on both engines.

import { expect, it } from 'vitest';
import { createLoginPauses } from '../../../bff/funding-service/login-pauses.ts';
import { createLoginStore } from '../../../bff/journal/logins.ts';
import { openPostgres } from '../../../bff/journal/postgres.ts';
import { openSqlite } from '../../../bff/journal/sqlite.ts';
import { createTestJournalUrl, describePostgres } from '../../support/postgres.ts';
import { describeLogins, type LoginStoreRig } from './contract/logins.ts';
import type { OpenTestDatabase } from './contract/rig.ts';

const inMemory: OpenTestDatabase = async (options) => openSqlite('file::memory:', options);
const onPostgres: OpenTestDatabase = async (options) =>
  openPostgres(await createTestJournalUrl(), options);

describeLogins('a journal on SQLite', () => openRig(inMemory));
describePostgres('on a PostgreSQL', () => {
  describeLogins('a journal on PostgreSQL', () => openRig(onPostgres));
});

it('forgets credentials that nobody has used for a day once a login works', async () => {
  let now = 1_000_000_000;
  const database = await inMemory({ clock: () => now });
  const store = createLoginStore(database);
  const [old, current] = [createLoginPauses(store, 'old'), createLoginPauses(store, 'current')];
  await old.begin();
  now += 24 * 60 * 60 * 1000 + 15_001;
  await current.begin();
  await current.end(1, { kind: 'granted', token: 'A' });
  expect(await database.all('select * from login')).toEqual([]);
  await database.close();
});

it('takes a row it cannot read for none', async () => {
  const database = await inMemory({});
  await database.all(
    `insert into login (credentials, refusals, kind, until_at) values ('c', 9, 'from the future', 0)`,
  );
  const pauses = createLoginPauses(createLoginStore(database), 'c');
  expect(await pauses.begin()).toEqual({ kind: 'mine', number: 1 });
  await database.close();
});

async function openRig(open: OpenTestDatabase): Promise<LoginStoreRig> {
  // The store asks for the time while it is opened.
  const time = { now: 1_000_000_000 };
  const database = await open({ clock: () => time.now });
  return Object.assign(time, {
    store: createLoginStore(database),
    close: () => database.close(),
  });
}
