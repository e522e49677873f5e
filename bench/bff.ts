// The BFF beside a bare Hono proxy and a Fastify proxy: applications, polls, uploads, memory, and start, in interleaved rounds.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getLargePdf } from '../test/support/files/realistic-files.ts';
import { createSchema } from '../test/support/postgres-schema.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { type HalfResult, judgeNoise, maxForeignShare, type Probe, Samples } from './goals.ts';
import {
  apply,
  createClient,
  pollOffers,
  pollOffersOfLead,
  runLoad,
  type Response,
  type Session,
  startSession,
  startSessions,
  submit,
  submitLead,
  upload,
  uploadToLead,
} from './load.ts';
import {
  type Cores,
  findCores,
  pinThisProcess,
  probeMachine,
  readCpuSeconds,
  watchForeignUse,
} from './machine.ts';
import { readPeakBytes, readResidentBytes, resetPeak, watchChildMemory } from './memory.ts';
import {
  buildBff,
  type Running,
  startBff,
  startPeer,
  startStub,
  type Stub,
  withFolder,
} from './processes.ts';

const warmUpMs = 1_000;
/** V8 compiles the hot code of a program within some seconds. A BFF in production has run for hours. */
const compileMs = 8_000;
const durationMs = 3_000;
const idleMs = 2_000;
const megabyte = 1_000_000;
const mebibyte = 1024 * 1024;
const fileBytes = 25 * mebibyte;
/** Each of the five concurrent applicants sends this many files. */
const wavesOfFive = 2;
const manyUploads = 50;
const drainTimeoutMs = 60_000;
const statusRefusedForNow = new Set([429, 503]);

interface Subject extends Running {
  readonly name: string;
  readonly isBff: boolean;
}

interface Context {
  readonly stub: Stub;
  readonly round: number;
  readonly samples: Samples;
  readonly remarks: Set<string>;
  /** Number of responses other than 200 and 201, by subject and status. */
  readonly otherResponses: Map<string, number>;
  readonly foreignShares: number[];
  /** Writes a line about the progress. */
  readonly report: (line: string) => void;
}

/** @param report receives a line about the progress. */
export async function measureBff(
  rounds: number,
  report: (line: string) => void,
): Promise<HalfResult> {
  buildBff();
  const postgres = await startPostgres();
  const cores = findCores();
  const samples = new Samples();
  const remarks = new Set<string>();
  const otherResponses = new Map<string, number>();
  if (!cores) remarks.add('taskset is not available: all processes share the processors.');
  else pinThisProcess(cores.load);
  const foreignShares: number[] = [];
  const probes: Probe[] = [];
  const files = await createUploads();
  try {
    await withFolder(async (folder) => {
      probes.push(probeMachine(folder));
      for (let round = 1; round <= rounds; round += 1) {
        report(`round ${round} of ${rounds}`);
        const stub = await startStub(0);
        const context = {
          stub,
          round,
          samples,
          remarks,
          otherResponses,
          foreignShares,
          report,
        };
        const { url: postgresUrl } = await createSchema(postgres.url);
        await measureApplications(context, cores, join(folder, `${round}a`), postgresUrl);
        await measureUploads(context, cores, join(folder, `${round}b`), files);
        await stub.stop();
        probes.push(probeMachine(folder));
      }
    });
  } finally {
    await postgres.stop();
    if (cores) pinThisProcess(`${cores.measured},${cores.load}`);
  }
  return {
    rounds,
    samples,
    noise: judgeNoise(probes, foreignShares),
    remarks: [...remarks, ...[...otherResponses].map(([key, count]) => `${key}: ${count}.`)],
  };
}

