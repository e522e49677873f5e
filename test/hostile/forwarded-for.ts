// Applicants who claim another address by header, directly and through proxies, over real connections: what the lead says, and whose limit it counts against.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createApplication, createRig, pageOrigin, type Rig } from '../bff/bff-rig.ts';
import { unlimited } from '../support/unlimited.ts';
import { listForms, type RawHeaders } from './forwarded-for-forms.ts';

/** Of the documentation (RFC 5737): nobody's. */
const victim = '198.51.100.77';
const attacker = '203.0.113.9';
/** Everything here connects from this machine. */
const socket = '127.0.0.1';
const proxy = '10.0.0.7';

interface SetUp {
  readonly name: string;
  readonly trusted: string;
  /** What the BFF must take the attacker for. */
  readonly real: string;
  /** What the proxies make of what the client sends; `client` is the address they see. */
  readonly forward: (sent: RawHeaders, client: string) => RawHeaders;
}

const setUps: readonly SetUp[] = [
  { name: 'no proxy', trusted: '', real: socket, forward: (sent) => sent },
  // As nginx does with $proxy_add_x_forwarded_for.
  { name: 'one proxy', trusted: socket, real: attacker, forward: appendToValue },
  {
    name: 'two proxies',
    trusted: `${socket} 10.0.0.0/8`,
    real: attacker,
    // As haproxy does with "option forwardfor": a line of its own. The proxy before it appended to the value.
    forward: (sent, client) => [...appendToValue(sent, client), ['X-Forwarded-For', proxy]],
  },
  { name: 'past the proxy', trusted: '10.0.0.0/8', real: socket, forward: (sent) => sent },
];

export interface ForwardedForResult {
  readonly cells: number;
  readonly problems: readonly string[];
}

/** Every form in every set-up; a problem for each that was believed, or counted as somebody else's. */
export async function runForwardedFor(): Promise<ForwardedForResult> {
  const forms = listForms(victim, proxy);
  const problems: string[] = [];
  for (const setUp of setUps) problems.push(...(await runSetUp(setUp, forms)));
  return { cells: forms.length * setUps.length, problems };
}

async function runSetUp(setUp: SetUp, forms: readonly RawHeaders[]): Promise<readonly string[]> {
  const rig = await createRig({
    variables: { TRUSTED_PROXIES: setUp.trusted },
    settings: { limits: { ...unlimited, applicationsPerHourPerAddress: forms.length } },
  });
  const server = createAdaptorServer({ fetch: rig.app.fetch });
  server.listen(0, socket);
  await once(server, 'listening');
  // A TCP server's address is always an object; a pipe's would be text.
  const { port } = server.address() as AddressInfo;
  const problems: string[] = [];

  async function attempt(sent: RawHeaders, client: string): Promise<number> {
    return fileFrom(port, setUp.forward(sent, client));
  }

  for (const form of forms) {
    const what = `${setUp.name}: ${JSON.stringify(form).slice(0, 90)}`;
    const status = await attempt(form, attacker);
    if (status !== 201) problems.push(`${what} was answered ${status}`);
    for (const address of readEvidence(rig)) {
      if (address !== setUp.real) problems.push(`${what} was taken for ${address}`);
    }
  }
  if ((await attempt([], attacker)) !== 429) {
    problems.push(`${setUp.name}: something was counted as somebody else's`);
  }
  if (setUp.real === attacker && (await attempt([], victim)) !== 201) {
    problems.push(`${setUp.name}: the victim was kept out`);
  }
  server.close();
  await rig.close();
  return problems;
}

/** The addresses that the newest lead names. */
function readEvidence({ sandbox }: Rig): readonly (string | undefined)[] {
  const lead = [...sandbox.context.state.leads.values()].at(-1)?.lead;
  return [lead?.Ip, lead?.SignatureIp];
}

/** An application from a new session. */
async function fileFrom(port: number, forwarding: RawHeaders): Promise<number> {
  const begun = await send(port, apiPaths.session, '{}', forwarding);
  const filed = await send(port, apiPaths.application, JSON.stringify(createApplication()), [
    ...forwarding,
    ['Cookie', begun.cookie],
    // Under one key they would be one application, sent again.
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
