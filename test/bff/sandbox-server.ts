// The sandbox on a port of its own, for a BFF that reaches it over the network; it may be told to leave leads without an answer.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';

export interface SandboxServer extends Sandbox {
  /** The variables that lead a BFF here. */
  readonly variables: Readonly<Record<string, string>>;
  /** While true, leads are read and never answered. */
  isHanging: boolean;
  /** How many leads have come, answered or not. */
  leads(): number;
  close(): Promise<void>;
}

export async function startSandboxServer(): Promise<SandboxServer> {
  const sandbox = createSandbox();
  let leads = 0;
  // With createServer given, the answer is always a plain HTTP server.
  const server = createAdaptorServer({
    createServer,
    async fetch(request) {
      if (!request.url.endsWith('/creditapp')) return sandbox.app.fetch(request);
      leads += 1;
      return started.isHanging
        ? new Promise<Response>(() => undefined)
        : sandbox.app.fetch(request);
    },
  }) as Server;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: SandboxServer = {
    ...sandbox,
    variables: { FUNDING_AUTH_URL: url, FUNDING_BASE_URL: `${url}/rest` },
    isHanging: false,
    leads: () => leads,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return started;
}