/** Starts the peers and the BFF. Measures the start and the idle memory of each. */
async function startSubjects(
  { stub, round, samples }: Context,
  cores: Cores | undefined,
  path: string,
  postgresUrl?: string,
): Promise<readonly Subject[]> {
  const startBffOn = (databaseUrl: string) =>
    startBff({ stub, databaseUrl, cores, logFile: `${path}.log` });
  const starts: readonly [string, boolean, () => Promise<Running>][] = [
    ['Hono proxy', false, () => startPeer('hono-proxy', stub, cores)],
    ['BFF', true, () => startBffOn(`file:${path}.db`)],
    ['Fastify proxy', false, () => startPeer('fastify-proxy', stub, cores)],
  ];
  const subjects: Subject[] = [];
  for (const [name, isBff, startOne] of starts) {
    const measured = await startOne();
    subjects.push({ ...measured, name, isBff });
    if (!postgresUrl) continue;
    samples.add('start', name, { round, value: measured.startMs, isQuiet: true });
    await sleep(idleMs);
    const idle = readResidentBytes(measured.processId) / megabyte;
    samples.add('idle', name, { round, value: idle, isQuiet: true });
  }
  if (postgresUrl) {
    const running = await startBffOn(postgresUrl);
    subjects.push({ ...running, name: 'BFF on PostgreSQL', isBff: true });
  }
  return subjects;
}

async function measureApplications(
  context: Context,
  cores: Cores | undefined,
  path: string,
  postgresUrl: string,
): Promise<void> {
  const { stub } = context;
  const subjects = await startSubjects(context, cores, path, postgresUrl);
  for (const subject of subjects) await warmUp(subject);
  const cells = [
    { connections: 1, delayMs: 0 },
    { connections: 16, delayMs: 0 },
    { connections: 16, delayMs: 50 },
    { connections: 64, delayMs: 50 },
  ] as const;
  for (const { connections, delayMs } of cells) {
    await stub.ask({ delayMs });
    for (const subject of subjects) await measureLeads(context, subject, connections, delayMs);
  }
  await stub.ask({ delayMs: 0 });
  for (const subject of subjects) await measurePolls(context, subject);
  for (const subject of subjects) await subject.stop();
}

async function warmUp(subject: Subject): Promise<void> {
  const connections = 16;
  const client = createClient(subject.url, connections);
  await runLoad({
    connections,
    next: () => (subject.isBff ? apply(client) : submitLead(client)),
    warmUpMs: 0,
    durationMs: compileMs,
    snapshot: () => Promise.resolve(),
  });
  await client.close();
}

/** The BFF is measured twice: with the start of the session as a part of each application, and with sessions from before. */
async function measureLeads(
  context: Context,
  subject: Subject,
  connections: number,
  delayMs: number,
): Promise<void> {
  const client = createClient(subject.url, connections);
  const keys = [`${connections}-${delayMs}`, connections, subject] as const;
  if (!subject.isBff) {
    await measureLoad(context, ...keys, subject.name, () => submitLead(client));
  } else {
    const withSession = `${subject.name}, session included`;
    const perSecond = await measureLoad(context, ...keys, withSession, () => apply(client));
    // Enough sessions for three times the rate: the application alone is faster.
    const seconds = (warmUpMs + durationMs) / 1000;
    const sessions = await startSessions(client, Math.ceil(perSecond * 3 * seconds) + 50);
    await measureLoad(context, ...keys, subject.name, () => {
      const session = sessions.pop();
      return session && submit(client, session);
    });
    if (sessions.length === 0) {
      context.remarks.add(`${subject.name}: the prepared sessions ran out at ${keys[0]}.`);
    }
  }
  await client.close();
}

