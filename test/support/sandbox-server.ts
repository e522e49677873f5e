// Starts the sandbox on a free port. A test can make it leave leads without a response.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';

export interface SandboxServer extends Sandbox {
  /** Environment variables of a BFF that uses this sandbox. */
  readonly variables: Readonly<Record<string, string>>;
  /** While true, the sandbox reads leads and never responds. */
  isHanging: boolean;
  /** Number of leads that arrived, with or without a response. */
  leads(): number;
  close(): Promise<void>;
}

export async function startSandboxServer(): Promise<SandboxServer> {
  const sandbox = createSandbox();
  let leads = 0;
  // With `createServer`, the result is always an HTTP/1.1 server.
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
