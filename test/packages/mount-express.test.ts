// Follows docs/deploy/mount-express.md in an empty folder, with the packed package: its files, its commands, and its checks.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { createBrowser, createHttpSender, createKey } from '../support/applicant.ts';
import { createApplication } from '../support/applications.ts';
import { startProcess, type TestProcess } from '../support/bff-process.ts';
import { findFreePort } from '../support/free-port.ts';
import { startSandboxServer, type SandboxServer } from '../support/sandbox-server.ts';
import { readPackedPackage } from './packed.ts';

const guide = readFileSync(join(root, 'docs/deploy/mount-express.md'), 'utf8');
const steps = guide.split(/^(?=\d+\. )/m).slice(1);

describe('the guide for Express, in an empty folder', () => {
  let folder: string;
  let sandbox: SandboxServer;
  let server: TestProcess;
  let origin: string;
  let variables: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mount-express-'));
    sandbox = await startSandboxServer();
  });

  afterAll(async () => {
    server.child.kill('SIGTERM');
    await server.exit;
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('installs the package without other packages', async () => {
    expect(readBlock(1)).toBe('npm install express funding-application-bff\n');
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const { tarball } = readPackedPackage('bff');
    const args = ['install', '--offline', '--no-audit', '--no-fund', tarball];
    await promisify(execFile)('npm', args, { cwd: folder });
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: object;
    };
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/funding-application-bff']);
    // Express comes from the project, because the test has no registry.
    symlinkSync(join(root, 'node_modules/express'), join(folder, 'node_modules/express'));
  });

  it('starts with the files of the guide', async () => {
    writeFileSync(join(folder, '.env'), readBlock(2));
    writeFileSync(join(folder, 'server.js'), readIncluded(3));
    mkdirSync(join(folder, 'public'));
    writeFileSync(join(folder, 'public/index.html'), readBlock(4));
    const port = String(await findFreePort());
    origin = `http://localhost:${port}`;
    // Variables of the environment take precedence over the file.
    variables = {
      PORT: port,
      PUBLIC_URL: `${origin}/funding`,
      ALLOWED_ORIGINS: origin,
      FUNDING_SETTINGS: join(folder, 'settings.json'),
      ...sandbox.variables,
    };
    const settings = {
      lead: { allowedCampaignIds: ['spring-2026'] },
      limits: { minimumFillSeconds: 0 },
    };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    expect(readBlock(5)).toBe('node --env-file=.env server.js\n');
    server = startProcess({
      nodeOptions: ['--env-file=.env'],
      program: relative(root, join(folder, 'server.js')),
      directory: folder,
      variables,
    });
    await server.output(new RegExp(`The page is at ${origin}`));
  });

  it('answers the check of the guide', async () => {
    const [, path = ''] = /^curl http:\/\/localhost:3000(\S+)\n$/.exec(readBlock(6)) ?? [];
    expect(steps[5]).toContain('Expected: `{"status":"ready"}`');
    expect(await (await fetch(origin + path)).text()).toBe('{"status":"ready"}');
  });

  it('takes an application from its page', async () => {
    const html = await (await fetch(origin)).text();
    const [, script = ''] = /src="([^"]+)"/.exec(html) ?? [];
    expect((await fetch(origin + script)).headers.get('content-type')).toMatch(/javascript/);
    const sender = createHttpSender([`${origin}/funding`]);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const browser = createBrowser({ send: sender.send, origin, headers });
    const answer = await browser.apply(createApplication(), createKey());
    expect(answer.json).toMatchObject({ status: 'accepted' });
    expect(sandbox.leads()).toBe(1);
    await sender.close();
  });

  it('passes the doctor', async () => {
    expect(steps[7]).toContain('`npx funding-application-bff doctor`');
    const doctor = startProcess({
      nodeOptions: ['--env-file=.env'],
      program: relative(root, join(folder, 'node_modules/.bin/funding-application-bff')),
      arguments: ['doctor'],
      directory: folder,
      variables,
    });
    const code = await doctor.exit;
    expect(doctor.text()).toContain('No faults.');
    expect(code).toBe(0);
  });
});

/** The code block of a step, without its indentation. */
function readBlock(step: number): string {
  const [, block] = /^ {3}```\w+\n([^]*?)^ {3}```$/m.exec(steps[step - 1] ?? '') ?? [];
  if (block === undefined) throw new Error(`Step ${step} has no code block.`);
  return block.replaceAll(/^ {3}/gm, '');
}

/** The file that a step includes. */
function readIncluded(step: number): string {
  const [, path] = /^ {3}<<< (\S+)$/m.exec(steps[step - 1] ?? '') ?? [];
  if (path === undefined) throw new Error(`Step ${step} includes no file.`);
  return readFileSync(join(root, 'docs/deploy', path), 'utf8');
}
