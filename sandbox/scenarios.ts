// What a person can ask of the sandbox by typing: tags in square brackets in the name of the business.

import { errorRows, isErrorRowId, toOperationId, type ErrorRowId } from './errors.ts';
import type { OperationId } from './operation-ids.ts';

/** What Get Pre-Approval Offer answers for a lead; `automatic` is "none yet" at first and offers after a while. */
export const outcomes = [
  'automatic',
  'offers',
  'one-offer',
  'many-offers',
  'untidy-offers',
  'no-offers',
  'not-qualified',
] as const;

export type Outcome = (typeof outcomes)[number];

export interface Scenario {
  readonly tag: string;
  readonly description: string;
  readonly outcome?: Outcome;
}

/** How long a `[slow]` lead makes each of its operations wait. */
export const slowAnswerMs = 8_000;

/** How many attempts at Create Lead an `[outage]` turns away. */
export const outageAttempts = 2;

export const scenarios = [
  { tag: 'not qualified', outcome: 'not-qualified', description: 'Not Qualified, no offers.' },
  { tag: 'no offers', outcome: 'no-offers', description: 'Qualified, and never an offer.' },
  { tag: 'offers now', outcome: 'offers', description: 'Three offers at once, without the wait.' },
  { tag: 'one offer', outcome: 'one-offer', description: 'A single offer at once.' },
  { tag: 'many offers', outcome: 'many-offers', description: 'Eight offers at once.' },
  {
    tag: 'untidy offers',
    outcome: 'untidy-offers',
    description: 'Offers whose figures are numeric text, null, or absent.',
  },
  { tag: 'do not contact', description: 'The lead is marked Do Not Contact from the start.' },
  { tag: 'slow', description: `Every answer about the lead takes ${slowAnswerMs / 1000} seconds.` },
  {
    tag: 'lost answer',
    description: 'Create Lead creates the lead, but a gateway answers 504 instead.',
  },
  {
    tag: 'outage',
    description: `Create Lead answers 503 to the first ${outageAttempts} attempts, then works.`,
  },
] as const satisfies readonly Scenario[];

export type ScenarioTag = (typeof scenarios)[number]['tag'];

/** A scenario, or the id of an error row that the row's operation then answers for this lead. */
export type Tag = ScenarioTag | ErrorRowId;

/** Rows that a tag can call up: all but those of the token operation, which knows no lead. */
export const taggableRows: readonly ErrorRowId[] = Object.keys(errorRows)
  .filter(isErrorRowId)
  .filter((row) => toOperationId(row) !== 'token');

/** Reads `Harbor Bakery [one offer] [upload-file/category-not-allowed]`; tags it does not know are ignored. */
export function readTags(company: string): readonly Tag[] {
  const words = Array.from(company.matchAll(/\[([^[\]]+)\]/g), (match) =>
    (match[1] ?? '').trim().toLowerCase().replaceAll(/\s+/g, ' '),
  );
  return words.filter(isTag);
}

export function toOutcome(tags: readonly Tag[]): Outcome {
  const known: readonly Scenario[] = scenarios;
  const chosen = known.find(({ tag, outcome }) => outcome && tags.some((given) => given === tag));
  return chosen?.outcome ?? 'automatic';
}

/** The row that a lead's tags ask this operation to answer, if any. */
export function toPlannedRow(tags: readonly Tag[], operation: OperationId): ErrorRowId | undefined {
  return taggableRows.find((row) => tags.includes(row) && toOperationId(row) === operation);
}

function isTag(word: string): word is Tag {
  return scenarios.some(({ tag }) => tag === word) || taggableRows.some((row) => row === word);
}
