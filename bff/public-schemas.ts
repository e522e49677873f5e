// The schemas of the package, in the form of https://standardschema.dev, so that its types need no validation library.

import type { Application } from '../shared/application/application.ts';
import {
  defaultSettings,
  type Settings,
  settingsSchema as ownSettingsSchema,
  type SettingsFile,
} from './config/settings.ts';
import { toApplicationSchema } from './routes/application.ts';

/** A schema that validation libraries of the Standard Schema accept. */
export interface PublicSchema<Output> {
  /** The properties that https://standardschema.dev defines. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => PublicResult<Output> | Promise<PublicResult<Output>>;
  };
}

/** Either the parsed `value`, or `issues`. */
export type PublicResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One problem of a value. */
export interface SchemaIssue {
  /** A code or a text, in English. */
  readonly message: string;
  /** The property with the problem. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The schema of the settings. It adds the defaults. */
export const settingsSchema: PublicSchema<Settings> = ownSettingsSchema;

/** Creates the schema of an application, as `POST /v1/application` reads it. */
export function createApplicationSchema(settings?: SettingsFile): PublicSchema<Application> {
  const complete = settings === undefined ? defaultSettings() : ownSettingsSchema.parse(settings);
  return toApplicationSchema(complete, Date.now);
}
