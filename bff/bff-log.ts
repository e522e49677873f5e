// Every event that the BFF logs, and its level. `bff-log-texts.ts` explains each event to operators.

import type { DestinationStream } from 'pino';
import type { BffEvent } from './app.ts';
import { createLog, type Level, type Log } from './logging/log.ts';
import type { StoreEvent } from './store/open-store.ts';

/** Log events of the process. */
type ProcessEvent =
  | { readonly event: 'shutdown-started'; readonly signal: string }
  /** The store did not take every outcome in time. The next start recovers those deliveries. */
  | { readonly event: 'shutdown-incomplete'; readonly afterMs: number }
  /** An uncaught exception ended the process. */
  | { readonly event: 'crashed'; readonly error: unknown };

/** Every event that the BFF logs. `reference` is the application's ID. */
export type LogEvent = BffEvent | ProcessEvent | StoreEvent;

/** `error`: an operator has to act. To add an event, add its level here and its text in `bff-log-texts.ts`. */
export const logLevels = {
  'store-opened': 'info',
  'store-created': 'warn',
  'store-log-missing': 'error',
  'shutdown-started': 'info',
  'shutdown-incomplete': 'error',
  crashed: 'error',

  request: 'info',
  'request-failed': 'error',
  'origin-gate-refused': 'warn',
  'session-refused': 'info',
  'rate-limited': 'warn',
  'client-address-unverified': 'warn',
  'body-consumed': 'error',
  'challenge-refused': 'info',
  'challenge-failed': 'error',
  'enrichment-failed': 'error',
  'reference-mismatch': 'error',

  'handoff-changed': 'info',
  'handoff-suspicious': 'warn',

  'document-refused': 'warn',
  'inspection-failed': 'warn',
  'inspection-unavailable': 'error',
  'document-infected': 'warn',
  'document-unscanned': 'error',

  'delivery-recorded': 'info',
  'delivery-rejected': 'warn',
  'delivery-refused': 'error',
  'delivery-held': 'error',
  'application-unconfirmed': 'error',
  'possible-duplicate': 'warn',
  'row-unreadable': 'error',
  'tracking-url-refused': 'warn',
  'delivery-broken': 'error',
  'delivery-stalled': 'error',

  'status-event-sent': 'info',
  'status-event-failed': 'warn',
  'status-event-given-up': 'error',
  'status-events-paused': 'warn',
  'status-events-resumed': 'info',
  'status-events-stopped': 'error',
  'status-events-stalled': 'error',

  'call-ended': 'info',
  'token-renewed': 'info',
  'token-unchanged': 'info',
  'login-refused': 'error',
  'login-response-unreadable': 'error',
  'login-throttled': 'warn',
  'login-unreachable': 'warn',
  'login-paused': 'warn',
  'renewed-token-refused': 'error',
  'partner-headers-refused': 'error',
  'instance-url-ignored': 'error',
  'breaker-opened': 'error',
  'breaker-closed': 'info',
  'lead-limit-reduced': 'warn',

  purged: 'info',
  'undelivered-erased': 'error',
  'retention-failed': 'error',
} as const satisfies Readonly<Record<LogEvent['event'], Level>>;

/** @param destination defaults to standard output. */
export function createBffLog(destination?: DestinationStream): Log<LogEvent> {
  return createLog<LogEvent>(logLevels, destination);
}
