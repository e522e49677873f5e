// Waits where the limits of the BFF say so, and keeps what they refuse all the same from being told as a fault.

import type { ProblemCode } from '../../../shared/api/problems.ts';
import { delay, type StartTimer } from '../../runtime/timers.ts';
import { toProblem } from './browser.ts';
import { hint, type Finding } from './finding.ts';
import type { Arrived, Lost, Visit } from './visit.ts';

/** Most limits count by the minute; a longer wait is one for an hour, which nobody sits through. */
const longestWaitMs = 60_000;
const longestInAllMs = 5 * 60_000;
/** Others may use up the same limits meanwhile. */
const maxTries = 3;

const limitCodes: ReadonlySet<ProblemCode | undefined> = new Set(['too-many-requests', 'too-busy']);

export interface PatienceOptions {
  readonly visit: Visit;
  readonly startTimer: StartTimer;
  /** Before each wait. */
  readonly onWait: (ms: number) => void;
}

export interface Patience {
  /** As the one it was given; what the limits refuse is asked again when `Retry-After` has passed: twice, and five minutes in all. */
  readonly visit: Visit;
  /** A finding as it is; a hint where the limits had the last word in what was asked for it, since the one before. */
  excuse(finding: Finding): Finding;
}

export function createPatience({ visit, startTimer, onWait }: PatienceOptions): Patience {
  let leftMs = longestInAllMs;
  let limit: ProblemCode | undefined;

  return {
    async visit(request) {
      for (let tries = 1; ; tries += 1) {
        const answer = await visit(request);
        const code = toProblem(answer);
        if (!limitCodes.has(code)) return answer;
        const waitMs = toWait(answer);
        if (tries === maxTries || waitMs > Math.min(longestWaitMs, leftMs)) {
          limit = code;
          return answer;
        }
        leftMs -= waitMs;
        onWait(waitMs);
        await delay(waitMs, startTimer);
      }
    },

    excuse(finding) {
      const reached = limit;
      limit = undefined;
      if (reached === undefined || finding.result === 'ok') return finding;
      return hint(
        finding.check,
        `The limits of the BFF are reached (${reached}), so this could not be tried.`,
        'Run it again in a few minutes, with --origin for one page alone.',
      );
    },
  };
}

/** The BFF always says how long, in seconds (RFC 9110, section 10.2.3); without that nobody knows. */
function toWait(answer: Arrived | Lost): number {
  const text = answer.kind === 'arrived' ? answer.headers.get('retry-after') : null;
  return /^\d{1,6}$/.test(text ?? '') ? Number(text) * 1000 : Infinity;
}
