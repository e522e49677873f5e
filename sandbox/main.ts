// Runs the sandbox as a process until SIGTERM or SIGINT. With `--brief`, it prints one line when it is ready.

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { basePath, createSandbox } from './app.ts';
import { sandboxCredentials } from './authentication.ts';
import { DataFileError, openDataFile, type DataFile } from './data-file.ts';
import { defaultPort, readEnvironment, type SandboxEnvironment } from './environment.ts';

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
  server.once('error', (error: NodeJS.ErrnoException) =>
    fail([toListenProblem(error, environment)]),
  );
  server.listen(environment.SANDBOX_PORT, environment.SANDBOX_HOST, () => {
    // The address of a TCP server is always an object. Only that of a pipe is a string.
    const { port } = server.address() as AddressInfo;
    const origin = toOrigin(environment.SANDBOX_HOST, port);
    const isBrief = process.argv.includes('--brief');
    process.stdout.write(
      isBrief ? `Sandbox listens on ${origin}\n` : toStartMessage(environment, port),
    );
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

/** All addresses of the machine. */
const wildcards: readonly string[] = ['0.0.0.0', '::'];

/** As the BFF on this machine uses it. */
function toOrigin(address: string, port: number): string {
  const host = wildcards.includes(address) ? 'localhost' : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The credentials are public, and the BFF has them as defaults in the sandbox environment. */
function toStartMessage({ SANDBOX_HOST: host }: SandboxEnvironment, port: number): string {
  const origin = toOrigin(host, port);
  const { clientId, clientSecret, username, password, partnerId, partnerName } = sandboxCredentials;
  return `Sandbox of the funding service

  Console   ${origin}/_sandbox/

The BFF uses it with ${toNeeded(host, port)}

  FUNDING_ENVIRONMENT=sandbox
  FUNDING_AUTH_URL=${origin}
  FUNDING_BASE_URL=${origin}${basePath}
  FUNDING_CLIENT_ID=${clientId}
  FUNDING_CLIENT_SECRET=${clientSecret}
  FUNDING_USERNAME=${username}
  FUNDING_PASSWORD=${password}
  FUNDING_PARTNER_ID=${partnerId}
  FUNDING_PARTNER_NAME=${partnerName}

Press Ctrl+C to stop.
`;
}

/** By default, the BFF expects the sandbox on its own machine. */
function toNeeded(host: string, port: number): string {
  if (!['127.0.0.1', 'localhost', ...wildcards].includes(host)) return 'these variables:';
  const needed = 'FUNDING_ENVIRONMENT=sandbox';
  return port === defaultPort
    ? `${needed}, which sets these variables:`
    : `${needed} and SANDBOX_PORT=${port}, which set these variables:`;
}

function toListenProblem(
  { code }: NodeJS.ErrnoException,
  { SANDBOX_PORT: port }: SandboxEnvironment,
): string {
  if (code === 'EADDRINUSE') {
    return `SANDBOX_PORT (${port}) is in use by another process. Choose another port, or 0 for any free port.`;
  }
  if (code === 'EACCES') {
    return `SANDBOX_PORT (${port}) is not allowed for this user. Choose a port above 1023.`;
  }
  return `The sandbox cannot listen on SANDBOX_HOST and SANDBOX_PORT (${code ?? 'unknown error'}). Check both.`;
}

function fail(problems: readonly string[]): void {
  process.stderr.write(
    `The sandbox cannot start:\n${problems.map((text) => `  ${text}\n`).join('')}`,
  );
  process.exitCode = 1;
}
