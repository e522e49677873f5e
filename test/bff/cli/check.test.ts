// `check`: what it reports about a valid configuration, and when it fails.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../../bff/store/database.ts';
import project from '../../../package.json' with { type: 'json' };
import { createWidgetFolder, entryName } from '../../support/widget-folder.ts';
import { production, settings, strongKey } from '../config/config-source.ts';
import { accepted, createCliRig, type CliRig } from './cli-rig.ts';

const STORE_ID = '0199c0de-0000-4000-8000-00000000000a';
const version = `${project.version}-1f3870be`;

describe('check', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    rig.variables['DATA_KEYS'] = `2:${strongKey(2)},1:${strongKey(1)}`;
  });

  it('reports the configuration', async () => {
    await rig.add();
    await rig.recordResult(accepted);
    const { code, out } = await rig.run('check');
    const { json } = await rig.run('check', '--json');
    expect(code).toBe(0);
    const { id } = json.store;
    expect(out.split('\n')).toEqual(
      expect.arrayContaining([
        'environment   sandbox',
        'database      SQLite',
        'data keys     2, 1 (2 encrypts new applications)',
        'proxies       none (correct only if browsers connect to the BFF directly)',
        `store         ${id} (set STORE_ID to this id to refuse any other store)`,
        'created       2026-11-20T10:00:00Z',
        'received      1 application since then',
      ]),
    );
    expect(json).toEqual({
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
    rig.variables['STORE_ID'] = id;
    expect((await rig.run('check')).out).toContain(`store         ${id} (STORE_ID)\n`);
  });

  it('reports every part that is configured', async () => {
    const folder = createWidgetFolder('0.0.1-a', { [entryName]: 'old' });
    onTestFinished(folder.remove);
    folder.addVersion(version, { [entryName]: 'entry' });
    folder.write(`0.0.1-a/${entryName}`, 'ol');
    Object.assign(rig.variables, {
      WIDGET_FOLDER: folder.directory,
      BFF_HOOKS: 'examples/hooks/hooks.ts',
      TRUSTED_PROXIES: '10.0.0.0/8 192.0.2.7',
      DATABASE_URL: 'postgres://u:sandbox-password@localhost/j',
      WEBHOOK_URL: 'https://crm.example/hooks?token=canary-content',
      WEBHOOK_SECRETS: `whsec_${strongKey(1)}`,
      FUNDING_SETTINGS: '/srv/settings.json',
    });
    const fundingReasons = [{ value: 'Rent', label: 'Rent' }];
    const io = { readFile: () => JSON.stringify({ fundingReasons }) };
    const { code, out } = await rig.runWith(io, 'check');
    const warning = `Version 0.0.1-a of the widget is incomplete: ${entryName} is damaged.`;
    expect(code).toBe(0);
    for (const text of [
      'database      PostgreSQL\n',
      'proxies       10.0.0.0/8, 192.0.2.7 (the BFF trusts their X-Forwarded-For)',
      'webhook       crm.example (each event is signed with 1 secret)\n',
      `widget        ${project.version} (hash 1f3870be)\n`,
      'hooks         enrichLead, onStatus\n',
      `\n\nIncomplete earlier versions of the widget\n  ${warning}\n`,
      'languages     en, es\n\nTexts without a translation (shown in English)\n  fundingReasons.0.label (es)\n',
    ]) {
      expect(out).toContain(text);
    }
    expect((await rig.runWith(io, 'check', '--json')).json).toMatchObject({
      untranslated: ['fundingReasons.0.label (es)'],
      widgetWarnings: [warning],
      webhook: { host: 'crm.example', secrets: 1 },
    });
  });

  it('reports widget, hook, and variable errors at once', async () => {
    const wrong = { PUBLIC_URL: 'nowhere', WIDGET_FOLDER: '/srv/a', BFF_HOOKS: '/srv/b.mjs' };
    Object.assign(rig.variables, wrong);
    const { code, err } = await rig.run('check');
    expect(code).toBe(1);
    expect(err).toMatch(/PUBLIC_URL contains .*WIDGET_FOLDER names .*BFF_HOOKS names /s);
    delete rig.variables['PUBLIC_URL'];
    // The store can be examined without a widget.
    expect((await rig.run('status')).code).toBe(0);
  });

  it('fails if the test commit fails', async () => {
    const error = Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR' });
    const { code, err } = await rig.runOn({ check: () => Promise.reject(error) }, 'check');
    expect(code).toBe(1);
    expect(err).toContain('The command failed (ERR_SQLITE_ERROR).');
  });

  it('creates no store if the existing one has received applications', async () => {
    expect((await rig.run('check', '--new-store')).code).toBe(0);
    await rig.add();
    const { code, err, json } = await rig.run('check', '--new-store', '--json');
    expect([code, json.error]).toEqual([1, 'store-exists']);
    expect(err).toContain('DATABASE_URL names a store that has received 1 application: ');
  });

  it('creates no store if STORE_ID is set', async () => {
    rig.variables['STORE_ID'] = STORE_ID;
    const { code, err } = await rig.run('check', '--new-store');
    expect(code).toBe(1);
    expect(err).toContain('STORE_ID is set, so a store exists already.');
  });

  it.each([
    ['STORE_ID', { STORE_ID }],
    ['production', production],
  ])('fails with %s if the store does not exist', async (_name, variables) => {
    Object.assign(rig.variables, variables);
    const openStore = () => Promise.reject(new StoreError('STORE_NEW', 'canary'));
    const readFile = () => JSON.stringify(settings);
    const { code, err } = await rig.runWith({ openStore, readFile }, 'check');
    expect(code).toBe(1);
    expect(err).toMatch(/points to no existing store .* create the store with "check --new-store"/);
  });
});
