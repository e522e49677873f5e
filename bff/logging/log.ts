// Writes typed events as JSON lines, and removes personal data and secrets that an event contains by mistake.

import { type DestinationStream, pino } from 'pino';

/** An event name with its fields. Each folder declares its own events, and `server.ts` lists them all. */
export interface BaseEvent<Name extends string = string> {
  readonly event: Name;
  /** The log keeps only the error's class, code, stack positions, and cause. */
  readonly error?: unknown;
}

/** A field is a primitive or a list of strings, so that no request body, row, or other object fits into an event. */
type FieldValue = string | number | boolean | undefined | readonly string[];

/** The constraint on event types: each field except `error` is a `FieldValue`. */
export type Loggable<Event> = {
  readonly [Field in keyof Event]: Field extends 'error' ? unknown : FieldValue;
};

export type Log<Event extends BaseEvent> = (event: Event) => void;

export type Level = 'info' | 'warn' | 'error';

/**
 * Writes each event as one line of JSON.
 *
 * @param levels has an entry for each event name.
 * @param destination defaults to standard output.
 */
export function createLog<Name extends string, Event extends BaseEvent<Name> & Loggable<Event>>(
  levels: Readonly<Record<Name, Level>>,
  destination?: DestinationStream,
): Log<Event> {
  const options = {
    base: null,
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: scrubLine },
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return ({ event, ...details }) => {
    const fields: object =
      'error' in details ? { ...details, error: toTrace(details.error) } : details;
    logger[levels[event]](fields, event);
  };
}

interface Trace {
  readonly name: string;
  readonly code?: string;
  readonly at?: readonly string[];
  readonly cause?: Trace;
}

/** An error may be its own cause. */
const deepestCause = 4;

/** Never throws: what a partner's hook throws is somebody else's, and telling of it must not cost more than it did. */
function toTrace(error: unknown, depth = 0): Trace {
  try {
    return readTrace(error, depth);
  } catch {
    return { name: 'unreadable' };
  }
}

/** An error's message may hold what somebody typed; its class, code and place do not. */
function readTrace(error: unknown, depth: number): Trace {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const at = error.stack
    ?.split('\n')
    .map((line) => /^\s+at .*?([^\s(/\\]+:\d+:\d+)\)?$/.exec(line)?.[1])
    .filter((frame) => frame !== undefined)
    .slice(0, 8);
  const hasCause = error.cause !== undefined && depth < deepestCause;
  const cause = hasCause ? { cause: toTrace(error.cause, depth + 1) } : {};
  return { name: String(error.name), ...code, ...(at ? { at } : {}), ...cause };
}

/** With its quotes. No event holds as much: what is longer got there by mistake, and would take long to look through. */
const longestText = 4_096;

/** What is looked for inside the strings of a line, and the word that takes its place. Order matters: the longer forms come first. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ['[seal]', /Fe26\.\d+\*[\w*.=~-]*/g],
  ['[token]', /\b(?:Bearer|Basic|Funding)\s+[^\s"\\]+/gi],
  ['[token]', /\b00D[A-Za-z0-9]{9,15}![^\s"\\]+/g],
  ['[base64]', /[A-Za-z0-9+/_-]{200,}={0,2}/g],
  ['[email]', /[^\s@"\\<>]{1,64}@[^\s@"\\<>]{1,253}\.[A-Za-z]{2,}/g],
  // Of nine digits alone or in the groups people write; never a part of an id, whose groups are joined by hyphens too.
  ['[ssn]', /(?<![\w.-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])/g],
  ['[ein]', /(?<![\w.-])\d{2}[- ]\d{7}(?![\w-])/g],
  ['[9 digits]', /(?<![\w.:-])\d{9}(?![\w-])/g],
  ['[date]', /(?<![\w-])(?:18|19|20)\d{2}-\d{2}-\d{2}(?![\w-])/g],
  ['[phone]', /(?<![\w-])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])/g],
];

/**
 * The line with each shape replaced: Social Security and employer numbers, dates, phone numbers, e-mail addresses, tokens, session
 * seals, long Base64. Only inside its JSON strings, so that it stays JSON. A shape is a guess, so this is no licence to log
 * freely: events are typed, and this catches what a mistake in one of them lets through (CWE-532). Of a string of more than
 * 4,096 characters only the length is left: looking through it would hold up the thread that serves (CWE-1333).
 */
export function scrubLine(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"/g, scrubText);
}

function scrubText(text: string): string {
  if (text.length > longestText) return `"[${text.length - 2} characters]"`;
  return shapes.reduce((scrubbed, [word, shape]) => scrubbed.replaceAll(shape, word), text);
}
