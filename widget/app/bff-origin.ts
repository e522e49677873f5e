// The origin of the BFF that the element sends its requests to.

import type { FundingApi } from '../api/funding-api.ts';

export interface BffHost {
  readonly bffUrl: string | undefined;
  readonly api: FundingApi | undefined;
}

/**
 * Without `bff-url`, the origin of the script, which the BFF serves. In the npm package, packages/element/bff-origin.ts replaces this
 * file, because a bundler makes the script a part of the host page.
 */
export function toBffOrigin({ bffUrl }: BffHost): string {
  // A host page without types may set anything here.
  return bffUrl?.replace(/\/+$/, '') || new URL(import.meta.url).origin;
}
