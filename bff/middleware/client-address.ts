// Whose request it is: the socket's address, or what a trusted proxy says. As evidence unknown rather than guessed; to count by, never unknown behind a proxy.

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Context } from 'hono';
import type { BffEnv } from './context.ts';

export type FindClientAddress = (c: Context<BffEnv>) => string | undefined;

/**
 * Why nobody vouches for the applicant's address. `untrusted-proxy`: X-Forwarded-For came from an address that is not in
 * TRUSTED_PROXIES. `header-missing`, `header-unreadable`: a trusted proxy says nothing, or something that is no address.
 * `only-proxies`: all that it names is in TRUSTED_PROXIES as well, so that the applicant may have written it.
 */
export type AddressProblem =
  'untrusted-proxy' | 'header-missing' | 'header-unreadable' | 'only-proxies';

/**
 * Rate limits by address and the address as evidence are wrong until TRUSTED_PROXIES is fixed. The log writes at most one event
 * per hour for each reason.
 */
export interface ClientAddressEvent {
  readonly event: 'client-address-doubtful';
  readonly requestId: string;
  readonly reason: AddressProblem;
}

export interface ClientAddresses {
  /** The applicant's address as evidence (the lead's `Ip` and `SignatureIp`, consents); `undefined` where it would be a guess. */
  readonly findClientAddress: FindClientAddress;
  /**
   * What requests are counted by: the applicant's address, else the farthest that is sure, which may be a proxy's; an IPv6
   * address as its /64, which is what one line gets (RFC 6177). `undefined` without a socket.
   */
  readonly findRateLimitAddress: FindClientAddress;
  readonly findAddressProblem: (c: Context<BffEnv>) => AddressProblem | undefined;
}

interface Reading {
  readonly client: string | undefined;
  /** Who certainly sent the request, or passed it on: the client where that is known. */
  readonly sure: string | undefined;
  readonly doubt: AddressProblem | undefined;
}

/**
 * @param trustedProxies addresses and CIDR ranges; without one, `X-Forwarded-For` is not believed. `Forwarded` (RFC 7239),
 * `X-Real-IP` and the like never are: a proxy that sets one header often passes the client's others through.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const proxies = toBlockList(trustedProxies);

  function read(c: Context<BffEnv>): Reading {
    const peer = toAddress(c.env?.incoming?.socket.remoteAddress ?? '');
    const header = c.req.header('x-forwarded-for');
    if (peer === undefined) return { client: undefined, sure: undefined, doubt: undefined };
    if (includes(proxies, peer)) return findBehindProxies(proxies, peer, header ?? '');
    const doubt = header === undefined ? undefined : 'untrusted-proxy';
    return { client: peer, sure: peer, doubt };
  }

  return {
    findClientAddress: (c) => read(c).client,
    findRateLimitAddress(c) {
      const { sure } = read(c);
      return sure === undefined ? undefined : toNetwork(sure);
    },
    findAddressProblem: (c) => read(c).doubt,
  };
}

/**
 * From right to left the first address that is no trusted proxy; what stands left of it was written by the client. A
 * token that is no address ends the walk: nobody vouches for what comes before it. Where all are proxies, the nearest is the
 * one whose word is sure.
 */
function findBehindProxies(proxies: BlockList, peer: string, header: string): Reading {
  const hops = header
    .split(',')
    .map((hop) => hop.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((hop) => hop !== '');
  let nearest: string | undefined;
  for (const hop of hops.reverse()) {
    const address = toHopAddress(hop);
    if (address === undefined) return { client: undefined, sure: peer, doubt: 'header-unreadable' };
    if (!includes(proxies, address)) return { client: address, sure: address, doubt: undefined };
    nearest ??= address;
  }
  if (nearest === undefined) return { client: undefined, sure: peer, doubt: 'header-missing' };
  return { client: undefined, sure: nearest, doubt: 'only-proxies' };
}

/** Some proxies write a port behind the address: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
function toHopAddress(hop: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? toAddress(bracketed) : undefined;
  return toAddress(/^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop);
}

/** Canonical text of an address; an IPv4 address in any IPv6 clothes (`::ffff:192.0.2.1`, `::ffff:c000:201`) becomes IPv4. */
function toAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  // The zone (`fe80::1%eth0`) is this machine's own name for a network card.
  const canonical = new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical) ?? [];
  return high === undefined || low === undefined ? canonical : toIPv4(high, low);
}

function toIPv4(high: string, low: string): string {
  const [left, right] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [left >> 8, left & 255, right >> 8, right & 255].join('.');
}

/** The first four groups of a canonical IPv6 address. */
function toNetwork(address: string): string {
  if (isIPv4(address)) return address;
  const [left = '', right] = address.split('::');
  const groups = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${all.slice(0, 4).join(':')}::/64`;
}

function includes(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
