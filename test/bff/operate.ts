// Runs an operator command on the store of a BFF in memory.

import { runCommand } from '../../bff/cli/run-command.ts';
import type { TestBff } from '../support/bff.ts';

/** Runs a command while the funding service is unreachable. Returns everything that it prints. */
export async function operate({ store, time }: TestBff, ...argv: string[]): Promise<string> {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  await runCommand(argv, {
    variables: { FUNDING_ENVIRONMENT: 'sandbox' },
    readFile: () => '{}',
    print,
    printError: print,
    clock: time.clock,
    // The BFF still uses the store after the command has closed it.
    openStore: async () => ({ ...store, close: async () => undefined }),
    createTransport: () =>
      Object.assign(async () => ({ kind: 'not-sent', failure: 'ECONNREFUSED' }) as const, {
        close: async () => undefined,
        abort: () => undefined,
      }),
    fetch,
  });
  if (output === '') throw new Error(`The command ${argv.join(' ')} printed nothing`);
  return output;
}
