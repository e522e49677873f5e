// The BFF below /funding.

import { getBff } from '../../../bff.js';

export const dynamic = 'force-dynamic';

async function answer(request) {
  const bff = await getBff();
  // Route handlers do not know the connection. Here, all connections come from the proxy on this machine, which is in
  // TRUSTED_PROXIES. Remove the line if clients can connect to Next directly: they could then choose their address.
  return bff.fetch(request, { peerAddress: process.env.PROXY_ADDRESS });
}

export { answer as DELETE, answer as GET, answer as OPTIONS, answer as POST };
