// `retry`: what was given up or waits is sent again at once.

import {
  readArguments,
  readReference,
  toNotFound,
  UsageError,
  type Command,
  type CommandContext,
  type CommandResult,
} from './command.ts';
import { toCount } from './text.ts';

export const retry: Command = {
  name: 'retry',
  parameters: '<reference> | --held',
  summary: 'send again at once what is held or waits',
  help: `With a reference: everything of this application that is held or waits. With
--held: everything that is held. What may have arrived already is sent again all
the same, and its uncertain attempts count anew: a document or report may then
be at the service several times, a lead never.`,
  options: ['held'],
  prepare(call) {
    if (call.options.has('held')) {
      if (call.positionals.length > 0) {
        throw new UsageError('Give either a <reference> or --held, not both.');
      }
      return async ({ journal }) => {
        return report(await journal.retryHeld(), 'Nothing is held that could be sent again.');
      };
    }
    const [text] = readArguments(call, 'reference');
    const reference = readReference(text);
    return (context) => retryApplication(reference, context);
  },
};

async function retryApplication(
  reference: string,
  { journal }: CommandContext,
): Promise<CommandResult> {
  const application = await journal.findApplication(reference);
  if (!application) return toNotFound(reference);
  const mend = application.state === 'unconfirmed' ? ' It is unconfirmed: resolve it.' : '';
  return report(
    await journal.retry(reference),
    `Nothing is held or waits that could be sent again.${mend}`,
  );
}

function report(rows: number, nothingDone: string): CommandResult {
  const text =
    rows === 0
      ? nothingDone
      : `${toCount(rows, 'row')} will be sent again. A running BFF does so within a minute.`;
  return { json: { rows }, text };
}
