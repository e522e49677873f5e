// The error that a route throws to answer with a problem: a code of the closed list, and the fields it concerns.

import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';

export interface AppErrorDetails {
  readonly errors?: readonly FieldError[];
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Sent to the client: a constant text for developers. */
  readonly detail?: string;
  /** Never sent to the client. */
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly code: ProblemCode;
  readonly details: AppErrorDetails;

  constructor(code: ProblemCode, details: AppErrorDetails = {}) {
    super(code, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}
