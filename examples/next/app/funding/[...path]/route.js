// The BFF below /funding.

import { getBff } from '../../../bff.js';

export const dynamic = 'force-dynamic';

async function answer(request) {
  const bff = await getBff();
  // Next does not tell a route handler who has connected. PROXY_ADDRESS says that it is always
  // your proxy, which is in TRUSTED_PROXIES. If clients can connect to Next directly, omit
  // `peerAddress`: they could choose their address.
  return bff.fetch(request, { peerAddress: process.env.PROXY_ADDRESS });
}

export { answer as DELETE, answer as GET, answer as OPTIONS, answer as POST };
