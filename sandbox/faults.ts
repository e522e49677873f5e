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

interface FaultText {
  readonly label: string;
  /** The answer to the call. */
  readonly effect: string;
  /** The reaction of the form and the BFF. */
  readonly form: string;
  /** Fields besides `kind`, `operation`, and `times`. */
  readonly fields: readonly FaultField[];
}

export type FaultField =
  'row' | 'subject' | 'status' | 'isProcessed' | 'delayMs' | 'retryAfterSeconds';

export const faultTexts: Readonly<Record<Fault['kind'], FaultText>> = {
  row: {
    label: 'An error of the service',
    effect: 'Answers with an error row, without processing the call.',
    form: 'The form asks for a correction if the error names a field of the form. Otherwise it says that the application was received, and the BFF tries again.',
    fields: ['row', 'subject'],
  },
  status: {
    label: 'An error page',
    effect: 'Answers with a status and an HTML page, as a gateway does.',
    form: 'The form says that the application was received. The BFF tries again after a delay.',
    fields: ['status', 'isProcessed'],
  },
  'invalid-session': {
    label: 'Rejected token',
    effect: 'Answers 401 INVALID_SESSION_ID, without processing the call.',
    form: 'Nothing. The BFF requests a new token and repeats the call.',
    fields: [],
  },
  delay: {
    label: 'Slow answer',
    effect: 'Waits, then processes the call and answers normally.',
    form: 'After 8 seconds, the form says that the application was received and is being sent.',
    fields: ['delayMs'],
  },
  'drop-after-commit': {
    label: 'Lost answer',
    effect: 'Processes the call, then answers with a 504 page.',
    form: 'The form says that the application was received. The BFF repeats the call, which the service then refuses as a duplicate: an operator must confirm it.',
    fields: [],
  },
  garbage: {
    label: 'Half an answer',
    effect: 'Processes the call, then sends status 200 and the first half of the answer.',
    form: 'As with a lost answer.',
    fields: ['isProcessed'],
  },
  empty: {
    label: 'Empty answer',
    effect: 'Processes the call, then sends status 200 without a body.',
    form: 'As with a lost answer.',
    fields: ['isProcessed'],
  },
  'without-proof': {
    label: 'Answer without identifiers',
    effect: 'Processes the call, then answers with null instead of each identifier.',
    form: 'As with a lost answer, because nothing proves that the service has the application.',
    fields: [],
  },
  throttle: {
    label: 'Too many requests',
    effect: 'Answers 429 or 503 with Retry-After, without processing the call.',
    form: 'The form says that the application was received. The BFF waits as long as the answer says.',
    fields: ['status', 'retryAfterSeconds'],
  },
  'processing-failed': {
    label: 'Bank report not processed',
    effect: 'Submit Asset Report answers that the submission failed.',
    form: 'The form says that the bank report was received. The BFF tries again.',
    fields: [],
  },
};

// The keys of a record are exactly those of its type.
export const faultKinds = Object.keys(faultTexts) as readonly Fault['kind'][] as readonly [
  Fault['kind'],
  ...Fault['kind'][],
];

/** The fields of a fault in words, for example `(503)`. Also names it in the timeline. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'row':
      return `(${fault.row})`;
    case 'status':
      return `(${fault.status})`;
    case 'delay':
      return `(${fault.delayMs.toLocaleString('en-US')} ms)`;
    case 'throttle':
      return `(${fault.status}, Retry-After ${fault.retryAfterSeconds})`;
    default:
      return '';
  }
}

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
