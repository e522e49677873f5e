// Changes the session key while applicants use two processes. No active session may be refused.

import { randomBytes, randomUUID } from 'node:crypto';
import { sessionTransports } from '../../../bff/middleware/session.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import type { Answer } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { createRandom } from '../../support/random.ts';
import { above, type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';

interface KeyStep {
  readonly atHour: number;
  /** The first key seals. */
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
/** After the last restart: longer than an idle session lasts. */
const hoursAfter = (4 * sessionLifetime.idleSeconds.cookie) / 3600;
/** Between the restarts of the two processes. */
const lagHours = 3;
/** Share of active visitors in each step, before and after they submit. */
const activity = { before: 0.4, after: 0.04 } as const;

/** @param waitHours time between the last seal with the old key and the removal of the old key. */
export function createTwoStepRoll(waitHours: number): readonly KeyStep[] {
  return [
    { atHour: 0, keys: [1] },
    { atHour: 6, keys: [1, 2] },
    { atHour: 10, keys: [2, 1] },
    { atHour: 10 + lagHours + waitHours, keys: [2] },
  ];
}

/** No active session may be refused. */
export async function runKeyRoll({ share }: CampaignContext): Promise<CampaignRow> {
  const { requests, filed, loggedOut, over, problems } = await rollKeys(scale(1_000, share));
  return {
    runs: requests,
    unit: 'requests',
    notes: `two processes, ${filed} applications, ${over} requests after expiry`,
    problems: [
      ...problems,
      ...above(loggedOut, 0, 'were logged out'),
      ...(filed === 0 ? ['nobody applied'] : []),
    ],
  };
}

/** @param steps default: a change in two steps that waits for the maximum lifetime of a session. */
export async function rollKeys(
  count: number,
  steps: readonly KeyStep[] = createTwoStepRoll(sessionLifetime.maxSeconds / 3600),
) {
  const random = createRandom(count);
  const time = createManualTime();
  const store = await openStore('file::memory:', { clock: time.clock });
  const sandbox = createSandbox({ now: time.clock });
  const keys = { 1: randomBytes(32).toString('base64'), 2: randomBytes(32).toString('base64') };
  const tally = { requests: 0, filed: 0, loggedOut: 0, over: 0 };
  const problems: string[] = [];
  const processes: TestBff[] = [];
  const visitors: Visitor[] = [];

  /** Replaces the process at this place. */
  async function restart(place: number, step: KeyStep): Promise<void> {
    await processes[place]?.delivery.stop();
    const text = step.keys.map((id) => `${id}:${keys[id]}`).join(',');
    processes[place] = await startBff({
      store,
      time,
      sandbox,
      variables: { SESSION_KEYS: text },
    });
  }

  /** The process that the load balancer chooses. */
  function chooseProcess(): TestBff {
    return processes[Math.floor(random() * processes.length)] ?? processes[0]!;
  }

  async function visit(): Promise<void> {
    const transport = sessionTransports[visitors.length % 2] ?? 'cookie';
    const client = createSessionClient(chooseProcess(), transport);
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
    client.moveTo(chooseProcess());
    const isActive = time.clock() < toEnd(visitor);
    const files = visitor.reference === undefined && random() < 0.5;
    const answer = files
      ? await client.apply(randomUUID())
      : await client.send('GET', apiPaths.session);
    tally.requests += 1;
    note(visitor, answer, isActive);
    if (client.seal() !== visitor.seal) {
      visitor.seal = client.seal();
      visitor.sealedAt = time.clock();
    }
  }

  function note(visitor: Visitor, answer: Answer, isActive: boolean): void {
    if (answer.status === 401) {
      tally[isActive ? 'loggedOut' : 'over'] += 1;
      // A real visitor would start a new session.
      visitors.splice(visitors.indexOf(visitor), 1);
      return;
    }
    if (answer.status >= 300) problems.push(`${answer.status} ${answer.json?.code}`);
    if (!isActive) problems.push('a session was accepted after its end');
    const reference = answer.json?.reference ?? answer.json?.application?.reference;
    if (reference !== visitor.reference && visitor.reference !== undefined) {
      problems.push('an application was lost');
    }
    if (visitor.reference === undefined && reference !== undefined) tally.filed += 1;
    visitor.reference = reference;
  }

  const [first, ...later] = steps;
  const hours = (steps.at(-1)?.atHour ?? 0) + lagHours + hoursAfter;
  if (first) for (const place of [0, 1]) await restart(place, first);
  for (let at = 0; at < hours * hourMs; at += stepMs) {
    for (const step of later) {
      if (at === step.atHour * hourMs) await restart(0, step);
      if (at === (step.atHour + lagHours) * hourMs) await restart(1, step);
    }
    while (visitors.length < count) await visit();
    const active = visitors.filter(
      ({ reference }) => random() < (reference === undefined ? activity.before : activity.after),
    );
    await Promise.all(active.map(use));
    time.advance(stepMs);
  }
  await store.close();
  return { ...tally, problems };
}

/** Computed only from the responses that the browser received. */
function toEnd({ client, begunAt, sealedAt, reference }: Visitor): number {
  const latest = begunAt + sessionLifetime.maxSeconds * 1000;
  if (reference !== undefined) return latest;
  return Math.min(latest, sealedAt + sessionLifetime.idleSeconds[client.transport] * 1000);
}
