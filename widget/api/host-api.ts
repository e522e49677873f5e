// The host page's own `api`. The code that protects the form from its errors loads with the first request, because few pages have one.

import { networkFailure, type FundingApi } from './funding-api.ts';
import type { SafeApiOptions } from './safe-api.ts';

/** The first requests of the form, and of the phone's page in a handoff. */
const firstMethods = ['getConfiguration', 'openSession', 'getHandoff', 'claimHandoff'] as const;

/**
 * Returns the `api` of `createSafeApi`. All methods but those of the first requests exist once the first request has succeeded.
 *
 * @param importSafeApi for tests.
 */
export function createHostApi(
  api: FundingApi,
  options: SafeApiOptions,
  importSafeApi = () => import('./safe-api.ts'),
): FundingApi {
  const methods = firstMethods.map((name) => [
    name,
    async (...parameters: unknown[]) => {
      try {
        const { createSafeApi } = await importSafeApi();
        const safeApi = createSafeApi(api, options);
        Object.defineProperties(hostApi, Object.getOwnPropertyDescriptors(safeApi));
      } catch {
        return networkFailure;
      }
      // The host page may lack an optional method.
      const method = hostApi[name] as ((...parameters: unknown[]) => unknown) | undefined;
      return method?.(...parameters);
    },
  ]);
  // The form calls no other method before the first request has ended.
  const hostApi = Object.fromEntries(methods) as FundingApi;
  return hostApi;
}
