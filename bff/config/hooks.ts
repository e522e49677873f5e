// The module that a partner adds to the BFF (`BFF_HOOKS`): the types of its exports, and the checks before it is used.

import type { Application } from '../../shared/application/application.ts';
import type { Lead } from '../../shared/funding-service/lead.ts';
import type { Reader } from './environment-reader.ts';

/** The lead fields that `enrichLead` may set. Neither the applicant nor the host page can set them. */
export const partnerFields = [
  'CampaignID',
  'OutcomeID',
  'IndustryNaics',
  'BusinessTypeByIndustry',
  'NumberOfOffers',
  'Files',
] as const satisfies readonly (keyof Lead)[];

export type PartnerFields = Partial<Pick<Lead, (typeof partnerFields)[number]>>;

/**
 * Adds fields that only the partner knows to a lead. `application` is a copy. `signal` is aborted when the BFF stops
 * waiting, after three seconds; the lead is then sent without these fields.
 */
export type EnrichLead = (
  application: Application,
  signal: AbortSignal,
) => PartnerFields | Promise<PartnerFields>;

/** The applicant has to solve the challenge again. */
export const challengeRefusals = ['token-missing', 'token-refused', 'other-host'] as const;
/** The token could not be checked, which an operator has to fix. `secret-refused`: CHALLENGE_SECRET or CHALLENGE_SITE_KEY is wrong. */
export const challengeFailures = ['unreachable', 'answer-unreadable', 'secret-refused'] as const;

export type ChallengeRefusal = (typeof challengeRefusals)[number];
export type ChallengeFailure = (typeof challengeFailures)[number];
export type ChallengeVerdict = 'passed' | ChallengeRefusal | ChallengeFailure;

/** A bot challenge. The BFF stores an application only if `verify` resolves to `passed`. */
export interface Challenge {
  /** The page gets `provider` and `siteKey`, so that it can show the challenge. */
  readonly provider: string;
  readonly siteKey: string;
  /**
   * @param token 1 to 8,192 printable ASCII characters from the page. The provider has to refuse a token that was used before.
   * @param address the applicant's IP address, if known.
   * @param signal aborted after five seconds. The BFF ignores a later result.
   */
  verify(
    token: string,
    address: string | undefined,
    signal: AbortSignal,
  ): Promise<ChallengeVerdict>;
}

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
