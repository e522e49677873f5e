// `/v1/application` while the funding service or the store fails: the response, and the fate of the lead.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import { secondKey, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { rawSql, sql } from '../../../bff/store/database.ts';
import { createStore } from '../../../bff/store/open-store.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import { createManualTime, until } from '../../support/manual-time.ts';

const lost = { kind: 'interrupted', failure: 'UND_ERR_SOCKET' } as const;
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;

describe('POST /v1/application while the funding service fails', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('returns "received" if the funding service takes too long', async () => {
    let release: () => void = () => undefined;
    bff.sandbox.context.state.faults.push({
      kind: 'delay',
      operation: 'create-lead',
      times: 1,
      delayMs: 1,
    });
    Object.assign(bff.sandbox.context, {
      delay: () => new Promise<void>((resolve) => (release = resolve)),
    });
    const pending = browser.apply();
    await until(() => bff.time.listTimers().includes(8_000) && bff.calls.length === 2);
    bff.time.advance(8_000);
    const answer = await pending;
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      202,
      'received',
      false,
    ]);
    release();
    await until(async () => (await getStatus()).json.status === 'accepted');
  });

  it('returns "received" with a delay if the funding service is unreachable', async () => {
    bff.faults.push({ path: '/creditapp', result: unreachable });
    const answer = await browser.apply();
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      202,
      'received',
      true,
    ]);
    await until(() => bff.time.listTimers().length === 1);
    bff.time.advance(2_000);
    await until(async () => (await getStatus()).json.status === 'accepted');
    expect(bff.sandbox.context.state.leads.size).toBe(1);
  });

  it('stores the application before it sends anything', async () => {
    bff.faults.push({ path: '/services/oauth2/token', result: unreachable });
    const answer = await browser.apply();
    expect(bff.calls).toEqual(['/services/oauth2/token']);
    expect((await bff.store.findApplication(answer.json.reference))?.state).toBe('waiting');
  });

  it('returns "confirming" if the lead exists but its response was lost', async () => {
    bff.faults.push({ path: '/creditapp', result: lost, isProcessed: true });
    expect((await browser.apply()).json.status).toBe('received');
    await until(() => bff.time.listTimers().length === 1);
    bff.time.advance(2_000);
    await until(async () => (await getStatus()).json.status === 'confirming');
    expect((await browser.apply()).status).toBe(202);
    expect(bff.sandbox.context.state.leads.size).toBe(1);
    expect(bff.logLines.join('')).toContain('application-unconfirmed');
  });

  it.each([
    [500, 'An unexpected error occurred'],
    [200, 'An unexpected error occurred while saving Company'],
  ])(
    'creates one lead if the funding service stores it and fails with %i "%s"',
    async (status, text) => {
      const result = createResponse(status, { IsSuccessful: false, ResponseText: text });
      bff.faults.push({ path: '/creditapp', result, isProcessed: true });
      const answer = await browser.apply();
      expect([answer.status, answer.json.status]).toEqual([202, 'received']);
      await until(() => bff.time.listTimers().length === 1);
      bff.time.advance(2_000);
      await until(async () => (await getStatus()).json.status === 'confirming');
      expect(bff.sandbox.context.state.leads.size).toBe(1);
    },
  );

  it('holds a refused application if an earlier attempt may have created the lead', async () => {
    bff.faults.push({ path: '/creditapp', result: lost });
    const answer = await browser.apply(
      createApplication({ name: 'Bakery [create-lead/missing-required-field]' }),
    );
    await until(() => bff.time.listTimers().length === 1);
    bff.time.advance(2_000);
    await until(() => bff.logLines.join('').includes('delivery-held'));
    expect(await bff.store.findApplication(answer.json.reference)).toMatchObject({
      state: 'held',
      heldReason: 'uncertain',
      lastOutcome: 'missing-field',
      encryptedLead: expect.any(Uint8Array),
    });
    expect((await getStatus()).json.status).toBe('received');
  });

  it('rejects the application after an operator cleared the uncertain attempt', async () => {
    bff.faults.push({ path: '/creditapp', result: lost });
    const { json } = await browser.apply(
      createApplication({ name: 'Bakery [create-lead/missing-required-field]' }),
    );
    await until(() => bff.time.listTimers().length === 1);
    bff.time.advance(2_000);
    await until(() => bff.logLines.join('').includes('delivery-held'));
    await bff.store.retry(json.reference);
    await bff.delivery.runDue();
    expect((await getStatus()).json.status).toBe('rejected');
  });

  it('sends the same bytes again after a lost request', async () => {
    bff.faults.push({ path: '/creditapp', result: lost });
    await browser.apply();
    await until(() => bff.time.listTimers().length === 1);
    bff.time.advance(2_000);
    await until(async () => (await getStatus()).json.status === 'accepted');
  });

  it('names wrong credentials in the log only', async () => {
    await bff.close();
    bff = await startBff({ variables: { FUNDING_CLIENT_SECRET: 'wrong-canary' } });
    const answer = await bff.openBrowser().apply();
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      202,
      'received',
      true,
    ]);
    expect(bff.logLines.join('')).toContain('FUNDING_CLIENT_SECRET');
    expect(bff.logLines.join('')).not.toContain('wrong-canary');
  });

  it('accepts a corrected application after a rejection that names the field', async () => {
    const answer = await browser.apply(
      createApplication({ name: 'Bakery [create-lead/invalid-field-value]' }),
    );
    expect(isProblem(answer, 'application-rejected')).toBe(true);
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toEqual([{ pointer: '/business/name', code: 'rejected' }]);
    const refused = (await getStatus()).json;
    expect(refused).toMatchObject({ status: 'rejected', errors: answer.json.errors });

    const corrected = await browser.apply(createApplication(), secondKey);
    expect(corrected.status).toBe(201);
    expect(corrected.json.reference).not.toBe(refused.reference);
    expect((await getStatus()).json).toEqual(corrected.json);
  });

  it('returns the same rejection for a repeated key', async () => {
    const refused = createApplication({ name: 'Bakery [create-lead/missing-required-field]' });
    await browser.apply(refused);
    const answer = await browser.apply(refused);
    expect(isProblem(answer, 'application-rejected')).toBe(true);
    expect(answer.json.errors).toEqual([{ pointer: '/business/name', code: 'required' }]);
  });

  function getStatus() {
    return browser.send('GET', apiPaths.application);
  }
});

