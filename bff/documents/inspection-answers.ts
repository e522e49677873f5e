// Reads the answers of an inspection child from its pipe. A document may have taken the child over, so each answer is checked.

import type { Socket } from 'node:net';
import * as z from 'zod/mini';
import type { After } from '../after.ts';
import { documentRefusals } from './document-refusals.ts';
import type { ChildAnswer, ErrorTrace } from './serve-inspections.ts';

const maxAnswerLength = 8_192;

export interface Answers {
  /** `ended`: the process is gone. `late`: no answer in time. `unreadable`: it was none we know. */
  next(limitMs: number): Promise<ChildAnswer | { readonly kind: 'ended' | 'late' | 'unreadable' }>;
}

export function createAnswers(socket: Socket, closed: Promise<unknown>, after: After): Answers {
  type Answer = Awaited<ReturnType<Answers['next']>>;
  const unread: Answer[] = [];
  let take: ((answer: Answer) => void) | undefined;
  let text = '';

  function add(answer: Answer): void {
    if (take) take(answer);
    else unread.push(answer);
  }

  socket.on('data', (data: Buffer) => {
    text += data.toString();
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) add(toAnswer(line));
    if (text.length <= maxAnswerLength) return;
    text = '';
    add({ kind: 'unreadable' });
  });
  void closed.then(() => add({ kind: 'ended' }));

  return {
    next(limitMs) {
      const first = unread.shift();
      if (first) return Promise.resolve(first);
      return new Promise((resolvePromise) => {
        const settle = (answer: Answer): void => {
          take = undefined;
          cancel();
          resolvePromise(answer);
        };
        take = settle;
        // A turn later: where this process itself stood still, the answer lies in the pipe already.
        const cancel = after(limitMs, () => {
          setImmediate(() => {
            if (take === settle) settle({ kind: 'late' });
          });
        });
      });
    },
  };
}

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('received') }),
  z.object({
    kind: z.literal('inspected'),
    inspection: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('accepted'), extension: z.string() }),
      z.object({
        kind: z.literal('refused'),
        code: z.enum(documentRefusals),
        detail: z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)),
      }),
    ]),
    residentBytes: z.number(),
  }),
  z.object({ kind: z.literal('out-of-memory') }),
  z.object({
    kind: z.literal('threw'),
    error: z.object({ name: z.string(), at: z.array(z.string()) }),
  }),
]);

function toAnswer(line: string): ChildAnswer | { readonly kind: 'unreadable' } {
  try {
    // The words of `detail` are a closed list for the compiler; here their shape is checked.
    return answerSchema.parse(JSON.parse(line)) as ChildAnswer;
  } catch {
    return { kind: 'unreadable' };
  }
}

/** An error that the log can show with its class and place. */
export function toError({ name, at }: ErrorTrace): Error {
  const error = new Error('The inspection threw');
  error.name = /^\w{1,60}$/.test(name) ? name : 'Error';
  const frames = at.filter((frame) => /^[\w.:[\]-]{1,120}$/.test(frame)).slice(0, 8);
  error.stack = [error.name, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}
