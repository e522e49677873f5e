// `retry`: sends held, waiting, or rejected rows again.

import type { ApplicationRow } from '../store/store.ts';
import {
  type Command,
  CommandError,
  type CommandReport,
  onApplication,
  onStore,
  readReference,
  type StoreContext,
  UsageError,
} from './command.ts';
import { toCount } from './format.ts';

export const retry: Command = {
  name: 'retry',
  parameters: '<reference> [--rejected] | --held',
  summary: 'sends held, waiting, or rejected rows again',
  about: ['Makes rows due. A running BFF sends them within a minute.'],
  arguments: {
    '<reference>': 'sends everything of this application that is held or waiting.',
  },
  options: {
    rejected: {
      type: 'boolean',
      about:
        'sends what the funding service rejected, while the store still has its content (setting `retention.rejectedDays`, 7 days by default). Use it for a mistaken rejection. The applicant was asked to correct the application, so contact them first.',
    },
    held: { type: 'boolean', about: 'sends everything that is held, of all applications.' },
  },
  notes: [
    'A row is sent again even if it may have arrived, and its uncertain attempts are counted from zero. The funding service may then have a document or bank report several times, but never an application.',
  ],
  guide: 'operate/applications.md',
  async run(call, io) {
    const isRejected = call.options['rejected'] === true;
    if (call.options['held'] !== true) {
      const reference = readReference(call);
      return onApplication(reference, io, isRejected ? retryRejected : retryApplication);
    }
    if (call.positionals.length > 0 || isRejected) {
      throw new UsageError('Use either <reference> [--rejected] or --held, not both.');
    }
    return onStore(io, async ({ store }) =>
      report(await store.retryHeld(), 'Nothing that is held can be sent again.'),
    );
  },
};

const otherWays: Readonly<Partial<Record<ApplicationRow['state'], string>>> = {
  unconfirmed: ' The application is unconfirmed. Use "resolve".',
  rejected: ' The application was rejected. If that was a mistake, use "retry --rejected".',
};

async function retryApplication({ id, state }: ApplicationRow, { store }: StoreContext) {
  const nothingDone = `Nothing of this application is held or waiting.${otherWays[state] ?? ''}`;
  return report(await store.retry(id), nothingDone);
}

async function retryRejected({ id }: ApplicationRow, { store }: StoreContext) {
  const result = await store.retryRejected(id);
  if (result.kind === 'superseded') {
    throw new CommandError(
      'wrong-state',
      `The applicant replaced ${id} with ${result.by}. Sending both would create two applications at the funding service, so nothing was changed. To send the older one, erase the newer one first.`,
    );
  }
  return report(
    result.rows,
    'Nothing was rejected, or its content was erased after retention.rejectedDays.',
  );
}

function report(rows: number, nothingDone: string): CommandReport {
  const text =
    rows === 0
      ? nothingDone
      : `${toCount(rows, 'row')} will be sent again. A running BFF does so within a minute.`;
  return { json: { rows }, text };
}
