// Finds the applicant's IP address: the address of the TCP connection, or the address that a trusted proxy reports.

import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import type { Log } from '../logging/log.ts';
import { createRateLimitedLog } from '../logging/rate-limited-log.ts';
import type { BffEnv } from './context.ts';

export type FindClientAddress = (c: Context<BffEnv>) => string | undefined;

/**
 * Why the applicant's address is unknown:
 * - `untrusted-proxy`: `X-Forwarded-For` came from an address that TRUSTED_PROXIES does not list.
 * - `header-missing`: a trusted proxy sent no `X-Forwarded-For`.
 * - `header-unreadable`: `X-Forwarded-For` contains text that is not an IP address.
 * - `only-proxies`: TRUSTED_PROXIES lists every address in `X-Forwarded-For`, so the applicant may have written it.
 * - `connection-unknown`: the host passes requests on without the address of their connection.
 */
type AddressProblem =
  | 'untrusted-proxy'
  | 'header-missing'
  | 'header-unreadable'
  | 'only-proxies'
  | 'connection-unknown';

/**
 * Until an operator fixes TRUSTED_PROXIES or the host, applicants share rate limits, and their addresses are missing from leads and consents.
 * The log contains at most one event per hour for each problem.
 */
export interface ClientAddressEvent {
  readonly event: 'client-address-unverified';
  readonly requestId: string;
  readonly reason: AddressProblem;
}

export interface ClientAddresses {
  /** The applicant's address as evidence (the lead's `Ip` and `SignatureIp`, consents). `undefined` if it would be a guess. */
  readonly findClientAddress: FindClientAddress;
  /**
   * The address that rate limits count: the applicant's, or else that of the nearest proxy. IPv6 addresses are
   * shortened to their /64 network, which one subscriber gets (RFC 6177). One value for all requests of a host that does not know
   * their connections. `undefined` without a server and a host.
   */
  readonly findRateLimitAddress: FindClientAddress;
  readonly findAddressProblem: (c: Context<BffEnv>) => AddressProblem | undefined;
}

interface ParsedAddress {
  readonly client: string | undefined;
  /** The farthest address that the client cannot forge. */
  readonly verified: string | undefined;
  readonly problem?: AddressProblem;
}

/**
 * @param trustedProxies IP addresses and CIDR ranges. The BFF ignores `X-Forwarded-For` from other addresses. It always ignores
 * `Forwarded` (RFC 7239), `X-Real-IP`, and the like, because a proxy that sets one header often passes on the others from the client.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const proxies = toBlockList(trustedProxies);

  /** Several limits and the submission need the address of a request. */
  const known = new WeakMap<Context<BffEnv>, ParsedAddress>();

  function parse(c: Context<BffEnv>): ParsedAddress {
    const parsed = known.get(c) ?? parseHeaders(c);
    known.set(c, parsed);
    return parsed;
  }

  function parseHeaders(c: Context<BffEnv>): ParsedAddress {
    const { connection, incoming } = c.env ?? {};
    const peer = toAddress(connection?.peerAddress ?? incoming?.socket.remoteAddress ?? '');
    const header = c.req.header('x-forwarded-for');
    if (peer === undefined) {
      const unknown = { client: undefined, verified: undefined };
      return connection ? { ...unknown, problem: 'connection-unknown' } : unknown;
    }
    if (includes(proxies, peer)) return parseForwardedFor(header ?? '', peer, proxies);
    const parsed = { client: peer, verified: peer };
    return header === undefined ? parsed : { ...parsed, problem: 'untrusted-proxy' };
  }

  return {
    findClientAddress: (c) => parse(c).client,
    findRateLimitAddress(c) {
      const { verified, problem } = parse(c);
      // Without a shared limit, such a host would have none.
      if (problem === 'connection-unknown') return problem;
      return verified === undefined ? undefined : toNetwork(verified);
    },
    findAddressProblem: (c) => parse(c).problem,
  };
}

const problemIntervalMs = 60 * 60_000;

/** @param clock epoch milliseconds. */
export function logAddressProblems(
  { findAddressProblem }: ClientAddresses,
  log: Log<ClientAddressEvent>,
  clock: () => number,
): MiddlewareHandler<BffEnv> {
  const logHourly = createRateLimitedLog(log, clock, problemIntervalMs);
  return async function logAddressProblems(c, next) {
    const reason = findAddressProblem(c);
    if (reason !== undefined) {
      const requestId = c.get('requestId');
      logHourly(reason, () => ({ event: 'client-address-unverified', requestId, reason }));
    }
    await next();
  };
}

/**
 * Finds the first address from the right that is not a trusted proxy. The client may have written everything to the left of
 * it. The search ends at text that is not an address, because nothing to the left of it is verified.
 */
function parseForwardedFor(header: string, peer: string, proxies: BlockList): ParsedAddress {
  const hops = header
    .split(',')
    .map((hop) => hop.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((hop) => hop !== '');
  let nearest: string | undefined;
  for (const hop of hops.reverse()) {
    const address = toHopAddress(hop);
    if (address === undefined) {
      return { client: undefined, verified: peer, problem: 'header-unreadable' };
    }
    if (!includes(proxies, address)) return { client: address, verified: address };
    nearest ??= address;
  }
  return nearest === undefined
    ? { client: undefined, verified: peer, problem: 'header-missing' }
    : { client: undefined, verified: nearest, problem: 'only-proxies' };
}

/** Some proxies append a port: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
function toHopAddress(hop: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? toAddress(bracketed) : undefined;
  return toAddress(/^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop);
}

/** The canonical text of an address. IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`, `::ffff:c000:201`) become IPv4. */
function toAddress(text: string): string | undefined {
  // Almost every address. `SocketAddress` takes ten times as long.
  const ipv4 = withoutMapping(text);
  if (isIPv4(ipv4)) return ipv4;
  if (!isIPv6(text)) return undefined;
  // The zone (`fe80::1%eth0`) names a network interface of this machine.
  const { address } = new SocketAddress({ address: text.replace(/%.*$/, ''), family: 'ipv6' });
  const mapped = withoutMapping(address);
  return isIPv4(mapped) ? mapped : address;
}

function withoutMapping(text: string): string {
  return text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text;
}

/** The first four groups of a canonical IPv6 address. */
function toNetwork(address: string): string {
  if (isIPv4(address)) return address;
  const [before = [], after = []] = address
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
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
