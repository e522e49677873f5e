// Whose request it is: from the socket, through proxies, and when nobody can tell; as evidence, and to count by.

import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import {
  createClientAddresses,
  type ClientAddresses,
} from '../../../bff/middleware/client-address.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'];

interface Found {
  readonly evidence: string;
  readonly counted: string;
  readonly doubt: string;
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
      counted: addresses.findRateLimitAddress(c) ?? 'unknown',
      doubt: addresses.findAddressProblem(c) ?? 'none',
    }),
  );
}

describe('the client address as evidence', () => {
  const cases: [string, string | undefined, string | undefined, string][] = [
    ['is the socket’s', '203.0.113.9', undefined, '203.0.113.9'],
    ['is IPv4 also in IPv6 clothes', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['is IPv4 also in hexadecimal clothes', '::ffff:cb00:7109', undefined, '203.0.113.9'],
    ['is canonical', '2001:DB9:0:0::1', undefined, '2001:db9::1'],
    ['has no zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['does not believe a header of a stranger', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['believes a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['believes a trusted proxy in IPv6 clothes', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['believes a trusted proxy with IPv6', '2001:db8::5', '2001:db9::1', '2001:db9::1'],
    ['passes over all trusted proxies', '10.1.2.3', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    [
      'passes over a trusted proxy in IPv6 clothes',
      '10.1.2.3',
      '198.51.100.1, ::ffff:c000:207',
      '198.51.100.1',
    ],
    [
      'ignores what the client wrote to the left',
      '10.1.2.3',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['is unknown when all are trusted', '10.1.2.3', '10.0.0.1, 10.0.0.2', 'unknown'],
    ['is without its port', '10.1.2.3', '198.51.100.1:5678', '198.51.100.1'],
    ['is without its brackets and port', '10.1.2.3', '[2001:db9::1]:5678', '2001:db9::1'],
    ['is unknown when the proxy says nothing', '10.1.2.3', undefined, 'unknown'],
    [
      'is unknown past something that is no address',
      '10.1.2.3',
      '198.51.100.1, unknown',
      'unknown',
    ],
    ['is unknown for an IPv4 address in brackets', '10.1.2.3', '[198.51.100.1]', 'unknown'],
    ['is unknown for an IPv4 address with a zone', '10.1.2.3', '198.51.100.1%eth0', 'unknown'],
    ['is unknown for a number with leading zeros', '10.1.2.3', '198.051.100.001', 'unknown'],
    ['is unknown without a socket', undefined, undefined, 'unknown'],
    ['is IPv4 with small numbers in hexadecimal', '::ffff:1:2', undefined, '0.1.0.2'],
    ['is IPv4 with an odd second number', '::ffff:203.255.113.9', undefined, '203.255.113.9'],
    [
      'is IPv6 when only its end looks like IPv4',
      '1::ffff:cb00:7109',
      undefined,
      '1::ffff:cb00:7109',
    ],
    [
      'is IPv6 when only its start looks like IPv4',
      '::ffff:cb00:7109:1',
      undefined,
      '::ffff:cb00:7109:1',
    ],
    ['is without a port of one digit', '10.1.2.3', '198.51.100.1:5', '198.51.100.1'],
    ['is without a port of one digit in IPv6', '10.1.2.3', '[2001:db9::1]:5', '2001:db9::1'],
    ['is unknown with a port of six digits', '10.1.2.3', '198.51.100.1:567890', 'unknown'],
    ['is unknown with a port of six digits in IPv6', '10.1.2.3', '[2001:db9::1]:567890', 'unknown'],
    ['is unknown with text behind the port', '10.1.2.3', '198.51.100.1:80x', 'unknown'],
    ['is unknown with text before the bracket', '10.1.2.3', 'x[2001:db9::1]', 'unknown'],
    ['is unknown with text behind the bracket', '10.1.2.3', '[2001:db9::1]x', 'unknown'],
    ['is unknown with a blank inside', '10.1.2.3', '198.51. 100.1', 'unknown'],
  ];

  it.each(cases)('%s', async (_name, peer, forwardedFor, expected) => {
    expect((await find(peer, forwardedFor)).evidence).toBe(expected);
  });

  it('looks at no header when no proxy is trusted', async () => {
    expect((await find('10.1.2.3', '198.51.100.1', [])).evidence).toBe('10.1.2.3');
  });

  it('is unknown without a server', async () => {
    const answer = await createProbe(createClientAddresses([])).request('/');
    expect(await answer.json()).toMatchObject({ evidence: 'unknown', counted: 'unknown' });
  });
});

describe('the client address that requests are counted by', () => {
  const cases: [string, string | undefined, string | undefined, string][] = [
    ['is the applicant’s', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is the proxy’s when it says nothing', '10.1.2.3', undefined, '10.1.2.3'],
    ['is the proxy’s when it says something unreadable', '10.1.2.3', 'unknown', '10.1.2.3'],
    [
      'is the one that the nearest proxy saw when all are trusted',
      '10.1.2.3',
      '10.9.9.9, 10.1.1.1',
      '10.1.1.1',
    ],
    [
      'is an IPv6 line, not one of its addresses',
      '2001:db9:1:2:3:4:5:6',
      undefined,
      '2001:db9:1:2::/64',
    ],
    ['is the line of a short IPv6 address', '2001:db9::1', undefined, '2001:db9:0:0::/64'],
    ['is the line of an address that begins with zeros', '::1', undefined, '0:0:0:0::/64'],
    [
      'is the line of an address that ends with zeros',
      '2001:db9:1:2:3::',
      undefined,
      '2001:db9:1:2::/64',
    ],
    [
      'is the line of an address with zeros in the middle',
      '2001::3:4:5:6:7',
      undefined,
      '2001:0:0:3::/64',
    ],
    ['is unknown without a socket', undefined, '198.51.100.1', 'unknown'],
  ];

  it.each(cases)('%s', async (_name, peer, forwardedFor, expected) => {
    expect((await find(peer, forwardedFor)).counted).toBe(expected);
  });
});

describe('a doubt about the client address', () => {
  const cases: [string, string, string | undefined, string][] = [
    ['is not raised by a request without proxies', '203.0.113.9', undefined, 'none'],
    ['is not raised by a trusted proxy', '10.1.2.3', '198.51.100.1', 'none'],
    ['says that a proxy is not trusted', '203.0.113.9', '198.51.100.1', 'untrusted-proxy'],
    ['says that a trusted proxy is silent', '10.1.2.3', ' , ', 'header-missing'],
    ['says that a header cannot be read', '10.1.2.3', '198.51.100.1, ?', 'header-unreadable'],
    ['says that nobody but proxies is named', '10.1.2.3', '10.0.0.1, 10.0.0.2', 'only-proxies'],
  ];

  it.each(cases)('%s', async (_name, peer, forwardedFor, expected) => {
    expect((await find(peer, forwardedFor)).doubt).toBe(expected);
  });
});
