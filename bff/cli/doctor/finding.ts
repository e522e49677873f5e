// What one check of the doctor found, and how it is told to people and to programs.

import { toTable } from '../format.ts';

/** `hint`: nothing is broken for certain, or nobody can know from here; it does not change the exit code. */
export type FindingResult = 'ok' | 'wrong' | 'hint';

export interface Finding {
  /** A stable code, for example `preflight`. */
  readonly check: string;
  readonly result: FindingResult;
  /** A sentence; of answers it holds statuses, media types and our own codes, never a value. */
  readonly message: string;
  /** What to change: the variable, header or line of the proxy, as it has to read. */
  readonly mend?: string;
  /** Of the page that the check stood in for. */
  readonly origin?: string;
}

/** Findings in the order of the checks; `Outcome` is what later checks need to know. */
export type Findings<Outcome = void> = AsyncGenerator<Finding, Outcome>;

export function ok(check: string, message: string): Finding {
  return { check, result: 'ok', message };
}

export function wrong(check: string, message: string, mend: string): Finding {
  return { check, result: 'wrong', message, mend };
}

export function hint(check: string, message: string, mend: string): Finding {
  return { check, result: 'hint', message, mend };
}

/** One line a check, set apart by page, and below it what to change. */
export function toText(findings: readonly Finding[]): string {
  const lines: string[] = [];
  let origin: string | undefined;
  for (const finding of findings) {
    if (finding.origin !== origin && finding.origin) lines.push(`As a page of ${finding.origin}`);
    origin = finding.origin;
    lines.push(toLines(finding));
  }
  return lines.join('\n');
}

function toLines({ check, result, message, mend }: Finding): string {
  const first = toTable([[result.padEnd(5), check.padEnd(13), message]]);
  if (mend === undefined) return first;
  return [first, ...mend.split('\n').map((line) => `${' '.repeat(22)}> ${line}`)].join('\n');
}
