// Runs the receivers of docs/operate/webhooks.md as they are written there, and sends them what the BFF and an attacker send.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWebhookSender } from '../../bff/events/send-webhook.ts';
import { createTestEvent } from '../../bff/events/webhook-event.ts';
import {
  createUndiciTransport,
  type TransportRequest,
} from '../../bff/funding-service/transport.ts';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { findBlock } from '../support/code-blocks.ts';
import { findFreePort } from '../support/free-port.ts';
import { acceptsConnection, startProgram, type StartedProgram } from '../support/start-program.ts';
import { strongKey } from '../bff/config/config-source.ts';
import { linkModules } from './support/modules.ts';

const secret = `whsec_${strongKey(1)}`;
const otherSecret = `whsec_${strongKey(2)}`;
const minuteMs = 60_000;

interface Sending {
  /** Default: evt_4. */
  readonly id?: string;
  readonly secrets?: readonly string[];
  readonly atMs?: number;
  readonly change?: (request: TransportRequest) => Partial<TransportRequest>;
}

const setHeader = (name: string, value: string) => (request: TransportRequest) => ({
  headers: { ...request.headers, [name]: value },
});
const now = String(Math.floor(Date.now() / 1000));
const stored = { outcome: 'sent', isStored: true };
const ignored = { outcome: 'sent', isStored: false };
const refused = { outcome: 'http-400', isStored: false };

const cases: readonly (readonly [string, Sending, object])[] = [
  ['a signed event', { id: 'evt_1' }, stored],
  ['an event that it has', { id: 'evt_1' }, ignored],
  ['another event', { id: 'evt_2' }, stored],
  ['two signatures', { id: 'evt_3', secrets: [otherSecret, secret] }, stored],
  ['another secret', { secrets: [otherSecret] }, refused],
  ['a changed body', { change: ({ body }) => ({ body: `${String(body)} ` }) }, refused],
  ['the id of another event', { change: setHeader('webhook-id', 'evt_5') }, refused],
  [
    'a new timestamp',
    { atMs: -9 * minuteMs, change: setHeader('webhook-timestamp', now) },
    refused,
  ],
  ['an old timestamp', { atMs: -6 * minuteMs }, refused],
  ['a timestamp ahead', { atMs: 6 * minuteMs }, refused],
  ['no timestamp', { change: setHeader('webhook-timestamp', '') }, refused],
  ['no signature', { change: setHeader('webhook-signature', '') }, refused],
  ['an unknown signature', { change: setHeader('webhook-signature', 'v2,AAAA') }, refused],
  [
    'a signature in other letters',
    { change: setHeader('webhook-signature', 'v1,\u00e9') },
    refused,
  ],
];

describe.each([
  ['Express', 'receiver.js', process.execPath],
  ['Python', 'receiver.py', readTestTools().python3],
])('the documented receiver in %s', (name, file, program) => {
  const isMissing = program === undefined;
  if (isMissing)
    process.stderr.write(`Not run: the receiver in ${name}. Its program is missing.\n`);
  let receiver: StartedProgram | undefined;
  let url: string;
  let posts = 0;

  beforeAll(async () => {
    if (isMissing) return;
    const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
    // In place of `npm install`.
    linkModules(folder, ['express', 'standardwebhooks']);
    const { text } = findBlock('docs/operate/webhooks.md', (block) => block.file === file);
    writeFileSync(join(folder, file), text);
    const port = await findFreePort();
    url = `http://localhost:${port}/webhooks/funding`;
    receiver = await startProgram({
      program,
      args: [join(folder, file)],
      env: { PATH: process.env['PATH'], PORT: String(port), FUNDING_WEBHOOK_SECRET: secret },
      folder,
      isReady: () => acceptsConnection(port),
    });
  });

  afterAll(() => receiver?.stop());

  const toLine = (sequence: number) =>
    `webhook.test 00000000-0000-7000-8000-000000000000 ${sequence}\n`;

  async function post(sequence: number, sending: Sending): Promise<string> {
    const { id = 'evt_4', secrets = [secret], atMs = 0, change } = sending;
    const transport = createUndiciTransport();
    const sender = createWebhookSender({
      webhook: { url, secrets },
      transport: (request) => transport({ ...request, ...change?.(request) }),
      clock: () => Date.now() + atMs,
    });
    const { data, ...event } = createTestEvent('sandbox', Date.now());
    const body = { ...event, data: { ...data, sequence } };
    const result = await sender(id, body, AbortSignal.timeout(minuteMs));
    await transport.close();
    return result.kind === 'sent' ? 'sent' : result.outcome;
  }

  it.skipIf(isMissing).each(cases)('is sent %s', async (_name, sending, expected) => {
    posts += 1;
    const [sequence, next] = [2 * posts, 2 * posts + 1];
    const outcome = await post(sequence, sending);
    // The receiver prints in the order of the requests, so after the line of the next event the other one has been printed or never
    // will be.
    expect(await post(next, { id: `evt_after_${posts}` })).toBe('sent');
    await expect.poll(() => receiver!.log()).toContain(toLine(next));
    expect({ outcome, isStored: receiver!.log().includes(toLine(sequence)) }).toEqual(expected);
  });
});
