// The address of the BFF that the element sends its requests to: an origin, and a base path if the BFF has one.

import type { FundingApi } from '../api/funding-api.ts';

export interface BffHost {
  readonly bffUrl: string | undefined;
  readonly api: FundingApi | undefined;
}

/**
 * Without `bff-url`, the address of the script, which the BFF serves. In the npm package, widget/package/bff-origin.ts replaces this
 * file, because a bundler makes the script a part of the host page.
 */
export function toBffOrigin({ bffUrl }: BffHost): string {
  // A host page without types may set anything here.
  return bffUrl?.replace(/\/+$/, '') || toScriptBff(import.meta.url);
}

/** The BFF serves the scripts of the element below `/widget/`. */
export function toScriptBff(scriptUrl: string): string {
  const { origin, pathname } = new URL(scriptUrl);
  return origin + pathname.slice(0, Math.max(0, pathname.lastIndexOf('/widget/')));
}
