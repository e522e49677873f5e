// Three BFFs on one PostgreSQL behind a load balancer, restarted one after the other under load.

import {
  createServer,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../support/free-port.ts';
import { createRandom } from '../../support/random.ts';
import { listen } from '../../support/servers.ts';
import { isReady } from '../../support/bff-process.ts';
import { startCampaignBff, type CampaignBff } from './bff-child.ts';
import { type ClientCall, createHistory } from './history.ts';
import { type CampaignResult, type Evidence, findViolations, toResult } from './invariants.ts';
import { waitUntilSettled } from './kill-campaign.ts';
import { startLoad } from './load.ts';
import { startServiceHost } from './recorded-service.ts';
import { createHttpSender } from '../../support/applicant.ts';
import { createStorage, readEnd } from './storage.ts';

export interface RollingOptions {
  /** Path of the bundled BFF process. */
  readonly program: string;
  /** Default true: see `startCampaignBff`. */
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
/** A busy machine answers late. Only a lost request counts. */
const answerTimeoutMs = 60_000;

export async function runRollingRestarts(options: RollingOptions): Promise<RollingResult> {
  const { program, postgresUrl, restarts, applicantsPerSecond } = options;
  const storage = await createStorage({ engine: 'PostgreSQL', postgresUrl });
  const service = await startServiceHost();
  const ports = await findFreePorts(processes);
  const start = (port: number) =>
    startCampaignBff({
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
  const sender = createHttpSender([balancer.url], answerTimeoutMs);
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
async function stop(child: CampaignBff): Promise<number> {
  const startedAt = performance.now();
  child.signal('SIGTERM');
  const end = await child.ended;
  if (end !== '0') throw new Error(`BFF stopped with ${end}: ${child.errors()}`);
  return Math.round(performance.now() - startedAt);
}

export interface Balancer {
  readonly url: string;
  /** Number of requests that reached a BFF and got no response. */
  countBroken(): number;
  close(): Promise<void>;
}

const checkMs = 50;
/** A late answer of a busy machine must not remove a target, because the others may be late too. */
const checkTimeoutMs = 10_000;

/**
 * Sends a request to another BFF only if the connection was refused: as other proxies, it does not repeat a request that a BFF may
 * have processed (RFC 9110, section 9.2.2).
 *
 * @param targets base URLs of BFFs that are ready.
 */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const ready = new Set(targets);
  const stopping = new AbortController();
  const watching = Promise.all(targets.map((target) => watch(target, ready, stopping.signal)));
  let turn = 0;
  let broken = 0;

  async function carry(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    const order = [...ready];
    turn += 1;
    for (let index = 0; index < order.length; index += 1) {
      const target = order[(turn + index) % order.length]!;
      const result = await pass(target, incoming, body, response);
      if (result === 'answered') return;
      if (result === 'broken') {
        broken += 1;
        response.destroy();
        return;
      }
    }
    response.writeHead(503).end();
  }

  const listening = await listen(
    // Only the clients close idle connections. If the balancer closed them too, it could reset a request that a client is just
    // sending (RFC 9112, section 9.5), although no BFF lost it.
    createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
      carry(incoming, response).catch(() => response.destroy());
    }),
  );
  return {
    url: new URL(listening.url).origin,
    countBroken: () => broken,
    async close() {
      stopping.abort();
      await watching;
      await listening.close();
    },
  };
}

async function watch(target: string, ready: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await isReady(`${target}/readyz`, checkTimeoutMs)) ready.add(target);
    else ready.delete(target);
    await sleep(checkMs);
  }
}

/** Resolves with `refused` when the connection was refused, so that nothing was sent. */
function pass(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<'answered' | 'refused' | 'broken'> {
  return new Promise((resolve) => {
    const outgoing = send(
      `${target}${url}`,
      { method, headers: { ...headers, connection: 'close' }, agent: false },
      (answer) => {
        // The Connection header describes the connection to the BFF, not the connection to the client.
        const { connection: _connection, ...rest } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, rest);
        answer.pipe(response);
        answer.once('end', () => resolve('answered'));
        answer.once('error', () => resolve('broken'));
      },
    );
    outgoing.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'broken'),
    );
    outgoing.end(body);
  });
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
