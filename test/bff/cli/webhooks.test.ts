// `webhooks`: what waits, what was given up, and how an operator sends it again. Also `doctor --webhook`.

import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookEventSchema } from '../../../shared/api/webhook-event.ts';
import { type Listening, listen } from '../../support/servers.ts';
import { strongKey } from '../config/config-source.ts';
import { accepted, type CliRig, createCliRig, first, second, unknown } from './cli-rig.ts';
import { createDoctorRig, type DoctorRig } from './doctor-rig.ts';

describe('webhooks', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.store.registerEventConsumers([{ name: 'webhook', target: '' }]);
    return () => rig.store.close();
  });

  async function giveUp(): Promise<void> {
    const claim = await rig.store.claimEvent({ name: 'webhook', target: '' }, 60_000);
    await rig.store.recordEventGivenUp(claim!, 'http-500');
  }

  it('reports that the BFF sends no events', async () => {
    await rig.store.registerEventConsumers([]);
    expect((await rig.run('webhooks')).out).toBe('The BFF sends no events.\n');
    expect(await rig.run('webhooks', 'retry')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Set WEBHOOK_URL') as unknown,
    });
  });

  it('counts events that wait', async () => {
    await rig.add();
    const { code, out } = await rig.run('webhooks');
    expect(code).toBe(0);
    expect(out).toMatch(/^Events for the webhook: 1 application waiting \(oldest .*\)\.\n$/);
    expect((await rig.run('status')).out).toContain('Events for the webhook: 1 application');
  });

  it('lists events that were given up', async () => {
    await rig.add();
    await rig.recordResult(accepted);
    await giveUp();
    const { out } = await rig.run('webhooks');
    expect(out).toContain('1 application waiting');
    expect(out).toContain('1 event given up');
    expect(out).toContain(`  ${first} (000-001)  application.received (1)  webhook\n    of 20`);
    const { json } = await rig.run('webhooks', '--json');
    expect(json.givenUp).toMatchObject([
      { reference: first, consumer: 'webhook', type: 'application.received', sequence: 1 },
    ]);
    const status = await rig.run('status', '--json');
    expect(status.code).toBe(3);
    expect(status.json.alarms).toMatchObject([{ code: 'events-given-up', count: 1 }]);
  });

  it('lists events whose attempts fail', async () => {
    await rig.add();
    const fail = async () => {
      const claim = await rig.store.claimEvent({ name: 'webhook', target: '' }, 60_000);
      if (claim) await rig.store.recordEventFailed(claim, 'http-500', 300_000);
    };
    await fail();
    rig.time.advance(300_000);
    await fail();
    rig.time.advance(60_000);
    expect((await rig.run('webhooks')).out).toContain(
      `\n\nFailing\n  ${first} (000-001)  application.received (1)  webhook\n    waiting: 2 failed attempts, the last with http-500, next in 4 min\n`,
    );
    expect((await rig.run('webhooks', '--json')).json.failing).toMatchObject([
      { reference: first, state: 'waiting', failedAttempts: 2, lastOutcome: 'http-500' },
    ]);
  });

  it('shows no next attempt of a stopped consumer', async () => {
    await rig.add();
    const receiver = { name: 'webhook', target: '' } as const;
    const claim = await rig.store.claimEvent(receiver, 60_000);
    await rig.store.recordEventFailed(claim!, 'http-410', 300_000);
    await rig.store.stopEventReceiver(receiver);
    const failure = 'waiting: 1 failed attempt, the last with http-410\n';
    expect((await rig.run('webhooks')).out).toContain(failure);
    expect((await rig.run('webhooks', 'show', first)).out).toContain(failure);
    const { json } = await rig.run('webhooks', 'show', first, '--json');
    expect(json.events).toMatchObject([{ nextAt: null }]);
  });

  it('removes a consumer that no process has', async () => {
    const { code, json } = await rig.run('webhooks', 'remove', 'webhook', '--json');
    expect({ code, json }).toEqual({ code: 0, json: { consumer: 'webhook', isRemoved: true } });
    expect((await rig.run('webhooks')).out).toBe('The BFF sends no events.\n');
  });

  it('reports a consumer that is not there', async () => {
    const { code, out } = await rig.run('webhooks', 'remove', 'hook');
    expect({ code, out }).toEqual({
      code: 0,
      out: 'The BFF sends no events to the hook onStatus.\n',
    });
  });

  it('removes no webhook that the configuration has', async () => {
    rig.variables['WEBHOOK_URL'] = 'https://crm.partner.example/';
    rig.variables['WEBHOOK_SECRETS'] = `whsec_${strongKey(4)}`;
    const { code, err } = await rig.run('webhooks', 'remove', 'webhook');
    expect(code).toBe(1);
    expect(err).toContain('WEBHOOK_URL is set.');
    expect(await rig.store.countEvents()).toHaveLength(1);
  });

  it('shows the events of an application', async () => {
    await rig.add();
    expect((await rig.run('webhooks', 'show', first)).out).toMatch(
      new RegExp(
        String.raw`^${first} \(000-001\)\n  1  20\S+Z  application\.received  evt_\w{32}  webhook  waiting\n$`,
      ),
    );
    await giveUp();
    await rig.recordResult(accepted);
    const sent = await rig.store.claimEvent({ name: 'webhook', target: '' }, 60_000);
    await rig.store.recordEventSent(sent!);
    await rig.store.erase(first);
    await rig.store.claimEvent({ name: 'webhook', target: '' }, 60_000);
    const { json } = await rig.run('webhooks', 'show', first, '--json');
    expect(json.events).toMatchObject([
      { sequence: 1, type: 'application.received', state: 'given-up' },
      { sequence: 2, type: 'application.accepted', state: 'sent', id: `evt_${sent!.event.id}` },
      { sequence: 3, type: 'application.erased', state: 'sending', failedAttempts: 0 },
    ]);
    expect((await rig.run('webhooks', 'show', first)).out).toMatch(
      / given up\n.* sent\n.* sending\n$/,
    );
  });

  it('reports that an application has no events', async () => {
    await rig.store.registerEventConsumers([]);
    await rig.add();
    await rig.store.registerEventConsumers([{ name: 'webhook', target: '' }]);
    expect((await rig.run('webhooks', 'show', '000-001')).out).toBe(
      `${first} (000-001)\n  no events\n`,
    );
  });

  it('sends the events of an application again from a number on', async () => {
    for (const reference of [first, second]) {
      await rig.add(reference);
      await rig.recordResult(accepted);
    }
    for (let count = 0; count < 4; count += 1) {
      await rig.store.recordEventSent(
        (await rig.store.claimEvent({ name: 'webhook', target: '' }, 60_000))!,
      );
    }
    const { out } = await rig.run('webhooks', 'retry', first, '--from', '2');
    expect(out).toBe('1 event will be sent. A running BFF begins within seconds.\n');
    expect(await rig.store.claimEvent({ name: 'webhook', target: '' }, 60_000)).toMatchObject({
      event: { applicationId: first, sequence: 2 },
    });
    expect((await rig.run('webhooks', 'retry', first, '--from', '9')).out).toBe(
      'There is no event to send.\n',
    );
  });

  it('sends them again, with the later ones of the application', async () => {
    for (const reference of [first, second]) {
      await rig.add(reference);
      await rig.recordResult(accepted);
    }
    await giveUp();
    const { out } = await rig.run('webhooks', 'retry', first);
    expect(out).toBe('2 events will be sent. A running BFF begins within seconds.\n');
    expect((await rig.run('webhooks', 'retry')).json).toBeUndefined();
    expect((await rig.run('status', '--json')).json.alarms).toEqual([]);
  });

  it('sends all since a time', async () => {
    await rig.add();
    const claim = await rig.store.claimEvent({ name: 'webhook', target: '' }, 60_000);
    await rig.store.recordEventSent(claim!);
    const retry = async (...argv: string[]) =>
      (await rig.run('webhooks', 'retry', ...argv, '--json')).json;
    expect(await retry()).toEqual({ events: 0 });
    expect(await retry('--since', '2999-01-01')).toEqual({ events: 0 });
    expect(await retry('--since', '2020-01-01T00:00:00+02:00')).toEqual({ events: 1 });
  });

  it('ends the alarm without sending', async () => {
    await rig.add();
    await giveUp();
    expect((await rig.run('webhooks', 'dismiss')).out).toBe('1 event will not be sent.\n');
    expect((await rig.run('webhooks', 'dismiss', first)).out).toBe('No event was given up.\n');
    expect((await rig.run('status')).code).toBe(0);
    expect((await rig.run('webhooks', 'show', first)).out).toMatch(/ dismissed\n$/);
  });

  it.each([
    [['resend'], 'It takes show, retry, dismiss, or remove.'],
    [['show'], '<reference> is missing.'],
    [['show', first, '--from', '1'], '--from belongs to "webhooks retry <reference>".'],
    [['retry', '--from', '1'], '--from belongs to "webhooks retry <reference>".'],
    [['retry', first, '--from', '0'], '--from is not the number of an event.'],
    [['retry', first, second], 'too many arguments'],
    [['retry', 'x'], '<reference> is not a reference.'],
    [['retry', '--since', 'yesterday'], '--since is not a time. Use 2026-11-20'],
    [['retry', '--since', '2026-13-40'], '--since is not a time.'],
    [['--since', '2026-11-20'], '--since belongs to "webhooks retry".'],
    [['dismiss', '--since', '2026-11-20'], '--since belongs to "webhooks retry".'],
  ])('refuses %s', async (argv, message) => {
    const { code, err } = await rig.run('webhooks', ...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('reports an unknown application', async () => {
    const { code, err } = await rig.run('webhooks', 'retry', unknown);
    expect({ code, err }).toEqual({ code: 1, err: `The store has no application ${unknown}.\n` });
  });
});

describe('doctor --webhook', () => {
  const secret = `whsec_${strongKey(1)}`;
  let rig: DoctorRig;
  let receiver: Listening;
  /** How the receiver treats an event with a signature that is `valid` or not. */
  let respond: (isValid: boolean) => number;
  let types: string[];

  beforeEach(async () => {
    types = [];
    respond = (isValid) => (isValid ? 204 : 400);
    receiver = await listen(
      createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          types.push(webhookEventSchema.parse(JSON.parse(body)).type);
          const headers = request.headers as Record<string, string>;
          let isValid = true;
          try {
            new Webhook(secret).verify(body, headers);
          } catch {
            isValid = false;
          }
          response.writeHead(respond(isValid)).end();
        });
      }),
    );
    rig = await createDoctorRig();
    Object.assign(rig.variables, { WEBHOOK_URL: receiver.url, WEBHOOK_SECRETS: secret });
  });

  afterEach(async () => {
    await rig.close();
    await receiver.close();
  });

  async function run() {
    const { code, checks } = await rig.run('--webhook', '--json');
    return { code, checks: checks.filter(({ check }) => check === 'webhook') };
  }

  it('sends a signed test event and a forged one', async () => {
    const message = 'Your system accepts signed events.';
    expect(await run()).toEqual({ code: 0, checks: [{ check: 'webhook', result: 'ok', message }] });
    expect(types).toEqual(['webhook.test', 'webhook.test']);
  });

  it('reports a receiver that verifies nothing', async () => {
    respond = () => 200;
    const { code, checks } = await run();
    expect(code).toBe(1);
    expect(checks[1]).toMatchObject({
      result: 'failed',
      message: 'WEBHOOK_URL accepted an event with a wrong signature.',
      fix: expect.stringContaining('Verify the signature') as unknown,
    });
  });

  it('reports a receiver with another secret', async () => {
    respond = () => 401;
    expect((await run()).checks).toMatchObject([
      {
        result: 'failed',
        message: 'WEBHOOK_URL did not accept a signed event (http-401).',
        fix: expect.stringContaining('one of the secrets of WEBHOOK_SECRETS') as unknown,
      },
    ]);
  });

  it.each([
    [404, 'Correct the path in WEBHOOK_URL'],
    [410, 'stops the webhook'],
    [429, 'rate limit'],
    [500, 'the log of your system'],
  ])('names the fix for a receiver that answers %i', async (status, fix) => {
    respond = () => status;
    expect((await run()).checks[0]!.fix).toContain(fix);
  });

  it.each([404, 429, 500])('takes %i for no refusal of a forged event', async (status) => {
    respond = (isValid) => (isValid ? 204 : status);
    const { code, checks } = await run();
    expect(code).toBe(0);
    expect(checks[1]).toMatchObject({
      result: 'warning',
      message: `WEBHOOK_URL did not clearly refuse an event with a wrong signature (http-${status}).`,
    });
  });

  it('reports a receiver that cannot be reached', async () => {
    await receiver.close();
    expect((await run()).checks).toMatchObject([
      { result: 'failed', message: expect.stringContaining('(ECONNREFUSED)') as unknown },
    ]);
  });

  it('reports wrong variables before it sends anything', async () => {
    rig.variables['WEBHOOK_SECRETS'] = 'short';
    const { code, err } = await rig.run('--webhook');
    expect(code).toBe(1);
    expect(err).toContain('WEBHOOK_SECRETS is not a list of secrets.');
    rig.variables['WEBHOOK_URL'] = undefined;
    rig.variables['WEBHOOK_SECRETS'] = undefined;
    expect((await rig.run('--webhook')).err).toContain(
      'WEBHOOK_URL is not set. Set it, or run "doctor" without --webhook.',
    );
    expect(types).toEqual([]);
  });

  it('is not sent without the option', async () => {
    await rig.run();
    expect(types).toEqual([]);
  });
});
