// Migrations from every earlier version of the store, on both databases.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sql } from '../../../bff/store/database.ts';
import {
  createEncryption,
  decryptName,
  encryptName,
  type ApplicationCipher,
} from '../../../bff/store/encryption.ts';
import { readContent } from '../../../bff/store/content.ts';
import { openDatabase, openStore } from '../../../bff/store/open-store.ts';
import type { Store, WrappedKey } from '../../../bff/store/store.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { strongKey } from '../config/config-source.ts';
import { createOldStore, type OldStore } from './old-store.ts';

/** Versions whose tables `fill` knows. */
const oldVersions = [1, 2, 3, 4, 5, 6, 11, 12] as const;
const encryption = createEncryption({ keys: { 1: strongKey(1) }, currentId: '1' });
const march = { name: 'march', extension: 'pdf' };

describeMigrations('SQLite', createFileUrl);
describePostgres('with PostgreSQL', () => {
  describeMigrations('PostgreSQL', createTestDatabaseUrl);
});

it('leaves an old store unchanged when it may not migrate', async () => {
  const url = createFileUrl();
  await createOldStore(url, 1);
  await expect(openStore(url, { mayMigrate: false })).rejects.toMatchObject({
    code: 'STORE_BEHIND',
  });
  const db = new DatabaseSync(url.slice('file:'.length));
  expect(db.prepare('select version from journal_schema').all()).toEqual([{ version: 1 }]);
  db.close();
});

function createFileUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return `file:${join(folder, 'store.db')}`;
}

function describeMigrations(name: string, createUrl: () => string | Promise<string>): void {
  describe(`migrations on ${name}`, () => {
    it.each(oldVersions)('decrypt everything in a store of version %i', async (version) => {
      const url = await createUrl();
      const { key, cipher } = encryption.createCipher('a1');
      await createOldStore(url, version, (store) => fill(store, key, cipher, version));
      const store = await openStore(url);
      expect(await readEverything(store)).toEqual({
        lead: 'the lead',
        trackingUrl: 'https://tracking',
        address: '192.0.2.1',
        name: march,
        content: 'onetwo',
        report: 'the report',
      });
      await store.close();
    });

    it('deliver the attachments of an old store', async () => {
      const url = await createUrl();
      const { key, cipher } = encryption.createCipher('a1');
      await createOldStore(url, 5, (store) => fill(store, key, cipher));
      const store = await openStore(url);
      for (const kind of ['document', 'bank-report'] as const) {
        expect(await store.claimDue(kind, 60_000)).toMatchObject({ kind, attachment: { kind } });
      }
      await store.close();
    });

    it('take the category of an old document for chosen, and hold nothing', async () => {
      const url = await createUrl();
      const { key, cipher } = encryption.createCipher('a1');
      await createOldStore(url, 5, (store) => fill(store, key, cipher));
      const store = await openStore(url);
      expect(await store.findAttachment('d1')).toMatchObject({
        isCategoryChosen: true,
        releaseAt: undefined,
      });
      await store.close();
    });

    it('count the rows of an old store', async () => {
      const url = await createUrl();
      const { key, cipher } = encryption.createCipher('a1');
      await createOldStore(url, 5, (store) => fill(store, key, cipher));
      const store = await openStore(url);
      const one = { count: 1, state: 'received', oldestAt: 7 };
      expect(await store.countStates()).toEqual(
        expect.arrayContaining([
          { kind: 'application', state: 'accepted', count: 1, oldestAt: undefined },
          { kind: 'document', ...one },
          { kind: 'bank-report', ...one },
        ]),
      );
      await store.claimDue('document', 60_000);
      expect(await store.countStates()).toContainEqual({
        kind: 'document',
        ...one,
        state: 'sending',
      });
      await store.close();
    });

    it('record events for the applications of the previous version', async () => {
      const url = await createUrl();
      const { key, cipher } = encryption.createCipher('a1');
      await createOldStore(url, 11, (store) => fill(store, key, cipher, 11));
      const store = await openStore(url);
      await store.registerEventConsumers([{ name: 'webhook', target: '' }]);
      expect(await store.erase('a1')).toBe('erased');
      expect(await store.claimEvent({ name: 'webhook', target: '' }, 60_000)).toMatchObject({
        event: { applicationId: 'a1', sequence: 1, status: 'erased', serviceId: 'L1' },
      });
      await store.close();
    });

    it('keep the events of version 12', async () => {
      const url = await createUrl();
      const { key, cipher } = encryption.createCipher('a1');
      await createOldStore(url, 12, async (store) => {
        await store.run(`insert into event_consumer (name, target, seen_at, stopped_at)
          values ('webhook', 'one', 1, 5)`);
        await fill(store, key, cipher, 12);
        await store.run(`update attachment set state = 'held' where kind = 'document'`);
      });
      const store = await openStore(url);
      const receiver = { name: 'webhook', target: 'one' } as const;
      expect(await store.claimEvent(receiver, 60_000)).toBeUndefined();
      await store.retryEvents({});
      expect(await store.erase('a1')).toBe('erased');
      const events = await store.listEvents('a1');
      expect(events.map(({ kind, status, state }) => `${kind} ${status} ${state}`)).toEqual([
        'application received waiting',
        'document held waiting',
        'application erased waiting',
      ]);
      await store.close();
    });

    it('run once when many processes open the store', async () => {
      const url = await createUrl();
      const { key, cipher } = encryption.createCipher('a1');
      await createOldStore(url, 1, (store) => fill(store, key, cipher));
      const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
      expect(stores.filter(({ isNew }) => isNew)).toEqual([]);
      expect(await stores[0]?.readIdentity()).toMatchObject({
        createdAt: 7,
        applicationsReceived: 1,
      });
      await Promise.all(stores.map((store) => store.close()));
      expect(await readVersions(url)).toEqual(await readNewestVersions());
    });

    it('create a new store once when many processes open it', async () => {
      const url = await createUrl();
      const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(url)));
      expect(stores.filter(({ isNew }) => isNew)).toHaveLength(1);
      await Promise.all(stores.map((store) => store.close()));
      expect(await readVersions(url)).toEqual(await readNewestVersions());
    });

    it('refuse a store of a later version', async () => {
      const url = await createUrl();
      await createOldStore(url, Infinity, async ({ run }) => {
        await run('insert into journal_schema (version) values (99)');
      });
      await expect(openStore(url)).rejects.toMatchObject({ code: 'STORE_NEWER' });
    });
  });
}

