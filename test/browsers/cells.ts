// The tested combinations of engine, mode, and cookie policy.

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

export interface Cell {
  readonly engine: Engine;
  readonly mode: Mode;
  readonly policy: CookiePolicy;
}

export function listCells(engine: Engine, policies: readonly CookiePolicy[]): readonly Cell[] {
  return policies.flatMap((policy) => modes.map((mode) => ({ engine, mode, policy })));
}
