// The built release: it runs without node_modules, and reports a Node version that is too old.

import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { createApplicant } from '../campaigns/faults/applicant.ts';
import { createHistory } from '../campaigns/faults/history.ts';
import { startProcess } from '../support/bff-process.ts';
import { createHttpSender, createKey } from '../support/applicant.ts';
import { unlimitedSettingsPath } from '../support/unlimited.ts';

describe('a release', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'release-'));
    await build({
      configFile: 'vite.config.bff.ts',
      mode: 'release',
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('runs outside of the project', async () => {
    const { code, out, err } = await run();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: bff <command>');
  });

  it('says where the sandbox is', async () => {
    expect(await run(undefined, 'sandbox')).toEqual({
      code: 1,
      out: '',
      err: 'This release does not contain "sandbox". Use the npm package: npx funding-application-bff sandbox\n',
    });
  });

  it('reports a Node version that is too old', async () => {
    const [, oldest] = /^>=(\d+)$/.exec(project.engines.node) ?? [];
    const before = `${Number(oldest) - 1}.11.0`;
    expect(await run(before)).toEqual({
      code: 1,
      out: '',
      err: `The BFF needs Node ${oldest} or later, and this is Node ${before}. Install a later version of Node.\n`,
    });
  });

  it('imports nothing before it checks the Node version', () => {
    expect(readFileSync(join(folder, 'main.js'), 'utf8')).not.toMatch(
      /^\s*(import|export .* from)\b/m,
    );
  });

  it('contains no texts that only the references need', () => {
    const paths = globSync(join(folder, '*.js'));
    const code = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
    expect(code).toContain('logLevels');
    expect(code).not.toMatch(/\b(logTexts|problemAdvice)\b/);
  });

  it.each([
    ['openapi-guide.md', 'bff/routes'],
    ['openapi.json', 'docs/public'],
    ['settings.schema.json', 'bff/config'],
  ])('contains %s', (name, source) => {
    const path = join(import.meta.dirname, '../..', source, name);
    expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(path, 'utf8'));
  });

  it('inspects documents in child processes', async () => {
    const bff = startProcess({
      program: join(folder, 'main.js'),
      directory: folder,
      variables: {
        FUNDING_ENVIRONMENT: 'sandbox',
        FUNDING_SETTINGS: unlimitedSettingsPath,
        // Nothing listens there, so nothing is delivered.
        FUNDING_AUTH_URL: 'http://localhost:1',
        FUNDING_BASE_URL: 'http://localhost:1',
        BFF_PORT: '0',
        WIDGET_FOLDER: 'none',
        DATABASE_URL: `file:${join(folder, 'store.db')}`,
      },
    });
    const [, address = ''] = await bff.output(/listens on (http:\/\/\S+)/);
    const { send, close } = createHttpSender([address]);
    const applicant = createApplicant({ name: 'Bakery', send, history: createHistory() });
    await applicant.begin();
    await applicant.submit(createKey());
    const upload = await applicant.upload(1);
    await close();
    bff.child.kill();
    await bff.ended;
    expect(upload).toMatchObject({ status: 202, responseStatus: 'received' });
  });

  /** @param version replaces `process.versions.node`. */
  async function run(version = process.versions.node, command = '--help') {
    const versions = JSON.stringify({ ...process.versions, node: version });
    const pretence = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
    const program = startProcess({
      program: join(folder, 'main.js'),
      arguments: [command],
      directory: folder,
      nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(pretence)}`],
      variables: {},
    });
    const code = await program.exit;
    return { code, out: String(program.stdout()), err: String(program.stderr()) };
  }
});
