// Formats the output of commands: tables, times, durations, and counts.

import type { DeliveryKind, EventConsumer, EventCount } from '../store/store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** For example `45 s`, `4 min`, `2 h 5 min`, or `3 d 4 h`. */
export function toDuration(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / 1000))} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ${Math.floor((ms % hourMs) / minuteMs)} min`;
  return `${Math.floor(ms / dayMs)} d ${Math.floor((ms % dayMs) / hourMs)} h`;
}

/** ISO 8601 to the second. */
export function toTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** For example `2026-11-20T07:55:00Z (2 h 5 min ago)`. */
export function toTimeAndAge(at: number, now: number): string {
  return `${toTime(at)} (${toDuration(now - at)} ago)`;
}

/** For example `1 row` or `2 rows`. */
export function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Separates columns with two spaces. Numbers are right-aligned. */
export function toTable(rows: readonly (readonly (string | number)[])[]): string {
  const toWidth = (column: number) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length));
  const lines = rows.map((row) =>
    row.map((cell, column) =>
      typeof cell === 'number'
        ? String(cell).padStart(toWidth(column))
        : cell.padEnd(toWidth(column)),
    ),
  );
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}

/** A heading, and its lines indented by two spaces, or `none`. */
export function toSection(heading: string, lines: readonly string[]): string {
  return `${heading}\n${(lines.join('\n') || 'none').replaceAll(/^(?=.)/gm, '  ')}`;
}

/** Drops lines that do not apply. */
export function omitEmpty(lines: readonly (string | false | undefined)[]): readonly string[] {
  return lines.filter((line): line is string => typeof line === 'string' && line !== '');
}

/** Add an s for the plural. */
export const kindNames: Readonly<Record<DeliveryKind, string>> = {
  application: 'application',
  document: 'document',
  'bank-report': 'bank report',
  contact: 'contact request',
};

export const consumerNames: Readonly<Record<EventConsumer, string>> = {
  webhook: 'webhook',
  hook: 'hook onStatus',
};

/** For example `Events for the webhook: 3 applications waiting (oldest 4 min), 1 event given up.` */
export function toEventsText(count: EventCount, now: number): string {
  const { consumer, pending, pendingSince, givenUp, stoppedAt } = count;
  const oldest = pendingSince === undefined ? '' : ` (oldest ${toDuration(now - pendingSince)})`;
  const parts = [
    pending === 0 ? 'all sent' : `${toCount(pending, 'application')} waiting${oldest}`,
    ...(givenUp > 0 ? [`${toCount(givenUp, 'event')} given up`] : []),
    ...(stoppedAt === undefined ? [] : [`stopped since ${toTime(stoppedAt)}`]),
  ];
  return `Events for the ${consumerNames[consumer]}: ${parts.join(', ')}.`;
}
