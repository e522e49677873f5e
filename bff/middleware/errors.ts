// Turns every error into RFC 9457 problem details with a code of the closed list, and with no text from the request or the error.

import type { Context } from 'hono';
import { type Problem, type ProblemCode, problems } from '../../shared/api/problems.ts';
import { AppError, type AppErrorDetails } from '../runtime/app-error.ts';
import { StoreError } from '../store/database.ts';
import type { BffEnv } from './context.ts';

/** A refusal that has its own log event. The request log skips it. */
export class LoggedRefusal extends AppError {}

/** A full disk or an unreachable database seldom recovers within a second. */
const storageRetryAfterSeconds = 5;

/** After `storage-unavailable`, the client can safely send the same request again, whether or not the store kept it. */
export function toProblemCode(error: unknown): ProblemCode {
  if (error instanceof StoreError) return 'storage-unavailable';
  return error instanceof AppError ? error.code : 'internal';
}

export function toProblemResponse(c: Context<BffEnv>, error: unknown): Response {
  const code = toProblemCode(error);
  const { status, title } = problems[code];
  const { errors = [], retryAfterSeconds } = readDetails(error);
  const problem: Problem = {
    type: `urn:funding-application:problem:${code}`,
    title,
    status,
    code,
    requestId: c.get('requestId'),
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  };
  if (retryAfterSeconds !== undefined) c.header('retry-after', String(retryAfterSeconds));
  // RFC 9110, section 15.5.2, requires this header. Browsers show no password prompt for an unknown scheme.
  if (code === 'session-missing') c.header('www-authenticate', 'Funding');
  return c.body(JSON.stringify(problem), status, { 'content-type': 'application/problem+json' });
}

function readDetails(error: unknown): Pick<AppErrorDetails, 'errors' | 'retryAfterSeconds'> {
  if (error instanceof StoreError) return { retryAfterSeconds: storageRetryAfterSeconds };
  return error instanceof AppError ? error.details : {};
}
