// Runs the sandbox as a process until SIGTERM or SIGINT.

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { basePath, createSandbox } from './app.ts';
import { sandboxCredentials } from './authentication.ts';
import { DataFileError, openDataFile, type DataFile } from './data-file.ts';
import { readEnvironment, type SandboxEnvironment } from './environment.ts';

/** How long requests in progress may take after a shutdown signal. */
const shutdownTimeoutMs = 2_000;

const reading = readEnvironment(process.env);
if (reading.kind === 'valid') run(reading.environment);
else fail(reading.problems);

function run(environment: SandboxEnvironment): void {
  const { app, context } = createSandbox({
    failureStatus: environment.SANDBOX_FAILURE_STATUS,
    aggregatorName: environment.SANDBOX_AGGREGATOR_NAME,
    offerDelayMs: environment.SANDBOX_OFFER_DELAY_MS,
    areOffersEnabled: environment.SANDBOX_OFFERS_ENABLED === 'yes',
  });
  let dataFile: DataFile | undefined;
  try {
    if (environment.SANDBOX_DATA) dataFile = openDataFile(environment.SANDBOX_DATA, context);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    fail([error.message]);
    return;
  }
  const server = createAdaptorServer({ fetch: app.fetch });
  server.once('error', (error: NodeJS.ErrnoException) => fail([toListenProblem(error)]));
  server.listen(environment.SANDBOX_PORT, environment.SANDBOX_HOST, () => {
    // The address of a TCP server is always an object. Only that of a pipe is a string.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(toStartMessage(toOrigin(environment.SANDBOX_HOST, port)));
  });

  const shutDown = () => {
    server.close(() => dataFile?.close());
    if ('closeAllConnections' in server) {
      setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs).unref();
    }
  };
  process.once('SIGTERM', shutDown);
  process.once('SIGINT', shutDown);
}

function toOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function toStartMessage(origin: string): string {
  const credentials = sandboxCredentials;
  return `Sandbox funding service

  Console         ${origin}/_sandbox/
  Auth URL        ${origin}
  Base URL        ${origin}${basePath}

  client_id       ${credentials.clientId}
  client_secret   ${credentials.clientSecret}
  username        ${credentials.username}
  password        ${credentials.password}
  PartnerId       ${credentials.partnerId}
  PartnerName     ${credentials.partnerName}

`;
}

function toListenProblem({ code }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') {
    return 'SANDBOX_PORT is in use by another process. Choose another port, or 0 for any free port.';
  }
  if (code === 'EACCES') {
    return 'SANDBOX_PORT is not allowed for this user. Choose a port above 1023.';
  }
  return `The sandbox cannot listen on SANDBOX_HOST and SANDBOX_PORT (${code ?? 'unknown error'}). Check both.`;
}

function fail(problems: readonly string[]): void {
  process.stderr.write(
    `The sandbox cannot start:\n${problems.map((text) => `  ${text}\n`).join('')}`,
  );
  process.exitCode = 1;
}
