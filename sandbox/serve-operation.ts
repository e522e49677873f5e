// Serves one operation over HTTP: plays faults, waits where a lead is slow, answers, and writes the call down.

import type { Context } from 'hono';
import { readTokenState } from './access.ts';
import { toHtmlResponse, toPlatformResponse, toResponse } from './answers.ts';
import type { SandboxContext } from './context.ts';
import { takeFault, type Fault } from './faults.ts';
import { refuse, type Answer, type Operation, type Received } from './operation.ts';
import type { OperationId } from './operation-ids.ts';
import { slowAnswerMs } from './scenarios.ts';
import { maxCalls, type CallRecord } from './state.ts';

/** Headers that are written down as they are; all others stay out of the ledger. */
const recordedHeaders = [
  'accept',
  'applicationid',
  'content-length',
  'content-type',
  'partnerid',
  'partnername',
  'user-agent',
];

interface Served {
  readonly response: Response;
  readonly answer: Answer | undefined;
}

export function serveOperation(id: OperationId, operate: Operation, context: SandboxContext) {
  return async (c: Context): Promise<Response> => {
    const startedMs = performance.now();
    const fault = takeFault(context.state.faults, id);
    const received: Received = {
      headers: c.req.raw.headers,
      text: await c.req.text(),
      origin: new URL(c.req.url).origin,
    };
    const atMs = context.clock.now();
    const headers = toRecordedHeaders(received.headers, context);
    const { response, answer } = await serve(operate, received, fault, context);
    if (id === 'token') forbidStoring(response);
    record(context, {
      atMs,
      operation: id,
      headers,
      requestBytes: Buffer.byteLength(received.text),
      status: response.status,
      outcome: toOutcome(response, answer, fault),
      fault: fault?.kind,
      applicationId: answer?.applicationId,
      durationMs: Math.round((performance.now() - startedMs) * 10) / 10,
    });
    return response;
  };
}

async function serve(
  operate: Operation,
  received: Received,
  fault: Fault | undefined,
  context: SandboxContext,
): Promise<Served> {
  if (fault?.kind === 'delay') await context.delay(fault.delayMs);
  const instead = fault && answerInstead(fault, context);
  if (instead) return instead;
  const answer = operate(received, context);
  const lead = answer.applicationId ? context.state.leads.get(answer.applicationId) : undefined;
  if (lead?.tags.includes('slow')) await context.delay(slowAnswerMs);
  const response = toResponse(answer, context);
  return { answer, response: fault ? await spoil(fault, response, answer) : response };
}

/** The answer of a fault that keeps the operation from being reached. */
function answerInstead(fault: Fault, context: SandboxContext): Served | undefined {
  switch (fault.kind) {
    case 'row': {
      const answer = refuse(fault.row, { subject: fault.subject });
      return { answer, response: toResponse(answer, context) };
    }
    case 'processing-failed': {
      const answer = refuse('asset-report/processing-failed');
      return { answer, response: toResponse(answer, context) };
    }
    case 'invalid-session': {
      const message = 'Session expired or invalid';
      return broken(toPlatformResponse(401, 'INVALID_SESSION_ID', message));
    }
    case 'throttle': {
      const retryAfter = { 'Retry-After': String(fault.retryAfterSeconds) };
      return broken(toHtmlResponse(fault.status, retryAfter));
    }
    case 'status':
      return fault.isProcessed ? undefined : broken(toHtmlResponse(fault.status));
    case 'empty':
      return fault.isProcessed ? undefined : broken(new Response(''));
    case 'garbage':
      return fault.isProcessed ? undefined : broken(toCutResponse('{"IsSuccessful":true,"Respo'));
    default:
      return undefined;
  }
}

/** What is left of the true answer when the fault strikes after the work was done. */
async function spoil(fault: Fault, response: Response, answer: Answer): Promise<Response> {
  switch (fault.kind) {
    case 'drop-after-commit':
      return toHtmlResponse(504);
    case 'status':
      return toHtmlResponse(fault.status);
    case 'empty':
      return new Response('');
    case 'garbage': {
      const whole = await response.text();
      return toCutResponse(whole.slice(0, Math.floor(whole.length / 2)));
    }
    case 'without-proof':
      return answer.kind === 'done' ? Response.json(withoutProof(answer.body)) : response;
    default:
      return response;
  }
}

function withoutProof(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const proofs = [
    'access_token',
    'ApplicationID',
    'DocumentId',
    'assetReportId',
    'PreApproval_Data',
  ];
  const taken = proofs.filter((name) => Object.hasOwn(body, name)).map((name) => [name, null]);
  return { ...body, ...Object.fromEntries(taken) };
}

/** RFC 6749, section 5.1: no cache may store a token. The same goes for errors. */
function forbidStoring({ headers }: Response): void {
  headers.set('Cache-Control', 'no-store');
  headers.set('Pragma', 'no-cache');
}

function toCutResponse(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
}

function broken(response: Response): Served {
  return { response, answer: undefined };
}

function toOutcome(
  response: Response,
  answer: Answer | undefined,
  fault: Fault | undefined,
): CallRecord['outcome'] {
  if (answer?.kind === 'refused') return answer.row;
  const isSpoilt = fault !== undefined && fault.kind !== 'delay';
  return isSpoilt || answer?.kind !== 'done' || !response.ok ? 'broken' : 'ok';
}

function toRecordedHeaders(headers: Headers, context: SandboxContext): Record<string, string> {
  const recorded: Record<string, string> = {};
  for (const name of recordedHeaders) {
    const value = headers.get(name);
    if (value !== null) recorded[name] = value;
  }
  if (headers.has('authorization')) {
    recorded.authorization = `(token ${readTokenState(headers, context)})`;
  }
  return recorded;
}

function record({ state }: SandboxContext, call: Omit<CallRecord, 'callId'>): void {
  state.callCount += 1;
  state.calls.push({ callId: state.callCount, ...call });
  if (state.calls.length > maxCalls) state.calls.shift();
}
