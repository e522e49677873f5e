// Scenario tags: text in square brackets in the business name that selects how the sandbox treats the lead.

import type { Operation } from '../shared/funding-service/operations.ts';
import { errorRows, isErrorRowId, toOperation, type ErrorRowId } from './errors.ts';

/** The results of Get Pre-Approval Offer for a lead: what the service answers, and what the form then shows. */
export const outcomeTexts = {
  automatic: {
    label: 'Automatic',
    answer:
      'Qualified without offers until the offer delay has passed (12 seconds), then three offers.',
    form: 'The form waits, then shows three offers.',
  },
  offers: {
    label: 'Three offers',
    answer: 'Qualified with three offers, without the delay.',
    form: 'The form shows three offers.',
  },
  'one-offer': {
    label: 'One offer',
    answer: 'Qualified with one offer, without the delay.',
    form: 'The form shows one offer, without a comparison.',
  },
  'many-offers': {
    label: 'Eight offers',
    answer: 'Qualified with eight offers, without the delay.',
    form: 'The form shows eight offers.',
  },
  'custom-offers': {
    label: 'Offers of your own',
    answer: 'Qualified with the number, amounts, and delay that you choose.',
    form: 'The form shows these offers once their delay has passed.',
  },
  'untidy-offers': {
    label: 'Untidy offers',
    answer: 'Offers in which some figures are numeric strings, null, or absent.',
    form: 'The form shows the offers without the figures that are missing.',
  },
  'no-offers': {
    label: 'No offers',
    answer: 'Qualified, but never any offers.',
    form: 'The form keeps waiting, then says that offers can take longer.',
  },
  'not-qualified': {
    label: 'Not qualified',
    answer: 'Not Qualified, without offers.',
    form: 'The form says that the application did not qualify.',
  },
} as const;

export type Outcome = keyof typeof outcomeTexts;

// The keys of an object literal are exactly those of its type.
export const outcomes = Object.keys(outcomeTexts) as readonly Outcome[] as readonly [
  Outcome,
  ...Outcome[],
];

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
