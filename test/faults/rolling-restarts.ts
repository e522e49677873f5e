// Three BFFs on one PostgreSQL behind a load balancer, restarted one after the other under load.

import { startBalancer } from './balancer.ts';
import { startBff } from './bff-child.ts';
import { findViolations, type Evidence } from './checker.ts';
import { createHistory, type ClientCall } from './history.ts';
import { waitUntilSettled } from './kill-campaign.ts';
import { startLoad } from './load.ts';
import { findFreePorts } from '../support/free-port.ts';
import { toResult, type CampaignResult } from './result.ts';
import { createHttpSender } from './send-over-http.ts';
import { startServiceHost } from './service-host.ts';
import { createStorage, readEnd } from './storage.ts';
import { createRandom } from '../support/random.ts';

export interface RollingOptions {
  /** Path of the bundled BFF process. */
  readonly program: string;
  /** Default true: see `startBff`. */
  readonly inspects?: boolean;
  readonly postgresUrl: string;
  readonly restarts: number;
  /** Each applicant makes about six requests. */
  readonly applicantsPerSecond: number;
}

export interface RollingResult extends CampaignResult {
  /** Requests without a response, or with a response that reports an internal failure. */
  readonly resets: number;
  /** Kinds of resets with their count, for example `submit 503 service-unavailable: 2`. */
  readonly resetKinds: readonly string[];
  readonly requestsPerSecond: number;
  readonly slowestStartMs: number;
  readonly slowestStopMs: number;
}

const processes = 3;
/** A tenth of the production value. The balancer checks every 50 ms, or more slowly on a busy machine. */
const drainMs = 1_000;

export async function runRollingRestarts(options: RollingOptions): Promise<RollingResult> {
  const { program, postgresUrl, restarts, applicantsPerSecond } = options;
  const storage = await createStorage({ engine: 'PostgreSQL', postgresUrl });
  const service = await startServiceHost();
  const ports = await findFreePorts(processes);
  const start = (port: number) =>
    startBff({
      program,
      port,
      drainMs,
      inspects: options.inspects,
      databaseUrl: storage.url,
      serviceUrl: service.proxy.url,
    });
  const children = new Map(ports.map((port) => [port, start(port)]));
  await Promise.all([...children.values()].map(({ ready }) => ready));

  const balancer = await startBalancer([...children.values()].map(({ url }) => url));
  const sender = createHttpSender(() => [balancer.url]);
  const history = createHistory();
  const random = createRandom(2);
  const loadStartedAt = performance.now();
  const load = startLoad({ send: sender.send, history, applicantsPerSecond, random });
  let [slowestStartMs, slowestStopMs] = [0, 0];
  for (let count = 0; count < restarts; count += 1) {
    const port = ports[count % processes]!;
    slowestStopMs = Math.max(slowestStopMs, await stop(children.get(port)!));
    const next = start(port);
    children.set(port, next);
    const readyMs = await next.ready;
    if (readyMs === undefined) throw new Error(`BFF did not start: ${next.errors()}`);
    slowestStartMs = Math.max(slowestStartMs, Math.round(readyMs));
  }
  await load.stop();
  const loadMs = performance.now() - loadStartedAt;
  await storage.inspect(waitUntilSettled);
  for (const child of children.values()) await stop(child);
  await balancer.close();
  await sender.close();

  const evidence: Evidence = {
    ...(await storage.inspect(readEnd)),
    history,
    ledger: service.readLedger(),
  };
  await service.close();
  await storage.remove();
  return {
    ...toResult(evidence, findViolations(evidence)),
    runs: restarts,
    requestsPerSecond: Math.round((history.calls.length / loadMs) * 1_000),
    resets: history.calls.filter(({ outcome }) => outcome === 'info').length,
    resetKinds: toKinds(history.calls.filter(({ outcome }) => outcome === 'info')),
    slowestStartMs,
    slowestStopMs,
  };
}

function toKinds(calls: readonly ClientCall[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { action, status = 'no answer', responseStatus = '' } of calls) {
    const kind = `${action} ${status} ${responseStatus}`.trim();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${kind}: ${count}`);
}

/** Returns the milliseconds until the process exited with code 0. */
async function stop(child: ReturnType<typeof startBff>): Promise<number> {
  const startedAt = performance.now();
  child.signal('SIGTERM');
  const end = await child.ended;
  if (end !== '0') throw new Error(`BFF stopped with ${end}: ${child.errors()}`);
  return Math.round(performance.now() - startedAt);
}
