// Every failure as RFC 9457 problem details: a code of the closed list, never a value that was sent, nothing from inside.

import type { Context } from 'hono';
import { type Problem, type ProblemCode, problems } from '../../shared/api/problems.ts';
import { AppError, type AppErrorDetails } from '../runtime/app-error.ts';
import { StoreError } from '../store/database.ts';
import type { BffEnv } from './context.ts';

/** Nothing was kept, or nobody can say whether it was: sending the same again is safe either way. */
export function toProblemCode(error: unknown): ProblemCode {
  if (error instanceof StoreError) return 'storage-unavailable';
  return error instanceof AppError ? error.code : 'internal';
}

export function toProblemResponse(c: Context<BffEnv>, error: unknown): Response {
  const code = toProblemCode(error);
  const { status, title } = problems[code];
  const { errors = [], retryAfterSeconds } = toDetails(error);
  const problem: Problem = {
    type: `urn:funding-application:problem:${code}`,
    title,
    status,
    code,
    requestId: c.get('requestId'),
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  };
  if (retryAfterSeconds !== undefined) c.header('retry-after', String(retryAfterSeconds));
  // RFC 9110, section 15.5.2, requires a challenge. Browsers show no password prompt for a scheme that they do not know.
  if (code === 'session-missing') c.header('www-authenticate', 'Funding');
  return c.body(JSON.stringify(problem), status, { 'content-type': 'application/problem+json' });
}

/** A disk or a database that is full or away is seldom back within a second. */
const storageRetryAfterSeconds = 5;

function toDetails(error: unknown): AppErrorDetails {
  if (error instanceof StoreError) return { retryAfterSeconds: storageRetryAfterSeconds };
  if (!(error instanceof AppError)) return {};
  const { errors, retryAfterSeconds } = error;
  return {
    ...(errors ? { errors } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

export class LoggedRefusal extends AppError {}
