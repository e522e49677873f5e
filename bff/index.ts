// The public entry of the package `funding-application-bff`.

export { createBff, ConfigurationError } from './create-bff.ts';
export type {
  Bff,
  BffOptions,
  DeliverOptions,
  DeliverResult,
  LogDestination,
  RequestConnection,
  StopOptions,
} from './create-bff.ts';
export type { CloseResult } from './app.ts';
export { limitServer, serverOptions } from './middleware/connection-limits.ts';
export { createApplicationSchema, settingsSchema } from './public-schemas.ts';
export type { PublicResult, PublicSchema, SchemaIssue } from './public-schemas.ts';
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
