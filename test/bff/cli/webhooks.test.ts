// `webhooks`: what waits, what was given up, and how an operator sends it again. Also `doctor --webhook`.

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { webhookEventSchema } from '../../../shared/api/webhook-event.ts';
import { listen } from '../../support/servers.ts';
import { strongKey } from '../config/config-source.ts';
import { accepted, type CliRig, createCliRig, first, second } from './cli-rig.ts';
import { createDoctorRig } from './doctor-rig.ts';

const webhook = { name: 'webhook', target: '' } as const;

describe('webhooks', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.store.registerEventConsumers([webhook]);
  });

  const run = (...argv: string[]) => rig.run('webhooks', ...argv);
  const claim = async () => (await rig.store.claimEvent(webhook, 60_000))!;
  const giveUp = async () => rig.store.recordEventGivenUp(await claim(), 'http-500');
  const fail = async (outcome = 'http-500') =>
    rig.store.recordEventFailed(await claim(), outcome, 300_000);

  /** Each application has two events. */
  async function addAccepted(): Promise<void> {
    for (const reference of [first, second]) {
      await rig.add(reference);
      await rig.recordResult(accepted);
    }
  }

  it('reports that the BFF sends no events', async () => {
    await rig.store.registerEventConsumers([]);
    expect((await run()).out).toBe('The BFF sends no events.\n');
    const { code, err } = await run('retry');
    expect(code).toBe(1);
    expect(err).toContain('Set WEBHOOK_URL');
  });

  it('counts events that wait', async () => {
    await rig.add();
    const { out } = await run();
    expect(out).toMatch(/^Events for the webhook: 1 application waiting \(oldest .*\)\.\n$/);
    expect((await rig.run('status')).out).toContain('Events for the webhook: 1 application');
  });

  it('lists events that were given up', async () => {
    await rig.add();
    await rig.recordResult(accepted);
    await giveUp();
    const { out } = await run();
    expect(out).toContain('1 event given up');
    expect(out).toContain(`  ${first} (000-001)  application.received (1)  webhook\n    of 20`);
    expect((await run('--json')).json.givenUp).toMatchObject([
      { reference: first, consumer: 'webhook', type: 'application.received', sequence: 1 },
    ]);
    const status = await rig.run('status', '--json');
    expect(status.code).toBe(3);
    expect(status.json.alarms).toMatchObject([{ code: 'events-given-up', count: 1 }]);
  });

  it('lists events whose attempts fail', async () => {
    await rig.add();
    await fail();
    rig.time.advance(300_000);
    await fail();
    rig.time.advance(60_000);
    expect((await run()).out).toContain(
      `\n\nFailing\n  ${first} (000-001)  application.received (1)  webhook\n    waiting: 2 failed attempts, the last with http-500, next in 4 min\n`,
    );
    expect((await run('--json')).json.failing).toMatchObject([
      { reference: first, state: 'waiting', failedAttempts: 2, lastOutcome: 'http-500' },
    ]);
  });

  it('shows no next attempt of a stopped consumer', async () => {
    await rig.add();
    await fail('http-410');
    await rig.store.stopEventReceiver(webhook);
    const failure = 'waiting: 1 failed attempt, the last with http-410\n';
    expect((await run()).out).toContain(failure);
    expect((await run('show', first)).out).toContain(failure);
    expect((await run('show', first, '--json')).json.events).toMatchObject([{ nextAt: null }]);
  });

  it('removes a consumer that no process has', async () => {
    expect((await run('remove', 'hook')).out).toBe(
      'The BFF sends no events to the hook onStatus.\n',
    );
    const { code, json } = await run('remove', 'webhook', '--json');
    expect({ code, json }).toEqual({ code: 0, json: { consumer: 'webhook', isRemoved: true } });
    expect((await run()).out).toBe('The BFF sends no events.\n');
  });

  it('removes no webhook that the configuration has', async () => {
    rig.variables['WEBHOOK_URL'] = 'https://crm.partner.example/';
    rig.variables['WEBHOOK_SECRETS'] = `whsec_${strongKey(4)}`;
    const { code, err } = await run('remove', 'webhook');
    expect(code).toBe(1);
    expect(err).toContain('WEBHOOK_URL is set.');
    expect(await rig.store.countEvents()).toHaveLength(1);
  });

  it('shows the events of an application', async () => {
    await rig.add();
    const waiting = String.raw`  1  20\S+Z  application\.received  evt_\w{32}  webhook  waiting`;
    expect((await run('show', first)).out).toMatch(
      new RegExp(String.raw`^${first} \(000-001\)\n${waiting}\n$`),
    );
    await giveUp();
    await rig.recordResult(accepted);
    const sent = await claim();
    await rig.store.recordEventSent(sent);
    await rig.store.erase(first);
    await claim();
    const { json } = await run('show', first, '--json');
    expect(json.events).toMatchObject([
      { sequence: 1, type: 'application.received', state: 'given-up' },
      { sequence: 2, type: 'application.accepted', state: 'sent', id: `evt_${sent.event.id}` },
      { sequence: 3, type: 'application.erased', state: 'sending', failedAttempts: 0 },
    ]);
    expect((await run('show', first)).out).toMatch(/ given up\n.* sent\n.* sending\n$/);
  });

  it('reports that an application has no events', async () => {
    await rig.store.registerEventConsumers([]);
    await rig.add();
    await rig.store.registerEventConsumers([webhook]);
    expect((await run('show', '000-001')).out).toBe(`${first} (000-001)\n  no events\n`);
  });

  it('sends the events of an application again from a number on', async () => {
    await addAccepted();
    for (let count = 0; count < 4; count += 1) await rig.store.recordEventSent(await claim());
    const { out } = await run('retry', first, '--from', '2');
    expect(out).toBe('1 event will be sent. A running BFF begins within seconds.\n');
    expect((await claim()).event).toMatchObject({ applicationId: first, sequence: 2 });
    expect((await run('retry', first, '--from', '9')).out).toBe('There is no event to send.\n');
  });

  it('sends an event again, with the later ones of the application', async () => {
    await addAccepted();
    await giveUp();
    expect((await run('retry', first, '--json')).json).toEqual({ events: 2 });
    expect((await rig.run('status', '--json')).json.alarms).toEqual([]);
  });

  it('sends all since a time', async () => {
    await rig.add();
    await rig.store.recordEventSent(await claim());
    const retry = async (...argv: string[]) => (await run('retry', ...argv, '--json')).json;
    expect(await retry()).toEqual({ events: 0 });
    expect(await retry('--since', '2999-01-01')).toEqual({ events: 0 });
    expect(await retry('--since', '2020-01-01T00:00:00+02:00')).toEqual({ events: 1 });
  });

  it('ends the alarm without sending', async () => {
    await rig.add();
    await giveUp();
    expect((await run('dismiss')).out).toBe('1 event will not be sent.\n');
    expect((await run('dismiss', first)).out).toBe('No event was given up.\n');
    expect((await rig.run('status')).code).toBe(0);
    expect((await run('show', first)).out).toMatch(/ dismissed\n$/);
  });
});

