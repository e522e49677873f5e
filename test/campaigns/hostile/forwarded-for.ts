// Applicants who claim another address by header, with and without proxies. Checks the address in the lead, and the rate limit
// that counted the request.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { listenApp } from '../../support/servers.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { unlimited } from '../../support/unlimited.ts';

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
  const { port, close } = await listenApp(bff.app.fetch);
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
  await close();
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

export type RawHeaders = readonly (readonly [name: string, value: string])[];

const header = 'X-Forwarded-For';

/**
 * @param victim an IPv4 address that no client has.
 * @param proxy an address that the BFF trusts.
 */
export function listForms(victim: string, proxy: string): readonly RawHeaders[] {
  const octets = victim.split('.').map(Number);
  const hex = octets.map((octet) => octet.toString(16).padStart(2, '0'));
  const mapped = `::ffff:${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
  const values = [
    victim,
    `${victim}, ${victim}`,
    ` ${victim} `,
    `${victim},`,
    `,${victim}`,
    `${victim},,`,
    `${victim},\t`,
    `${victim}:443`,
    `[${victim}]`,
    `[${victim}]:443`,
    `"${victim}"`,
    `"${victim}:443"`,
    `"${victim}`,
    `for=${victim}`,
    `::ffff:${victim}`,
    `[::ffff:${victim}]:1`,
    mapped,
    `0:0:0:0:0:ffff:${victim}`,
    `${victim}%eth0`,
    `${mapped}%1`,
    `${victim}/32`,
    `${victim};${victim}`,
    `${victim} ${victim}`,
    `${victim}.`,
    octets.map((octet) => String(octet).padStart(3, '0')).join('.'),
    octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    `0x${hex.join('.0x')}`,
    String(Number.parseInt(hex.join(''), 16)),
    'unknown',
    `unknown, ${victim}`,
    `${victim}, unknown`,
    '_hidden',
    'localhost',
    '127.0.0.1',
    `127.0.0.1, ${victim}`,
    `${victim}, 127.0.0.1`,
    proxy,
    `${victim}, ${proxy}`,
    `${proxy}, ${victim}`,
    `${victim}, ${proxy}, ${proxy}`,
    `${victim}, ${proxy}:80`,
    `${victim}, ::ffff:${proxy}`,
    '0.0.0.0',
    '::',
    '::1',
    '-',
    '',
    ',',
    `%00${victim}`,
    `${victim}\u00A0`,
    Array.from({ length: 500 }, () => victim).join(', '),
    [victim, ...Array.from({ length: 500 }, () => proxy)].join(','),
  ];
  return [
    ...values.map((value): RawHeaders => [[header, value]]),
    [
      [header, victim],
      [header, victim],
    ],
    [
      [header, victim],
      [header, proxy],
    ],
    [['X-FORWARDED-FOR', victim]],
    [['X_Forwarded_For', victim]],
    [['X-Original-Forwarded-For', victim]],
    [['Forwarded', `for=${victim}`]],
    [['Forwarded', `for="${victim}:443";proto=https, for=${proxy}`]],
    [['X-Real-IP', victim]],
    [['True-Client-IP', victim]],
    [['CF-Connecting-IP', victim]],
    [['X-Client-IP', victim]],
    [['X-Cluster-Client-IP', victim]],
    [['Via', `1.1 ${victim}`]],
  ];
}
