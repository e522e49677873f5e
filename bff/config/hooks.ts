// The module that a partner adds to the BFF (`BFF_HOOKS`): the types of its exports, and the checks before it is used.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import type { Application } from '../../shared/application/application.ts';
import type { WebhookEvent } from '../../shared/api/webhook-event.ts';
import type { Lead } from '../../shared/funding-service/lead.ts';
import { toErrorCode } from '../runtime/error-code.ts';
import type { EnvironmentReader } from './environment-reader.ts';

/** The lead fields that `enrichLead` may set. Neither the applicant nor the host page can set them. */
export const partnerFields = [
  'CampaignID',
  'OutcomeID',
  'IndustryNaics',
  'BusinessTypeByIndustry',
  'NumberOfOffers',
  'Files',
] as const satisfies readonly (keyof Lead)[];

/** Lead fields that only the partner knows. The BFF sends each text as it is, and leaves out a field that is not set. */
export type PartnerFields = {
  [Name in keyof Lead as Extract<Name, (typeof partnerFields)[number]>]: Lead[Name];
};

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

/** The applicant has to solve the challenge again. */
export type ChallengeRefusal = (typeof challengeRefusals)[number];
/** The token could not be checked. */
export type ChallengeFailure = (typeof challengeFailures)[number];
/** The result of `verify`. */
export type ChallengeVerdict = 'passed' | ChallengeRefusal | ChallengeFailure;

/** A bot challenge. The BFF stores an application only if `verify` resolves to `passed`. */
export interface Challenge {
  /** The page gets `provider` and `siteKey`, so that it can show the challenge. */
  readonly provider: string;
  /** The public key of the page. */
  readonly siteKey: string;
  /**
   * Asks the provider about a token.
   *
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

/** A change of an application. */
export type StatusEvent = WebhookEvent & {
  /** Identifies the event. A repeated call has the same id. */
  readonly id: string;
};

/**
 * Tells the partner's code about a change of an application, without personal data. The events of an application come one after the
 * other, in their order. If the function throws, rejects, or takes longer than 15 seconds, it is called again for the same event,
 * with growing delays, for three days. It can also be called again after the process was killed, so ignore an event whose `id` you
 * have.
 *
 * @param signal aborted after 15 seconds. The BFF ignores a later result.
 */
export type OnStatus = (event: StatusEvent, signal: AbortSignal) => void | Promise<void>;

/** The exports of the module. At least one is required. */
export interface Hooks {
  /** Adds fields to each lead. */
  readonly enrichLead?: EnrichLead;
  /** Replaces the built-in providers of CHALLENGE_PROVIDER. */
  readonly challenge?: Challenge;
  /** Learns each change of an application. */
  readonly onStatus?: OnStatus;
}

const functionSchema = z.custom((value) => typeof value === 'function');

const hooksSchema = z.strictObject({
  enrichLead: z.exactOptional(functionSchema),
  challenge: z.exactOptional(
    z.object({ provider: z.string(), siteKey: z.string(), verify: functionSchema }),
  ),
  onStatus: z.exactOptional(functionSchema),
});

const validExports =
  'Export enrichLead (a function), challenge (an object with provider, siteKey, and verify), or onStatus (a function).';

/** Rejects with the error of the module. Node 24 also loads TypeScript. A relative path starts at the working directory. */
function importFromPath(path: string): Promise<object> {
  return import(/* @vite-ignore */ pathToFileURL(resolve(path)).href);
}

/** Returns no hooks if BFF_HOOKS is not set, or, with a problem, if the module cannot be used. */
export async function readHooks(
  reader: EnvironmentReader,
  importModule = importFromPath,
): Promise<Hooks> {
  const path = reader.optional('BFF_HOOKS');
  const given = reader.mount.hooks;
  if (given !== undefined) {
    if (path !== undefined) {
      reader.problem('BFF_HOOKS', 'and the option hooks are both set. Unset one of them.');
    }
    return checkHooks(given, reader, 'hooks', 'contains');
  }
  if (path === undefined) return {};
  const report = (problem: string) => reader.problem('BFF_HOOKS', problem);
  let hooks: object;
  try {
    hooks = await importModule(path);
  } catch (error) {
    // The message is not shown: it can contain a secret of the module.
    report(
      `names a module that cannot be loaded (${toErrorCode(error) ?? typeof error}). Import it with node to see the error.`,
    );
    return {};
  }
  if (Object.keys(hooks).length === 0) report(`names a module without exports. ${validExports}`);
  return checkHooks(hooks, reader, 'BFF_HOOKS', 'exports');
}

/** Returns the hooks, with a problem for each one that is not valid. */
function checkHooks(
  hooks: object,
  reader: EnvironmentReader,
  source: 'BFF_HOOKS' | 'hooks',
  verb: 'exports' | 'contains',
): Hooks {
  const report = (problem: string) => reader.problem(source, problem);
  if (typeof hooks !== 'object' || hooks === null) {
    report(`is not an object. Give an object with enrichLead, challenge, or onStatus.`);
    return {};
  }
  const { issues = [] } = hooksSchema.safeParse(hooks).error ?? {};
  const problems = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => `${verb} ${name}, which is not a hook`)
      : [`${verb} an invalid ${String(issue.path[0])}`],
  );
  for (const problem of problems) report(`${problem}. ${validExports}`);
  if ('challenge' in hooks && reader.optional('CHALLENGE_PROVIDER') !== undefined) {
    report(`${verb} challenge, but CHALLENGE_PROVIDER is set. Remove one of them.`);
  }
  // Every export is checked above. With a problem, the BFF does not start.
  return hooks;
}
