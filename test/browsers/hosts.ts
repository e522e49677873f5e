// Host names of the sites. They are reserved (RFC 2606) and have public suffixes that every engine knows. WebKitGTK treats every
// host below `localhost` as a separate site.

import type { Mode } from './cells.ts';

/** `apply` and `www` of partner X are the same site. Partners Y and Z are other sites. */
export const hosts = {
  bff: 'apply.example.com',
  sameSite: 'www.example.com',
  crossSite: 'www.example.org',
  otherCrossSite: 'www.example.net',
} as const;

export interface Pages {
  /** Origin of the tested page. */
  readonly own: string;
  /** Origin of another partner's page on another site. */
  readonly others: string;
}

export const bffOrigin = toOrigin(hosts.bff);

export function toPages(mode: Mode): Pages {
  const own = {
    'same-origin': hosts.bff,
    'same-site': hosts.sameSite,
    'cross-site': hosts.crossSite,
  }[mode];
  const others = mode === 'cross-site' ? hosts.otherCrossSite : hosts.crossSite;
  return { own: toOrigin(own), others: toOrigin(others) };
}

export function toOrigin(host: string): string {
  return `https://${host}`;
}
