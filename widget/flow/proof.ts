// What goes with an application to show that a person sends it: an empty honeypot, and the token of a solved challenge.

import type { Configuration } from '../../shared/api/configuration.ts';
import { warnDeveloper } from '../app/warn-developer.ts';
import type { SubmissionProof } from '../api/funding-api.ts';
import { honeypotPath, type Draft } from '../app/draft.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import type { SolveChallenge } from '../types.ts';
import type { FlowProblem } from './state.ts';

export interface ProofOptions {
  readonly polling: Pick<PollingEnvironment, 'setTimeout' | 'clearTimeout'>;
  /** `undefined` when the host page has none. */
  readonly findChallengeSolver: () => SolveChallenge | undefined;
}

export type ProofResult = { readonly proof: SubmissionProof } | { readonly problem: FlowProblem };

/** Somebody who solves pictures may take a while; a page whose challenge never ends must not keep them for ever. */
const longestSolvingMs = 3 * 60_000;

export async function createProof(
  draft: Draft,
  { challenge }: Configuration,
  { polling, findChallengeSolver }: ProofOptions,
): Promise<ProofResult> {
  const isHoneypotFilled = (draft[honeypotPath] ?? '') !== '';
  if (!challenge) return { proof: { isHoneypotFilled } };
  const solve = findChallengeSolver();
  if (!solve) return { problem: 'challenge-not-offered' };
  const challengeToken = await solveInTime(() => solve(challenge.siteKey), polling);
  if (challengeToken === '') return { problem: 'challenge-required' };
  return { proof: { isHoneypotFilled, challengeToken } };
}

/** Empty when it was not solved, in whichever way. */
function solveInTime(
  solve: () => Promise<string>,
  polling: ProofOptions['polling'],
): Promise<string> {
  return new Promise((resolve) => {
    const end = (token: string) => {
      polling.clearTimeout(timer);
      resolve(token);
    };
    const fail = () => {
      warnDeveloper('"challenge" failed. Resolve to the token, or to "" if it was not solved.');
      end('');
    };
    const timer = polling.setTimeout(fail, longestSolvingMs);
    Promise.resolve()
      .then(solve)
      // A host page without types may return anything.
      .then((token: unknown) => (typeof token === 'string' ? end(token) : fail()), fail);
  });
}
