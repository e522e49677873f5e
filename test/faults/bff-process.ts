// A BFF as a process of its own that can be told to kill itself at a named point. The product's parts, with impatient
// leases and pauses, so that what takes minutes in life takes seconds here.

import { Hono } from 'hono';
import { createBff } from '../../bff/app.ts';
import { readConfig } from '../../bff/config/config.ts';
import { createFundingService } from '../../bff/funding-service/client.ts';
import { createUndiciTransport } from '../../bff/funding-service/transport.ts';
import { createStore, openDatabase } from '../../bff/store/open-store.ts';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { createBffLog, serve } from '../../bff/server.ts';
import { unlimited } from '../support/unlimited.ts';
import { withHaste, withShortLimits } from './haste.ts';
import {
  createKiller,
  watchConnections,
  withAnswerPoints,
  withCallPoints,
  withStorePoints,
  withStatementPoints,
} from './kill-points.ts';

const resultTimeoutMs = 500;

const { KILL_POINT = '', KILL_PASSING = '1', DRAIN_MS = '0' } = process.env;
const pass = createKiller(KILL_POINT, Number(KILL_PASSING));
watchConnections(pass);

const reading = readConfig({
  variables: { ...process.env, FUNDING_SETTINGS: 'settings.json' },
  readFile: () => JSON.stringify({ limits: unlimited }),
});
if ('problems' in reading) throw new Error(reading.problems.join('\n'));
const { config } = reading;
const database = await openDatabase(config.databaseUrl, { isOwner: true });
const transport = createUndiciTransport({ connectTimeoutMs: 500 });
// Only what went wrong, to the standard error; the rest would be read by nobody.
const log = createBffLog({
  write: (line) => /"level":50/.test(line) && process.stderr.write(line),
});
const store = withHaste(withStorePoints(createStore(withStatementPoints(database, pass)), pass));
const bff = createBff({
  config,
  store,
  fundingService: createFundingService({
    config,
    transport: withShortLimits(withCallPoints(transport, pass)),
    clock: Date.now,
    onEvent: log,
  }),
  log,
  resultTimeoutMs,
  abortCalls: transport.abort,
});

const app = new Hono<BffEnv>();
app.all('*', (c) => withAnswerPoints((request) => bff.app.fetch(request, c.env), pass)(c.req.raw));
const serving = await serve({
  bff: { ...bff, app },
  port: config.port,
  drainMs: Number(DRAIN_MS),
});

process.once('SIGTERM', async () => {
  const keepAlive = setInterval(() => undefined, 60_000);
  const closed = await serving.stop();
  clearInterval(keepAlive);
  process.exit(closed === 'recorded' ? 0 : 1);
});
