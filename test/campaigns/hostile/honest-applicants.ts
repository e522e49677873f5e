// Applicants who use the BFF over real connections, each from its own address. Records the duration of every request.

import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../../bench/goals.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createApplicant, type Applicant } from '../faults/applicant.ts';
import { createHistory, type ClientCall, type History } from '../faults/history.ts';
import { createBrowser, createHttpSender, createKey, type Send } from '../../support/applicant.ts';

export interface Timing {
  /** For example `POST /v1/application`. */
  readonly request: string;
  readonly ms: number;
  /** Absent if no response arrived. */
  readonly status: number | undefined;
}

export interface Visitor {
  readonly applicant: Applicant;
  readonly address: string;
  /** Requests the configuration. Resolves to false if the request fails. */
  readonly configure: () => Promise<boolean>;
  /** The `Cookie` header of the latest request with one. */
  readonly cookie: () => string;
}

export interface HonestApplicants {
  readonly history: History;
  readonly timings: readonly Timing[];
  /** @param address Default: an unused address. */
  open(name: string, address?: string): Visitor;
  close(): Promise<void>;
}

/** Large files wait for the disk and for the funding service. */
const timeoutMs = 30_000;
const firstAddress = 0xc6_12_00_01;

/** Requires a BFF that trusts `X-Forwarded-For` from the loopback address. */
export function createHonestApplicants(bffUrl: string): HonestApplicants {
  const sender = createHttpSender([bffUrl], timeoutMs);
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
        const record = (status?: number) => {
          const ms = performance.now() - startedAt;
          timings.push({ request: `${request.method} ${request.path}`, ms, status });
        };
        try {
          const answer = await sender.send({ ...request, headers: all });
          record(answer.status);
          return answer;
        } catch (error) {
          record();
          throw error;
        }
      };
      return {
        applicant: createApplicant({ name, send, history }),
        address,
        cookie: () => cookie,
        async configure() {
          const browser = createBrowser({ send });
          const answer = await browser.send('GET', apiPaths.configuration).catch(() => undefined);
          return answer?.status === 200;
        },
      };
    },
    close: () => sender.close(),
  };
}

/** Returns the quantile of the durations in milliseconds, or undefined for an empty list. */
export function toPercentile(timings: readonly Timing[], part: number): number | undefined {
  const sorted = timings.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted.length === 0 ? undefined : Math.round(quantile(sorted, part));
}

/** Runs all steps from the configuration to the first status. Resolves to the failed step, or undefined on success. */
export async function completeApplication(visitor: Visitor): Promise<string | undefined> {
  const { applicant } = visitor;
  const key = createKey();
  if (!(await retryWhile((isLoaded) => !isLoaded, visitor.configure))) return 'configuration';
  if (!(await retryWhile((hasBegun) => !hasBegun, applicant.begin))) return 'session';
  const steps = [() => applicant.submit(key), () => applicant.upload(1), () => applicant.poll()];
  for (const step of steps) {
    const call = await retryWhile(isTemporary, step);
    if (call.outcome !== 'ok') return describe(call);
  }
  return undefined;
}

const retryDelayMs = 2_000;
const maxRetries = 6;

/** Repeats a step as the element or its user does while the BFF has no capacity. */
async function retryWhile<Answer>(
  shouldRetry: (answer: Answer) => boolean,
  act: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await act();
  for (let tries = 0; tries < maxRetries && shouldRetry(answer); tries += 1) {
    await sleep(retryDelayMs);
    answer = await act();
  }
  return answer;
}

/** A request without a response can be repeated with the same idempotency key, but an upload has no key. */
function isTemporary({ responseStatus, outcome, action }: ClientCall): boolean {
  const isLost = outcome === 'info' && responseStatus === undefined && action !== 'upload';
  return isLost || responseStatus === 'too-busy' || responseStatus === 'too-many-requests';
}

function describe({ action, status, responseStatus }: ClientCall): string {
  return `${action}: ${status ?? 'no answer'} ${responseStatus ?? ''}`;
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
