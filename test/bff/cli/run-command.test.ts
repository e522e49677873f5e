// All commands: command line, help, references, and failures.

import { beforeEach, describe, expect, it } from 'vitest';
import { commands, listTerms, services } from '../../../bff/cli/run-command.ts';
import { StoreError, type OpenOptions } from '../../../bff/store/database.ts';
import project from '../../../package.json' with { type: 'json' };
import { readGroupedRows } from '../../support/grouped-rows.ts';
import { createCliRig, first, second, type CliRig } from './cli-rig.ts';

const names = [...services, ...commands].map(({ name }) => name);
const placeholders: Readonly<Record<string, string>> = { first, second, tab: '\t' };

let rig: CliRig;

beforeEach(async () => {
  rig = await createCliRig();
});

describe('the command line', () => {
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

  it.each([
    [['--version'], `${project.version}\n`],
    [['status', '--version'], `${project.version}\n`],
    [['--version', '--json'], `{"version":"${project.version}"}\n`],
  ])('prints the version of the BFF for %j', async (argv, out) => {
    expect(await rig.run(...argv)).toMatchObject({ code: 0, out, err: '' });
  });

  it.each(commands)('names each option of $name in its usage line', (command) => {
    const { parameters, options = {} } = command;
    const named = Array.from(parameters.matchAll(/--([\w-]+)/g), ([, option]) => option);
    expect(named.toSorted()).toEqual(Object.keys(options).toSorted());
    for (const [term] of listTerms(command)) expect(parameters).toContain(term);
  });

  it.each(readGroupedRows('usage-errors.txt', (name) => placeholders[name]))(
    'rejects "%s" with the usage',
    async (line, sentence) => {
      const [, ...argv] = line.split(' ');
      const { code, json, err } = await rig.run(...argv);
      expect(code).toBe(2);
      const wantsJson = argv.includes('--json');
      expect(json).toEqual(wantsJson ? { error: 'usage', message: sentence } : undefined);
      expect(err).toContain(sentence);
      expect(err).toContain('Usage: bff');
      expect(err).not.toContain('123456780');
    },
  );
});

describe('a reference', () => {
  const short = '0199c0de-0000-7000-8000-00000f322454';
  it.each([
    [` ${short.toUpperCase()}\n`, short],
    ['7K4-92M', short],
    [' 7k4 92m ', short],
    ['7K4\u201392M', short],
    ['oOo-ool', first],
  ])('may be typed as %j', async (typed, reference) => {
    for (const added of [first, short]) await rig.add(added);
    const { code, json } = await rig.run('show', typed, '--json');
    expect([code, json.reference]).toEqual([0, reference]);
  });

  const shared = '019a0c11-5e1f-7b3a-91d4-5d0640000001';
  const list = (reference: string) => `  ${reference}  received 2026-11-20T10:00:00Z  received\n`;
  it.each([
    ['show', []],
    ['retry', []],
    ['resolve', ['006A']],
    ['erase', ['--yes']],
    ['webhooks retry', []],
  ])('of %s must name one application', async (name, rest) => {
    await rig.store.registerEventConsumers([{ name: 'webhook', target: '' }]);
    const ask = async (reference: string) => {
      const { code, err, json } = await rig.run(...name.split(' '), reference, ...rest, '--json');
      return [code, json.error, err];
    };
    const unknown = `The store has no application ${first}.\n`;
    expect(await ask(first)).toEqual([1, 'not-found', unknown]);
    expect(await ask('zzz-zzz')).toEqual([1, 'not-found', unknown.replace(first, 'ZZZ-ZZZ')]);
    for (const reference of [first, shared]) await rig.add(reference);
    expect(await ask('000-001')).toEqual([
      1,
      'ambiguous',
      `Several applications have the reference 000-001. Use one of these:\n${list(first)}${list(shared)}`,
    ]);
    expect(await rig.store.findApplication(first)).toMatchObject({ state: 'received' });
  });
});

describe('a failure', () => {
  it('of the configuration is reported with every problem', async () => {
    Object.assign(rig.variables, { BFF_PORT: 'x', METRICS_TOKEN: 'short' });
    const { code, err, json } = await rig.run('status', '--json');
    expect([code, json.error]).toEqual([1, 'configuration']);
    expect(err).toContain('\n  BFF_PORT is not a port');
    expect(err).toContain('\n  METRICS_TOKEN is not a token');
  });

  it('to find the store of STORE_ID creates and changes none', async () => {
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

  it('to open the store is reported by its error code', async () => {
    const error = Object.assign(new Error('password sandbox-password'), { code: 'ECONNREFUSED' });
    const openStore = () => Promise.reject(error);
    const { code, err, json } = await rig.runWith({ openStore }, 'status', '--json');
    expect([code, json.error]).toEqual([1, 'store']);
    expect(err).toContain(
      'DATABASE_URL names a PostgreSQL server that does not answer (ECONNREFUSED).',
    );
  });

  it('that is unexpected is reported by its code, after the store is closed', async () => {
    let closed = 0;
    const error = Object.assign(new Error('sandbox-password'), { code: '57P01' });
    const changes = {
      countStates: () => Promise.reject(error),
      close: async () => {
        closed += 1;
      },
    };
    expect(await rig.runOn(changes, 'status')).toMatchObject({
      code: 1,
      out: '',
      err: 'The command failed (57P01). Check the store and its disk, then run the command again.\n',
    });
    await rig.runOn(changes, 'check');
    expect(closed).toBe(2);
    const nameless = { countStates: () => Promise.reject(new Error('x')) };
    expect((await rig.runOn(nameless, 'status')).err).toContain('The command failed (Error).');
  });
});
