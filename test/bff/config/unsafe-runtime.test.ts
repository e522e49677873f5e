// Node options and signals that the BFF refuses outside the sandbox.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../bff/config/config.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { startBffProcess, type BffProcess } from '../../support/bff-process.ts';
import { listProblems, production, settings } from './config-source.ts';

describe('refuseUnsafeRuntime', () => {
  it.each([
    ['NODE_DEBUG', 'http', 'NODE_DEBUG writes traffic to standard error. Unset it.'],
    ['NODE_DEBUG_NATIVE', 'tls', 'NODE_DEBUG_NATIVE writes traffic to standard error. Unset it.'],
    [
      'NODE_TLS_REJECT_UNAUTHORIZED',
      '0',
      'NODE_TLS_REJECT_UNAUTHORIZED turns off TLS verification. Unset it.',
    ],
    [
      'NODE_OPTIONS',
      '--enable-source-maps --inspect=0.0.0.0:9229',
      'NODE_OPTIONS contains an option that opens a debugger. Remove the option.',
    ],
    [
      'NODE_OPTIONS',
      '"--heapsnapshot-signal=SIGUSR2"',
      'NODE_OPTIONS contains an option that writes memory to disk. Remove the option.',
    ],
    [
      'NODE_OPTIONS',
      '--report_on_fatalerror',
      'NODE_OPTIONS contains an option that writes reports that contain the environment. Remove the option.',
    ],
    [
      'NODE_OPTIONS',
      '--tls-keylog=/tmp/keys',
      'NODE_OPTIONS contains an option that writes TLS keys to disk. Remove the option.',
    ],
    [
      'NODE_OPTIONS',
      '--insecure-http-parser',
      'NODE_OPTIONS contains an option that allows request smuggling. Remove the option.',
    ],
  ])('refuses %s=%s', (name, value, problem) => {
    expect(listProblems({ ...production, [name]: value })).toEqual([problem]);
  });

  it('refuses unsafe options of the command line', () => {
    const result = readConfig({
      variables: { FUNDING_ENVIRONMENT: 'staging' },
      nodeOptions: ['--inspect'],
      readFile: () => '',
    });

    expect(result).toMatchObject({
      problems: expect.arrayContaining([
        'The node command line contains an option that opens a debugger. Remove the option.',
      ]),
    });
  });

  it.each([
    ['NODE_TLS_REJECT_UNAUTHORIZED', '1'],
    ['NODE_OPTIONS', '--max-old-space-size=512'],
    ['NODE_EXTRA_CA_CERTS', '/etc/ssl/own.pem'],
  ])('accepts %s=%s', (name, value) => {
    expect(listProblems({ ...production, [name]: value })).toEqual([]);
  });

  it('accepts everything in the sandbox', () => {
    expect(listProblems({ FUNDING_ENVIRONMENT: 'sandbox', NODE_DEBUG: 'http' })).toEqual([]);
  });
});

describe('refusePlugAndPlay', () => {
  const problem =
    "Yarn replaces Node's file system, so documents cannot be stored. Write nodeLinker: node-modules into .yarnrc.yml, and run yarn install.";

  it.each(['sandbox', 'production'])('refuses the options that Yarn sets, in %s', (environment) => {
    const NODE_OPTIONS =
      '--require /srv/project/.pnp.cjs --experimental-loader file:///srv/project/.pnp.loader.mjs';
    const variables = environment === 'sandbox' ? { FUNDING_ENVIRONMENT: environment } : production;
    expect(listProblems({ ...variables, NODE_OPTIONS })).toEqual([problem]);
  });

  it('refuses the file of Yarn on the command line', () => {
    const result = readConfig({
      variables: { FUNDING_ENVIRONMENT: 'sandbox' },
      nodeOptions: ['--require', './.pnp.cjs'],
      readFile: () => '',
    });
    expect(result).toEqual({ problems: [problem] });
  });
});

let folder: string;
let bff: BffProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bff-'));
});

afterEach(async () => {
  bff?.child.kill('SIGKILL');
  await bff?.exit;
  rmSync(folder, { recursive: true });
});

describe('SIGUSR1', { timeout: 30_000 }, () => {
  it('opens a debugger in the sandbox', async () => {
    // Any free port.
    bff = startBffProcess({ FUNDING_ENVIRONMENT: 'sandbox', ...own() }, '--inspect-port=0');
    await bff.listening();
    bff.child.kill('SIGUSR1');
    await bff.output(/Debugger listening/);
  });

  it('opens no debugger in production', async () => {
    const FUNDING_SETTINGS = join(folder, 'settings.json');
    writeFileSync(FUNDING_SETTINGS, JSON.stringify(settings));
    await (await openStore(own().DATABASE_URL)).close();
    bff = startBffProcess({ ...production, ...own(), FUNDING_SETTINGS });
    const address = await bff.listening();
    bff.child.kill('SIGUSR1');
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    // The second SIGTERM ends the process at once.
    bff.child.kill('SIGTERM');
    await bff.output(/shutdown-started/);
    bff.child.kill('SIGTERM');
    await bff.exit;
    expect(bff.text()).not.toMatch(/debugger|inspector/i);
  });
});

function own() {
  return { BFF_PORT: '0', DATABASE_URL: `file:${join(folder, 'store.db')}` };
}
