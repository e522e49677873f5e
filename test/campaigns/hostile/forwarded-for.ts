// Applicants who claim another address by header, with and without proxies. Checks the address in the lead, and the rate limit
// that counted the request.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff } from '../../support/bff.ts';
import { readRows } from '../../support/files/rows.ts';
import { listenApp } from '../../support/servers.ts';
import { unlimited } from '../../support/unlimited.ts';
import type { CampaignRow } from '../campaign.ts';

type RawHeaders = readonly (readonly [name: string, value: string])[];

/** An address for documentation (RFC 5737), which no client has. */
const victim = '198.51.100.77';
const attacker = '203.0.113.9';
/** The address of every connection in this test. */
const socket = '127.0.0.1';
const proxy = '10.0.0.7';
const header = 'X-Forwarded-For';

const forms: readonly RawHeaders[] = [
  ...readRows<RawHeaders>('forged-addresses.ndjson', import.meta.url).map((headers) =>
    headers.map(
      ([name, value]) =>
        [name, value.replaceAll('VICTIM', victim).replaceAll('PROXY', proxy)] as const,
    ),
  ),
  [[header, `${victim}, `.repeat(500)]],
  [[header, `${victim}${`,${proxy}`.repeat(500)}`]],
];

interface SetUp {
  readonly trusted: string;
  /** The address that the BFF has to find for the attacker. */
  readonly real: string;
  /** Adds the headers of the proxies to those that the client sent. `client` is the address that the first proxy sees. */
  readonly forward: (sent: RawHeaders, client: string) => RawHeaders;
}

const setUps: Readonly<Record<string, SetUp>> = {
  'no proxy': { trusted: '', real: socket, forward: (sent) => sent },
  // Like nginx with $proxy_add_x_forwarded_for.
  'one proxy': { trusted: socket, real: attacker, forward: appendToValue },
  'two proxies': {
    trusted: `${socket} 10.0.0.0/8`,
    real: attacker,
    // Like HAProxy with "option forwardfor", which adds a separate header. The first proxy appends to the value.
    forward: (sent, client) => [...appendToValue(sent, client), [header, proxy]],
  },
  'bypassed proxy': { trusted: '10.0.0.0/8', real: socket, forward: (sent) => sent },
};

/** Sends every form in every set-up. */
export async function runForgedAddresses(): Promise<CampaignRow> {
  const problems: string[] = [];
  for (const [name, setUp] of Object.entries(setUps)) {
    const found = await trySetUp(setUp);
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  return { runs: forms.length * Object.keys(setUps).length, unit: 'cells', problems };
}

async function trySetUp({ trusted, real, forward }: SetUp): Promise<readonly string[]> {
  const bff = await startBff({
    variables: { TRUSTED_PROXIES: trusted },
    settings: { limits: { ...unlimited, applicationsPerHourPerAddress: forms.length } },
  });
  const { port, close } = await listenApp(bff.app.fetch);
  const problems: string[] = [];
  const attempt = (sent: RawHeaders, client: string) => fileFrom(port, forward(sent, client));
  for (const form of forms) {
    const status = await attempt(form, attacker);
    const lead = [...bff.sandbox.context.state.leads.values()].at(-1)?.lead;
    const found = [status, lead?.Ip, lead?.SignatureIp].join(' ');
    if (found !== `201 ${real} ${real}`)
      problems.push(`${JSON.stringify(form).slice(0, 90)}: ${found}`);
  }
  if ((await attempt([], attacker)) !== 429) problems.push('counted for another address');
  if (real === attacker && (await attempt([], victim)) !== 201) problems.push('refused the victim');
  await close();
  await bff.close();
  return problems;
}

/** Submits an application from a new session, and returns its status. */
async function fileFrom(port: number, forwarding: RawHeaders): Promise<number> {
  const session = await send(port, apiPaths.session, '{}', forwarding);
  const filed = await send(port, apiPaths.application, JSON.stringify(createApplication()), [
    ...forwarding,
    ['Cookie', String(session.headers['set-cookie']?.[0]).split(';', 1)[0] ?? ''],
    // A new key for each application, so that none counts as a repetition.
    [apiHeaders.idempotencyKey, randomUUID()],
  ]);
  return filed.statusCode ?? 0;
}

async function send(port: number, path: string, body: string, headers: RawHeaders) {
  const all: RawHeaders = [
    ['Host', `localhost:${port}`],
    ['Origin', pageOrigin],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(body))],
    [apiHeaders.request, '1'],
    ...headers,
  ];
  const outgoing = request({ host: socket, port, path, method: 'POST', headers: all.flat() });
  const answered = once(outgoing, 'response');
  outgoing.end(body);
  const [answer] = await answered;
  answer.resume();
  await once(answer, 'end');
  return answer as Pick<IncomingMessage, 'headers' | 'statusCode'>;
}

function appendToValue(sent: RawHeaders, client: string): RawHeaders {
  const isForwardedFor = ([name]: RawHeaders[number]) => name.toLowerCase() === 'x-forwarded-for';
  const earlier = sent.filter(isForwardedFor).map(([, value]) => value);
  return [
    ...sent.filter((pair) => !isForwardedFor(pair)),
    [header, [...earlier, client].join(', ')],
  ];
}
