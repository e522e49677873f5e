// The BFF of this server.

import { createBff } from 'funding-application-bff';

/**
 * Creates the BFF at the first call and not at the import, because `next build` imports the
 * routes. Next bundles this module more than once, so the BFF is in a global variable. After a
 * failure, the next call tries again.
 *
 * @returns {Promise<import('funding-application-bff').Bff>}
 */
export function getBff() {
  globalThis.fundingBff ??= createBff({ basePath: '/funding' }).catch((error) => {
    globalThis.fundingBff = undefined;
    throw error;
  });
  return globalThis.fundingBff;
}
