// Starts the sandbox on a free port. A test can make it leave leads without a response.

import { createSandbox, type Sandbox } from '../../sandbox/app.ts';
import { listenApp } from './servers.ts';

export interface SandboxServer extends Sandbox {
  /** Environment variables of a BFF that uses this sandbox. */
  readonly variables: Readonly<Record<string, string>>;
  /** While true, the sandbox reads leads and never responds. */
  isHanging: boolean;
  /** The sandbox reads leads, and responds to them when the promise resolves. */
  holdLeads(until: Promise<unknown>): void;
  /** Number of leads that arrived, with or without a response. */
  leads(): number;
  close(): Promise<void>;
}

export async function startSandboxServer(): Promise<SandboxServer> {
  const sandbox = createSandbox();
  let leads = 0;
  let held: Promise<unknown> | undefined;
  const { origin, close } = await listenApp(async (request) => {
    if (!request.url.endsWith('/creditapp')) return sandbox.app.fetch(request);
    leads += 1;
    await held;
    return started.isHanging ? new Promise<Response>(() => undefined) : sandbox.app.fetch(request);
  });
  const started: SandboxServer = {
    ...sandbox,
    variables: { FUNDING_AUTH_URL: origin, FUNDING_BASE_URL: `${origin}/rest` },
    isHanging: false,
    leads: () => leads,
    holdLeads(until) {
      held = until;
    },
    close,
  };
  return started;
}
