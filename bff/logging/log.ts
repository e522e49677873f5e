// Writes typed events as JSON lines, and removes personal data and secrets that an event contains by mistake.

import { type DestinationStream, pino } from 'pino';
import { readStackPositions } from './error-trace.ts';

/** An event has a name and fields. Each folder declares its own events, and `bff-log.ts` lists the levels. */
export interface BaseEvent<Name extends string = string> {
  readonly event: Name;
  /** The log keeps only the error's class, code, stack positions, and cause. */
  readonly error?: unknown;
}

/** Primitives and lists of strings only, so that no request body, row, or other object fits into an event. */
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
 * @param levels the level of each event.
 * @param destination defaults to standard output.
 */
export function createLog<Event extends BaseEvent & Loggable<Event>>(
  levels: Readonly<Record<Event['event'], Level>>,
  destination?: DestinationStream,
): Log<Event> {
  const options = {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: (error: unknown) => toTrace(error) },
    hooks: { streamWrite: scrubLine },
  };
  const logger = pino(options, destination ?? openStandardOutput());
  return (event) => logger[levels[event.event as Event['event']]](event);
}

/**
 * Writes blocks to standard output, because a write for each line costs more than the line. The last block is written when the
 * process exits. A killed process loses the lines of its last fifth of a second.
 */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ sync: true, minLength: 4_096, periodicFlush: 200 });
  process.once('exit', () => output.flushSync());
  return output;
}

interface Trace {
  readonly name: string;
  readonly code?: string;
  readonly at?: readonly string[];
  readonly cause?: Trace;
}

/** An error can be its own cause. */
const maxCauses = 4;

/**
 * Leaves out the message, because it can contain what an applicant typed. Never throws: the error can come from a partner's
 * hook, with getters that throw.
 */
function toTrace(error: unknown, depth = 0): Trace {
  try {
    if (!(error instanceof Error)) return { name: typeof error };
    const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
    const at = readStackPositions(error);
    const hasCause = error.cause !== undefined && depth < maxCauses;
    const cause = hasCause ? { cause: toTrace(error.cause, depth + 1) } : {};
    return { name: String(error.name), ...code, ...(at.length > 0 ? { at } : {}), ...cause };
  } catch {
    return { name: 'unreadable' };
  }
}

/** Length of a JSON string with its quotes. No event contains a longer string on purpose. */
const maxStringLength = 4_096;

/** Patterns and their replacements, longer forms first. */
const patterns: readonly (readonly [string, RegExp])[] = [
  ['[session]', /Fe26\.\d+\*[\w*.=~-]*/g],
  ['[token]', /\b(?:Bearer|Basic|Funding)\s+[^\s"\\]+/gi],
  ['[token]', /\b00D[A-Za-z0-9]{9,15}![^\s"\\]+/g],
  ['[base64]', /[A-Za-z0-9+/_-]{200,}={0,2}/g],
  ['[email]', /[^\s@"\\<>]{1,64}@[^\s@"\\<>]{1,253}\.[A-Za-z]{2,}/g],
  // The lookarounds keep UUIDs, which can contain such groups of digits between hyphens.
  ['[ssn]', /(?<![\w.-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])/g],
  ['[ein]', /(?<![\w.-])\d{2}[- ]\d{7}(?![\w-])/g],
  ['[9 digits]', /(?<![\w.:-])\d{9}(?![\w-])/g],
  ['[date]', /(?<![\w-])(?:18|19|20)\d{2}-\d{2}-\d{2}(?![\w-])/g],
  ['[phone]', /(?<![\w-])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])/g],
];

/**
 * Replaces personal data and secrets inside the JSON strings of a log line. The patterns are heuristics for data that gets into
 * an event by mistake (CWE-532); the types of the events are the actual protection. Strings of more than 4,096 characters are
 * replaced by their length, because searching them would block the event loop (CWE-1333).
 */
export function scrubLine(line: string): string {
  if (!mayNeedScrubbing(line)) return line;
  const parts: string[] = [];
  let end = 0;
  let start: number | undefined;
  // One pattern for a whole string, or for any number of escapes, would exceed the stack of the pattern on many megabytes.
  for (const { 0: token, index } of line.matchAll(/"|(?:\\.){1,1000}/g)) {
    if (token !== '"') continue;
    if (start === undefined) {
      start = index;
    } else {
      parts.push(line.slice(end, start), scrubString(line.slice(start, index + 1)));
      end = index + 1;
      start = undefined;
    }
  }
  return parts.join('') + line.slice(end);
}

/** Almost no line does, and a search of the whole line is twenty times faster than replacing in each of its strings. */
function mayNeedScrubbing(line: string): boolean {
  if (line.length > maxStringLength || line.includes('@')) return true;
  return patterns.some(([word, pattern]) => word !== '[email]' && line.search(pattern) !== -1);
}

function scrubString(text: string): string {
  if (text.length > maxStringLength) return `"[${text.length - 2} characters]"`;
  return patterns.reduce(
    (scrubbed, [replacement, pattern]) => scrubbed.replaceAll(pattern, replacement),
    text,
  );
}
