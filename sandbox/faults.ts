// Faults: failures that a test or a person plans for the next calls.

import * as z from 'zod/mini';
import { operations, type Operation } from '../shared/funding-service/operations.ts';
import { isErrorRowId, toOperation, type ErrorRowId } from './errors.ts';

const anyOperation = 'any';

/** Fields of every fault: the operation that it applies to, and for how many calls (default 1). */
const common = {
  operation: z.enum([...operations, anyOperation]),
  times: z._default(z.union([z.int().check(z.gte(1)), z.literal('always')]), 1),
};

const errorRowId = z.custom<ErrorRowId>(
  (value) => typeof value === 'string' && isErrorRowId(value),
  'is not the id of an error row',
);

const httpStatus = z.int().check(z.gte(200), z.lte(599));

/** `isProcessed`: whether the operation runs before the fault replaces its response. */
const isProcessed = (byDefault: boolean) => z._default(z.boolean(), byDefault);

export const faultSchema = z
  .discriminatedUnion('kind', [
    /** Returns an error row without processing. `subject` replaces the placeholder in its message. */
    z.strictObject({
      kind: z.literal('row'),
      ...common,
      row: errorRowId,
      subject: z._default(z.string(), 'sandbox'),
    }),
    /** Responds with this status and an HTML page, like a gateway. */
    z.strictObject({
      kind: z.literal('status'),
      ...common,
      status: z._default(httpStatus, 503),
      isProcessed: isProcessed(false),
    }),
    /** Responds like the platform when it rejects a token: 401 and `[{errorCode: "INVALID_SESSION_ID"}]`, without processing. */
    z.strictObject({ kind: z.literal('invalid-session'), ...common }),
    /** Waits, then processes and responds normally. */
    z.strictObject({
      kind: z.literal('delay'),
      ...common,
      delayMs: z.int().check(z.gte(0), z.lte(600_000)),
    }),
    /** Processes, then responds with 504 and an HTML page: the work is done, but its response is lost. */
    z.strictObject({ kind: z.literal('drop-after-commit'), ...common }),
    /** Responds with 200 and the first half of the actual response. */
    z.strictObject({ kind: z.literal('garbage'), ...common, isProcessed: isProcessed(true) }),
    /** Responds with 200 and an empty body. */
    z.strictObject({ kind: z.literal('empty'), ...common, isProcessed: isProcessed(true) }),
    /** Responds with 200 and the actual response, but its identifiers are null, so that nothing proves success. */
    z.strictObject({ kind: z.literal('without-proof'), ...common }),
    /** Responds with 429 or 503 and Retry-After, without processing. */
    z.strictObject({
      kind: z.literal('throttle'),
      ...common,
      status: z._default(z.union([z.literal(429), z.literal(503)]), 429),
      retryAfterSeconds: z._default(z.int().check(z.gte(0)), 1),
    }),
    /** Short form of the row `asset-report/processing-failed`. */
    z.strictObject({
      kind: z.literal('processing-failed'),
      ...common,
      operation: z._default(z.literal('asset-report'), 'asset-report'),
    }),
  ])
  .check(
    z.refine((fault) => fault.kind !== 'row' || toOperation(fault.row) === fault.operation, {
      path: ['row'],
      error: 'belongs to another operation',
    }),
  );

export type Fault = z.infer<typeof faultSchema>;

export const faultKinds = [
  'row',
  'status',
  'invalid-session',
  'delay',
  'drop-after-commit',
  'garbage',
  'empty',
  'without-proof',
  'throttle',
  'processing-failed',
] as const satisfies readonly Fault['kind'][];

/** Returns the first fault that applies to the operation, and removes it once it was used as often as planned. */
export function takeFault(faults: Fault[], operation: Operation): Fault | undefined {
  const index = faults.findIndex(
    (fault) => fault.operation === operation || fault.operation === anyOperation,
  );
  const fault = faults[index];
  if (!fault || fault.times === 'always') return fault;
  if (fault.times === 1) faults.splice(index, 1);
  else faults[index] = { ...fault, times: fault.times - 1 };
  return fault;
}
