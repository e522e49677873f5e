// The types of a probe: one question to the funding service, and the finding that answers it.

import type { Session } from './session.ts';

/**
 * - `as-specified`: the service did what the specification says.
 * - `differs`: it did something else.
 * - `known-now`: the specification is silent, and the answer shows what the service does.
 * - `not-testable`: no request can show it, or a request did not lead to an answer.
 */
export const verdicts = ['as-specified', 'differs', 'known-now', 'not-testable'] as const;

export type Verdict = (typeof verdicts)[number];

export interface Probe {
  /** An operation or a subject, and a condition. Failures have the ids of the error table that the sandbox uses. */
  readonly id: string;
  /** The request, as a noun phrase. */
  readonly title: string;
  /** The section of the specification. */
  readonly section: string;
  /** A statement of the specification, or `not shown`. */
  readonly says: string;
  readonly run: (session: Session) => Promise<Finding>;
}

export interface Finding {
  readonly verdict: Verdict;
  /** The answer of the service, without secrets. */
  readonly did: string;
  /** How the BFF treats such an answer. Absent if every treatment is right. */
  readonly bff?: 'handled' | 'handled-with-settings' | 'not-handled';
  readonly settings?: readonly SettingChange[];
  /** A question to the funding service, or a consequence, if no setting follows from the answer. */
  readonly advice?: string;
}

/** A member of the settings file that follows from an answer. `pattern`: `value` is added to a list of regular expressions. */
export interface SettingChange {
  readonly path: string;
  readonly value: unknown;
  readonly isPattern?: true;
}

/** One line of the report. */
export interface Row extends Finding {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly says: string;
}

/** Ends a probe without a finding. The row is not testable for this reason. */
export class NotTestable extends Error {}

/** Ends the whole run. The message is one or two sentences for the operator. */
export class Stop extends Error {}

/** Ends the whole run because the operator pressed Ctrl-C. */
export class Interrupted extends Stop {
  constructor() {
    super('Interrupted. The report has the rows so far. Add --resume to continue.');
  }
}