/** The versions that a new store records: one for each migration. */
async function readNewestVersions(): Promise<readonly number[]> {
  const url = createFileUrl();
  await createOldStore(url, Infinity);
  return readVersions(url);
}

async function readVersions(url: string): Promise<readonly number[]> {
  const database = await openDatabase(url);
  const rows = await database.all(sql`select version from journal_schema order by version`);
  await database.close();
  return rows.map((row) => (row as { readonly version: number }).version);
}

/** Fills the tables of a version, by default of 1 to 5, with an accepted application that has two attachments. */
async function fill(
  store: OldStore,
  key: WrappedKey,
  cipher: ApplicationCipher,
  version = 5,
): Promise<void> {
  /** Translates the names of versions 1 to 5. */
  const run: OldStore['run'] = (text, ...values) =>
    version < 6
      ? store.run(text, ...values)
      : store.run(
          text
            .replaceAll(/\bsealed\b/g, 'encrypted')
            .replaceAll('sealed_', 'encrypted_')
            .replaceAll('child_id', 'attachment_id')
            .replaceAll('into child', 'into attachment'),
          ...values.map((value) => (value === 'asset-report' ? 'bank-report' : value)),
        );
  await run(`insert into session (id, origin, created_at) values ('s1', 'https://a', 1)`);
  await run(
    `insert into application (id, session_id, idempotency_key, fingerprint, state, key_id,
       wrapped_key, sealed_lead, sealed_tracking_url, received_at, service_id)
     values ('a1', 's1', 'k1', 'f1', 'accepted', ?, ?, ?, ?, 7, 'L1')`,
    key.keyId,
    key.bytes,
    cipher.encrypt('lead', 'a1', 'the lead'),
    cipher.encrypt('trackingUrl', 'a1', 'https://tracking'),
  );
  await run(
    `insert into consent (id, application_id, consent_id, version, text, text_hash, given_at,
       sealed_address)
     values ('c1', 'a1', 'terms', '1', 'I agree.', 'ab', 7, ?)`,
    cipher.encrypt('address', 'c1', '192.0.2.1'),
  );
  const insertAttachment = `insert into child (id, application_id, kind, category, sealed_name,
      created_at, state, number, bytes, fingerprint, next_at)
    values (?, 'a1', ?, '', ?, 7, 'received', 1, 6, ?, 8)`;
  await run(insertAttachment, 'd1', 'document', encryptName(cipher, 'd1', march), 'f1');
  await run(insertAttachment, 'r1', 'asset-report', null, 'f2');
  for (const [id, number, text] of [
    ['d1', 0, 'one'],
    ['d1', 1, 'two'],
    ['r1', 0, 'the report'],
  ] as const) {
    const encrypted = cipher.encrypt('chunk', `${id}/${number}`, text);
    await run(
      'insert into chunk (child_id, number, sealed) values (?, ?, ?)',
      id,
      number,
      encrypted,
    );
  }
}

async function readEverything(store: Store): Promise<object> {
  const application = (await store.findApplication('a1'))!;
  const [consent] = await store.listConsents('a1');
  const [document] = await store.listAttachments('a1', 'document');
  const [report] = await store.listAttachments('a1', 'bank-report');
  const cipher = encryption.unwrapKey('a1', application.key);
  const read = async (id: string) => {
    const chunks: Buffer[] = [];
    for await (const chunk of readContent(store, cipher, id)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  return {
    lead: cipher.decrypt('lead', 'a1', application.encryptedLead!).toString(),
    trackingUrl: cipher.decrypt('trackingUrl', 'a1', application.encryptedTrackingUrl!).toString(),
    address: cipher.decrypt('address', 'c1', consent!.encryptedAddress!).toString(),
    name: decryptName(cipher, document!),
    content: await read(document!.id),
    report: await read(report!.id),
  };
}
