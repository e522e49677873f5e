// The sandbox's settings as environment variables; all problems are found at once and told by name.

import * as z from 'zod/mini';
import { defaultAggregatorName, defaultOfferDelayMs, failureStatuses } from './context.ts';

const wholeNumber = (minimum: number, maximum: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number)),
    z.int().check(z.gte(minimum), z.lte(maximum)),
  );

const environmentSchema = z.object({
  /** Loopback by default, because the console shows everything the sandbox receives. */
  SANDBOX_HOST: z._default(z.string(), '127.0.0.1'),
  /** 0 takes any free port. */
  SANDBOX_PORT: z._default(wholeNumber(0, 65_535), 8082),
  SANDBOX_FAILURE_STATUS: z._default(z.enum(failureStatuses), 'body'),
  SANDBOX_AGGREGATOR_NAME: z._default(z.string(), defaultAggregatorName),
  SANDBOX_OFFER_DELAY_MS: z._default(wholeNumber(0, 86_400_000), defaultOfferDelayMs),
  /** `no`: the service's operator has not enabled offers for the partner (spec, operation 3). */
  SANDBOX_OFFERS_ENABLED: z._default(z.enum(['yes', 'no']), 'yes'),
});

export type SandboxEnvironment = z.infer<typeof environmentSchema>;

const mends: Readonly<Record<string, string>> = {
  SANDBOX_PORT: 'must be a whole number from 0 to 65535',
  SANDBOX_FAILURE_STATUS: 'must be "body" or "http"',
  SANDBOX_OFFER_DELAY_MS: 'must be a whole number of milliseconds, at most a day',
  SANDBOX_OFFERS_ENABLED: 'must be "yes" or "no"',
};

export type EnvironmentReading =
  | { readonly kind: 'valid'; readonly environment: SandboxEnvironment }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** An empty variable counts as one that is not set. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): EnvironmentReading {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success) return { kind: 'valid', environment: parsed.data };
  const names = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  return {
    kind: 'invalid',
    problems: Array.from(names, (name) => `${name} ${mends[name] ?? 'is not valid'}`),
  };
}
