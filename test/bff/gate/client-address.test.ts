// The applicant's address: from the socket, through proxies, and when nobody can tell.

import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from '../../../bff/gate/client-address.ts';
import type { BffEnv } from '../../../bff/gate/context.ts';

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'];

async function find(
  peer: string | undefined,
  forwardedFor?: string,
  trusted: readonly string[] = proxies,
): Promise<string> {
  const findAddress = createClientAddress(trusted);
  const app = new Hono<BffEnv>().get('/', (c) => c.text(findAddress(c) ?? 'unknown'));
  const headers = new Headers(
    forwardedFor === undefined ? [] : [['x-forwarded-for', forwardedFor]],
  );
  const env = { incoming: { socket: { remoteAddress: peer } } };
  return (await app.request('/', { headers }, env)).text();
}

describe('the client address', () => {
  const cases: [string, string | undefined, string | undefined, string][] = [
    ['is the socket’s', '203.0.113.9', undefined, '203.0.113.9'],
    ['is IPv4 also in IPv6 clothes', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['is canonical', '2001:DB9:0:0::1', undefined, '2001:db9::1'],
    ['does not believe a header of a stranger', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['believes a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['believes a trusted proxy in IPv6 clothes', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['believes a trusted proxy with IPv6', '2001:db8::5', '2001:db9::1', '2001:db9::1'],
    ['passes over all trusted proxies', '10.1.2.3', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    [
      'ignores what the client wrote to the left',
      '10.1.2.3',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['is the farthest when all are trusted', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['is unknown when the proxy says nothing', '10.1.2.3', undefined, 'unknown'],
    [
      'is unknown past something that is no address',
      '10.1.2.3',
      '198.51.100.1, unknown',
      'unknown',
    ],
    ['is unknown for an address with a port', '10.1.2.3', '198.51.100.1:443', 'unknown'],
    ['is unknown without a socket', undefined, undefined, 'unknown'],
  ];

  it.each(cases)('%s', async (_name, peer, forwardedFor, expected) => {
    expect(await find(peer, forwardedFor)).toBe(expected);
  });

  it('looks at no header when no proxy is trusted', async () => {
    expect(await find('10.1.2.3', '198.51.100.1', [])).toBe('10.1.2.3');
  });

  it('is unknown without a server', async () => {
    const findAddress = createClientAddress([]);
    const app = new Hono<BffEnv>().get('/', (c) => c.text(findAddress(c) ?? 'unknown'));
    expect(await (await app.request('/')).text()).toBe('unknown');
  });
});
