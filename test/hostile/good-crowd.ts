// Applicants who go the whole way over real connections, each from an address of their own; how long every request took is written down.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../bench/load.ts';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createApplicant, pageOrigin, type Applicant, type Send } from '../faults/applicant.ts';
import { createHistory, type ClientCall, type History } from '../faults/history.ts';
import { createHttpSender } from '../faults/send-over-http.ts';

export interface Timing {
  /** `POST /v1/application`. */
  readonly request: string;
  readonly ms: number;
  /** None when no answer came. */
  readonly status: number | undefined;
}

export interface Visitor {
  readonly applicant: Applicant;
  readonly address: string;
  /** What a page asks for first. */
  readonly configure: () => Promise<boolean>;
  /** As the browser holds it. */
  readonly cookie: () => string;
}

export interface GoodCrowd {
  readonly history: History;
  readonly timings: readonly Timing[];
  /** @param address default one that nobody else has. */
  open(name: string, address?: string): Visitor;
  close(): Promise<void>;
}

/** Where a large file waits for its turn at the disk and at the service. */
const timeoutMs = 30_000;
const firstAddress = 0xc6_12_00_01;
const headers = { origin: pageOrigin, 'sec-fetch-site': 'same-site', [apiHeaders.request]: '1' };

/** The BFF has to take `X-Forwarded-For` from this machine. */
export function createGoodCrowd(bffUrl: string): GoodCrowd {
  const sender = createHttpSender(() => [bffUrl], timeoutMs);
  const history = createHistory();
  const timings: Timing[] = [];
  let visitors = 0;

  return {
    history,
    timings,
    open(name, address = toAddress(firstAddress + visitors)) {
      visitors += 1;
      let cookie = '';
      const send: Send = async (request) => {
        const startedAt = performance.now();
        cookie = request.headers['cookie'] ?? cookie;
        const all = { ...request.headers, 'x-forwarded-for': address };
        const note = (status?: number) => {
          const ms = performance.now() - startedAt;
          timings.push({ request: `${request.method} ${request.path}`, ms, status });
        };
        try {
          const answer = await sender.send({ ...request, headers: all });
          note(answer.status);
          return answer;
        } catch (error) {
          note();
          throw error;
        }
      };
      return {
        applicant: createApplicant({ name, send, history }),
        address,
        cookie: () => cookie,
        async configure() {
          const request = { method: 'GET', path: apiPaths.configuration, headers } as const;
          const answer = await send({ ...request, body: undefined }).catch(() => undefined);
          return answer?.status === 200;
        },
      };
    },
    close: () => sender.close(),
  };
}

/** Of `ms` in ascending order; `undefined` where there are none. */
export function toPercentile(timings: readonly Timing[], part: number): number | undefined {
  const sorted = timings.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted.length === 0 ? undefined : Math.round(quantile(sorted, part));
}

/** From the first look at the form to a status; `undefined` when all of it worked, else where it ended. */
export async function travel(visitor: Visitor): Promise<string | undefined> {
  const { applicant } = visitor;
  const key = randomUUID();
  if (!(await insist(visitor.configure, (isThere) => !isThere))) return 'configuration';
  if (!(await insist(applicant.begin, (hasBegun) => !hasBegun))) return 'session';
  const steps = [() => applicant.submit(key), () => applicant.upload(1), () => applicant.poll()];
  for (const step of steps) {
    const call = await insist(step, isTurnedAway);
    if (call.outcome !== 'ok') return describe(call);
  }
  return undefined;
}

const pauseMs = 2_000;
const patience = 6;

/** As the widget does by itself, or people do who are asked to: again, a few times, when there was no room. */
async function insist<Answer>(
  act: () => Promise<Answer>,
  isToBeRepeated: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await act();
  for (let tries = 0; tries < patience && isToBeRepeated(answer); tries += 1) {
    await sleep(pauseMs);
    answer = await act();
  }
  return answer;
}

/** A request that got no answer is the same under its key; a file is not sent twice. */
function isTurnedAway({ responseStatus, outcome, action }: ClientCall): boolean {
  const isLost = outcome === 'info' && responseStatus === undefined && action !== 'upload';
  return isLost || responseStatus === 'too-busy' || responseStatus === 'too-many-requests';
}

function describe({ action, status, responseStatus }: ClientCall): string {
  return `${action}: ${status ?? 'no answer'} ${responseStatus ?? ''}`;
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
