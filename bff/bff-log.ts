// Every event that the BFF logs, with its level.

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

/** All other events are errors: an operator has to act. */
const logLevels: Readonly<Partial<Record<LogEvent['event'], Level>>> = {
  'shutdown-started': 'info',
  'store-opened': 'info',
  'store-created': 'warn',
  request: 'info',
  'origin-gate-refused': 'warn',
  'session-refused': 'info',
  'rate-limited': 'warn',
  'client-address-unverified': 'warn',
  'document-refused': 'warn',
  'inspection-failed': 'warn',
  'challenge-refused': 'info',
  'tracking-url-refused': 'warn',
  'delivery-recorded': 'info',
  'delivery-rejected': 'warn',
  'handoff-changed': 'info',
  'handoff-suspicious': 'warn',
  'document-infected': 'warn',
  'possible-duplicate': 'warn',
  'status-event-sent': 'info',
  'status-event-failed': 'warn',
  'status-events-paused': 'warn',
  'status-events-resumed': 'info',
  purged: 'info',
  'token-renewed': 'info',
  'token-unchanged': 'info',
  'login-throttled': 'warn',
  'login-unreachable': 'warn',
  'login-paused': 'warn',
  'breaker-closed': 'info',
  'lead-limit-reduced': 'warn',
  'call-ended': 'info',
};

/** @param destination defaults to standard output. */
export function createBffLog(destination?: DestinationStream): Log<LogEvent> {
  return createLog<LogEvent>(logLevels, destination);
}
