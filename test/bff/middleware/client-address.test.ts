// The client address: from the connection, from proxies, and unknown; as evidence, and for rate limits.

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

describe('the client address as evidence', () => {
  const cases: [string, string | undefined, string | undefined, string][] = [
    ['is the address of the connection', '203.0.113.9', undefined, '203.0.113.9'],
    ['is IPv4 if IPv6 maps it', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['is IPv4 if IPv6 maps it in hexadecimal', '::ffff:cb00:7109', undefined, '203.0.113.9'],
    ['is canonical', '2001:DB9:0:0::1', undefined, '2001:db9::1'],
    ['has no zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['ignores the header of an untrusted peer', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['comes from a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['comes from a trusted IPv4-mapped proxy', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['comes from a trusted IPv6 proxy', '2001:db8::5', '2001:db9::1', '2001:db9::1'],
    ['skips trusted proxies', '10.1.2.3', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    [
      'skips a trusted IPv4-mapped proxy',
      '10.1.2.3',
      '198.51.100.1, ::ffff:c000:207',
      '198.51.100.1',
    ],
    [
      'ignores addresses to the left of the first untrusted one',
      '10.1.2.3',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['is unknown if all addresses are trusted', '10.1.2.3', '10.0.0.1, 10.0.0.2', 'unknown'],
    ['has no port', '10.1.2.3', '198.51.100.1:5678', '198.51.100.1'],
    ['has no brackets or port', '10.1.2.3', '[2001:db9::1]:5678', '2001:db9::1'],
    ['is unknown without the header', '10.1.2.3', undefined, 'unknown'],
    ['is unknown to the left of invalid text', '10.1.2.3', '198.51.100.1, unknown', 'unknown'],
    ['is unknown for an IPv4 address in brackets', '10.1.2.3', '[198.51.100.1]', 'unknown'],
    ['is unknown for an IPv4 address with a zone', '10.1.2.3', '198.51.100.1%eth0', 'unknown'],
    ['is unknown for a number with leading zeros', '10.1.2.3', '198.051.100.001', 'unknown'],
    ['is unknown without a connection', undefined, undefined, 'unknown'],
    ['is IPv4 for small hexadecimal groups', '::ffff:1:2', undefined, '0.1.0.2'],
    ['is IPv4 for an odd second number', '::ffff:203.255.113.9', undefined, '203.255.113.9'],
    ['is IPv6 with an IPv4-mapped suffix', '1::ffff:cb00:7109', undefined, '1::ffff:cb00:7109'],
    ['is IPv6 with an IPv4-mapped prefix', '::ffff:cb00:7109:1', undefined, '::ffff:cb00:7109:1'],
    ['has no port of one digit', '10.1.2.3', '198.51.100.1:5', '198.51.100.1'],
    ['has no port of one digit in IPv6', '10.1.2.3', '[2001:db9::1]:5', '2001:db9::1'],
    ['is unknown with a port of six digits', '10.1.2.3', '198.51.100.1:567890', 'unknown'],
    ['is unknown with a port of six digits in IPv6', '10.1.2.3', '[2001:db9::1]:567890', 'unknown'],
    ['is unknown with text after the port', '10.1.2.3', '198.51.100.1:80x', 'unknown'],
    ['is unknown with text before the bracket', '10.1.2.3', 'x[2001:db9::1]', 'unknown'],
    ['is unknown with text after the bracket', '10.1.2.3', '[2001:db9::1]x', 'unknown'],
    ['is unknown with a space inside', '10.1.2.3', '198.51. 100.1', 'unknown'],
  ];

  it.each(cases)('%s', async (_name, peer, forwardedFor, expected) => {
    expect((await find(peer, forwardedFor)).evidence).toBe(expected);
  });

  it('ignores the header without trusted proxies', async () => {
    expect((await find('10.1.2.3', '198.51.100.1', [])).evidence).toBe('10.1.2.3');
  });

  it('is unknown without a server', async () => {
    const answer = await createProbe(createClientAddresses([])).request('/');
    expect(await answer.json()).toMatchObject({ evidence: 'unknown', forRateLimits: 'unknown' });
  });
});

describe('the client address for rate limits', () => {
  const cases: [string, string | undefined, string | undefined, string][] = [
    ['is the applicant’s', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is the proxy’s without the header', '10.1.2.3', undefined, '10.1.2.3'],
    ['is the proxy’s if the header is invalid', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['is the rightmost one if all are trusted', '10.1.2.3', '10.9.9.9, 10.1.1.1', '10.1.1.1'],
    [
      'is the /64 network of an IPv6 address',
      '2001:db9:1:2:3:4:5:6',
      undefined,
      '2001:db9:1:2::/64',
    ],
    ['is the network of a short IPv6 address', '2001:db9::1', undefined, '2001:db9:0:0::/64'],
    ['is the network of an address that starts with zeros', '::1', undefined, '0:0:0:0::/64'],
    [
      'is the network of an address that ends with zeros',
      '2001:db9:1:2:3::',
      undefined,
      '2001:db9:1:2::/64',
    ],
    [
      'is the network of an address with zeros in the middle',
      '2001::3:4:5:6:7',
      undefined,
      '2001:0:0:3::/64',
    ],
    ['is unknown without a connection', undefined, '198.51.100.1', 'unknown'],
  ];

  it.each(cases)('%s', async (_name, peer, forwardedFor, expected) => {
    expect((await find(peer, forwardedFor)).forRateLimits).toBe(expected);
  });
});

describe('a problem with the client address', () => {
  const cases: [string, string, string | undefined, string][] = [
    ['is absent without proxies', '203.0.113.9', undefined, 'none'],
    ['is absent behind a trusted proxy', '10.1.2.3', '198.51.100.1', 'none'],
    ['reports an untrusted proxy', '203.0.113.9', '198.51.100.1', 'untrusted-proxy'],
    ['reports an empty header', '10.1.2.3', ' , ', 'header-missing'],
    ['reports invalid text', '10.1.2.3', '198.51.100.1, ?', 'header-unreadable'],
    ['reports a list of trusted proxies only', '10.1.2.3', '10.0.0.1, 10.0.0.2', 'only-proxies'],
  ];

  it.each(cases)('%s', async (_name, peer, forwardedFor, expected) => {
    expect((await find(peer, forwardedFor)).problem).toBe(expected);
  });
});
