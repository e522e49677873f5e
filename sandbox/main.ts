// Runs the sandbox as a process: reads the environment, listens, and stops when asked.

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { basePath, createSandbox } from './app.ts';
import { sandboxCredentials } from './credentials.ts';
import { readEnvironment, type SandboxEnvironment } from './environment.ts';

/** Calls under way get this long before their connections are closed. */
const stopGraceMs = 2_000;

const reading = readEnvironment(process.env);
if (reading.kind === 'valid') run(reading.environment);
else fail(reading.problems);

function run(environment: SandboxEnvironment): void {
  const { app } = createSandbox({
    failureStatus: environment.SANDBOX_FAILURE_STATUS,
    aggregatorName: environment.SANDBOX_AGGREGATOR_NAME,
    offerDelayMs: environment.SANDBOX_OFFER_DELAY_MS,
    areOffersEnabled: environment.SANDBOX_OFFERS_ENABLED === 'yes',
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  server.once('error', (error: NodeJS.ErrnoException) => fail([toListenProblem(error)]));
  server.listen(environment.SANDBOX_PORT, environment.SANDBOX_HOST, () => {
    // A TCP server's address is always an object; a pipe's would be text.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(toGreeting(toOrigin(environment.SANDBOX_HOST, port)));
  });

  const stop = () => {
    server.close();
    if ('closeAllConnections' in server) {
      setTimeout(() => server.closeAllConnections(), stopGraceMs).unref();
    }
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function toOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function toGreeting(origin: string): string {
  const credentials = sandboxCredentials;
  return `Sandbox funding service

  Console         ${origin}/_sandbox/
  Auth address    ${origin}
  Base address    ${origin}${basePath}

  client_id       ${credentials.clientId}
  client_secret   ${credentials.clientSecret}
  username        ${credentials.username}
  password        ${credentials.password}
  PartnerId       ${credentials.partnerId}
  PartnerName     ${credentials.partnerName}

`;
}

function toListenProblem(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'SANDBOX_PORT is taken by another process';
  if (error.code === 'EACCES') return 'SANDBOX_PORT may not be opened by this user';
  return `the sandbox cannot listen (${error.code ?? 'unknown cause'})`;
}

function fail(problems: readonly string[]): void {
  process.stderr.write(
    `The sandbox cannot start:\n${problems.map((text) => `  ${text}\n`).join('')}`,
  );
  process.exitCode = 1;
}
