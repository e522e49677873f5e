// The public factory: its options, its problems, and what a host may do with the result.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Bff,
  type BffOptions,
  ConfigurationError,
  createApplicationSchema,
  createBff,
} from '../../bff/index.ts';
import { openStore } from '../../bff/store/open-store.ts';
import project from '../../package.json' with { type: 'json' };
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { pageOrigin } from '../support/applicant.ts';
import { createApplication } from '../support/applications.ts';
import { createWidgetFolder, entryName } from '../support/widget-folder.ts';
import { createCliRig } from './cli/cli-rig.ts';
import { openFetchBrowser } from './open-bff.ts';
import { strongKey } from './config/config-source.ts';
import { createFolder } from '../support/temporary-folder.ts';

const sandbox = {
  FUNDING_ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'file::memory:',
  WIDGET_FOLDER: 'none',
};
const created: Bff[] = [];
const lines: string[] = [];
const log = { write: (line: string) => void lines.push(line) };

afterEach(async () => {
  for (const bff of created.splice(0)) await bff.stop();
  lines.length = 0;
});

async function create(options: BffOptions = {}): Promise<Bff> {
  const bff = await createBff({ log, ...options, variables: { ...sandbox, ...options.variables } });
  created.push(bff);
  return bff;
}

async function listProblems(options: object): Promise<readonly string[]> {
  const failure = await createBff(options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigurationError);
  return (failure as ConfigurationError).problems;
}

// As in an upgrade, with the processes of both releases.
it.each([
  ['an earlier release', 1, 0],
  ['a later release', 0, 1],
])('a BFF with WIDGET_ARCHIVE serves the element of %s', async (_name, own, other) => {
  const versions = [`${project.version}-aaaaaaaa`, `${project.version}-bbbbbbbb`] as const;
  const WIDGET_ARCHIVE = `${createFolder()}/archive`;
  const bffs: Bff[] = [];
  for (const version of versions) {
    const folder = createWidgetFolder(version, { [entryName]: version });
    onTestFinished(folder.remove);
    bffs.push(await create({ variables: { WIDGET_FOLDER: folder.directory, WIDGET_ARCHIVE } }));
  }
  for (const version of [versions[own]!, versions[other]!]) {
    const url = `${bffs[own]!.publicUrl}/widget/${version}/${entryName}`;
    expect(await (await bffs[own]!.fetch(new Request(url))).text()).toBe(version);
  }
});

