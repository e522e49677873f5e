// The applicant's own address: the socket's, or what a trusted proxy says; unknown rather than guessed, since it is evidence.

import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Context } from 'hono';
import type { BffEnv } from './context.ts';

export type FindClientAddress = (c: Context<BffEnv>) => string | undefined;

/** @param trustedProxies addresses and CIDR ranges; without one, `X-Forwarded-For` is not looked at. */
export function createClientAddress(trustedProxies: readonly string[]): FindClientAddress {
  const proxies = toBlockList(trustedProxies);

  return function findClientAddress(c) {
    const peer = toAddress(c.env?.incoming?.socket.remoteAddress ?? '');
    if (peer === undefined || !includes(proxies, peer)) return peer;
    return findBehindProxies(proxies, peer, c.req.header('x-forwarded-for') ?? '');
  };
}

/**
 * From right to left the first address that is no trusted proxy; what stands left of it was written by the client. A
 * token that is no address ends the walk: nobody vouches for what comes before it.
 */
function findBehindProxies(
  proxies: BlockList,
  peer: string,
  forwardedFor: string,
): string | undefined {
  const hops = forwardedFor
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  let nearest = peer;
  for (const hop of hops.reverse()) {
    const address = toAddress(hop);
    if (address === undefined) return undefined;
    if (!includes(proxies, address)) return address;
    nearest = address;
  }
  return hops.length === 0 ? undefined : nearest;
}

/** Canonical text of an address; an IPv4 address in IPv6 clothes (`::ffff:192.0.2.1`) becomes IPv4. */
function toAddress(text: string): string | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIPv4(bare)) return bare;
  if (isIP(bare) === 0) return undefined;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  return new URL(`http://[${bare}]`).hostname.slice(1, -1);
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
