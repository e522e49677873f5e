// `check`: what an operator reads of a configuration that can be used, and all that is wrong with one that cannot.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import project from '../../../package.json' with { type: 'json' };
import { StoreError } from '../../../bff/store/database.ts';
import { createWidgetFolder, entryName } from '../../support/widget-folder.ts';
import { production, settings, strongKey } from '../config/config-source.ts';
import { accepted, createCliRig, type CliRig } from './cli-rig.ts';

const oldKey = `1:${strongKey(1)}`;
const newKey = `2:${strongKey(2)}`;

describe('check', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    rig.variables['DATA_KEYS'] = `${newKey},${oldKey}`;
  });

  afterEach(() => rig.store.close());

  it('says what it found', async () => {
    await rig.add();
    await rig.recordResult(accepted);
    const { code, out } = await rig.run('check');
    expect(code).toBe(0);
    expect(out).toContain('environment   sandbox\n');
    expect(out).toContain('database      SQLite\n');
    expect(out).toContain('data keys     2, 1 (the first wraps new ones)\n');
    expect((await rig.run('check', '--json')).json).toEqual({
      environment: 'sandbox',
      engine: 'sqlite',
      store: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: '2026-11-20T10:00:00.000Z',
        applicationsReceived: 1,
        isPinned: false,
      },
      applications: 1,
      dataKeyIds: ['2', '1'],
      trustedProxies: [],
      widget: null,
      widgetWarnings: [],
      hooks: [],
      untranslated: [],
    });
  });

  it('refuses what only a serving BFF needs, together with everything else', async () => {
    rig.variables['PUBLIC_URL'] = 'nowhere';
    rig.variables['WIDGET_FOLDER'] = '/srv/widget';
    rig.variables['BFF_HOOKS'] = '/srv/hooks.mjs';
    const readFile = () => {
      throw new Error('ENOENT');
    };
    const { code, err } = await rig.runWith({ readFile }, 'check');
    expect(code).toBe(1);
    expect(err).toMatch(/PUBLIC_URL holds .*WIDGET_FOLDER names .*BFF_HOOKS names /s);
    delete rig.variables['PUBLIC_URL'];
    // A look at what was given must not fail for what only applicants miss.
    expect((await rig.runWith({ readFile }, 'status')).code).toBe(0);
  });

  it('names the texts that applicants read in another language than theirs', async () => {
    rig.variables['FUNDING_SETTINGS'] = '/srv/settings.json';
    const fundingReasons = [{ value: 'Rent', label: 'Rent' }];
    const readFile = () => JSON.stringify({ fundingReasons });
    const { code, out } = await rig.runWith({ readFile }, 'check');
    expect(code).toBe(0);
    expect(out).toContain(
      'languages     en, es\n\nIn English only, where applicants read another language\n  fundingReasons.0.label (es)\n',
    );
    const { json } = await rig.runWith({ readFile }, 'check', '--json');
    expect(json.untranslated).toEqual(['fundingReasons.0.label (es)']);
  });

  it('says which widget it serves, and what the partner’s module does', async () => {
    const version = `${project.version}-1f3870be`;
    const folder = createWidgetFolder(version, { [entryName]: 'entry' });
    rig.variables['WIDGET_FOLDER'] = folder.directory;
    rig.variables['BFF_HOOKS'] = '/srv/hooks.mjs';
    const { out } = await rig.runWith(
      { importModule: async () => ({ enrichLead: () => ({}) }) },
      'check',
    );
    folder.remove();
    expect(out).toContain(`widget        ${version}\n`);
    expect(out).toContain('hooks         enrichLead\n');
  });

  it('names what is missing of an earlier version of the widget', async () => {
    const folder = createWidgetFolder('0.0.1', { [entryName]: 'old' });
    folder.addVersion(project.version, { [entryName]: 'entry' });
    folder.write(`0.0.1/${entryName}`, 'ol');
    rig.variables['WIDGET_FOLDER'] = folder.directory;
    const { code, out } = await rig.run('check');
    const { json } = await rig.run('check', '--json');
    folder.remove();
    const warning = `The widget's version 0.0.1 is not served whole: ${entryName} is damaged.`;
    expect(code).toBe(0);
    expect(out).toContain(`\n\nEarlier versions of the widget\n  ${warning}\n`);
    expect(json.widgetWarnings).toEqual([warning]);
  });

  it('says which proxies are believed, and when none is', async () => {
    expect((await rig.run('check')).out).toContain('proxies       none (right only where');
    rig.variables['TRUSTED_PROXIES'] = '10.0.0.0/8 192.0.2.7';
    const { out } = await rig.run('check');
    expect(out).toContain(
      'proxies       10.0.0.0/8, 192.0.2.7 (their X-Forwarded-For is believed)',
    );
  });

  it('fails when nothing can be committed', async () => {
    const error = Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR' });
    const check = () => Promise.reject(error);
    const openStore = async () => ({ ...rig.store, check, close: async () => undefined });
    const { code, err } = await rig.runWith({ openStore }, 'check');
    expect(code).toBe(1);
    expect(err).toContain('It broke off (ERR_SQLITE_ERROR).');
  });

  it('shows the id of the store, when it was created and what it has received', async () => {
    await rig.add();
    const { id } = await rig.store.readIdentity();
    const { out } = await rig.run('check');
    expect(out).toContain(`store         ${id} (set STORE_ID to it to refuse any other)\n`);
    expect(out).toContain('created       2026-11-20T10:00:00Z\n');
    expect(out).toContain('received      1 application since then\n');
    rig.variables['STORE_ID'] = id;
    expect((await rig.run('check')).out).toContain(`store         ${id} (as in STORE_ID)\n`);
  });

  it('refuses to create a store where one has received applications', async () => {
    await rig.add();
    const { code, err, json } = await rig.run('check', '--new-store', '--json');
    expect(code).toBe(1);
    expect(err).toContain('DATABASE_URL leads to a store that has received 1 application: ');
    expect(json.error).toBe('store-exists');
  });

  it('accepts a new store twice while it is empty', async () => {
    expect((await rig.run('check', '--new-store')).code).toBe(0);
  });

  it('creates no store while STORE_ID names one', async () => {
    rig.variables['STORE_ID'] = '0199c0de-0000-4000-8000-00000000000a';
    const { code, err } = await rig.run('check', '--new-store');
    expect(code).toBe(1);
    expect(err).toContain('STORE_ID is set, so there is a store already.');
  });

  it.each([
    ['STORE_ID', { STORE_ID: '0199c0de-0000-4000-8000-00000000000a' }],
    ['production', production],
  ])('fails with %s when there is no store', async (_name, variables) => {
    Object.assign(rig.variables, variables);
    const openStore = () => Promise.reject(new StoreError('STORE_NEW', 'canary'));
    const readFile = () => JSON.stringify(settings);
    const { code, err } = await rig.runWith({ openStore, readFile }, 'check');
    expect(code).toBe(1);
    expect(err).toMatch(/points to no existing store .* create the store with "check --new-store"/);
  });

  it('refuses both of its options together', async () => {
    const { code, err } = await rig.run('check', '--new-store', '--accept-missing-log');
    expect(code).toBe(2);
    expect(err).toContain('Give either --new-store or --accept-missing-log, not both.');
  });

  it('knows the engine by the address', async () => {
    rig.variables['DATABASE_URL'] = 'postgres://u:sandbox-password@localhost/j';
    expect((await rig.run('check')).out).toContain('database      PostgreSQL\n');
  });
});
