// The client address, as evidence and for rate limits: the address of the connection, and X-Forwarded-For behind `<`.

import { Hono } from 'hono';
import { expect, it } from 'vitest';
import {
  createClientAddresses,
  type ClientAddresses,
} from '../../../bff/middleware/client-address.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'];

interface Found {
  readonly evidence: string;
  readonly forRateLimits: string;
  readonly problem: string;
}

async function find(
  peer: string | undefined,
  forwardedFor?: string,
  trusted: readonly string[] = proxies,
): Promise<Found> {
  const headers = new Headers(
    forwardedFor === undefined ? [] : [['x-forwarded-for', forwardedFor]],
  );
  const env = { incoming: { socket: { remoteAddress: peer } } };
  const app = createProbe(createClientAddresses(trusted));
  return (await (await app.request('/', { headers }, env)).json()) as Found;
}

function createProbe(addresses: ClientAddresses): Hono<BffEnv> {
  return new Hono<BffEnv>().get('/', (c) =>
    c.json({
      evidence: addresses.findClientAddress(c) ?? 'unknown',
      forRateLimits: addresses.findRateLimitAddress(c) ?? 'unknown',
      problem: addresses.findAddressProblem(c) ?? 'none',
    }),
  );
}

it.each(readGroupedRows('client-addresses.txt'))('%s (%s)', async (example, expected) => {
  const [, peer = '', , forwardedFor] = /: ([^ ]+)( < (.*))?$/.exec(example) ?? [];
  const addresses = await find(peer === '-' ? undefined : peer, forwardedFor);
  expect(listFindings(addresses)).toContain(expected);
});

it('the client address as evidence ignores the header without trusted proxies', async () => {
  expect((await find('10.1.2.3', '198.51.100.1', [])).evidence).toBe('10.1.2.3');
});

it('the client address is unknown without a server', async () => {
  const answer = await createProbe(createClientAddresses([])).request('/');
  expect(await answer.json()).toMatchObject({ evidence: 'unknown', forRateLimits: 'unknown' });
});

function listFindings({ evidence, forRateLimits, problem }: Found): readonly string[] {
  return [`evidence: ${evidence}`, `for rate limits: ${forRateLimits}`, `problem: ${problem}`];
}
