// `erase`: everything personal of one application goes, delivered or not.

import type { Journal } from '../journal/journal.ts';
import {
  childKinds,
  type ApplicationRow,
  type ApplicationState,
  type ChildKind,
  type ChildState,
  type DeliveryKind,
} from '../journal/records.ts';
import { isUnreadable } from '../journal/rows.ts';
import {
  readArguments,
  readReference,
  toNotFound,
  type Command,
  type CommandContext,
  type CommandResult,
} from './command.ts';
import { toSection } from './text.ts';

export const erase: Command = {
  name: 'erase',
  parameters: '<reference> --yes',
  summary: 'erase everything personal of one application',
  help: `Without --yes it says what would be lost, and changes nothing. What the funding
service has already is not touched; what was not delivered never will be. Ids,
states, times and the texts of consents stay. It cannot be undone, except from a
backup: erase it again after restoring one.`,
  options: ['yes'],
  prepare(call) {
    const [text] = readArguments(call, 'reference');
    const reference = readReference(text);
    const isConfirmed = call.options.has('yes');
    return (context) => eraseApplication(reference, isConfirmed, context);
  },
};

/** The application, or one of its children. */
interface Part {
  readonly kind: DeliveryKind;
  /** A child's number among its kind; `undefined` for the application itself. */
  readonly number: number | undefined;
  /** `unreadable`: rows of the kind cannot be read, and nobody knows how they stand. */
  readonly state: ApplicationState | ChildState | 'unreadable';
}

async function eraseApplication(
  reference: string,
  isConfirmed: boolean,
  { journal }: CommandContext,
): Promise<CommandResult> {
  const before = await listParts(reference, journal);
  if (!before) return toNotFound(reference);
  if (!isConfirmed) {
    const loss = toLossText(before.filter(isUndelivered), 'would be');
    const message = `Nothing was erased: give --yes as well.\n${loss}`;
    return { error: 'not-confirmed', message, exitCode: 2 };
  }
  const result = await journal.erase(reference);
  if (result === 'not-found') return toNotFound(reference);
  if (result === 'sending') {
    const message = 'It is being sent just now, so nothing was erased. Try again in a few minutes.';
    return { error: 'sending', message };
  }
  const lost = findLost(before, (await listParts(reference, journal)) ?? []);
  const isOverwritten = await journal.scrub();
  return {
    json: { reference, lost: lost.map(toJson), isOverwritten },
    text: [
      `Erased: everything personal of ${reference}.`,
      toLossText(lost, 'is'),
      ...(isOverwritten ? [] : [overwrittenLater]),
    ].join('\n'),
  };
}

const overwrittenLater = `Another process reads the journal just now, so the disk still holds what was erased:
a running BFF overwrites it within ten minutes; without one, run this again.`;

async function listParts(
  reference: string,
  journal: Journal,
): Promise<readonly Part[] | undefined> {
  const application = await orUnreadable(journal.findApplication(reference));
  if (!application) return undefined;
  const children = await Promise.all(childKinds.map((kind) => listChildren(kind)));
  return [
    { kind: 'application', number: undefined, state: toState(application) },
    ...children.flat(),
  ];

  async function listChildren(kind: ChildKind): Promise<readonly Part[]> {
    const rows = await orUnreadable(journal.listChildren(reference, kind));
    if (rows === 'unreadable') return [{ kind, number: undefined, state: rows }];
    // One that was never complete has no number, and nobody was told that it was received.
    return rows.filter(({ number }) => number > 0);
  }
}

/** To be erased, a row need not be readable. */
async function orUnreadable<Row>(asked: Promise<Row>): Promise<Row | 'unreadable'> {
  try {
    return await asked;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return 'unreadable';
  }
}

function toState(application: ApplicationRow | 'unreadable'): Part['state'] {
  return application === 'unreadable' ? application : application.state;
}

/** Refused counts as delivered: there was nothing left to do. */
function isUndelivered({ state }: Part): boolean {
  return state !== 'accepted' && state !== 'rejected' && state !== 'erased';
}

/** Something may have been delivered since the first look: only what was erased unconfirmed is lost. */
function findLost(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  return after
    .filter(({ state }) => state === 'erased' || state === 'unreadable')
    .map(
      (part) =>
        before.find(({ kind, number }) => kind === part.kind && number === part.number) ??
        ({ ...part, state: 'received' } as const),
    )
    .filter(isUndelivered);
}

function toLossText(parts: readonly Part[], verb: 'is' | 'would be'): string {
  if (parts.length === 0) return `Nothing ${verb} lost: all of it was delivered or refused.`;
  const lines = parts.map(({ kind, number, state }) =>
    [kind, ...(number === undefined ? [] : [number]), `(${state})`].join(' '),
  );
  return toSection(`Not delivered, so it ${verb} lost:`, lines.join('\n'));
}

function toJson({ kind, number, state }: Part): object {
  return { kind, number: number ?? null, state };
}
