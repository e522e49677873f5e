// `erase`: everything personal of one application goes, delivered or not.

import {
  type ApplicationRow,
  type ApplicationState,
  type AttachmentKind,
  attachmentKinds,
  type AttachmentRow,
  type AttachmentState,
  type DeliveryKind,
  type Store,
} from '../store/store.ts';
import { isUnreadable } from '../store/rows.ts';
import {
  readArguments,
  readReference,
  toNotFound,
  type Command,
  type CommandContext,
  type CommandFailure,
  type CommandResult,
} from './command.ts';
import { toSection, toTime } from './format.ts';

export const erase: Command = {
  kind: 'store',
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
  readonly state: ApplicationState | AttachmentState | 'unreadable';
  /** The funding service may have it, although it never said so. */
  readonly isUncertain: boolean;
}

interface Parts {
  readonly all: readonly Part[];
  /** When all of it was erased; epoch milliseconds. */
  readonly erasedAt: number | undefined;
}

async function eraseApplication(
  reference: string,
  isConfirmed: boolean,
  { store }: CommandContext,
): Promise<CommandResult> {
  const before = await listParts(reference, store);
  if (!before) return toNotFound(reference);
  if (!isConfirmed) {
    const loss = toLossText(before.all.filter(isUndelivered), 'would be', before);
    const message = `Nothing was erased: give --yes as well.\n${loss}`;
    return { error: 'not-confirmed', message, exitCode: 2 };
  }
  const result = await store.erase(reference);
  if (result === 'not-found') return toNotFound(reference);
  if (result === 'sending') return stillSending;
  const startTimer = await listParts(reference, store);
  const lost = findLost(before.all, startTimer?.all ?? []);
  const isOverwritten = await store.scrub();
  return {
    json: { reference, lost: lost.map(toJson), isOverwritten },
    text: [
      `Erased: everything personal of ${reference}.`,
      toLossText(lost, 'is', before),
      ...(isOverwritten ? [] : [overwrittenLater]),
    ].join('\n'),
  };
}

const stillSending: CommandFailure = {
  error: 'sending',
  message:
    'It is being sent, or was when its BFF ended without a word, so nothing was erased. Try again in a few minutes, while a BFF runs.',
};

const overwrittenLater = `Another process reads the store just now, so the disk still holds what was erased:
a running BFF overwrites it within ten minutes; without one, run this again.`;

async function listParts(reference: string, store: Store): Promise<Parts | undefined> {
  const application = await orUnreadable(store.findApplication(reference));
  if (!application) return undefined;
  const attachments = await Promise.all(attachmentKinds.map((kind) => listAttachments(kind)));
  return {
    all: [toApplicationPart(application), ...attachments.flat()],
    erasedAt: application === 'unreadable' ? undefined : application.erasedAt,
  };

  async function listAttachments(kind: AttachmentKind): Promise<readonly Part[]> {
    const rows = await orUnreadable(store.listAttachments(reference, kind));
    if (rows === 'unreadable') return [toUnreadablePart(kind)];
    // One that was never complete has no number, and nobody was told that it was received.
    return rows.filter(({ number }) => number > 0).map(toAttachmentPart);
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

function toApplicationPart(row: ApplicationRow | 'unreadable'): Part {
  if (row === 'unreadable') return toUnreadablePart('application');
  const isUncertain = row.state === 'unconfirmed' || row.uncertainAttempts > 0;
  return { kind: 'application', number: undefined, state: row.state, isUncertain };
}

function toAttachmentPart({ kind, number, state, uncertainAttempts }: AttachmentRow): Part {
  return { kind, number, state, isUncertain: uncertainAttempts > 0 };
}

function toUnreadablePart(kind: DeliveryKind): Part {
  return { kind, number: undefined, state: 'unreadable', isUncertain: true };
}

/** Refused counts as delivered: there was nothing left to do. */
function isUndelivered({ state }: Part): boolean {
  return state !== 'accepted' && state !== 'rejected' && state !== 'erased';
}

/** Something may have been delivered since the first look: only what was erased unconfirmed is lost. */
function findLost(before: readonly Part[], startTimer: readonly Part[]): readonly Part[] {
  return startTimer
    .filter(({ state }) => state === 'erased' || state === 'unreadable')
    .map(
      (part) =>
        before.find(({ kind, number }) => kind === part.kind && number === part.number) ??
        ({ ...part, state: 'received' } as const),
    )
    .filter(isUndelivered);
}

function toLossText(lost: readonly Part[], verb: 'is' | 'would be', { erasedAt }: Parts): string {
  if (lost.length > 0) {
    const heading = `Not known to be delivered, so it ${verb} lost:`;
    return toSection(heading, lost.map(toPartText).join('\n'));
  }
  if (erasedAt !== undefined) return `It was erased before (${toTime(erasedAt)}).`;
  return `Nothing ${verb} lost: all that was still there was delivered or refused.`;
}

function toPartText({ kind, number, state, isUncertain }: Part): string {
  const title = number === undefined ? kind : `${kind} ${number}`;
  return `${title} (${state}${isUncertain ? ': the funding service may have it' : ''})`;
}

function toJson({ kind, number, state, isUncertain }: Part): object {
  return { kind, number: number ?? null, state, isUncertain };
}