describe('createBff', () => {
  it('lists all problems of variables, settings, and hooks', async () => {
    const problems = await listProblems({
      variables: { ...sandbox, SESSION_KEYS: 'short', WIDGET_FOLDER: '/nowhere' },
      settings: { offers: { title: 5 } },
      hooks: { enrich: () => ({}) },
      basePath: 'funding',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^basePath is not a plain path\. Use /),
      expect.stringMatching(/^SESSION_KEYS /),
      'settings is not valid: offers.title is not a setting. Remove it.',
      expect.stringMatching(/^WIDGET_FOLDER /),
      expect.stringMatching(/^hooks contains enrich, which is not a hook\. /),
    ]);
  });

  it('refuses an unknown option with the one that was meant', async () => {
    expect(await listProblems({ variables: sandbox, basepath: '/a', theme: 'dark' })).toEqual([
      'basepath is not an option of createBff. Did you mean basePath?',
      'theme is not an option of createBff. Use variables, settings, hooks, basePath, log, serverless.',
    ]);
  });

  it.each([
    ['is checked', 'application', 'key_id'],
    ['registers who gets events', 'event_consumer', 'name'],
  ])('closes a store that fails when it %s', async (_name, table, column) => {
    const folder = createFolder();
    const variables = { DATABASE_URL: `file:${folder}/store.db` };
    const bff = await create({ variables });
    await bff.stop();
    const db = new DatabaseSync(`${folder}/store.db`);
    onTestFinished(() => db.close());
    db.exec(`alter table ${table} rename column ${column} to moved`);
    for (let count = 0; count < 2; count += 1) {
      // The second failure is the same: the store is not in use.
      await expect(create({ variables })).rejects.toThrow(/no such column|ERR_SQLITE_ERROR/);
    }
    db.exec(`alter table ${table} rename column moved to ${column}`);
    await create({ variables });
  });

  it.each([
    ['another', `1:${strongKey(9)}`, /^DATA_KEYS contains another data key 1 .* 1 application in/],
    ['no', `2:${strongKey(9)}`, /^DATA_KEYS lacks data key 1, which wraps 1 application in/],
  ])(
    'takes over nothing from a store if it has %s data key',
    async (_which, DATA_KEYS, problem) => {
      const folder = createFolder();
      const DATABASE_URL = `file:${join(folder, 'store.db')}`;
      const rig = await createCliRig(DATABASE_URL);
      await rig.add();
      await rig.claim();
      await rig.store.close();
      const variables = { ...sandbox, DATABASE_URL, DATA_KEYS };
      expect(await listProblems({ variables })).toEqual([expect.stringMatching(problem)]);
      // The store was closed in order.
      expect(readdirSync(folder).toSorted()).toEqual(['store.db', 'store.db-lock']);
      const store = await openStore(DATABASE_URL);
      expect(await store.countStates()).toMatchObject([{ state: 'sending', count: 1 }]);
      await store.close();
    },
  );

  it('names the problems in its message', async () => {
    const failure = await createBff({ variables: {} }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/^ConfigurationError: The BFF cannot start:\n {2}FUNDING_ENV/);
  });

  it.each([
    ['settings twice', { settings: {} }, { FUNDING_SETTINGS: 'x' }, /^FUNDING_SETTINGS and the op/],
    ['hooks twice', { hooks: {} }, { BFF_HOOKS: 'x' }, /^BFF_HOOKS and the option hooks are both/],
    [
      'two base paths',
      { basePath: '/a' },
      { PUBLIC_URL: 'http://localhost/b' },
      /^PUBLIC_URL has another path than the option basePath/,
    ],
    ['a hook that is no function', { hooks: { enrichLead: 5 } }, {}, /^hooks contains an invalid/],
    ['hooks that are no object', { hooks: 5 }, {}, /^hooks is not an object/],
    ['settings that are no object', { settings: 5 }, {}, /^settings is not valid: the option must/],
    ['a file in functions', { serverless: true }, {}, /^DATABASE_URL names a file, which serverle/],
  ])('refuses %s', async (_name, options, variables, expected) => {
    const problems = await listProblems({ ...options, variables: { ...sandbox, ...variables } });
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    [undefined, 'http://localhost:3000', ''],
    [undefined, 'http://localhost:3000/funding/', '/funding'],
    ['/funding', 'http://localhost:3000', '/funding'],
    ['/funding/', 'http://localhost:3000/funding', '/funding'],
  ])('with the base path %s below %s answers below %j', async (given, PUBLIC_URL, basePath) => {
    const options = given === undefined ? {} : { basePath: given };
    const bff = await create({ ...options, variables: { PUBLIC_URL } });
    expect(bff).toMatchObject({ basePath, publicUrl: `http://localhost:3000${basePath}` });
    const answer = await bff.fetch(new Request(`${bff.publicUrl}/livez`));
    expect(await answer.json()).toEqual({ status: 'alive' });
  });

  it('gives two BFFs below one origin different cookies', async () => {
    const names = await Promise.all(
      ['/one', '/two'].map(async (basePath) => {
        const browser = openFetchBrowser(await create({ basePath }));
        await browser.send('POST', apiPaths.session);
        await browser.send('POST', apiPaths.draftKey);
        return [...browser.cookies.keys()];
      }),
    );
    expect(new Set(names.flat()).size).toBe(4);
  });

  it('leaves the global classes to the host', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await create();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  it('shares a rate limit among requests without a known connection', async () => {
    const bff = await create({ settings: { limits: { requestsPerMinutePerAddress: 3 } } });
    const headers = [1, 2, 3, 4].map((part) => ({ 'x-forwarded-for': `203.0.113.${part}` }));
    const statuses = await Promise.all(
      headers.map(async (sent) => {
        const browser = openFetchBrowser(bff);
        return (await browser.send('GET', apiPaths.configuration, undefined, sent)).status;
      }),
    );
    expect(statuses.toSorted()).toEqual([200, 200, 200, 429]);
    expect(lines.join('')).toContain('"reason":"connection-unknown"');
  });

  it('leaves the compression of fetch to the host', async () => {
    const bff = await create();
    const headers = { 'accept-encoding': 'gzip, br' };
    const answer = await openFetchBrowser(bff).send(
      'GET',
      apiPaths.configuration,
      undefined,
      headers,
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.json.environment).toBe('sandbox');
  });

  it('refuses a body that the host has read', async () => {
    const bff = await create();
    const request = new Request(bff.publicUrl + apiPaths.session, {
      method: 'POST',
      headers: {
        origin: pageOrigin,
        'sec-fetch-site': 'same-site',
        'content-type': 'application/json',
        'content-length': '2',
        [apiHeaders.request]: '1',
      },
      body: '{}',
    });
    await request.text();
    const answer = await bff.fetch(request);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('body parser') });
    expect(lines.join('')).toContain('"event":"body-consumed"');
  });

  it('answers 503 after it has stopped', async () => {
    const bff = await create();
    await bff.start();
    expect(await bff.stop()).toBe('recorded');
    const answer = await bff.fetch(new Request(`${bff.publicUrl}/livez`));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it('stops at once if a client was gone before its request reached the BFF', async () => {
    const bff = await create();
    const handled = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      response.once('close', () => {
        bff.handler(request, response);
        handled.resolve();
      });
      client.destroy();
    });
    server.listen(0);
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port);
    client.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await handled.promise;
    // With an open request, this would take until the deadline.
    expect(await bff.stop({ deadlineMs: 3_600_000 })).toBe('recorded');
    server.close();
  });

  it('starts once', async () => {
    const bff = await create();
    await bff.start();
    await expect(bff.start()).rejects.toThrow('was started or stopped before');
    await expect(bff.deliver({ maxMs: 1 })).rejects.toThrow('without started workers');
  });
});

describe('createApplicationSchema', () => {
  it('refuses invalid settings as createBff does', () => {
    const settings = { offers: { title: 5 } } as object;
    expect(() => createApplicationSchema(settings)).toThrow(ConfigurationError);
    expect(() => createApplicationSchema(settings)).toThrow(
      'settings is not valid: offers.title is not a setting. Remove it.',
    );
  });

  it('reads an application with the default settings', async () => {
    const { validate } = createApplicationSchema()['~standard'];
    expect(await validate({})).toMatchObject({ issues: expect.any(Array) });
    expect(await validate(createApplication())).toMatchObject({ value: expect.any(Object) });
  });
});
