// The examples of mounted BFFs, with the built package.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { describeMount, type HostOptions } from '../../bff/mounts/mount-contract.ts';
import { findFreePort } from '../../support/free-port.ts';
import { copyExample, type Example } from './example-server.ts';
import { findLockedVersion } from '../support/modules.ts';

// mount-pages.test.ts applies on a page with the same files.
it.each(['express', 'fastify', 'hono'])(
  'the example %s stops without losing an outcome',
  async (name) => {
    const example = copyExample(name);
    onTestFinished(example.remove);
    const port = String(await findFreePort());
    const variables = { ...readEnvironment(name), PORT: port };
    const server = example.run(relative(root, join(example.folder, 'server.js')), variables);
    await server.output(/The page is at/);
    const html = await (await fetch(`http://localhost:${port}`)).text();
    expect(html).toContain('src="/funding/widget/funding-application.js"');
    server.child.kill('SIGTERM');
    expect(await server.exit, server.text()).toBe(0);
  },
);

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
