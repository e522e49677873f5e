// `retry`: sends again at once what is held, waits or was rejected.

import {
  readArguments,
  readReference,
  toNotFound,
  UsageError,
  type Command,
  type CommandContext,
  type CommandResult,
} from './command.ts';
import { toCount } from './format.ts';

export const retry: Command = {
  kind: 'store',
  name: 'retry',
  parameters: '<reference> [--rejected] | --held',
  summary: 'send again at once what is held, waits or was rejected',
  help: `<reference>   everything of this application that is held or waits
--rejected    what the funding service rejected, while its content is still
              there (the setting retention.rejectedDays, 7 days by default):
              for a rejection that was a mistake. The applicant was told to
              correct the application, so ask them first.
--held        everything that is held, of all applications

Rows that may have arrived already are sent again too, and their uncertain
attempts count anew: a document or report may then be at the funding service
several times, a lead never.`,
  options: ['held', 'rejected'],
  prepare(call) {
    if (call.options.has('held')) {
      if (call.positionals.length > 0 || call.options.has('rejected')) {
        throw new UsageError('Give either <reference> [--rejected] or --held, not both.');
      }
      return async ({ store }) => {
        return report(await store.retryHeld(), 'Nothing is held that could be sent again.');
      };
    }
    const [text] = readArguments(call, 'reference');
    const reference = readReference(text);
    const retryIt = call.options.has('rejected') ? retryRejected : retryApplication;
    return (context) => retryIt(reference, context);
  },
};

async function retryApplication(
  reference: string,
  { store }: CommandContext,
): Promise<CommandResult> {
  const application = await store.findApplication(reference);
  if (!application) return toNotFound(reference);
  const hints: Readonly<Record<string, string>> = {
    unconfirmed: ' It is unconfirmed: use resolve.',
    rejected: ' It was rejected: use retry --rejected if that was a mistake.',
  };
  return report(
    await store.retry(reference),
    `Nothing is held or waits that could be sent again.${hints[application.state] ?? ''}`,
  );
}

async function retryRejected(reference: string, { store }: CommandContext): Promise<CommandResult> {
  const application = await store.findApplication(reference);
  if (!application) return toNotFound(reference);
  const result = await store.retryRejected(reference);
  if (result.kind === 'superseded') {
    const message = `${reference} was followed by ${result.by}. Sending both would create two leads, so nothing was changed. Erase the newer one first if the older one is to be sent.`;
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
