// The built release: it runs without node_modules, and reports a Node version that is too old.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { createApplicant } from '../campaigns/faults/applicant.ts';
import { createHistory } from '../campaigns/faults/history.ts';
import { createHttpSender, createKey } from '../support/applicant.ts';
import { unlimitedSettingsPath } from '../support/unlimited.ts';

/** Building takes its time on a machine that is busy with other tests. */
const timeout = 60_000;

describe('a release', { timeout }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'release-'));
    await build({
      configFile: 'vite.config.bff.ts',
      mode: 'release',
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    });
  }, timeout);

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
    const child = spawn(process.execPath, [join(folder, 'main.js')], {
      cwd: folder,
      env: {
        FUNDING_ENVIRONMENT: 'sandbox',
        FUNDING_SETTINGS: unlimitedSettingsPath,
        // Nothing listens there, so nothing is delivered.
        FUNDING_AUTH_URL: 'http://localhost:1',
        FUNDING_BASE_URL: 'http://localhost:1',
        BFF_PORT: '0',
        WIDGET_FOLDER: 'none',
        DATABASE_URL: `file:${join(folder, 'store.db')}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [, address = ''] = await findInOutput(child.stdout, /listens on (http:\/\/\S+)/);
    const { send, close } = createHttpSender([address]);
    const applicant = createApplicant({ name: 'Bakery', send, history: createHistory() });
    await applicant.begin();
    await applicant.submit(createKey());
    const upload = await applicant.upload(1);
    await close();
    child.kill();
    await once(child, 'exit');
    expect(upload).toMatchObject({ status: 202, responseStatus: 'received' });
  });

  interface Ended {
    readonly code: number;
    readonly out: string;
    readonly err: string;
  }

  async function findInOutput(output: Readable, pattern: RegExp): Promise<RegExpExecArray> {
    let text = '';
    for await (const chunk of output.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      const match = pattern.exec(text);
      if (match) return match;
    }
    throw new Error(`It ended: ${text}`);
  }

  /** @param version replaces `process.versions.node`. */
  function run(version = process.versions.node, command = '--help'): Promise<Ended> {
    const versions = JSON.stringify({ ...process.versions, node: version });
    const pretence = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
    const argv = ['--import', `data:text/javascript,${encodeURIComponent(pretence)}`];
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [...argv, join(folder, 'main.js'), command],
        { cwd: folder, env: {} },
        (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });
  }
});
