// Scenario tags: text in square brackets in the business name that selects how the sandbox treats the lead.

import type { Operation } from '../shared/funding-service/operations.ts';
import { errorRows, isErrorRowId, toOperation, type ErrorRowId } from './errors.ts';

/** The result of Get Pre-Approval Offer for a lead. `automatic`: no offers until the offer delay has passed, then three. */
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

/** Delay of every operation on a lead with the tag `slow`. */
export const slowDelayMs = 8_000;

/** Number of Create Lead requests that the tag `outage` rejects. */
export const maxOutageRejections = 2;

export const scenarios = [
  { tag: 'not qualified', outcome: 'not-qualified', description: 'Not Qualified, no offers.' },
  { tag: 'no offers', outcome: 'no-offers', description: 'Qualified, but never any offers.' },
  { tag: 'offers now', outcome: 'offers', description: 'Three offers, without the delay.' },
  { tag: 'one offer', outcome: 'one-offer', description: 'One offer, without the delay.' },
  { tag: 'many offers', outcome: 'many-offers', description: 'Eight offers, without the delay.' },
  {
    tag: 'untidy offers',
    outcome: 'untidy-offers',
    description: 'Offers in which some figures are numeric strings, null, or absent.',
  },
  { tag: 'do not contact', description: 'The lead is marked Do Not Contact when it is created.' },
  {
    tag: 'slow',
    description: `Every operation on the lead takes ${slowDelayMs / 1000} seconds.`,
  },
  {
    tag: 'lost answer',
    description: 'Create Lead creates the lead, but a gateway responds with 504.',
  },
  {
    tag: 'outage',
    description: `Create Lead responds with 503 to the first ${maxOutageRejections} requests.`,
  },
] as const satisfies readonly Scenario[];

/** A scenario's tag, or the id of an error row that the row's operation then returns for this lead. */
export type Tag = (typeof scenarios)[number]['tag'] | ErrorRowId;

/** The error rows that work as tags: all but those of the token operation, which does not know the lead. */
export const taggableRows: readonly ErrorRowId[] = Object.keys(errorRows)
  .filter(isErrorRowId)
  .filter((row) => toOperation(row) !== 'token');

/** Reads the tags of `Harbor Bakery [one offer] [upload-file/category-not-allowed]`. Unknown tags are ignored. */
export function readTags(company: string): readonly Tag[] {
  const words = Array.from(company.matchAll(/\[([^[\]]+)\]/g), (match) =>
    (match[1] ?? '').trim().toLowerCase().replaceAll(/\s+/g, ' '),
  );
  return words.filter(isTag);
}

export function toOutcome(tags: readonly Tag[]): Outcome {
  const known: readonly Scenario[] = scenarios;
  const scenario = known.find(({ tag, outcome }) => outcome && tags.some((given) => given === tag));
  return scenario?.outcome ?? 'automatic';
}

/** The error that the lead's tags select for this operation, if any. */
export function findTaggedError(
  tags: readonly Tag[],
  operation: Operation,
): ErrorRowId | undefined {
  return taggableRows.find((row) => tags.includes(row) && toOperation(row) === operation);
}

function isTag(word: string): word is Tag {
  return scenarios.some(({ tag }) => tag === word) || taggableRows.some((row) => row === word);
}