/** Returns the applications that the stub accepted a second. */
async function measureLoad(
  context: Context,
  cell: string,
  connections: number,
  subject: Subject,
  name: string,
  next: () => Promise<Response> | undefined,
): Promise<number> {
  const { stub, samples, round } = context;
  const watch = createWatch(context, subject);
  const before = (await stub.ask()).leads;
  const result = await runLoad({
    connections,
    next,
    warmUpMs,
    durationMs,
    snapshot: watch.snapshot,
  });
  const { delta, isQuiet } = watch.finish(`${name} at ${cell}`);
  const perSecond = delta.leads / delta.seconds;
  const add = (figure: string, value: number) =>
    samples.add(`${figure}-${cell}`, name, { round, value, isQuiet });
  add('delivered', perSecond);
  add('p50', result.p50Ms);
  add('cpu', (delta.cpuSeconds / delta.leads) * 1000);
  for (const [status, count] of result.statuses) {
    if (status === 200 || status === 201) continue;
    const meaning = status === 202 ? ' (received, delivered later)' : '';
    const key = `${name} at ${cell}, responses ${status}${meaning}`;
    context.otherResponses.set(key, (context.otherResponses.get(key) ?? 0) + count);
  }
  // The next measurement begins after the last delivery of this one.
  await waitFor(async () => (await stub.ask()).leads - before >= result.answered);
  return perSecond;
}

async function measurePolls(context: Context, subject: Subject): Promise<void> {
  const { samples, round } = context;
  const connections = 16;
  const client = createClient(subject.url, connections);
  const polls: (() => Promise<Response>)[] = [];
  while (polls.length < connections) {
    if (subject.isBff) {
      const session = await startSession(client);
      await submit(client, session);
      await waitFor(async () => (await pollOffers(client, session)).status === 200);
      polls.push(() => pollOffers(client, session));
    } else {
      const { text } = await submitLead(client);
      const { ApplicationID: id } = JSON.parse(text) as { readonly ApplicationID: string };
      polls.push(() => pollOffersOfLead(client, id));
    }
  }
  const watch = createWatch(context, subject);
  const { statuses, seconds } = await runLoad({
    connections,
    next: (worker) => polls[worker]?.(),
    warmUpMs,
    durationMs,
    snapshot: watch.snapshot,
  });
  const { isQuiet } = watch.finish(`${subject.name}, polls`);
  const value = (statuses.get(200) ?? 0) / seconds;
  samples.add('polls', subject.name, { round, value, isQuiet });
  await client.close();
}

interface Uploads {
  readonly file: Buffer;
  /** The same file as the JSON of Upload File. */
  readonly json: Buffer;
}

async function createUploads(): Promise<Uploads> {
  const file = await readFile((await getLargePdf(fileBytes)).path);
  const fields = { name: 'statement', ext: 'pdf', category: 'Bank Statements - Jan' };
  const body = { leadId: 'a0B000000000000001', file: { ...fields, file: file.toString('base64') } };
  return { file, json: Buffer.from(JSON.stringify(body)) };
}

async function measureUploads(
  context: Context,
  cores: Cores | undefined,
  path: string,
  files: Uploads,
): Promise<void> {
  const subjects = await startSubjects(context, cores, path);
  for (const subject of subjects) await measureUploadRate(context, subject, files);
  for (const subject of subjects) await measureUploadPeak(context, subject, files);
  for (const subject of subjects) await subject.stop();
}

async function measureUploadRate(
  context: Context,
  subject: Subject,
  files: Uploads,
): Promise<void> {
  const { samples, round } = context;
  // The first uploads load and compile code, and start all processes that inspect.
  await uploadAll(context, subject, files, 5, 1);
  const watch = createWatch(context, subject);
  await watch.snapshot();
  await uploadAll(context, subject, files, 5, wavesOfFive);
  await watch.snapshot();
  const { delta, isQuiet } = watch.finish(`${subject.name}, uploads`);
  const bytes = delta.documents * fileBytes;
  const rate = bytes / megabyte / delta.seconds;
  samples.add('upload-rate', subject.name, { round, value: rate, isQuiet });
  const cpu = delta.cpuSeconds / (bytes / 1e9);
  samples.add('upload-cpu', subject.name, { round, value: cpu, isQuiet });
}

async function measureUploadPeak(
  context: Context,
  subject: Subject,
  files: Uploads,
): Promise<void> {
  const { samples, round } = context;
  resetPeak(subject.processId);
  const watched = watchChildMemory(subject.processId);
  await uploadAll(context, subject, files, manyUploads, 1);
  watched.stop();
  const add = (figure: string, bytes: number) =>
    samples.add(figure, subject.name, { round, value: bytes / megabyte, isQuiet: true });
  add('upload-peak', readPeakBytes(subject.processId));
  if (subject.isBff) add('inspection-peak', watched.readPeakBytes());
}

