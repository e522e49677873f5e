import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createStore, openDatabase } from '../../bff/store/open-store.ts';
import {
  killPoints,
  withAnswerPoints,
  withCallPoints,
  withStorePoints,
  withStatementPoints,
} from './kill-points.ts';

it('has names enough, each once', () => {
  expect(killPoints.length).toBeGreaterThanOrEqual(25);
  expect(new Set(killPoints).size).toBe(killPoints.length);
});

it('tells of every place in the order it is passed, inside a transaction too', async () => {
  const passed: string[] = [];
  const pass = (point: string) => passed.push(point);
  const database = await openDatabase('file::memory:');
  const store = withStorePoints(createStore(withStatementPoints(database, pass)), pass);
  await store.addSession({ id: 's', origin: 'o', createdAt: 0 });
  passed.length = 0;
  const { application } = await store.addApplication(
    {
      id: 'a',
      sessionId: 's',
      idempotencyKey: 'k',
      fingerprint: 'f',
      key: { keyId: '1', bytes: new Uint8Array(1) },
      encryptedLead: new Uint8Array(1),
      receivedAt: 0,
    },
    [],
  );
  expect(application.state).toBe('received');
  expect(passed.filter((point) => killPoints.includes(point))).toEqual([
    'store addApplication before',
    'statement insert application',
    'commit before',
    'store addApplication after',
  ]);
  await store.close();
});

it('calls a look for work that found none no passing', async () => {
  const passed: string[] = [];
  const store = withStorePoints(createStore(await openDatabase('file::memory:')), (point) =>
    passed.push(point),
  );
  await store.claimDue('application', 1_000);
  expect(passed).toEqual(['store claimDue before']);
  await store.close();
});

it('stands around calls and before answers', async () => {
  const passed: string[] = [];
  const pass = (point: string) => passed.push(point);
  const transport = withCallPoints(async () => ({ kind: 'not-sent', failure: 'TEST' }), pass);
  await transport({ url: 'http://localhost/rest/creditapp', headers: {}, body: undefined });
  const fetch = withAnswerPoints(() => new Response(), pass);
  await fetch(new Request('http://localhost/v1/contact', { method: 'POST' }));
  expect(passed).toEqual(['call create-lead before', 'call create-lead after', 'answer contact']);
});

it('kills at the passing it is told', async () => {
  const child = fork(join(import.meta.dirname, 'kill-points-child.ts'));
  const passings: unknown[] = [];
  child.on('message', (delay) => passings.push(delay));
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(passings).toEqual([1, 2]);
});
