// Measures what webhooks cost: the same applications with and without WEBHOOK_URL, in turn, until the last event has arrived.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../test/support/servers.ts';
import { apply, createClient, runLoad } from './load.ts';
import { type Cores, findCores, pinThisProcess, readCpuSeconds } from './machine.ts';
import { buildBff, type Running, startBff, startStub } from './processes.ts';
import type { Engine } from './store.ts';

const connections = 16;
/** Until V8 has compiled the hot code. */
const warmUpApplications = 2_000;
const applications = 1_500;
/** Of an application that the funding service accepts at once: received, accepted. */
const eventsEach = 2;
const drainTimeoutMs = 120_000;
const secret = `whsec_${randomBytes(32).toString('base64')}`;

interface Sample {
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  /** From the last answer until the last event has arrived. */
  readonly drainMs: number;
}

export async function measureWebhooks(
  { name, withUrl }: Engine,
  rounds: number,
  report: (line: string) => void,
): Promise<readonly string[]> {
  buildBff();
  const cores = findCores();
  if (cores) pinThisProcess(cores.load);
  const samples = { without: [] as Sample[], with: [] as Sample[] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const variant of round % 2
      ? (['without', 'with'] as const)
      : (['with', 'without'] as const)) {
      const sample = await withUrl((url) => measure(url, variant === 'with', cores));
      samples[variant].push(sample);
      report(`${name}, ${variant} webhooks, round ${round}: ${describe([sample])}`);
    }
  }
  if (cores) pinThisProcess(`${cores.measured},${cores.load}`);
  return (['without', 'with'] as const).map(
    (variant) => `${`${name}, ${variant} webhooks`.padEnd(30)} ${describe(samples[variant])}`,
  );
}

async function measure(
  databaseUrl: string,
  hasWebhook: boolean,
  cores: Cores | undefined,
): Promise<Sample> {
  let events = 0;
  const resources: (() => Promise<unknown>)[] = [];
  try {
    const receiver = await listen(
      createServer((request, response) => {
        request.resume().on('end', () => {
          events += 1;
          response.writeHead(204).end();
        });
      }),
    );
    resources.push(() => receiver.close());
    const stub = await startStub(0);
    resources.push(() => stub.stop());
    const variables: Readonly<Record<string, string>> = hasWebhook
      ? { WEBHOOK_URL: receiver.url, WEBHOOK_SECRETS: secret }
      : {};
    const bff = await startBff({ stub, databaseUrl, cores, variables });
    resources.push(() => bff.stop());
    let applied = 0;
    const run = async (count: number) => {
      const result = await applyMany(bff, count);
      const answeredAt = performance.now();
      applied += count;
      const deadline = answeredAt + drainTimeoutMs;
      const isDone = async () =>
        (await stub.ask()).leads >= applied && events >= (hasWebhook ? applied * eventsEach : 0);
      while (!(await isDone())) {
        if (performance.now() > deadline) throw new Error(`${events} events of ${applied} arrived`);
        await sleep(20);
      }
      return { ...result, drainMs: performance.now() - answeredAt };
    };
    await run(warmUpApplications);
    const before = readCpuSeconds(bff.processId);
    const { seconds, p50Ms, drainMs } = await run(applications);
    const cpuMs = ((readCpuSeconds(bff.processId) - before) / applications) * 1000;
    return { cpuMs, perSecond: applications / seconds, p50Ms, drainMs };
  } finally {
    for (const close of resources.toReversed()) await close();
  }
}

async function applyMany(bff: Running, count: number) {
  const client = createClient(bff.url, connections);
  let begun = 0;
  const result = await runLoad({
    connections,
    next: () => {
      begun += 1;
      return begun > count ? undefined : apply(client);
    },
    warmUpMs: 0,
    durationMs: Infinity,
    snapshot: () => Promise.resolve(),
  });
  await client.close();
  return result;
}

/** Medians, with the smallest and the largest of several. */
function describe(samples: readonly Sample[]): string {
  const figures: readonly (readonly [keyof Sample, string, number])[] = [
    ['cpuMs', 'ms of the processor for each application', 2],
    ['perSecond', 'applications a second', 0],
    ['p50Ms', 'ms p50', 1],
    ['drainMs', 'ms until the last event', 0],
  ];
  return figures
    .map(([figure, title, digits]) => {
      const values = samples.map((sample) => sample[figure]).toSorted((a, b) => a - b);
      const text = (value = 0) => value.toFixed(digits);
      const range = values.length > 1 ? ` (${text(values[0])} to ${text(values.at(-1))})` : '';
      return `${text(values[Math.floor(values.length / 2)])}${range} ${title}`;
    })
    .join(', ');
}