/** Each applicant sends one file after another. Resolves when the stub has all of them. */
async function uploadAll(
  { stub, remarks }: Context,
  subject: Subject,
  { file, json }: Uploads,
  applicants: number,
  filesEach: number,
): Promise<void> {
  const client = createClient(subject.url, applicants);
  const before = (await stub.ask()).documents;
  const expected = applicants * filesEach;
  const sessions: Session[] = subject.isBff ? await startAcceptedSessions(client, applicants) : [];
  const send = async (worker: number, index: number): Promise<void> => {
    const session = sessions[worker];
    const content = () =>
      // The BFF stores the same file of one application once, so each has another name.
      session
        ? upload(client, session, `statement-${index}.pdf`, file)
        : uploadToLead(client, json);
    for (;;) {
      const { status, text } = await content();
      if (status < 300) return;
      if (!statusRefusedForNow.has(status)) throw new Error(`An upload got ${status}: ${text}`);
      remarks.add(`${subject.name}: uploads were refused for now (${status}) and repeated.`);
      await sleep(200);
    }
  };
  await Promise.all(
    Array.from({ length: applicants }, async (_, worker) => {
      for (let index = 0; index < filesEach; index += 1) await send(worker, index);
    }),
  );
  await waitFor(async () => (await stub.ask()).documents - before >= expected);
  await client.close();
}

async function startAcceptedSessions(
  client: ReturnType<typeof createClient>,
  count: number,
): Promise<Session[]> {
  const sessions = await startSessions(client, count);
  for (const session of sessions) {
    await submit(client, session);
    await waitFor(async () => (await pollOffers(client, session)).status === 200);
  }
  return sessions;
}

interface Snapshot {
  readonly at: number;
  readonly leads: number;
  readonly documents: number;
  readonly cpuSeconds: number;
  /** Of this process and the stub. */
  readonly loadSeconds: number;
}

/** Reads the counters at the start and at the end of a measurement. */
function createWatch({ stub, foreignShares, remarks, report }: Context, subject: Subject) {
  const snapshots: Snapshot[] = [];
  let readForeignUse: (() => number) | undefined;
  let foreignShare = 0;
  return {
    async snapshot(): Promise<void> {
      const { leads, documents, cpuMicroseconds } = await stub.ask();
      const { user, system } = process.cpuUsage();
      snapshots.push({
        at: performance.now(),
        leads,
        documents,
        cpuSeconds: readCpuSeconds(subject.processId),
        loadSeconds: (user + system + cpuMicroseconds) / 1e6,
      });
      if (readForeignUse) foreignShare = readForeignUse();
      readForeignUse = watchForeignUse();
    },
    finish(name: string) {
      const [first, last] = snapshots;
      if (!first || !last) throw new Error('A measurement needs two snapshots');
      const seconds = (last.at - first.at) / 1000;
      const loadShare = (last.loadSeconds - first.loadSeconds) / seconds;
      if (loadShare > 0.8) {
        remarks.add(
          `${name}: the load and the stub used more than 80% of their processor, so the figure is a lower limit.`,
        );
      }
      report(
        `  ${name}: ${seconds.toFixed(1)} s, load ${loadShare.toFixed(2)}, others ${foreignShare.toFixed(2)}`,
      );
      foreignShares.push(foreignShare);
      return {
        isQuiet: foreignShare <= maxForeignShare,
        delta: {
          seconds,
          leads: last.leads - first.leads,
          documents: last.documents - first.documents,
          cpuSeconds: last.cpuSeconds - first.cpuSeconds,
        },
      };
    },
  };
}

async function waitFor(isReached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + drainTimeoutMs;
  while (!(await isReached())) {
    if (Date.now() > deadline) throw new Error(`Not reached after ${drainTimeoutMs / 1000} s`);
    await sleep(10);
  }
}
