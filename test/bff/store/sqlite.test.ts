// The contract on SQLite, and the behavior of the file.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { toClaimStatement, toNextDueStatement } from '../../../bff/store/claims.ts';
import { type Database, rawSql, sql, type Statement } from '../../../bff/store/database.ts';
import {
  countEventsStatement,
  toEventClaimStatement,
  toNextEventStatement,
} from '../../../bff/store/events.ts';
import {
  countStatement,
  toMatchStatement,
  toWaitingStatement,
} from '../../../bff/store/operator-actions.ts';
import { toDeletionStatement, toPurgeStatements } from '../../../bff/store/retention.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { deliveryKinds, type DeliveryKind } from '../../../bff/store/store.ts';
import { describeRecovery } from './contract/claims.ts';
import { describeCommits } from './contract/commits.ts';
import { describeContract } from './contract/contract.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const openMemory = async (options = {}) => openSqlite('file::memory:', options);

describeContract('SQLite', openMemory);

describe('a store on SQLite', () => {
  describeRecovery(openMemory);
});

describe('a file of SQLite', () => {
  let path: string;
  let database: Database;
  let opened: Database[];

  async function open(): Promise<Database> {
    const added = openSqlite(`file:${path}`);
    opened.push(added);
    return added;
  }

  beforeEach(async () => {
    path = join(createFolder(), 'store.db');
    opened = [];
    database = await open();
    return async () => {
      // One of them may be closed already.
      for (const one of opened) await one.close().catch(() => undefined);
    };
  });

  describeCommits(open, async () => countCommits(`${path}-wal`));

  const add = (id: string, origin = 'o') =>
    database.all(sql`insert into session (id, origin, created_at) values (${id}, ${origin}, 1)`);
  const listIds = () => database.all(sql`select id from session`);
  const read = async (pragma: string) => {
    const [row] = await database.all(rawSql(`pragma ${pragma}`));
    return Object.values(row as object)[0];
  };
  const limitPages = async (more: number) =>
    database.all(rawSql(`pragma max_page_count = ${Number(await read('page_count')) + more}`));

  it.each([
    ['a crash loses no commit', 'journal_mode', 'wal'],
    ['a crash loses no commit', 'synchronous', 2],
    ['deleted rows are overwritten', 'secure_delete', 1],
    ['rows go with their application', 'foreign_keys', 1],
    ['no changed page is copied to a temporary file', 'temp_store', 2],
  ])('is opened so that %s: %s', async (_why, pragma, value) => {
    expect(await read(pragma)).toBe(value);
  });

  it('has an empty write-ahead log after a scrub, unless another connection reads', async () => {
    await add('s1');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect(await database.scrub()).toBe(true);
    expect(statSync(`${path}-wal`).size).toBe(0);
    const reader = new DatabaseSync(path);
    reader.exec('begin');
    reader.prepare('select * from session').all();
    await add('s2');
    expect(await database.scrub()).toBe(false);
    reader.close();
    expect(await database.scrub()).toBe(true);
  });

  it('is unavailable while its disk is full', async () => {
    await limitPages(9);
    const fill = async () => {
      for (let number = 0; ; number += 1) await add(`s${number}`, 'x'.repeat(4000));
    };
    const unavailable = { code: 'STORE_UNAVAILABLE' };
    await expect(fill()).rejects.toMatchObject(unavailable);
    const wrong = database.all(sql`select no_such_column`);
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' });
    // The commit of several writes fails as a whole.
    const results = await Promise.allSettled([add('last'), add('x'.repeat(20_000))]);
    expect(results).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
    expect(await listIds()).toContainEqual({ id: 's0' });
    expect(await listIds()).not.toContainEqual({ id: 'last' });
  });

  it('keeps the results of writes when the database undoes their transaction', async () => {
    await database.all(
      rawSql(`create trigger refuse before insert on session when new.id = 'fatal'
        begin select raise(rollback, 'undone'); end`),
    );
    const results = await Promise.allSettled([add('before'), add('fatal')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await listIds()).toEqual([{ id: 'before' }]);
  });
});

describe('the statements on SQLite', () => {
  let database: Database;

  beforeEach(async () => {
    database = await openMemory();
    return () => database.close();
  });

  async function explain(statement: Statement): Promise<readonly string[]> {
    const steps = await database.all(sql`explain query plan ${statement}`);
    return steps.map((step) => (step as { readonly detail: string }).detail);
  }

  const { retention } = defaultSettings();
  const webhook = { name: 'webhook', target: '' } as const;
  const statements: readonly (readonly [name: string, statement: Statement])[] = [
    ['a short reference', toMatchStatement('7K4-92M')],
    ['old applications', toDeletionStatement(retention)],
    ...deliveryKinds.flatMap(listDeliveryStatements),
    ['the next event', toEventClaimStatement(webhook, 1)],
    ['the time until the next event', toNextEventStatement(webhook)],
    ...toPurgeStatements(retention).map(
      (statement) => [statement.sql.replaceAll(/\s+/g, ' ').slice(0, 50), statement] as const,
    ),
  ];

  it.each(statements)('find %s without a table scan', async (_name, statement) => {
    const steps = await explain(statement);
    expect(steps.filter((step) => step.startsWith('SEARCH'))).not.toEqual([]);
    expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  });

  it('count rows without reading them', async () => {
    const steps = await explain(countStatement);
    expect(steps.filter((step) => /application|attachment/.test(step))).toEqual([
      'SEARCH application USING COVERING INDEX application_unfinished (state=?)',
      'SEARCH attachment USING COVERING INDEX attachment_unfinished (kind=? AND state=?)',
    ]);
  });

  it('count events without reading them all', async () => {
    const steps = await explain(countEventsStatement);
    expect(steps.filter((step) => /event_stream|event USING/.test(step))).toEqual([
      'SEARCH event_stream USING COVERING INDEX event_stream_next (consumer=? AND next_at>?)',
      'SEARCH event_stream USING INDEX event_stream_pending (consumer=?)',
      'SEARCH event USING COVERING INDEX event_given_up (consumer=? AND given_up_at>?)',
      'SEARCH event USING COVERING INDEX event_given_up (consumer=? AND given_up_at>?)',
    ]);
  });
});

/** The last frame of a commit names the size of the database (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
function countCommits(logPath: string): number {
  const log = readFileSync(logPath);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let start = 32; start < log.length; start += frameBytes) {
    if (log.readUInt32BE(start + 4) > 0) commits += 1;
  }
  return commits;
}

function listDeliveryStatements(kind: DeliveryKind): readonly (readonly [string, Statement])[] {
  return [
    [`the next ${kind}`, toClaimStatement(kind, 1)],
    [`${kind} by id`, toClaimStatement(kind, 1, 'a1')],
    [`the time until the next ${kind}`, toNextDueStatement(kind)],
    [`a waiting ${kind}`, toWaitingStatement(kind, 1)],
  ];
}
