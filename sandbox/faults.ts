// Faults that a test or a person orders for coming calls.

import * as z from 'zod/mini';
import { isErrorRowId, toOperationId, type ErrorRowId } from './errors.ts';
import { operationIds, type OperationId } from './operation-ids.ts';

const anyOperation = 'any';

/** Fields of every fault: whose calls it meets, and how many of them (default 1). */
const common = {
  operation: z.enum([...operationIds, anyOperation]),
  times: z._default(z.union([z.int().check(z.gte(1)), z.literal('always')]), 1),
};

const errorRowId = z.custom<ErrorRowId>(
  (value) => typeof value === 'string' && isErrorRowId(value),
  'is not the id of an error row',
);

const httpStatus = z.int().check(z.gte(200), z.lte(599));

/** `isProcessed`: whether the operation does its work before the answer is spoilt. */
const processed = (byDefault: boolean) => z._default(z.boolean(), byDefault);

export const faultSchema = z
  .discriminatedUnion('kind', [
    /** Answers an error row; nothing is processed. `subject` fills the row's placeholder. */
    z.strictObject({
      kind: z.literal('row'),
      ...common,
      row: errorRowId,
      subject: z._default(z.string(), 'sandbox'),
    }),
    /** An HTML page with a status, as a gateway would answer. */
    z.strictObject({
      kind: z.literal('status'),
      ...common,
      status: z._default(httpStatus, 503),
      isProcessed: processed(false),
    }),
    /** 401 and `[{errorCode: "INVALID_SESSION_ID"}]`, as the platform answers before the operation is reached. */
    z.strictObject({ kind: z.literal('invalid-session'), ...common }),
    /** Waits, then processes and answers as usual. */
    z.strictObject({
      kind: z.literal('delay'),
      ...common,
      delayMs: z.int().check(z.gte(0), z.lte(600_000)),
    }),
    /** Processes, then answers 504 in HTML: the work is done and its answer lost. */
    z.strictObject({ kind: z.literal('drop-after-commit'), ...common }),
    /** 200 with the true answer cut in half. */
    z.strictObject({ kind: z.literal('garbage'), ...common, isProcessed: processed(true) }),
    /** 200 with no body. */
    z.strictObject({ kind: z.literal('empty'), ...common, isProcessed: processed(true) }),
    /** 200 and the true answer without its identifiers (null), so that nothing proves success. */
    z.strictObject({ kind: z.literal('without-proof'), ...common }),
    /** Asks the caller to wait; nothing is processed. */
    z.strictObject({
      kind: z.literal('throttle'),
      ...common,
      status: z._default(z.union([z.literal(429), z.literal(503)]), 429),
      retryAfterSeconds: z._default(z.int().check(z.gte(0)), 1),
    }),
    /** The asset report's processing failure; short for its row. */
    z.strictObject({
      kind: z.literal('processing-failed'),
      ...common,
      operation: z._default(z.literal('asset-report'), 'asset-report'),
    }),
  ])
  .check(
    z.refine((fault) => fault.kind !== 'row' || toOperationId(fault.row) === fault.operation, {
      path: ['row'],
      error: 'belongs to another operation',
    }),
  );

export type Fault = z.infer<typeof faultSchema>;

export type FaultKind = Fault['kind'];

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
] as const satisfies readonly FaultKind[];

/** Takes the first fault that meets a call of this operation, and counts it as used. */
export function takeFault(faults: Fault[], operation: OperationId): Fault | undefined {
  const index = faults.findIndex(
    (fault) => fault.operation === operation || fault.operation === anyOperation,
  );
  const fault = faults[index];
  if (!fault || fault.times === 'always') return fault;
  if (fault.times === 1) faults.splice(index, 1);
  else faults[index] = { ...fault, times: fault.times - 1 };
  return fault;
}
