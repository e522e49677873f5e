// Who may log in, and how long nobody may after a refusal: accounts lock after a few wrong passwords, however many processes try.

import type { GrantResult } from './grant.ts';

/** Pauses after one, two, and three or more refusals in a row, which makes three in any fifteen minutes at the most. */
const refusedPausesMs = [60_000, 5 * 60_000, 15 * 60_000] as const;
const longestPauseMs = 15 * 60_000;
const throttledPauseMs = 60_000;
/** A login is given up after 10 s (`grant.ts`); whoever has not ended one by now has died in the middle of it. */
const turnMs = 15_000;

/** `taken`: somebody is logging in. */
export const loginStateKinds = ['taken', 'refused', 'throttled'] as const;

/** What is kept about the logins with one set of credentials; nothing while they work. */
export interface LoginState {
  /** Logins in a row that were refused, or of which nobody knows how they ended. */
  readonly refusals: number;
  readonly kind: (typeof loginStateKinds)[number];
  /** Epoch milliseconds before which nobody else logs in. */
  readonly until: number;
}

/** What to keep from now on, and what to answer. It may be made again, so it does nothing else. */
export type LoginChange<Answer> = (
  state: LoginState | undefined,
  now: number,
) => { readonly state: LoginState | undefined; readonly answer: Answer };

/** Keeps the state of logins for all who share it. */
export interface LoginStore {
  /**
   * Changes what is kept about these credentials in one step, in which no other change can be. `now` is the store's own clock,
   * in epoch milliseconds.
   */
  changeLogin<Answer>(credentials: string, change: LoginChange<Answer>): Promise<Answer>;
}

/** How long nobody logs in, and why. */
export interface LoginPause {
  readonly kind: 'refused' | 'throttled';
  readonly forMs: number;
}

export type LoginTurn =
  /** Nobody else logs in until `end`; `number` counts the logins since the last one that worked. */
  | { readonly kind: 'mine'; readonly number: number }
  | { readonly kind: 'taken' }
  | { readonly kind: 'paused'; readonly pause: LoginPause };

export interface LoginPauses {
  /** To be asked before each login. */
  begin(): Promise<LoginTurn>;
  /** How the login of that number ended; answers with the pause that follows, if any. */
  end(number: number, result: GrantResult): Promise<LoginPause | undefined>;
}

/** @param credentials names them without telling them. */
export function createLoginPauses(store: LoginStore, credentials: string): LoginPauses {
  return {
    begin: () => store.changeLogin(credentials, beginTurn),
    end: (number, result) =>
      store.changeLogin(credentials, (state, now) => endTurn(state, now, number, result)),
  };
}

/** For one process, until it ends. @param clock epoch milliseconds. */
export function createOwnLoginStore(clock: () => number): LoginStore {
  const states = new Map<string, LoginState>();
  return {
    async changeLogin(credentials, change) {
      const { state, answer } = change(states.get(credentials), clock());
      if (state) states.set(credentials, state);
      else states.delete(credentials);
      return answer;
    },
  };
}

/** 1 → one minute, 2 → five, 3 and more → fifteen. */
export function toRefusedPauseMs(refusals: number): number {
  return refusedPausesMs[refusals - 1] ?? longestPauseMs;
}

/** Counts the login as refused before it is tried: should we die in the middle of it, the next one has to assume so. */
function beginTurn(
  kept: LoginState | undefined,
  now: number,
): { readonly state: LoginState; readonly answer: LoginTurn } {
  const state = kept && endOverdue(kept, now);
  if (state && isAhead(state, now)) return { state, answer: toTurn(state, now) };
  const refusals = (state?.refusals ?? 0) + 1;
  return {
    state: { refusals, kind: 'taken', until: now + turnMs },
    answer: { kind: 'mine', number: refusals },
  };
}

/** A login that nobody ended was refused. Not a first one: a process that is killed while it logs in has most likely been told nothing. */
function endOverdue(state: LoginState, now: number): LoginState {
  if (state.kind !== 'taken' || state.refusals === 1 || isAhead(state, now)) return state;
  const until = state.until - turnMs + toRefusedPauseMs(state.refusals);
  return { ...state, kind: 'refused', until };
}

function endTurn(
  state: LoginState | undefined,
  now: number,
  number: number,
  result: GrantResult,
): { readonly state: LoginState | undefined; readonly answer: LoginPause | undefined } {
  if (result.kind === 'granted') return { state: undefined, answer: undefined };
  const pause = toPause(number, result);
  // Its turn was over, and somebody else's has begun: that one knows more.
  if (state && state.refusals > number) return { state, answer: pause };
  const next = {
    refusals: result.kind === 'refused' ? number : number - 1,
    kind: pause?.kind ?? 'refused',
    until: now + (pause?.forMs ?? 0),
  };
  return { state: next.refusals > 0 || pause ? next : undefined, answer: pause };
}

function toPause(number: number, result: GrantResult): LoginPause | undefined {
  if (result.kind === 'refused') return { kind: 'refused', forMs: toRefusedPauseMs(number) };
  if (result.kind !== 'throttled') return undefined;
  const forMs = Math.min(result.retryAfterMs ?? throttledPauseMs, longestPauseMs);
  return { kind: 'throttled', forMs };
}

function toTurn({ kind, until }: LoginState, now: number): LoginTurn {
  return kind === 'taken' ? { kind } : { kind: 'paused', pause: { kind, forMs: until - now } };
}

/** Further ahead than any pause is a time that a clock wrote which has been set back since. */
function isAhead({ until }: LoginState, now: number): boolean {
  return until > now && until - now <= longestPauseMs;
}
