// Reads the sandbox's settings from environment variables.

import * as z from 'zod/mini';
import { defaultAggregatorName, defaultOfferDelayMs, failureStatuses } from './state.ts';

const wholeNumber = (minimum: number, maximum: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number)),
    z.int().check(z.gte(minimum), z.lte(maximum)),
  );

/** The BFF has the same default. */
export const defaultPort = 8082;

const environmentSchema = z.object({
  /** The variable of the BFF. The sandbox has public credentials and shows everything, so it must not run beside a real BFF. */
  FUNDING_ENVIRONMENT: z._default(z.enum(['sandbox']), 'sandbox'),
  /** The loopback address by default, because the console shows everything that the sandbox receives. */
  SANDBOX_HOST: z._default(z.string(), '127.0.0.1'),
  /** 0 selects any free port. */
  SANDBOX_PORT: z._default(wholeNumber(0, 65_535), defaultPort),
  SANDBOX_FAILURE_STATUS: z._default(z.enum(failureStatuses), 'body'),
  SANDBOX_AGGREGATOR_NAME: z._default(z.string(), defaultAggregatorName),
  SANDBOX_OFFER_DELAY_MS: z._default(wholeNumber(0, 86_400_000), defaultOfferDelayMs),
  /** `no`: the funding service has not enabled offers for the partner (spec, operation 3). */
  SANDBOX_OFFERS_ENABLED: z._default(z.enum(['yes', 'no']), 'yes'),
  /** The path of a file that keeps the state. If it is not set, a restart deletes everything. */
  SANDBOX_DATA: z.optional(z.string()),
});

export type SandboxEnvironment = z.infer<typeof environmentSchema>;

const problemTexts: Readonly<Record<string, string>> = {
  FUNDING_ENVIRONMENT:
    'FUNDING_ENVIRONMENT is not "sandbox". The sandbox is for development and tests only: unset the variable, or set it to "sandbox".',
  SANDBOX_PORT: 'SANDBOX_PORT is not a port. Use a whole number from 0 to 65535.',
  SANDBOX_FAILURE_STATUS: 'SANDBOX_FAILURE_STATUS is not a failure status. Use "body" or "http".',
  SANDBOX_OFFER_DELAY_MS:
    'SANDBOX_OFFER_DELAY_MS is not a delay. Use whole milliseconds from 0 to 86400000.',
  SANDBOX_OFFERS_ENABLED: 'SANDBOX_OFFERS_ENABLED is not valid. Use "yes" or "no".',
};

/** Reports every invalid variable at once. An empty variable counts as unset. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
):
  | { readonly kind: 'valid'; readonly environment: SandboxEnvironment }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] } {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success) return { kind: 'valid', environment: parsed.data };
  const names = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  return {
    kind: 'invalid',
    problems: Array.from(names, (name) => problemTexts[name] ?? `${name} is not valid.`),
  };
}
