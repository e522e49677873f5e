// The examples of mounted BFFs: each starts with the built package, and takes an application.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { describeMount, type HostOptions } from '../../bff/mounts/mount-contract.ts';
import { createBrowser, createHttpSender, createKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import type { TestProcess } from '../../support/bff-process.ts';
import { findFreePort } from '../../support/free-port.ts';
import { describePostgres } from '../../support/postgres.ts';
import { createSchema } from '../../support/postgres-schema.ts';
import { startSandboxServer, type SandboxServer } from '../../support/sandbox-server.ts';
import { copyExample, type Example } from './example-server.ts';
import { findLockedVersion } from '../support/modules.ts';

const settings = {
  lead: { allowedCampaignIds: ['spring-2026'] },
  limits: { minimumFillSeconds: 0 },
};
const cronSecret = 'a secret of the schedule';

interface ServerExample {
  readonly name: string;
  readonly program: string;
  readonly variables?: () => Promise<Readonly<Record<string, string>>>;
}

function describeExample({ name, program, variables = async () => ({}) }: ServerExample): void {
  describe(`the example ${name}`, () => {
    const isServerless = name === 'serverless';
    let sandbox: SandboxServer;
    let example: Example;
    let server: TestProcess;
    let origin: string;

    beforeAll(async () => {
      sandbox = await startSandboxServer();
      example = copyExample(name);
      const port = String(await findFreePort());
      origin = `http://localhost:${port}`;
      server = example.run(relative(root, join(example.folder, program)), {
        ...readEnvironment(name),
        PUBLIC_URL: `${origin}/funding`,
        PORT: port,
        FUNDING_SETTINGS: example.writeSettings(settings),
        ...sandbox.variables,
        ...(await variables()),
      });
      await server.output(/http:\/\/localhost:\d+/);
    });

    afterAll(async () => {
      server.child.kill('SIGKILL');
      await server.exit;
      example.remove();
      await sandbox.close();
    });

    it('accepts an application from its own page', async () => {
      const sender = createHttpSender([`${origin}/funding`]);
      const browser = createBrowser({
        send: sender.send,
        origin,
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      const answer = await browser.apply(createApplication(), createKey());
      expect(answer.json).toMatchObject({ status: 'accepted' });
      await sender.close();
    });

    it('serves the element of the package', async () => {
      const script = await fetch(`${origin}/funding/widget/funding-application.js`);
      expect(script.status).toBe(200);
      expect((await script.text()).length).toBeGreaterThan(10_000);
    });

    it.runIf(isServerless)('delivers for its scheduler only', async () => {
      expect((await fetch(`${origin}/cron`)).status).toBe(401);
      const headers = { authorization: `Bearer ${cronSecret}` };
      const answer = await fetch(`${origin}/cron`, { headers });
      expect(await answer.json()).toEqual({ hasMore: false });
    });

    it.runIf(!isServerless)('shows the element on its page', async () => {
      const html = await (await fetch(origin)).text();
      expect(html).toContain('src="/funding/widget/funding-application.js"');
      expect(html).toContain('<funding-application');
    });

    it.runIf(!isServerless)('stops without losing an outcome', async () => {
      server.child.kill('SIGTERM');
      expect(await server.exit).toBe(0);
    });
  });
}

for (const name of ['express', 'fastify', 'hono']) describeExample({ name, program: 'server.js' });

describePostgres('with PostgreSQL', () => {
  describeExample({
    name: 'serverless',
    program: 'local.js',
    variables: async () => ({
      DATABASE_URL: (await createSchema(inject('postgresUrl')!)).url,
      CRON_SECRET: cronSecret,
    }),
  });
});

const next = 'test/release/node_modules/next/dist/bin/next';
let nextExample: Example;

beforeAll(async () => {
  nextExample = copyExample('next');
  const build = nextExample.run(next, { NEXT_TELEMETRY_DISABLED: '1' }, 'build');
  if ((await build.exit) !== 0) throw new Error(build.text());
});

afterAll(() => nextExample.remove());

describeMount('Next', {
  basePath: '/funding',
  // Route handlers have no body parser.
  canParseBodies: false,
  createDatabaseUrl: async () => `file:${nextExample.folder}/store.db`,
  async start({ port, variables, settings: given }: HostOptions) {
    const server = nextExample.run(
      next,
      {
        ...readEnvironment('next'),
        ...variables,
        NEXT_TELEMETRY_DISABLED: '1',
        NEXT_MANUAL_SIG_HANDLE: 'true',
        FUNDING_SETTINGS: nextExample.writeSettings(given),
      },
      'start',
      '--port',
      String(port),
    );
    await server.ready(`http://localhost:${port}/funding/readyz`);
    return {
      async stop() {
        server.child.kill('SIGTERM');
        return (await server.exit) === 0 ? 'recorded' : 'unrecorded';
      },
    };
  },
});

describe('the package.json of an example', () => {
  const manifests = globSync('examples/*/package.json', { cwd: root });

  it.each(manifests)('%s has the versions of the project', (path) => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, path), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const others = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !version.startsWith('file:'),
    );
    expect(Object.fromEntries(others)).toEqual(
      Object.fromEntries(others.map(([name]) => [name, findLockedVersion(name)])),
    );
  });
});

/** The variables of `.env.example`. */
function readEnvironment(name: string): Record<string, string> {
  const text = readFileSync(join(root, 'examples', name, '.env.example'), 'utf8');
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
