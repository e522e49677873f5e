// Three BFFs on one PostgreSQL behind a load balancer, restarted one after the other under load.

import {
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpSender } from '../../support/applicant.ts';
import { isReady } from '../../support/bff-process.ts';
import { groupBy } from '../../support/group-by.ts';
import { createRandom } from '../../support/random.ts';
import { listen, type Listening } from '../../support/servers.ts';
import { type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import type { CampaignBff } from './bff-child.ts';
import { judge } from './invariants.ts';
import { startLoad } from './load.ts';
import { awaitReady, startRig, stopBff } from './rig.ts';

const processes = 3;
/** Twice this rate saturates two cores, and about one request in ten gets no answer. */
const applicantsPerSecond = 8;
/** A tenth of the production value. The balancer checks every 50 ms, or more slowly on a busy machine. */
const drainMs = 1_000;
/** A busy machine answers late. Only a lost request counts. */
const answerTimeoutMs = 60_000;

export async function runRollingRestarts(context: CampaignContext): Promise<CampaignRow> {
  const restarts = scale(200, context.share, processes);
  const rig = await startRig(context, { processes });
  // A sample inspects no documents, so that it starts faster.
  const start = (port: number) => rig.start(port, { drainMs, inspects: context.share === 1 });
  const bffs = new Map<number, CampaignBff>();
  for (const port of rig.ports) bffs.set(port, start(port));
  for (const bff of bffs.values()) await awaitReady(bff);

  const balancer = await startBalancer([...bffs.values()].map(({ url }) => url));
  const sender = createHttpSender([balancer.origin], answerTimeoutMs);
  const { history } = rig;
  const loadStartedAt = performance.now();
  const load = startLoad({
    send: sender.send,
    history,
    applicantsPerSecond,
    random: createRandom(2),
  });
  let [slowestStartMs, slowestStopMs] = [0, 0];
  for (let count = 0; count < restarts; count += 1) {
    const port = rig.ports[count % processes]!;
    slowestStopMs = Math.max(slowestStopMs, await stopBff(bffs.get(port)!));
    const next = start(port);
    bffs.set(port, next);
    slowestStartMs = Math.max(slowestStartMs, await awaitReady(next));
  }
  await load.stop();
  const seconds = (performance.now() - loadStartedAt) / 1_000;
  const verdict = judge(await rig.finish(bffs.values()));
  await balancer.close();
  await sender.close();

  // Requests without a response, or with a response that reports an internal failure.
  const lost = history.calls.filter(({ outcome }) => outcome === 'info');
  const resets = groupBy(
    lost,
    ({ action, status = 'no answer', responseStatus = '' }) =>
      `${action} ${status} ${responseStatus}`,
  );
  return {
    runs: restarts,
    unit: 'restarts',
    ...verdict,
    slowestStartMs,
    notes: `${Math.round(history.calls.length / seconds)} requests per second, slowest stop ${slowestStopMs} ms`,
    problems: [
      ...verdict.problems,
      ...[...resets].map(([kind, calls]) => `${calls.length} requests were lost: ${kind}`),
      ...(verdict.acknowledged === 0 ? ['nobody applied'] : []),
    ],
  };
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
async function startBalancer(
  targets: readonly string[],
): Promise<Pick<Listening, 'origin' | 'close'>> {
  const ready = new Set(targets);
  const stopping = new AbortController();
  const watching = Promise.all(targets.map((target) => watch(target, ready, stopping.signal)));
  let turn = 0;

  async function carry(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const order = [...ready];
    turn += 1;
    for (let index = 0; index < order.length; index += 1) {
      const result = await pass(order[(turn + index) % order.length]!, incoming, body, response);
      if (result === 'answered') return;
      if (result === 'broken') {
        response.destroy();
        return;
      }
    }
    response.writeHead(503).end();
  }

  const { origin, close } = await listen(
    // Only the clients close idle connections. If the balancer closed them too, it could reset a request that a client is just
    // sending (RFC 9112, section 9.5), although no BFF lost it.
    createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
      carry(incoming, response).catch(() => response.destroy());
    }),
  );
  return {
    origin,
    async close() {
      stopping.abort();
      await watching;
      await close();
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
    const outgoing = sendRequest(
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