it('returns 503 while the disk of the store is full', async () => {
  const time = createManualTime();
  const database = openSqlite('file::memory:', { clock: time.clock });
  const bff = await startBff({ time, store: createStore(database) });
  const browser = bff.openBrowser();
  await browser.send('POST', '/v1/session');
  // A new store has free pages. Remove them.
  await database.all(sql`vacuum`);
  // Fills the only page of the table, so that the next application needs another page.
  await database.all(sql`
    insert into session (id, origin, created_at) values ('filler', 'https://a', 1)`);
  await database.all(sql`
    insert into application (id, session_id, idempotency_key, fingerprint, state, key_id,
       wrapped_key, encrypted_lead, received_at, next_at)
     select 'filler', id, 'k', 'f', 'rejected', '1', zeroblob(60), zeroblob(3500), 1, 1 from session`);
  const pages = await database.all(sql`pragma page_count`);
  const count = (pages[0] as { page_count: number }).page_count;
  await database.all(rawSql(`pragma max_page_count = ${count}`));

  const full = await browser.apply();
  expect(isProblem(full, 'storage-unavailable')).toBe(true);
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '5']);
  expect(bff.logLines.join('')).toContain('"cause":{"name":"Error","code":"ERR_SQLITE_ERROR"');
  expect(await database.all(sql`select id from application where id <> 'filler'`)).toEqual([]);

  await database.all(sql`pragma max_page_count = 100000`);
  expect((await browser.apply()).json.status).toBe('accepted');
});
