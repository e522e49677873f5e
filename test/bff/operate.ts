// What an operator would see of a rig's store.

import { createVisit } from '../../bff/cli/doctor/visit.ts';
import { runCommand } from '../../bff/cli/run-command.ts';
import type { Rig } from './bff-rig.ts';

/** Runs a command as the operator would, with a funding service that is away; answers everything it prints. */
export async function operate({ store, time }: Rig, ...argv: string[]): Promise<string> {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  await runCommand(argv, {
    variables: { FUNDING_ENVIRONMENT: 'sandbox' },
    readFile: () => '{}',
    builtWidget: '',
    importModule: () => Promise.reject(new Error('No module is named')),
    print,
    printError: print,
    clock: time.clock,
    startTimer: time.startTimer,
    // A command closes what it opened; this store is still in use.
    openStore: async () => ({ ...store, close: async () => undefined }),
    createTransport: () =>
      Object.assign(async () => ({ kind: 'not-sent', failure: 'ECONNREFUSED' }) as const, {
        close: async () => undefined,
        abort: () => undefined,
      }),
    visit: createVisit(),
  });
  if (output === '') throw new Error(`The command ${argv.join(' ')} has printed nothing`);
  return output;
}
