// Runs the receivers of docs/operate/webhooks.md as they are written there, and sends them what the BFF and an attacker send.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { waitUntil } from '../support/wait-until.ts';
import { findFreePort } from '../support/free-port.ts';
import { strongKey } from '../bff/config/config-source.ts';
import { linkModules } from './support/modules.ts';

const secret = `whsec_${strongKey(1)}`;
const minuteMs = 60_000;

describe.each([
  ['Express', 'receiver.js', process.execPath],
  ['Python', 'receiver.py', readTestTools().python3],
])('the documented receiver in %s', (name, file, program) => {
  const isMissing = program === undefined;
  if (isMissing)
    process.stderr.write(`Not run: the receiver in ${name}. Its program is missing.\n`);
  let receiver: ChildProcess;
  let url: string;
  let output = '';
  let errors = '';
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
    receiver = spawn(program, [file], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PORT: String(port), FUNDING_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    receiver.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()));
    receiver.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()));
    const hasStarted = async () => receiver.exitCode !== null || (await isListening(url));
    await waitUntil(hasStarted, 'The start of the receiver');
    if (receiver.exitCode !== null) throw new Error(`The receiver did not start: ${errors}`);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  afterAll(async () => {
    if (isMissing) return;
    const ended = once(receiver, 'exit');
    if (receiver.kill()) await ended;
  });

  interface Sending {
    readonly secrets?: readonly string[];
    readonly atMs?: number;
    readonly change?: (request: TransportRequest) => TransportRequest;
  }

  async function post(id: string, sequence: number, sending: Sending = {}): Promise<string> {
    const { secrets = [secret], atMs = 0, change } = sending;
    const transport = createUndiciTransport();
    const sender = createWebhookSender({
      webhook: { url, secrets },
      transport: (request) => transport(change?.(request) ?? request),
      clock: () => Date.now() + atMs,
    });
    const { data, ...event } = createTestEvent('sandbox', Date.now());
    const body = { ...event, data: { ...data, sequence } };
    const result = await sender(id, body, AbortSignal.timeout(minuteMs));
    await transport.close();
    return result.kind === 'sent' ? 'sent' : result.outcome;
  }

  /** Returns how the receiver answered, and whether it stored the event. */
  async function send(id: string, sending?: Sending) {
    posts += 1;
    const [first, second] = [2 * posts, 2 * posts + 1];
    const outcome = await post(id, first, sending);
    // The receiver prints in the order of the requests, so after the line of this event the other one has been printed or never will be.
    expect(await post(`evt_after_${posts}`, second)).toBe('sent');
    await expect.poll(() => output).toContain(toLine(second));
    return { outcome, isStored: output.includes(toLine(first)) };
  }

  const setHeader = (name: string, value: string) => (request: TransportRequest) => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
  const toLine = (sequence: number) =>
    `webhook.test 00000000-0000-7000-8000-000000000000 ${sequence}\n`;

  it.skipIf(isMissing)('stores a signed event once', async () => {
    expect(await send('evt_1')).toEqual({ outcome: 'sent', isStored: true });
    expect(await send('evt_1')).toEqual({ outcome: 'sent', isStored: false });
    expect(await send('evt_2')).toEqual({ outcome: 'sent', isStored: true });
  });

  it.skipIf(isMissing)('accepts an event that the BFF signs with two secrets', async () => {
    const secrets = [`whsec_${strongKey(2)}`, secret];
    expect(await send('evt_3', { secrets })).toEqual({ outcome: 'sent', isStored: true });
  });

  it.skipIf(isMissing).each<[string, Sending]>([
    ['another secret', { secrets: [`whsec_${strongKey(2)}`] }],
    ['a changed body', { change: (request) => ({ ...request, body: `${request.body} ` }) }],
    ['the id of another event', { change: setHeader('webhook-id', 'evt_5') }],
    ['a new timestamp', { atMs: -9 * minuteMs, change: setHeader('webhook-timestamp', now()) }],
    ['an old timestamp', { atMs: -6 * minuteMs }],
    ['a timestamp ahead', { atMs: 6 * minuteMs }],
    ['no timestamp', { change: setHeader('webhook-timestamp', '') }],
    ['no signature', { change: setHeader('webhook-signature', '') }],
    ['a signature of another version', { change: setHeader('webhook-signature', 'v2,AAAA') }],
    ['a signature in other letters', { change: setHeader('webhook-signature', 'v1,\u00e9') }],
  ])('refuses an event with %s', async (_case, sending) => {
    expect(await send('evt_4', sending)).toEqual({ outcome: 'http-400', isStored: false });
  });
});

function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

function now(): string {
  return String(Math.floor(Date.now() / 1000));
}
