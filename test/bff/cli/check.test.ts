// `check`: what it reports about a valid configuration, and when it fails.

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

  it('reports the configuration', async () => {
    await rig.add();
    await rig.recordResult(accepted);
    const { code, out } = await rig.run('check');
    expect(code).toBe(0);
    expect(out).toContain('environment   sandbox\n');
    expect(out).toContain('database      SQLite\n');
    expect(out).toContain('data keys     2, 1 (2 encrypts new applications)\n');
    expect((await rig.run('check', '--json')).json).toEqual({
      version: project.version,
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
      widgetHash: null,
      widgetWarnings: [],
      hooks: [],
      untranslated: [],
      webhook: null,
    });
  });

  it('reports widget, hook, and variable errors at once', async () => {
    rig.variables['PUBLIC_URL'] = 'nowhere';
    rig.variables['WIDGET_FOLDER'] = '/srv/widget';
    rig.variables['BFF_HOOKS'] = '/srv/hooks.mjs';
    const readFile = () => {
      throw new Error('ENOENT');
    };
    const { code, err } = await rig.runWith({ readFile }, 'check');
    expect(code).toBe(1);
    expect(err).toMatch(/PUBLIC_URL contains .*WIDGET_FOLDER names .*BFF_HOOKS names /s);
    delete rig.variables['PUBLIC_URL'];
    // The store can be examined without a widget.
    expect((await rig.runWith({ readFile }, 'status')).code).toBe(0);
  });

  it('lists texts without a translation', async () => {
    rig.variables['FUNDING_SETTINGS'] = '/srv/settings.json';
    const fundingReasons = [{ value: 'Rent', label: 'Rent' }];
    const readFile = () => JSON.stringify({ fundingReasons });
    const { code, out } = await rig.runWith({ readFile }, 'check');
    expect(code).toBe(0);
    expect(out).toContain(
      'languages     en, es\n\nTexts without a translation (shown in English)\n  fundingReasons.0.label (es)\n',
    );
    const { json } = await rig.runWith({ readFile }, 'check', '--json');
    expect(json.untranslated).toEqual(['fundingReasons.0.label (es)']);
  });

  it('shows the widget version, with the hooks', async () => {
    const folder = createWidgetFolder(`${project.version}-1f3870be`, { [entryName]: 'entry' });
    rig.variables['WIDGET_FOLDER'] = folder.directory;
    rig.variables['BFF_HOOKS'] = 'examples/hooks/hooks.ts';
    const { out } = await rig.run('check');
    folder.remove();
    expect(out).toContain(`widget        ${project.version} (hash 1f3870be)\n`);
    expect(out).toContain('hooks         enrichLead, onStatus\n');
  });

  it('lists damaged files of earlier widget versions', async () => {
    const folder = createWidgetFolder('0.0.1-a', { [entryName]: 'old' });
    folder.addVersion(`${project.version}-b`, { [entryName]: 'entry' });
    folder.write(`0.0.1-a/${entryName}`, 'ol');
    rig.variables['WIDGET_FOLDER'] = folder.directory;
    const { code, out } = await rig.run('check');
    const { json } = await rig.run('check', '--json');
    folder.remove();
    const warning = `Version 0.0.1-a of the widget is incomplete: ${entryName} is damaged.`;
    expect(code).toBe(0);
    expect(out).toContain(`\n\nIncomplete earlier versions of the widget\n  ${warning}\n`);
    expect(json.widgetWarnings).toEqual([warning]);
  });

  it('shows the trusted proxies', async () => {
    expect((await rig.run('check')).out).toContain('proxies       none (correct only if');
    rig.variables['TRUSTED_PROXIES'] = '10.0.0.0/8 192.0.2.7';
    const { out } = await rig.run('check');
    expect(out).toContain(
      'proxies       10.0.0.0/8, 192.0.2.7 (the BFF trusts their X-Forwarded-For)',
    );
  });

  it('fails if the test commit fails', async () => {
    const error = Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR' });
    const check = () => Promise.reject(error);
    const openStore = async () => ({ ...rig.store, check, close: async () => undefined });
    const { code, err } = await rig.runWith({ openStore }, 'check');
    expect(code).toBe(1);
    expect(err).toContain('The command failed (ERR_SQLITE_ERROR).');
  });

  it('shows the identity of the store', async () => {
    await rig.add();
    const { id } = await rig.store.readIdentity();
    const { out } = await rig.run('check');
    expect(out).toContain(
      `store         ${id} (set STORE_ID to this id to refuse any other store)\n`,
    );
    expect(out).toContain('created       2026-11-20T10:00:00Z\n');
    expect(out).toContain('received      1 application since then\n');
    rig.variables['STORE_ID'] = id;
    expect((await rig.run('check')).out).toContain(`store         ${id} (STORE_ID)\n`);
  });

  it('creates no store if the existing one has received applications', async () => {
    await rig.add();
    const { code, err, json } = await rig.run('check', '--new-store', '--json');
    expect(code).toBe(1);
    expect(err).toContain('DATABASE_URL names a store that has received 1 application: ');
    expect(json.error).toBe('store-exists');
  });

  it('accepts an existing empty store with --new-store', async () => {
    expect((await rig.run('check', '--new-store')).code).toBe(0);
  });

  it('creates no store if STORE_ID is set', async () => {
    rig.variables['STORE_ID'] = '0199c0de-0000-4000-8000-00000000000a';
    const { code, err } = await rig.run('check', '--new-store');
    expect(code).toBe(1);
    expect(err).toContain('STORE_ID is set, so a store exists already.');
  });

  it.each([
    ['STORE_ID', { STORE_ID: '0199c0de-0000-4000-8000-00000000000a' }],
    ['production', production],
  ])('fails with %s if the store does not exist', async (_name, variables) => {
    Object.assign(rig.variables, variables);
    const openStore = () => Promise.reject(new StoreError('STORE_NEW', 'canary'));
    const readFile = () => JSON.stringify(settings);
    const { code, err } = await rig.runWith({ openStore, readFile }, 'check');
    expect(code).toBe(1);
    expect(err).toMatch(/points to no existing store .* create the store with "check --new-store"/);
  });

  it('rejects both options together', async () => {
    const { code, err } = await rig.run('check', '--new-store', '--accept-missing-log');
    expect(code).toBe(2);
    expect(err).toContain('Use either --new-store or --accept-missing-log, not both.');
  });

  it('shows only the host of the webhook', async () => {
    rig.variables['WEBHOOK_URL'] = 'https://crm.example/hooks?token=canary-content';
    rig.variables['WEBHOOK_SECRETS'] = `whsec_${strongKey(1)}`;
    expect((await rig.run('check')).out).toContain(
      'webhook       crm.example (each event is signed with 1 secret)\n',
    );
    const { json } = await rig.run('check', '--json');
    expect(json.webhook).toEqual({ host: 'crm.example', secrets: 1 });
  });

  it('names the engine of DATABASE_URL', async () => {
    rig.variables['DATABASE_URL'] = 'postgres://u:sandbox-password@localhost/j';
    expect((await rig.run('check')).out).toContain('database      PostgreSQL\n');
  });
});
