// `erase`: erases all personal data of one application, whether delivered or not.

import { isUnreadable } from '../store/rows.ts';
import {
  type ApplicationRow,
  attachmentKinds,
  type AttachmentRow,
  type DeliveryKind,
  type Store,
} from '../store/store.ts';
import {
  type Command,
  CommandError,
  findApplication,
  findReference,
  onStore,
  readReference,
  refuseUnknown,
  type StoreContext,
  toReferenceText,
} from './command.ts';
import { kindNames, omitEmpty, toSection, toTime } from './format.ts';

export const erase: Command = {
  name: 'erase',
  parameters: '<reference> --yes',
  summary: 'erases all personal data of one application',
  about: [
    'Data that was not delivered will never be delivered. Data that the funding service already has stays there. Ids, states, times, and the texts of consents stay in the store. Only a backup brings the data back: after restoring one, erase the application again.',
  ],
  options: {
    yes: {
      type: 'boolean',
      about: 'erases. Without it, the command shows what would be lost and changes nothing.',
    },
  },
  guide: 'operate/applications.md',
  async run(call, io) {
    const reference = readReference(call);
    const isConfirmed = call.options['yes'] === true;
    return onStore(io, (context) => eraseApplication(reference, isConfirmed, context));
  },
};

async function eraseApplication(given: string, isConfirmed: boolean, { store }: StoreContext) {
  const reference = await findReference(given, store);
  const { parts: before, erasedAt } = await listParts(reference, store);
  if (!isConfirmed) {
    const loss = toLossText(before.filter(isUndelivered), 'would be', erasedAt);
    const message = `Nothing was erased. To erase ${toReferenceText(reference)}, add --yes.\n${loss}`;
    throw new CommandError('not-confirmed', message);
  }
  const result = await store.erase(reference);
  if (result === 'not-found') refuseUnknown(reference);
  if (result === 'sending') {
    throw new CommandError(
      'sending',
      'Nothing was erased, because a BFF is sending the application or stopped while it did. Try again in a few minutes, while a BFF runs.',
    );
  }
  const { parts: after } = await listParts(reference, store);
  const lost = listLost(before, after);
  const isOverwritten = await store.scrub();
  return {
    json: { reference, lost, isOverwritten },
    text: omitEmpty([
      `Erased all personal data of ${reference}.`,
      toLossText(lost, 'is', erasedAt),
      !isOverwritten && overwrittenLater,
    ]).join('\n'),
  };
}

const overwrittenLater = `The disk still contains the erased data, because another process is reading the
store. A running BFF overwrites the data within ten minutes. If none runs, run
this command again.`;

/** `erasedAt`: when the application was erased; epoch milliseconds. */
async function listParts(reference: string, store: Store) {
  const application = await orUnreadable(findApplication(reference, store));
  const parts = [toPart('application', application)];
  for (const kind of attachmentKinds) {
    const rows = await orUnreadable(store.listAttachments(reference, kind));
    // Incomplete uploads have no number. They are not listed, because the applicant was never told that they were received.
    const complete = rows?.filter(({ number }) => number > 0) ?? [undefined];
    parts.push(...complete.map((row) => toPart(kind, row)));
  }
  return { parts, erasedAt: application?.erasedAt };
}

/** A row can be erased even if it cannot be read. */
async function orUnreadable<Row>(reading: Promise<Row>): Promise<Row | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return undefined;
  }
}

/** The application, or one of its attachments. */
type Part = ReturnType<typeof toPart>;

function toPart(kind: DeliveryKind, row: ApplicationRow | AttachmentRow | undefined) {
  return {
    kind,
    /** The number of an attachment among its kind; `undefined` for the application. */
    number: row && 'number' in row ? row.number : undefined,
    /** `unreadable`: rows of this kind cannot be read, so their states are unknown. */
    state: row?.state ?? ('unreadable' as const),
    /** The funding service may have received it without confirming it. */
    isUncertain: !row || row.state === 'unconfirmed' || row.uncertainAttempts > 0,
  };
}

function isUndelivered({ state }: Part): boolean {
  return state !== 'accepted' && state !== 'rejected' && state !== 'erased';
}

/** A part that was delivered after `before` was read is not lost. */
function listLost(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  return after
    .filter(({ state }) => state === 'erased' || state === 'unreadable')
    .map(
      (part) =>
        before.find(({ kind, number }) => kind === part.kind && number === part.number) ??
        ({ ...part, state: 'received' } as const),
    )
    .filter(isUndelivered);
}

function toLossText(lost: readonly Part[], verb: 'is' | 'would be', erasedAt?: number): string {
  if (lost.length > 0) {
    return toSection(`Not confirmed as delivered, so it ${verb} lost:`, lost.map(toPartText));
  }
  if (erasedAt !== undefined) return `It was erased before (${toTime(erasedAt)}).`;
  return `Nothing ${verb} lost: everything was delivered or rejected.`;
}

function toPartText({ kind, number, state, isUncertain }: Part): string {
  const title = number === undefined ? kindNames[kind] : `${kindNames[kind]} ${number}`;
  return `${title} (${state}${isUncertain ? ', the funding service may have it' : ''})`;
}
