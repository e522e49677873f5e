// The session key is changed while applicants use two processes for a day and more: nobody whose session lives is turned away.

import { randomBytes, randomUUID } from 'node:crypto';
import { sessionTransports } from '../../bff/middleware/session-cookie.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { createSandbox } from '../../sandbox/app.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { createRig, type Answer, type Rig } from '../bff/bff-rig.ts';
import { createManualTime } from '../bff/manual-time.ts';
import { createRandom } from '../support/random.ts';
import { unlimited } from '../support/unlimited.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';

export interface KeyRollResult {
  readonly requests: number;
  readonly filed: number;
  /** Refused though the session lived. */
  readonly loggedOut: number;
  /** Refused because the session was over, by its own time. */
  readonly over: number;
  readonly problems: readonly string[];
}

export interface KeyRollOptions {
  readonly visitors: number;
  /** For each process in turn, the keys it is restarted with; default the two steps and, a day later, the end of the old key. */
  readonly steps?: readonly KeyStep[];
}

interface KeyStep {
  readonly atHour: number;
  /** Of the keys 1 and 2, the one that seals first. */
  readonly keys: readonly (1 | 2)[];
}

interface Visitor {
  readonly client: SessionClient;
  readonly begunAt: number;
  sealedAt: number;
  seal: string;
  reference: string | undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const stepMs = 10 * minuteMs;
const hours = 44;
/** Between the restarts of the two processes. */
const lagHours = 3;
/** In each step: of those who fill the form in, and of those who look again later. */
const activity = { before: 0.4, startTimer: 0.04 } as const;
const idleMs = { cookie: hourMs, handle: hourMs / 2 } as const;
const dayMs = 24 * hourMs;

/** The old key goes a day after the last process has sealed with it. */
export const twoStepRoll: readonly KeyStep[] = [
  { atHour: 0, keys: [1] },
  { atHour: 6, keys: [1, 2] },
  { atHour: 10, keys: [2, 1] },
  { atHour: 37, keys: [2] },
];

export async function rollKeys({
  visitors: count,
  steps = twoStepRoll,
}: KeyRollOptions): Promise<KeyRollResult> {
  const random = createRandom(count);
  const time = createManualTime();
  const store = await openStore('file::memory:', { clock: time.clock });
  const sandbox = createSandbox({ now: time.clock });
  const keys = { 1: randomBytes(32).toString('base64'), 2: randomBytes(32).toString('base64') };
  const tally = { requests: 0, filed: 0, loggedOut: 0, over: 0 };
  const problems: string[] = [];
  const processes: Rig[] = [];
  const visitors: Visitor[] = [];

  /** In the place of the process that ran there before. */
  async function restart(place: number, step: KeyStep): Promise<void> {
    await processes[place]?.delivery.stop();
    const text = step.keys.map((id) => `${id}:${keys[id]}`).join(',');
    processes[place] = await createRig({
      store,
      time,
      sandbox,
      variables: { SESSION_KEYS: text },
      settings: { limits: unlimited },
    });
  }

  /** Whichever process the balancer picks. */
  function pick(): Rig {
    return processes[Math.floor(random() * processes.length)] ?? processes[0]!;
  }

  async function visit(): Promise<void> {
    const transport = sessionTransports[visitors.length % 2] ?? 'cookie';
    const client = createSessionClient(pick(), transport);
    tally.requests += 1;
    await client.begin();
    const now = time.clock();
    visitors.push({
      client,
      begunAt: now,
      sealedAt: now,
      seal: client.seal(),
      reference: undefined,
    });
  }

  async function use(visitor: Visitor): Promise<void> {
    const { client } = visitor;
    client.moveTo(pick());
    const lives = time.clock() < toEnd(visitor);
    const files = visitor.reference === undefined && random() < 0.5;
    const answer = files
      ? await client.apply(randomUUID())
      : await client.send('GET', apiPaths.session);
    tally.requests += 1;
    note(visitor, answer, lives);
    if (client.seal() !== visitor.seal) {
      visitor.seal = client.seal();
      visitor.sealedAt = time.clock();
    }
  }

  function note(visitor: Visitor, answer: Answer, lives: boolean): void {
    if (answer.status === 401) {
      tally[lives ? 'loggedOut' : 'over'] += 1;
      // A real one would begin anew.
      visitors.splice(visitors.indexOf(visitor), 1);
      return;
    }
    if (answer.status >= 300) problems.push(`${answer.status} ${answer.json?.code}`);
    if (!lives) problems.push('a session lived on past its end');
    const reference = answer.json?.reference ?? answer.json?.application?.reference;
    if (reference !== visitor.reference && visitor.reference !== undefined) {
      problems.push('an application was lost');
    }
    if (visitor.reference === undefined && reference !== undefined) tally.filed += 1;
    visitor.reference = reference;
  }

  const [first, ...later] = steps;
  if (first) for (const place of [0, 1]) await restart(place, first);
  for (let at = 0; at < hours * hourMs; at += stepMs) {
    for (const step of later) {
      if (at === step.atHour * hourMs) await restart(0, step);
      if (at === (step.atHour + lagHours) * hourMs) await restart(1, step);
    }
    while (visitors.length < count) await visit();
    const active = visitors.filter(
      ({ reference }) =>
        random() < (reference === undefined ? activity.before : activity.startTimer),
    );
    await Promise.all(active.map(use));
    time.advance(stepMs);
  }
  await store.close();
  return { ...tally, problems };
}

/** Reckoned from what the browser was told alone. */
function toEnd({ client, begunAt, sealedAt, reference }: Visitor): number {
  const latest = begunAt + dayMs;
  if (reference !== undefined) return latest;
  return Math.min(latest, sealedAt + idleMs[client.transport]);
}
