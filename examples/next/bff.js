// The BFF of this server.

import { createBff } from 'funding-application-bff';

/**
 * Created at the first call and not at the import, because `next build` imports the routes. Next bundles this module more than once,
 * so the BFF is in a global variable.
 *
 * @returns {Promise<import('funding-application-bff').Bff>}
 */
export function getBff() {
  globalThis.fundingBff ??= createBff({ basePath: '/funding' });
  return globalThis.fundingBff;
}
