// `retry`: sends held, waiting, or rejected rows again.

import {
  type Command,
  type CommandResult,
  onStore,
  readArguments,
  readReference,
  type StoreContext,
  toNotFound,
  UsageError,
} from './command.ts';
import { toCount } from './format.ts';

export const retry: Command = {
  name: 'retry',
  parameters: '<reference> [--rejected] | --held',
  summary: 'sends held, waiting, or rejected rows again',
  help: `<reference>   sends everything of this application that is held or waiting
--rejected    sends what the funding service rejected, while the store still
              has its content (setting retention.rejectedDays, 7 days by
              default). Use it for a mistaken rejection. The applicant was
              asked to correct the application, so contact them first.
--held        sends everything that is held, of all applications

A row is sent again even if it may have arrived, and its uncertain attempts are
counted from zero. The funding service may then have a document or bank report
several times, but never an application.`,
  options: { held: { type: 'boolean' }, rejected: { type: 'boolean' } },
  prepare(call) {
    const isRejected = call.options['rejected'] === true;
    if (call.options['held'] === true) {
      if (call.positionals.length > 0 || isRejected) {
        throw new UsageError('Use either <reference> [--rejected] or --held, not both.');
      }
      return onStore(async ({ store }) =>
        report(await store.retryHeld(), 'Nothing that is held can be sent again.'),
      );
    }
    const [text] = readArguments(call, 'reference');
    const reference = readReference(text);
    return onStore((context) =>
      isRejected ? retryRejected(reference, context) : retryApplication(reference, context),
    );
  },
};

async function retryApplication(
  reference: string,
  { store }: StoreContext,
): Promise<CommandResult> {
  const application = await store.findApplication(reference);
  if (!application) return toNotFound(reference);
  const fixes: Readonly<Record<string, string>> = {
    unconfirmed: ' The application is unconfirmed. Use "resolve".',
    rejected: ' The application was rejected. If that was a mistake, use "retry --rejected".',
  };
  return report(
    await store.retry(reference),
    `Nothing of this application is held or waiting.${fixes[application.state] ?? ''}`,
  );
}

async function retryRejected(reference: string, { store }: StoreContext): Promise<CommandResult> {
  const application = await store.findApplication(reference);
  if (!application) return toNotFound(reference);
  const result = await store.retryRejected(reference);
  if (result.kind === 'superseded') {
    const message = `The applicant replaced ${reference} with ${result.by}. Sending both would create two applications at the funding service, so nothing was changed. To send the older one, erase the newer one first.`;
    return { error: 'wrong-state', message };
  }
  return report(
    result.rows,
    'Nothing was rejected, or its content was erased after retention.rejectedDays.',
  );
}

function report(rows: number, nothingDone: string): CommandResult {
  const text =
    rows === 0
      ? nothingDone
      : `${toCount(rows, 'row')} will be sent again. A running BFF does so within a minute.`;
  return { json: { rows }, text };
}
