// Turns every error into RFC 9457 problem details with a code of the closed list, and with no text from the request or the error.

import type { Context } from 'hono';
import { type Problem, problems } from '../../shared/api/problems.ts';
import { AppError } from '../runtime/app-error.ts';
import { StoreError } from '../store/database.ts';
import type { BffEnv } from './context.ts';

/** A refusal that has its own log event. The request log skips it. */
export class LoggedRefusal extends AppError {}

/** A full disk or an unreachable database seldom recovers within a second. */
const storageRetryAfterSeconds = 5;

export function toProblemResponse(c: Context<BffEnv>, error: unknown): Response {
  const { code, details } = toAppError(error);
  const { errors = [], retryAfterSeconds, detail } = details;
  const { status, title } = problems[code];
  const problem: Problem = {
    type: `urn:funding-application:problem:${code}`,
    title,
    status,
    code,
    requestId: c.get('requestId'),
    ...(detail === undefined ? {} : { detail }),
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  };
  if (retryAfterSeconds !== undefined) c.header('retry-after', String(retryAfterSeconds));
  // RFC 9110, section 15.5.2, requires this header. Browsers show no password prompt for an unknown scheme.
  if (code === 'session-missing') c.header('www-authenticate', 'Funding');
  return c.body(JSON.stringify(problem), status, { 'content-type': 'application/problem+json' });
}

/** After `storage-unavailable`, the client can safely send the same request again, whether or not the store kept it. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof StoreError
    ? new AppError('storage-unavailable', { retryAfterSeconds: storageRetryAfterSeconds })
    : new AppError('internal');
}
