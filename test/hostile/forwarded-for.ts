// Applicants who claim another address by header, with and without proxies. Checks the address in the lead, and the rate limit that counted the request.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createApplication, startBff, pageOrigin, type TestBff } from '../support/bff.ts';
import { unlimited } from '../support/unlimited.ts';
import { listForms, type RawHeaders } from './forwarded-for-forms.ts';

/** An address for documentation (RFC 5737). */
const victim = '198.51.100.77';
const attacker = '203.0.113.9';
/** The address of every connection in this test. */
const socket = '127.0.0.1';
const proxy = '10.0.0.7';

interface Setup {
  readonly name: string;
  readonly trusted: string;
  /** The address that the BFF has to find for the attacker. */
  readonly real: string;
  /** Adds the headers of the proxies to those that the client sent. `client` is the address that the first proxy sees. */
  readonly forward: (sent: RawHeaders, client: string) => RawHeaders;
}

const setups: readonly Setup[] = [
  { name: 'no proxy', trusted: '', real: socket, forward: (sent) => sent },
  // Like nginx with $proxy_add_x_forwarded_for.
  { name: 'one proxy', trusted: socket, real: attacker, forward: appendToValue },
  {
    name: 'two proxies',
    trusted: `${socket} 10.0.0.0/8`,
    real: attacker,
    // Like HAProxy with "option forwardfor", which adds a separate header. The first proxy appends to the value.
    forward: (sent, client) => [...appendToValue(sent, client), ['X-Forwarded-For', proxy]],
  },
  { name: 'bypassed proxy', trusted: '10.0.0.0/8', real: socket, forward: (sent) => sent },
];

export interface ForwardedForResult {
  readonly cells: number;
  readonly problems: readonly string[];
}

/** Sends every form in every setup. Reports each forged address that the BFF used. */
export async function runForwardedFor(): Promise<ForwardedForResult> {
  const forms = listForms(victim, proxy);
  const problems: string[] = [];
  for (const setup of setups) problems.push(...(await runSetup(setup, forms)));
  return { cells: forms.length * setups.length, problems };
}

async function runSetup(setup: Setup, forms: readonly RawHeaders[]): Promise<readonly string[]> {
  const bff = await startBff({
    variables: { TRUSTED_PROXIES: setup.trusted },
    settings: { limits: { ...unlimited, applicationsPerHourPerAddress: forms.length } },
  });
  const server = createAdaptorServer({ fetch: bff.app.fetch });
  server.listen(0, socket);
  await once(server, 'listening');
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  const problems: string[] = [];

  async function attempt(sent: RawHeaders, client: string): Promise<number> {
    return fileFrom(port, setup.forward(sent, client));
  }

  for (const form of forms) {
    const what = `${setup.name}: ${JSON.stringify(form).slice(0, 90)}`;
    const status = await attempt(form, attacker);
    if (status !== 201) problems.push(`${what} got ${status}`);
    for (const address of readEvidence(bff)) {
      if (address !== setup.real) problems.push(`${what} was recorded as ${address}`);
    }
  }
  if ((await attempt([], attacker)) !== 429) {
    problems.push(`${setup.name}: a request was counted for another address`);
  }
  if (setup.real === attacker && (await attempt([], victim)) !== 201) {
    problems.push(`${setup.name}: the victim was refused`);
  }
  server.close();
  await bff.close();
  return problems;
}

/** The addresses in the newest lead. */
function readEvidence({ sandbox }: TestBff): readonly (string | undefined)[] {
  const lead = [...sandbox.context.state.leads.values()].at(-1)?.lead;
  return [lead?.Ip, lead?.SignatureIp];
}

/** An application from a new session. */
async function fileFrom(port: number, forwarding: RawHeaders): Promise<number> {
  const begun = await send(port, apiPaths.session, '{}', forwarding);
  const filed = await send(port, apiPaths.application, JSON.stringify(createApplication()), [
    ...forwarding,
    ['Cookie', begun.cookie],
    // A new key for each application, so that none counts as a repetition.
    [apiHeaders.idempotencyKey, randomUUID()],
  ]);
  return filed.status;
}

async function send(
  port: number,
  path: string,
  body: string,
  headers: RawHeaders,
): Promise<{ readonly status: number; readonly cookie: string }> {
  const all: RawHeaders = [
    ['Host', `localhost:${port}`],
    ['Origin', pageOrigin],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(body))],
    [apiHeaders.request, '1'],
    ...headers,
  ];
  const outgoing = request({ host: socket, port, path, method: 'POST', headers: all.flat() });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  await once(answer, 'end');
  const cookie = String(answer.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';
  return { status: answer.statusCode, cookie };
}

function appendToValue(sent: RawHeaders, client: string): RawHeaders {
  const isForwardedFor = ([name]: RawHeaders[number]) => name.toLowerCase() === 'x-forwarded-for';
  const values = sent.filter(isForwardedFor).map(([, value]) => value);
  const others = sent.filter((one) => !isForwardedFor(one));
  return [...others, ['X-Forwarded-For', [...values, client].join(', ')]];
}
