// `deliver`: one pass of delivery and retention, for cron and for functions.

import type { Bff } from '../create-bff.ts';
import {
  type Command,
  CommandError,
  readArguments,
  toInvalidConfiguration,
  UsageError,
} from './command.ts';
import { toCount } from './format.ts';

const defaultSeconds = 60;
const maxSeconds = 3600;

export const deliver: Command = {
  name: 'deliver',
  parameters: '[--seconds <number>]',
  summary: 'sends what is due, once, for cron',
  about: [
    'Sends the applications, attachments, and events that are due, and erases what has passed its retention, as a running BFF does. For hosts without workers: functions, or a BFF that was created without `start()`. Run it every minute.',
    'With PostgreSQL, it can run beside a BFF, and several times at once. With SQLite, it refuses to run beside a BFF.',
  ],
  options: {
    seconds: {
      type: 'string',
      about: `begins no delivery after this time. Default: ${defaultSeconds}. A delivery in progress takes up to 150 seconds longer.`,
    },
  },
  notes: [
    'The log goes to standard error. The output counts attempts to deliver applications and attachments, not events, and says whether more is due.',
    'It reads the environment only. If your server passes settings or hooks to `createBff`, the command does not have them: call `deliver` of your BFF on a schedule instead.',
  ],
  guide: 'deploy/serverless.md',
  async run(call, io) {
    readArguments(call);
    const maxMs = readSeconds(call.options['seconds']) * 1000;
    // Loads the routes too. The other commands do without them.
    const { ConfigurationError, createBff } = await import('../create-bff.ts');
    const log = { write: io.printError };
    const bff = await createBff({ variables: io.variables, log }).catch((error: unknown) => {
      throw error instanceof ConfigurationError ? toInvalidConfiguration(error.problems) : error;
    });
    const result = await deliverOnce(bff, maxMs);
    const count = `${toCount(result.attempts, 'attempt')} to deliver recorded.`;
    const rest = result.hasMore ? 'More is due. Run the command again.' : 'Nothing else is due.';
    return { text: `${count} ${rest}`, json: result };
  },
};

/** Throws a `CommandError` if the store did not take every outcome. Exported for a test. */
export async function deliverOnce(
  bff: Pick<Bff, 'deliver' | 'stop'>,
  maxMs: number,
): ReturnType<Bff['deliver']> {
  let result: Awaited<ReturnType<Bff['deliver']>>;
  try {
    result = await bff.deliver({ maxMs });
  } catch (error) {
    await bff.stop();
    throw error;
  }
  if ((await bff.stop()) === 'recorded') return result;
  throw new CommandError(
    'failed',
    'The store did not take every outcome in time. Nothing is lost: the next run sends those rows again. Check the store and its disk.',
  );
}

function readSeconds(value: unknown): number {
  if (value === undefined) return defaultSeconds;
  const seconds = /^\d{1,4}$/.test(String(value)) ? Number(value) : 0;
  if (seconds >= 1 && seconds <= maxSeconds) return seconds;
  throw new UsageError(`--seconds is not a number of seconds. Use 1 to ${maxSeconds}.`);
}
