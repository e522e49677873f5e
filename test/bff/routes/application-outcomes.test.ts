// `/v1/application` before a service in trouble: what the applicant is told, and what becomes of the lead.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import {
  createApplication,
  createRig,
  isProblem,
  secondKey,
  type Browser,
  type Rig,
} from '../bff-rig.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import { until } from '../manual-time.ts';

const lost = { kind: 'interrupted', failure: 'UND_ERR_SOCKET' } as const;
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;

describe('an application, with a service in trouble,', () => {
  let rig: Rig;
  let browser: Browser;

  beforeEach(async () => {
    rig = await createRig();
    browser = rig.openBrowser();
  });

  afterEach(() => rig.close());

  it('answers "received" when the service takes longer than the wait, and accepts later', async () => {
    let release: () => void = () => undefined;
    rig.sandbox.context.state.faults.push({
      kind: 'delay',
      operation: 'create-lead',
      times: 1,
      delayMs: 1,
    });
    Object.assign(rig.sandbox.context, {
      delay: () => new Promise<void>((resolve) => (release = resolve)),
    });
    const pending = browser.apply();
    await until(() => rig.time.listTimers().includes(8_000) && rig.calls.length === 2);
    rig.time.advance(8_000);
    const answer = await pending;
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      202,
      'received',
      false,
    ]);
    release();
    await until(async () => (await getStatus()).json.status === 'accepted');
  });

  it('answers "received, delayed" when the service cannot be reached, and delivers it later', async () => {
    rig.faults.push({ path: '/creditapp', result: unreachable });
    const answer = await browser.apply();
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      202,
      'received',
      true,
    ]);
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(async () => (await getStatus()).json.status === 'accepted');
    expect(rig.sandbox.context.state.leads.size).toBe(1);
  });

  it('is safe on the disk before anything is sent', async () => {
    rig.faults.push({ path: '/services/oauth2/token', result: unreachable });
    const answer = await browser.apply();
    expect(rig.calls).toEqual(['/services/oauth2/token']);
    expect((await rig.store.findApplication(answer.json.reference))?.state).toBe('waiting');
  });

  it('says "confirming" when the lead exists and its answer was lost', async () => {
    rig.faults.push({ path: '/creditapp', result: lost, isProcessed: true });
    expect((await browser.apply()).json.status).toBe('received');
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(async () => (await getStatus()).json.status === 'confirming');
    expect((await browser.apply()).status).toBe(202);
    expect(rig.sandbox.context.state.leads.size).toBe(1);
    expect(rig.logLines.join('')).toContain('lead-unconfirmed');
  });

  it.each([
    [500, 'An unexpected error occurred'],
    [200, 'An unexpected error occurred while saving Company'],
  ])('keeps one lead when the service stores it, then fails with %i "%s"', async (status, text) => {
    const result = createResponse(status, { IsSuccessful: false, ResponseText: text });
    rig.faults.push({ path: '/creditapp', result, isProcessed: true });
    const answer = await browser.apply();
    expect([answer.status, answer.json.status]).toEqual([202, 'received']);
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(async () => (await getStatus()).json.status === 'confirming');
    expect(rig.sandbox.context.state.leads.size).toBe(1);
  });

  it('holds a refused application when an earlier attempt may have created the lead', async () => {
    rig.faults.push({ path: '/creditapp', result: lost });
    const answer = await browser.apply(
      createApplication({ name: 'Bakery [create-lead/missing-required-field]' }),
    );
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(() => rig.logLines.join('').includes('delivery-held'));
    expect(await rig.store.findApplication(answer.json.reference)).toMatchObject({
      state: 'held',
      heldReason: 'uncertain',
      lastOutcome: 'missing-field',
      encryptedLead: expect.any(Uint8Array),
    });
    expect((await getStatus()).json.status).toBe('received');
  });

  it('rejects it once an operator has cleared the uncertain attempt', async () => {
    rig.faults.push({ path: '/creditapp', result: lost });
    const { json } = await browser.apply(
      createApplication({ name: 'Bakery [create-lead/missing-required-field]' }),
    );
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(() => rig.logLines.join('').includes('delivery-held'));
    await rig.store.retry(json.reference);
    await rig.delivery.runDue();
    expect((await getStatus()).json.status).toBe('rejected');
  });

  it('sends the same bytes again when the request was lost', async () => {
    rig.faults.push({ path: '/creditapp', result: lost });
    await browser.apply();
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(async () => (await getStatus()).json.status === 'accepted');
  });

  it('keeps quiet about wrong credentials to the applicant, and names the setting in the log', async () => {
    await rig.close();
    rig = await createRig({ variables: { FUNDING_CLIENT_SECRET: 'wrong-canary' } });
    const answer = await rig.openBrowser().apply();
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      202,
      'received',
      true,
    ]);
    expect(rig.logLines.join('')).toContain('FUNDING_CLIENT_SECRET');
    expect(rig.logLines.join('')).not.toContain('wrong-canary');
  });

  it('tells the field that the service refused, and takes a mended application', async () => {
    const answer = await browser.apply(
      createApplication({ name: 'Bakery [create-lead/invalid-field-value]' }),
    );
    expect(isProblem(answer, 'application-rejected')).toBe(true);
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toEqual([{ pointer: '/business/name', code: 'rejected' }]);
    const refused = (await getStatus()).json;
    expect(refused).toMatchObject({ status: 'rejected', errors: answer.json.errors });

    const mended = await browser.apply(createApplication(), secondKey);
    expect(mended.status).toBe(201);
    expect(mended.json.reference).not.toBe(refused.reference);
    expect((await getStatus()).json).toEqual(mended.json);
  });

  it('answers a repeated key with the refusal it had', async () => {
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
