// Plain text for people: aligned columns, times with their age.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Its two largest units, for example `2 h 5 min`. */
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

/** For example `1 row`, `2 rows`; `plural` where an s is not enough. */
export function toCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Columns two blanks apart, as wide as their widest cell; numbers stand at the right. */
export function toTable(rows: readonly (readonly (string | number)[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_none, index) =>
    Math.max(...rows.map((row) => String(row[index] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => {
          const width = widths[index] ?? 0;
          return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A heading and its lines, set in by two blanks. */
export function toSection(heading: string, text: string): string {
  return `${heading}\n${text.replaceAll(/^(?=.)/gm, '  ')}`;
}

/** For programs: ISO 8601, or `null` where there is no time. */
export function toJsonTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
