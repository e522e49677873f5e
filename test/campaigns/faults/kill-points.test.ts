import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createStore, openContentFiles, openDatabase } from '../../../bff/store/open-store.ts';
import {
  killPoints,
  withAnswerPoints,
  withCallPoints,
  withFilePoints,
  withStorePoints,
  withStatementPoints,
} from './kill-points.ts';

it('kill points have unique names', () => {
  expect(killPoints.length).toBeGreaterThanOrEqual(25);
  expect(new Set(killPoints).size).toBe(killPoints.length);
});

it('docs/reliability.md has the number of kill points', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reliability.md'), 'utf8');
  expect(page).toContain(`at one of ${killPoints.length} named points`);
});

it('a store reports its points in order, inside a transaction too', async () => {
  const reached: string[] = [];
  const reportPoint = (point: string) => reached.push(point);
  const database = await openDatabase('file::memory:');
  const store = withStorePoints(
    createStore(withStatementPoints(database, reportPoint)),
    reportPoint,
  );
  const { application } = await store.addApplication(
    {
      id: 'a',
      session: { id: 's', origin: 'o', createdAt: 0 },
      idempotencyKey: 'k',
      fingerprint: 'f',
      key: { keyId: '1', bytes: new Uint8Array(1) },
      encryptedLead: new Uint8Array(1),
      receivedAt: 0,
    },
    [],
  );
  expect(application.state).toBe('received');
  expect(reached.filter((point) => killPoints.includes(point))).toEqual([
    'store addApplication before',
    'statement insert application',
    'commit before',
    'store addApplication after',
  ]);
  await store.close();
});

it('a store does not report a claim that found no row', async () => {
  const reached: string[] = [];
  const store = withStorePoints(createStore(await openDatabase('file::memory:')), (point) =>
    reached.push(point),
  );
  await store.claimDue('application', 1_000);
  expect(reached).toEqual(['store claimDue before']);
  await store.close();
});

it('files report their points also when the store itself removes one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kill-points-'));
  const reached: string[] = [];
  const database = await openDatabase(`file:${join(folder, 'store.db')}`);
  const files = openContentFiles(database);
  if (!files) throw new Error('An SQLite store has files.');
  const store = createStore(
    database,
    withFilePoints(files, (point) => reached.push(point)),
  );
  const file = await files.create('without-a-row');
  await file.close();
  await store.scrub();
  expect(reached).toEqual(['file remove before', 'file remove after']);
  await store.close();
  rmSync(folder, { recursive: true });
});

it('a call reports the points before it, after it, or in its response', async () => {
  const reached: string[] = [];
  const reportPoint = (point: string) => reached.push(point);
  const transport = withCallPoints(
    async () => ({ kind: 'not-sent', failure: 'TEST' }),
    reportPoint,
  );
  await transport({ url: 'http://localhost/rest/creditapp', headers: {}, body: undefined });
  const fetch = withAnswerPoints(() => new Response(), reportPoint);
  await fetch(new Request('http://localhost/v1/contact', { method: 'POST' }));
  expect(reached).toEqual(['call create-lead before', 'call create-lead after', 'answer contact']);
});

it('createKiller kills the process at the given occurrence of a point', async () => {
  const child = fork(join(import.meta.dirname, 'kill-points-child.ts'));
  const occurrences: unknown[] = [];
  child.on('message', (occurrence) => occurrences.push(occurrence));
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(occurrences).toEqual([1, 2]);
});
