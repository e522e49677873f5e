// The one error that becomes an answer: a code of the closed list, with the fields it is about.

import type { ProblemCode } from '../../shared/api/problems.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';

export interface AppErrorDetails {
  readonly errors?: readonly FieldError[];
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Stays in the process. */
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, details: AppErrorDetails = {}) {
    super(code, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
