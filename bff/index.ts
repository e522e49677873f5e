// The public entry of the package `funding-application-bff`.

import type { Application } from '../shared/application/application.ts';
import {
  parseSettings,
  type Settings,
  settingsSchema as ownSettingsSchema,
  type SettingsFile,
} from './config/settings.ts';
import { ConfigurationError } from './create-bff.ts';
import { toApplicationSchema } from './routes/application.ts';

export { createBff, ConfigurationError } from './create-bff.ts';
export type {
  Bff,
  BffOptions,
  DeliverOptions,
  LogDestination,
  RequestConnection,
  StopOptions,
} from './create-bff.ts';
export type { CloseResult, DeliverResult } from './app.ts';
export { limitServer, serverOptions } from './middleware/connection-limits.ts';
export type { Settings, SettingsFile } from './config/settings.ts';
export { problemCodes } from '../shared/api/problem-codes.ts';
export type { ProblemCode } from '../shared/api/problem-codes.ts';
export type { Problem } from '../shared/api/problems.ts';
export type { Application } from '../shared/application/application.ts';
export type {
  Challenge,
  ChallengeFailure,
  ChallengeRefusal,
  ChallengeVerdict,
  EnrichLead,
  Hooks,
  OnStatus,
  PartnerFields,
  StatusEvent,
} from './config/hooks.ts';
export type { WebhookEvent, WebhookEventType } from '../shared/api/webhook-event.ts';

// Schemas in the form of https://standardschema.dev, so that the types of the package need no validation library.

/** A schema that validation libraries of the Standard Schema accept. */
export interface PublicSchema<Output> {
  /** The properties that https://standardschema.dev defines. */
  readonly '~standard': {
    /** The version of the Standard Schema. */
    readonly version: 1;
    /** The library that validates. */
    readonly vendor: string;
    /** Parses a value. Never throws. */
    readonly validate: (value: unknown) => PublicResult<Output> | Promise<PublicResult<Output>>;
  };
}

/** Either the parsed `value`, or `issues`. */
export type PublicResult<Output> =
  | {
      /** The parsed value, with defaults. */
      readonly value: Output;
      /** Absent: the value is valid. */
      readonly issues?: undefined;
    }
  | {
      /** Every problem of the value. */
      readonly issues: readonly SchemaIssue[];
    };

/** One problem of a value. */
export interface SchemaIssue {
  /** A code or a text, in English. */
  readonly message: string;
  /** The property with the problem. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** The name of a property, or the index of an item. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}

/** The schema of the settings. It adds the defaults. */
export const settingsSchema: PublicSchema<Settings> = ownSettingsSchema;

/**
 * Creates the schema of an application, as `POST /v1/application` reads it. Throws a `ConfigurationError` if the settings are not
 * valid.
 */
export function createApplicationSchema(settings: SettingsFile = {}): PublicSchema<Application> {
  const result = parseSettings(JSON.stringify(settings));
  if ('problems' in result) {
    throw new ConfigurationError(
      // A question ends with its mark.
      result.problems.map((problem) => `settings is not valid: ${problem}.`.replace(/\?\.$/, '?')),
    );
  }
  return toApplicationSchema(result.settings, Date.now);
}
