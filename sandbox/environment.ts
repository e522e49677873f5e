// Reads the sandbox's settings from environment variables. The table is also the source of docs/reference/sandbox.md and of the
// reference on the console.

import * as z from 'zod/mini';
import { defaultAggregatorName, defaultOfferDelayMs, failureStatuses } from './state.ts';

/** A range with its schema, its words for the reference, and the fix for other values. */
function wholeNumber(unit: string, minimum: number, maximum: number) {
  const range = `${unit} from ${minimum} to ${maximum}`;
  return {
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number)),
      z.int().check(z.gte(minimum), z.lte(maximum)),
    ),
    value: range,
    fix: `Use ${range}.`,
  };
}

/** One of the texts, with the same parts. */
function choice<const Text extends string>(...texts: readonly Text[]) {
  return {
    schema: z.enum(texts),
    value: texts.map((text) => `\`${text}\``).join(' or '),
    fix: `Use ${texts.map((text) => `"${text}"`).join(' or ')}.`,
  };
}

const port = wholeNumber('a whole number', 0, 65_535);
const offerDelay = wholeNumber('whole milliseconds', 0, 86_400_000);
const failureStatus = choice(...failureStatuses);
const answer = choice('yes', 'no');

/** The BFF has the same default. */
export const defaultPort = 8082;

interface Variable<Schema extends z.ZodMiniType> {
  /** Contains the default. */
  readonly schema: Schema;
  readonly description: string;
  /** The values that are allowed. */
  readonly value: string;
  /** The problem with another value and its fix, after the name of the variable. Empty: every text is allowed. */
  readonly problem: string;
}

const variable = <Schema extends z.ZodMiniType>(parts: Variable<Schema>) => parts;

export const environmentVariables = {
  FUNDING_ENVIRONMENT: variable({
    schema: z._default(z.enum(['sandbox']), 'sandbox'),
    description:
      'The variable of the BFF. The sandbox has public credentials and shows everything that it receives, so it does not start beside a real BFF.',
    value: '`sandbox`',
    problem:
      'is not "sandbox". The sandbox is for development and tests only: unset the variable, or set it to "sandbox".',
  }),
  SANDBOX_PORT: variable({
    schema: z._default(port.schema, defaultPort),
    description: 'The port of the sandbox. 0 selects any free port, which the sandbox prints.',
    value: port.value,
    problem: `is not a port. ${port.fix}`,
  }),
  SANDBOX_HOST: variable({
    schema: z._default(z.string(), '127.0.0.1'),
    description:
      'The address that the sandbox listens on. The default is the loopback address, because the console shows everything that the sandbox receives.',
    value: 'a host name or an IP address',
    problem: '',
  }),
  SANDBOX_DATA: variable({
    schema: z.optional(z.string()),
    description:
      'A file that keeps the state over restarts: applications, documents, bank reports, calls, faults, tokens, and the clock. If it is not set, a restart deletes everything. With `npm start`, also set `DATABASE_URL`, so that the store of the BFF lives as long.',
    value: 'the path of a file, which the sandbox creates',
    problem: '',
  }),
  SANDBOX_FAILURE_STATUS: variable({
    schema: z._default(failureStatus.schema, 'body'),
    description:
      'The HTTP status of failures. With `body`, failures have the status 200, and only the body says that the call failed; with `http`, they have the status in the table of [errors](#errors).',
    value: failureStatus.value,
    problem: `is not a failure status. ${failureStatus.fix}`,
  }),
  SANDBOX_OFFER_DELAY_MS: variable({
    schema: z._default(offerDelay.schema, defaultOfferDelayMs),
    description: 'How long an application with the outcome Automatic has no offers.',
    value: offerDelay.value,
    problem: `is not a delay. ${offerDelay.fix}`,
  }),
  SANDBOX_OFFERS_ENABLED: variable({
    schema: z._default(answer.schema, 'yes'),
    description:
      'With `no`, there are never offers, as if the funding service had not enabled them for the partner.',
    value: answer.value,
    problem: `is not valid. ${answer.fix}`,
  }),
  SANDBOX_AGGREGATOR_NAME: variable({
    schema: z._default(z.string(), defaultAggregatorName),
    description:
      'The name of the bank data aggregator, in the path of Submit Asset Report and in one document category.',
    value: 'a name',
    problem: '',
  }),
} as const;

type Variables = typeof environmentVariables;
export type VariableName = keyof Variables;

// The keys of a record are exactly those of its type.
export const variableNames = Object.keys(environmentVariables) as readonly VariableName[];

const environmentSchema = z.object(
  Object.fromEntries(variableNames.map((name) => [name, environmentVariables[name].schema])) as {
    [Name in VariableName]: Variables[Name]['schema'];
  },
);

export type SandboxEnvironment = z.infer<typeof environmentSchema>;

/** The default as text, or undefined for a variable without one. */
export function toDefault(name: VariableName): string | undefined {
  const value = z.parse(environmentVariables[name].schema, undefined);
  return value === undefined ? undefined : String(value);
}

/** Reports every invalid variable at once. An empty variable counts as unset. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
):
  | { readonly kind: 'valid'; readonly environment: SandboxEnvironment }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] } {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success) return { kind: 'valid', environment: parsed.data };
  const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  return {
    kind: 'invalid',
    problems: variableNames
      .filter((name) => wrong.has(name))
      .map((name) => `${name} ${environmentVariables[name].problem}`),
  };
}
