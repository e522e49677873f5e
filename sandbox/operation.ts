// The shape of an operation: what it receives, and how it may answer.

import type { SandboxContext } from './context.ts';
import type { ErrorRowId } from './errors.ts';

export interface Received {
  readonly headers: Headers;
  readonly text: string;
  /** The sandbox's own origin as the caller addressed it. */
  readonly origin: string;
}

/** The operation did what was asked. */
export interface Done {
  readonly kind: 'done';
  readonly body: Readonly<Record<string, unknown>>;
  readonly applicationId?: string;
}

/** The operation answers a row of the error table. */
export interface Refused {
  readonly kind: 'refused';
  readonly row: ErrorRowId;
  /** Stands in the row's placeholder: a field's name or an application id. */
  readonly subject?: string;
  /** Echoed where the failure's body has a ReferenceID. */
  readonly referenceId?: string;
  readonly applicationId?: string;
}

/** Something in front of the operation answered in HTML. */
export interface Broken {
  readonly kind: 'broken';
  readonly status: 503 | 504;
  readonly applicationId?: string;
}

export type Answer = Done | Refused | Broken;

/** Reads, checks and commits without awaiting, so that two requests cannot interleave. */
export type Operation = (received: Received, context: SandboxContext) => Answer;

export function refuse(row: ErrorRowId, details: Omit<Refused, 'kind' | 'row'> = {}): Refused {
  return { kind: 'refused', row, ...details };
}

/** A JSON object, or undefined for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Absent, null and blank text are all missing. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}
