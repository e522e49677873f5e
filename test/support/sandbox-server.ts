// Starts the sandbox on a free port. A test can make it leave leads without a response.

import { createSandbox } from '../../sandbox/app.ts';
import { listenApp } from './servers.ts';

export type SandboxServer = Awaited<ReturnType<typeof startSandboxServer>>;

export async function startSandboxServer() {
  const sandbox = createSandbox();
  let leads = 0;
  let held: Promise<unknown> | undefined;
  /** While `isHanging`, the sandbox reads leads and never responds. */
  const hanging = { isHanging: false };
  const { origin, close } = await listenApp(async (request) => {
    if (!request.url.endsWith('/creditapp')) return sandbox.app.fetch(request);
    leads += 1;
    await held;
    return hanging.isHanging ? new Promise<Response>(() => undefined) : sandbox.app.fetch(request);
  });
  return Object.assign(hanging, {
    ...sandbox,
    /** Environment variables of a BFF that uses this sandbox. */
    variables: { FUNDING_AUTH_URL: origin, FUNDING_BASE_URL: `${origin}/rest` },
    /** Number of leads that arrived, with or without a response. */
    leads: () => leads,
    /** The sandbox reads leads, and responds to them when the promise resolves. */
    holdLeads(until: Promise<unknown>) {
      held = until;
    },
    close,
  });
}
