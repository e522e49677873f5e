// What is tried: each engine, each way a page can stand to the BFF, each thing a browser may do with cookies.

export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof engines)[number];

/** How the page that holds the widget stands to the BFF's origin. */
export const modes = ['same-origin', 'same-site', 'cross-site'] as const;
export type Mode = (typeof modes)[number];

/** `default` is what this machine's browser comes with: Debian's Chromium blocks third parties, upstream's does not. */
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
