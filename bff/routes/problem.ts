// Every failure as RFC 9457 problem details: a code of the closed list, never a value that was sent, nothing from inside.

import type { Context } from 'hono';
import type { Problem, ProblemCode } from '../../shared/api/problem.ts';
import { problems } from '../../shared/api/problems.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';

export function toProblemCode(error: unknown): ProblemCode {
  return error instanceof AppError ? error.code : 'internal';
}

export function toProblemResponse(c: Context<BffEnv>, error: unknown): Response {
  const code = toProblemCode(error);
  const { status, title } = problems[code];
  const { errors = [], retryAfterSeconds } = error instanceof AppError ? error : {};
  const problem: Problem = {
    type: `urn:funding-application:problem:${code}`,
    title,
    status,
    code,
    requestId: c.get('requestId'),
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  };
  if (retryAfterSeconds !== undefined) c.header('retry-after', String(retryAfterSeconds));
  return c.body(JSON.stringify(problem), status, { 'content-type': 'application/problem+json' });
}