describe('doctor --webhook', () => {
  const secret = `whsec_${strongKey(1)}`;

  /** @param respond how the receiver treats an event with a signature that is valid or not. */
  async function open(respond: (isValid: boolean) => number) {
    const types: string[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        types.push(webhookEventSchema.parse(JSON.parse(body)).type);
        response.writeHead(respond(isValid(body, request.headers as never))).end();
      });
    });
    const receiver = await listen(server);
    const rig = await createDoctorRig();
    onTestFinished(async () => {
      await rig.close();
      await receiver.close();
    });
    Object.assign(rig.variables, { WEBHOOK_URL: receiver.url, WEBHOOK_SECRETS: secret });
    async function run() {
      const { code, checks } = await rig.run('--webhook', '--json');
      return { code, checks: checks.filter(({ check }) => check === 'webhook') };
    }
    return { rig, receiver, types, run };
  }

  function isValid(body: string, headers: Record<string, string>): boolean {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  }

  it('sends a signed test event and a forged one, with the option only', async () => {
    const { rig, run, types } = await open((isSigned) => (isSigned ? 204 : 400));
    await rig.run();
    expect(types).toEqual([]);
    const message = 'Your system accepts signed events.';
    expect(await run()).toEqual({ code: 0, checks: [{ check: 'webhook', result: 'ok', message }] });
    expect(types).toEqual(['webhook.test', 'webhook.test']);
  });

  it('reports a receiver that verifies nothing', async () => {
    const { run } = await open(() => 200);
    const { code, checks } = await run();
    expect(code).toBe(1);
    expect(checks[1]).toMatchObject({
      result: 'failed',
      message: 'WEBHOOK_URL accepted an event with a wrong signature.',
      fix: expect.stringContaining('Verify the signature'),
    });
  });

  it.each([
    [401, 'one of the secrets of WEBHOOK_SECRETS'],
    [404, 'Correct the path in WEBHOOK_URL'],
    [410, 'stops the webhook'],
    [429, 'rate limit'],
    [500, 'the log of your system'],
  ])('names the fix for a receiver that answers %i', async (status, fix) => {
    const { run } = await open(() => status);
    expect((await run()).checks).toMatchObject([
      {
        result: 'failed',
        message: `WEBHOOK_URL did not accept a signed event (http-${status}).`,
        fix: expect.stringContaining(fix),
      },
    ]);
  });

  it.each([404, 429, 500])('takes %i for no refusal of a forged event', async (status) => {
    const { run } = await open((isSigned) => (isSigned ? 204 : status));
    const { code, checks } = await run();
    expect(code).toBe(0);
    expect(checks[1]).toMatchObject({
      result: 'warning',
      message: `WEBHOOK_URL did not clearly refuse an event with a wrong signature (http-${status}).`,
    });
  });

  it('reports a receiver that cannot be reached', async () => {
    const { receiver, run } = await open(() => 204);
    await receiver.close();
    expect((await run()).checks).toMatchObject([
      { result: 'failed', message: expect.stringContaining('(ECONNREFUSED)') },
    ]);
  });

  it('reports wrong variables before it sends anything', async () => {
    const { rig, types } = await open(() => 204);
    rig.variables['WEBHOOK_SECRETS'] = 'short';
    const { code, err } = await rig.run('--webhook');
    expect(code).toBe(1);
    expect(err).toContain('WEBHOOK_SECRETS is not a list of secrets.');
    Object.assign(rig.variables, { WEBHOOK_URL: undefined, WEBHOOK_SECRETS: undefined });
    expect((await rig.run('--webhook')).err).toContain(
      'WEBHOOK_URL is not set. Set it, or run "doctor" without --webhook.',
    );
    expect(types).toEqual([]);
  });
});
