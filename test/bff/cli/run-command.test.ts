// All commands: command line, help, and failures.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import project from '../../../package.json' with { type: 'json' };
import { commands, listTerms, services } from '../../../bff/cli/run-command.ts';
import { StoreError, type OpenOptions } from '../../../bff/store/database.ts';
import { createCliRig, first, type CliRig } from './cli-rig.ts';

const names = [...services, ...commands].map(({ name }) => name);

describe('runCommand', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
  });

  afterEach(() => rig.store.close());

  it.each([
    [['--version'], `${project.version}\n`],
    [['status', '--version'], `${project.version}\n`],
    [['--version', '--json'], `{"version":"${project.version}"}\n`],
  ])('prints the version of the BFF for %j', async (argv, out) => {
    expect(await rig.run(...argv)).toMatchObject({ code: 0, out, err: '' });
  });

  it('prints help within 80 columns', async () => {
    const helps = [await rig.run('--help'), await rig.run('-h')];
    for (const name of names) {
      expect(helps[0]!.out).toContain(`\n  ${name} `);
      const help = await rig.run(name, '--help');
      expect(help.out).toContain(`Usage: bff ${name}`);
      helps.push(help);
    }
    for (const { code, out, err } of helps) {
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it.each(commands)('names each option of $name in its usage line', (command) => {
    const { parameters, options = {} } = command;
    const named = Array.from(parameters.matchAll(/--([\w-]+)/g), ([, option]) => option);

    expect(named.toSorted()).toEqual(Object.keys(options).toSorted());
    for (const [term] of listTerms(command)) expect(parameters).toContain(term);
  });

  it.each([
    [[], 'A command is missing.'],
    [['--json'], 'A command is missing.'],
    [['stats'], 'There is no command "stats".'],
    [['stats', '--help'], 'There is no command "stats".'],
    [['status', '--held'], "Unknown option '--held'."],
    [['status', '-v'], "Unknown option '-v'."],
    [['status', '--json=yes'], "Option '--json' does not take an argument."],
    [['status', 'now'], 'There are too many arguments. The command takes none.'],
    [['show'], '<reference> is missing.'],
    [['show', '123456780'], '<reference> is not a reference.'],
    [['show', first, first], 'There are too many arguments. The command takes 1.'],
    [['resolve', first], '<ApplicationID> is missing.'],
    [['resolve', first, 'a b'], '<ApplicationID> is not valid.'],
    [['resolve', first, '--document', '0'], '--document is not the number of an attachment.'],
    [['resolve', first, '--document=1', 'a b'], '<DocumentId> is not valid.'],
    [['resolve', first, '--contact=1', 'a'], 'There are too many arguments. The command takes 1.'],
    [
      ['resolve', first, '--contact=1', '--document=1'],
      'Use one of --document, --bank-report, and --contact.',
    ],
    [['retry'], '<reference> is missing.'],
    [['retry', first, '--held'], 'Use either <reference> [--rejected] or --held, not both.'],
    [['show', '--json'], '<reference> is missing.'],
    [['serve', 'now'], 'serve takes no arguments.'],
    [['sandbox', '--port', '9000'], 'sandbox takes no arguments.'],
    [['deliver', '--seconds', 'many'], '--seconds is not a number of seconds.'],
    [['deliver', '--seconds=0'], '--seconds is not a number of seconds.'],
    [['webhooks', 'remove'], '<webhook | hook> is missing.'],
    [['webhooks', 'remove', 'all'], 'webhooks remove takes webhook or hook.'],
    [['keys', 'turn'], 'keys has no such argument. It takes only rotate.'],
  ])('rejects %j with the usage', async (argv, sentence) => {
    const { code, out, err } = await rig.run(...argv);
    const wantsJson = argv.includes('--json');
    const answer = wantsJson ? `${JSON.stringify({ error: 'usage', message: sentence })}\n` : '';
    expect({ code, out }).toEqual({ code: 2, out: answer });
    expect(err).toContain(sentence);
    expect(err).toContain('Usage: bff');
    expect(err).not.toContain('123456780');
  });

  it('accepts a reference in uppercase with spaces around it', async () => {
    await rig.add(first);
    const { code, out } = await rig.run('show', ` ${first.toUpperCase()}\n`);
    expect(code).toBe(0);
    expect(out).toContain(`Application ${first}`);
  });

  it.each(['7K4-92M', '7k492m', ' 7k4 92m ', '7K4\u201392M'])(
    'accepts the short reference %j',
    async (typed) => {
      await rig.add('0199c0de-0000-7000-8000-00000f322454');
      const { code, out } = await rig.run('show', typed);
      expect(code).toBe(0);
      expect(out).toContain('Application 0199c0de-0000-7000-8000-00000f322454 (7K4-92M)\n');
    },
  );

  it('reads O as 0 in a short reference', async () => {
    await rig.add(first);
    expect((await rig.run('show', 'oOo-ool')).out).toContain(`Application ${first} (000-001)\n`);
  });

  it.each(['show', 'retry', 'resolve', 'erase'])(
    '%s lists the applications that share a short reference',
    async (name) => {
      const references = [first, '019a0c11-5e1f-7b3a-91d4-5d0640000001'];
      for (const reference of references) await rig.add(reference);
      const rest = name === 'resolve' ? ['006A'] : name === 'erase' ? ['--yes'] : [];
      const { code, err, json } = await rig.run(name, '000-001', ...rest, '--json');
      expect(code).toBe(1);
      expect(json.error).toBe('ambiguous');
      expect(err).toBe(
        `Several applications have the reference 000-001. Use one of these:
  ${references[0]}  received 2026-11-20T10:00:00Z  received
  ${references[1]}  received 2026-11-20T10:00:00Z  received
`,
      );
      expect(await rig.store.findApplication(first)).toMatchObject({ state: 'received' });
    },
  );

  it('reports an unknown short reference', async () => {
    const { code, err } = await rig.run('show', 'zzz-zzz');
    expect(code).toBe(1);
    expect(err).toBe('The store has no application ZZZ-ZZZ.\n');
  });

  it.each(['show', 'retry', 'resolve', 'erase'])(
    '%s reports an unknown reference',
    async (name) => {
      const rest = name === 'resolve' ? ['006A'] : [];
      const { code, err, json } = await rig.run(name, first, ...rest, '--json');
      expect(code).toBe(1);
      expect(err).toBe(`The store has no application ${first}.\n`);
      expect(json).toEqual({
        error: 'not-found',
        message: `The store has no application ${first}.`,
      });
    },
  );
});

describe('runCommand on a failure', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
  });

  afterEach(() => rig.store.close());

  it('reports every problem of the configuration', async () => {
    Object.assign(rig.variables, { BFF_PORT: 'x', METRICS_TOKEN: 'short' });
    const { code, err, json } = await rig.run('status', '--json');
    expect(code).toBe(1);
    expect(err).toContain('\n  BFF_PORT is not a port');
    expect(err).toContain('\n  METRICS_TOKEN is not a token');
    expect(json.error).toBe('configuration');
  });

  it('opens the store of STORE_ID without changing it', async () => {
    const storeId = '0199c0de-0000-4000-8000-00000000000a';
    rig.variables['STORE_ID'] = storeId.toUpperCase();
    const asked: unknown[] = [];
    const openStore = async (_url: string, options?: OpenOptions) => {
      asked.push(options);
      throw new StoreError('STORE_NEW', 'canary');
    };
    const { code, err } = await rig.runWith({ openStore }, 'status');
    expect(code).toBe(1);
    expect(err).toContain('DATABASE_URL points to no existing store (STORE_NEW): ');
    expect(asked).toEqual([{ mayCreate: false, mayMigrate: false, storeId }]);
  });

  it('reports a store that does not open by its error code', async () => {
    const error = Object.assign(new Error('password sandbox-password'), { code: 'ECONNREFUSED' });
    const openStore = () => Promise.reject(error);
    const { code, err, json } = await rig.runWith({ openStore }, 'status', '--json');
    expect(code).toBe(1);
    expect(err).toContain(
      'DATABASE_URL names a PostgreSQL server that does not answer (ECONNREFUSED).',
    );
    expect(json.error).toBe('store');
  });

  it('reports an unexpected error by its code', async () => {
    const error = Object.assign(new Error('sandbox-password'), { code: '57P01' });
    const broken = {
      ...rig.store,
      countStates: () => Promise.reject(error),
      close: closeNothing,
    };
    const { code, out, err } = await rig.runWith({ openStore: async () => broken }, 'status');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      'The command failed (57P01). Check the store and its disk, then run the command again.\n',
    );
  });

  it('closes the store', async () => {
    let closed = 0;
    const openStore = async () => ({
      ...rig.store,
      countStates: () => Promise.reject(new Error('x')),
      close: async () => {
        closed += 1;
      },
    });
    expect((await rig.runWith({ openStore }, 'status')).err).toContain(
      'The command failed (Error).',
    );
    await rig.runWith({ openStore }, 'check');
    expect(closed).toBe(2);
  });
});

async function closeNothing(): Promise<void> {
  await Promise.resolve();
}
