// The tested combinations of engine, mode, and cookie policy, and the host names of the sites.

export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof engines)[number];

/** Relation between the host page's origin and the BFF's origin. */
export const modes = ['same-origin', 'same-site', 'cross-site'] as const;
export type Mode = (typeof modes)[number];

/** `default` is the setting of this machine's browser: Debian's Chromium blocks third-party cookies, upstream's does not. */
export const cookiePolicies = [
  'default',
  'third-party-allowed',
  'third-party-blocked',
  'all-blocked',
] as const;
export type CookiePolicy = (typeof cookiePolicies)[number];

export interface Combination {
  readonly engine: Engine;
  readonly mode: Mode;
  readonly policy: CookiePolicy;
}

/** With this variable in the environment, tests cover all combinations. */
export const allVariable = 'ALL_COOKIE_POLICIES';

/**
 * `apply` and `www` of partner X are the same site. Partners Y and Z are other sites. The names are reserved (RFC 2606) and have
 * public suffixes that every engine knows. WebKitGTK treats every host below `localhost` as a separate site.
 */
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
