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
export { limitServer, serverOptions } from './middleware/connection-limits.ts';
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
