// Tests of the npm package of the BFF.

import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../../scripts/project.mjs';
import { startProcess } from '../../support/bff-process.ts';
import { packageNames, readPackedPackage, type PackedPackage } from './packed.ts';
import { linkModules } from '../support/modules.ts';

const name = packageNames.bff;
let packed: PackedPackage;
let folder: string;

beforeAll(() => {
  packed = readPackedPackage('bff');
  folder = mkdtempSync(join(tmpdir(), 'bff-package-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(packed.folder, join(folder, 'node_modules', name));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a program into the folder of an adopter, and runs it. Returns its output and its exit code. */
function run(program: string, ...args: readonly string[]) {
  return runProgram(program, { DATABASE_URL: `file:${folder}/store.db` }, ...args);
}

async function runProgram(
  program: string,
  variables: NodeJS.ProcessEnv,
  ...args: readonly string[]
) {
  const started = startProcess({
    program: relative(root, program),
    arguments: args,
    directory: folder,
    variables: { FUNDING_ENVIRONMENT: 'sandbox', ...variables },
  });
  const code = await started.exit;
  return { code, text: started.text() };
}

function readExample(file: string): string {
  return readFileSync(join(root, 'examples', file), 'utf8');
}

/** Returns the errors of the type check of an adopter's file. */
async function checkTypes(source: string): Promise<string> {
  const modules = ['node', 'express', 'express-serve-static-core', 'send', 'serve-static'];
  linkModules(
    folder,
    modules.map((module) => `@types/${module}`),
  );
  writeFileSync(join(folder, 'adopter.mts'), source);
  const args = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
  const { text } = await run(
    join(root, 'node_modules/typescript/bin/tsc'),
    ...args,
    '--types',
    'node',
    'adopter.mts',
  );
  return text;
}

describe('the npm package of the BFF', () => {
  it('needs no other package', () => {
    for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(packed.manifest).not.toHaveProperty(field);
    const sources = packed.files.filter((file) => /^bff\/.*\.js$/.test(file));
    const imported = sources.flatMap((file) =>
      [...packed.read(file).matchAll(/^(?:import|export) [^'"\n]*["']([^'"\n]+)["']/gm)].map(
        ([, path]) => path!,
      ),
    );
    expect(imported.filter((path) => !isBuiltin(path) && !path.startsWith('./'))).toEqual([]);
  });

  it.each([
    ['settings.schema.json', 'bff/config/settings.schema.json'],
    ['openapi.json', 'docs/public/openapi.json'],
  ])('exports %s', async (file, source) => {
    const program = join(folder, 'resolve.mjs');
    writeFileSync(program, `console.log(import.meta.resolve('${name}/${file}'))`);

    const { text } = await run(program);

    expect(readFileSync(new URL(text.trim()), 'utf8')).toBe(
      readFileSync(join(root, source), 'utf8'),
    );
  });

  it('contains each file for a server as in the examples', () => {
    const examples = globSync('{deployment,monitoring}/*', { cwd: join(root, 'examples') });
    expect(examples.length).toBeGreaterThan(12);
    const contained = packed.files.filter((file) => /^(?:deployment|monitoring)\//.test(file));
    expect(contained).toEqual([...examples, 'deployment/settings.json'].toSorted());
    const changed = ['deployment/Containerfile', 'deployment/README.md', 'deployment/compose.yaml'];
    expect(examples.filter((file) => packed.read(file) !== readExample(file)).toSorted()).toEqual(
      changed,
    );
  });

  it('contains the programs for a server with their modes', () => {
    const folders = [packed.folder, join(root, 'examples')];
    for (const file of ['funding-bff', 'funding-backup', 'create-database.sh']) {
      const modes = folders.map((folder) => statSync(join(folder, 'deployment', file)).mode);
      expect({ file, modes }).toEqual({ file, modes: [0o100755, 0o100755] });
    }
  });

  it('builds its image from its own folder', () => {
    const containerfile = packed.read('deployment/Containerfile');
    const [, release = ''] = /^ARG RELEASE=(.+)$/m.exec(containerfile) ?? [];
    const copied = [...containerfile.matchAll(/^COPY \$\{RELEASE\}\/(\S+)/gm)].map(
      ([, name]) => `${release}/${name}`,
    );
    expect(copied).toEqual(['./bff', './widget']);
    const { services } = parse(packed.read('deployment/compose.yaml'), { merge: true }) as {
      services: Readonly<Record<string, { readonly build?: object }>>;
    };
    expect(services['bff-1']?.build).toEqual({
      context: '..',
      dockerfile: 'deployment/Containerfile',
    });
  });

  it('contains settings for a project, which name the schema of the package', () => {
    const { $schema, ...settings } = JSON.parse(packed.read('deployment/settings.json'));
    expect($schema).toBe(`./node_modules/${name}/settings.schema.json`);
    expect(JSON.parse(readExample('settings.json'))).toMatchObject(settings);
  });

  it('contains settings for a server, which name the schema of the release', () => {
    const { $schema, ...settings } = JSON.parse(packed.read('settings.json'));
    const file = ($schema as string).replace('/opt/funding/current/', '');
    expect(packed.read(file)).toBe(packed.read('settings.schema.json'));
    expect(JSON.parse(readExample('settings.json'))).toMatchObject(settings);
  });

  it('contains hooks that its types accept', async () => {
    expect(await checkTypes(packed.read('hooks/hooks.ts'))).toBe('');
  });

  it('contains the built element', () => {
    const { version, hash } = JSON.parse(packed.read('widget/manifest.json')) as {
      version: string;
      hash: string;
    };
    expect(version).toBe(packed.manifest.version);
    expect(packed.files).toContain(`widget/${version}-${hash}/funding-application.js`);
    expect(packed.files.filter((file) => /^widget\/.*package\.json/.test(file))).toEqual([]);
  });

  it('exports what its types declare', async () => {
    const program = join(folder, 'exports.mjs');
    writeFileSync(program, `console.log(Object.keys(await import('${name}')).sort().join(' '));`);
    const declared = [
      ...packed.read('bff/index.d.ts').matchAll(/^export declare (?:const|function|class) (\w+)/gm),
    ].map(([, found]) => found!);
    expect((await run(program)).text.trim()).toBe(declared.toSorted().join(' '));
  });

  it('runs the commands of the operator', async () => {
    const { code, text } = await run(join(packed.folder, 'bff/main.js'), 'check', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({ environment: 'sandbox' });
  });

  it('starts the sandbox with its console', async () => {
    const sandbox = startProcess({
      program: relative(root, join(packed.folder, 'bff/main.js')),
      arguments: ['sandbox'],
      directory: folder,
      variables: { SANDBOX_PORT: '0' },
    });
    const [, address = ''] = await sandbox.output(/Console +(\S+)/);
    const page = await (await fetch(address)).text();
    expect(page).toContain('Sandbox funding service</title>');
    const files = [...page.matchAll(/(?:href|src)="(\/_sandbox\/console\.\w+)"/g)];
    expect(files).toHaveLength(2);
    for (const [, path = ''] of files)
      expect((await fetch(new URL(path, address))).headers.get('content-length')).not.toBe('0');
    expect(sandbox.text()).toMatch(/FUNDING_ENVIRONMENT=sandbox and SANDBOX_PORT=\d+/);
    sandbox.child.kill('SIGTERM');
    expect(await sandbox.exit).toBe(0);
  });

  it('keeps the sandbox out of the program of the BFF', () => {
    const programs = packed.files.filter((file) => /^bff\/.*\.js$/.test(file));
    expect(packed.read('sandbox/main.js')).toContain('SANDBOX_OFFER_DELAY_MS');
    expect(packed.read('sandbox/main.js')).not.toMatch(/from "\.\.?\//);
    for (const file of programs) expect(packed.read(file)).not.toContain('SANDBOX_OFFER_DELAY_MS');
  });

  it('delivers once', async () => {
    const program = join(packed.folder, 'bff/main.js');
    writeFileSync(join(folder, 'deliver.env'), `DATABASE_URL=file:${folder}/deliver.db`);
    const { code, text } = await runProgram(program, {}, '--dotenv=deliver.env', 'deliver');
    expect(text).toContain('0 attempts to deliver recorded. Nothing else is due.');
    expect(code).toBe(0);
  });

  it('has a program that starts with Node', () => {
    expect(readFileSync(join(packed.folder, 'bff/main.js'), 'utf8')).toMatch(
      /^#!\/usr\/bin\/env node\n/,
    );
  });

  it('accepts a good use of its types', async () => {
    const errors = await checkTypes(`
import { createServer } from 'node:http';
import { ConfigurationError, createBff, limitServer, serverOptions, type Hooks } from '${name}';

const hooks: Hooks = {
  enrichLead: async (application) => ({ CampaignID: application.business.name }),
  onStatus: (event) => console.log(event.type, event.id),
};
try {
  const bff = await createBff({ basePath: '/funding', hooks, settings: { locales: ['en'] } });
  const server = createServer(serverOptions, (request, response) => bff.handler(request, response));
  limitServer(server);
  await bff.start();
  const response: Response = await bff.fetch(new Request(bff.publicUrl), { peerAddress: '::1' });
  const result: 'recorded' | 'unrecorded' = await bff.stop();
  console.log(response.status, result);
} catch (error) {
  if (error instanceof ConfigurationError) console.log(error.problems.join());
}
`);
    expect(errors).toBe('');
  });

  it.each([
    ['a hook with a wrong field', `hooks: { enrichLead: () => ({ Company: 'Other' }) }`],
    ['a hook with a wrong type', `hooks: { enrichLead: () => ({ CampaignID: 5 }) }`],
    ['a challenge without verify', `hooks: { challenge: { provider: 'own', siteKey: 'key' } }`],
    ['an unknown hook', `hooks: { onSubmit: () => undefined }`],
    ['an unknown setting', `settings: { unknown: 'red' }`],
    ['a setting of the wrong type', `settings: { documents: { maxFiles: 'many' } }`],
    ['a base path that is no text', `basePath: 5`],
    ['an unknown option', `path: '/funding'`],
  ])('rejects %s', async (_name, option) => {
    const errors = await checkTypes(
      `import { createBff } from '${name}';\nawait createBff({ ${option} });`,
    );
    expect(errors).toMatch(/^adopter\.mts\(2,\d+\): error TS/);
  });
});
