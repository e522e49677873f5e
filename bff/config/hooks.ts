// The partner's own module (`BFF_HOOKS`): what it may export, and what keeps it from being used.

import type { Reader } from './environment-reader.ts';
import type { EnrichLead } from '../funding-service/lead.ts';
import type { Challenge } from '../middleware/bot-challenge.ts';

/** The exports of the module; at least one of them. */
export interface Hooks {
  /** Adds what only the partner knows to a lead. */
  readonly enrichLead?: EnrichLead;
  /** A provider that CHALLENGE_PROVIDER does not know. */
  readonly challenge?: Challenge;
}

/** Loads a module by its path; rejects with what the module threw. */
export type ImportModule = (path: string) => Promise<object>;

const name = 'BFF_HOOKS';
const isOfItsKind: Readonly<Record<keyof Hooks, (value: unknown) => boolean>> = {
  enrichLead: (value) => typeof value === 'function',
  challenge: isChallenge,
};
const known = 'Export enrichLead (a function), challenge (provider, siteKey, verify), or both.';

/** None without the variable, and, with a problem, where it cannot be used. */
export async function readHooks(reader: Reader, importModule: ImportModule): Promise<Hooks> {
  const path = reader.optional(name);
  if (path === undefined) return {};
  let hooks: object;
  try {
    hooks = await importModule(path);
  } catch (error) {
    // Its message is the partner's own, and may hold a secret.
    reader.problem(name, `names a module that cannot be loaded (${toKind(error)})`, tryIt);
    return {};
  }
  const exported = Object.entries(hooks);
  if (exported.length === 0) reader.problem(name, 'names a module that exports nothing', known);
  for (const [hook, value] of exported) {
    if (!isHook(hook)) reader.problem(name, `exports ${hook}, which is no hook`, known);
    else if (!isOfItsKind[hook](value)) reader.problem(name, `exports an unusable ${hook}`, known);
  }
  if ('challenge' in hooks && reader.optional('CHALLENGE_PROVIDER') !== undefined) {
    reader.problem(name, 'exports challenge beside CHALLENGE_PROVIDER', 'Keep one of them.');
  }
  // Each export has been looked at above; with a problem nothing starts.
  return hooks;
}

const tryIt = 'Load it with node alone to see why.';

function isHook(hook: string): hook is keyof Hooks {
  return Object.hasOwn(isOfItsKind, hook);
}

function isChallenge(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'provider' in value &&
    typeof value.provider === 'string' &&
    'siteKey' in value &&
    typeof value.siteKey === 'string' &&
    'verify' in value &&
    typeof value.verify === 'function'
  );
}

function toKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
