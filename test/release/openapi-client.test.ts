// A client generated from /openapi.json: it compiles, its types reject mistakes, and it submits an application over HTTP.

import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';
import { findFreePort } from '../support/free-port.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { startBff, type TestBff } from '../support/bff.ts';
import { createManualTime } from '../support/manual-time.ts';
import { findModule, linkModules } from './support/modules.ts';

const compilerOptions = {
  noEmit: true,
  strict: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  module: 'nodenext',
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
};
const pdf = createTextPdf('Statement');
const report = JSON.stringify({
  report: { asset_report_id: 'report-1', items: [{ accounts: [] }] },
});

interface Result {
  readonly exitCode: number;
  readonly output: string;
}

describe('a client generated from /openapi.json', () => {
  let folder: string;
  let bff: TestBff;
  let sandbox: Sandbox;
  let server: ReturnType<typeof createAdaptorServer>;

  beforeAll(async () => {
    // The document names the BFF's public address, and the client calls that address.
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const time = createManualTime();
    sandbox = createSandbox({ now: time.clock, offerDelayMs: 0 });
    bff = await startBff({
      time,
      sandbox,
      variables: { PUBLIC_URL: url },
      settings: { requiredFields: ['ssn'] },
    });
    server = createAdaptorServer({ fetch: bff.app.fetch });
    await new Promise<void>((resolve) => {
      server.listen(Number(new URL(url).port), '127.0.0.1', resolve);
    });
    folder = await mkdtemp(join(tmpdir(), 'funding-application-client-'));
    linkModules(folder, ['@oazapfts/runtime', '@types/node', 'undici-types']);
    await cp(join(import.meta.dirname, 'openapi-client'), folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(join(folder, 'statement.pdf'), pdf);
    await writeFile(join(folder, 'report.json'), report);
    const document = await fetch(`http://127.0.0.1:${toPort(server)}/openapi.json`);
    await writeFile(join(folder, 'openapi.json'), await document.text());
    const generated = await run(
      join(findModule('oazapfts'), 'dist/cli.js'),
      '--argumentStyle=object',
      'openapi.json',
      'client.ts',
    );
    if (generated.exitCode !== 0) throw new Error(generated.output);
  });

  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await bff.close();
    await rm(folder, { recursive: true });
  });

  it('compiles, and rejects every misuse at compile time', async () => {
    const compiled = await run(
      join(findModule('typescript'), 'bin/tsc'),
      '--project',
      'tsconfig.json',
    );
    expect(compiled).toEqual({ exitCode: 0, output: '' });
  });

  it.each(['cookie', 'handle'])(
    'submits an application with a session in a %s',
    async (transport) => {
      const { exitCode, output } = await run(
        'journey.mts',
        transport,
        'statement.pdf',
        'report.json',
      );
      expect([exitCode, output]).toEqual([0, expect.stringMatching(/^\{.*\}$/)]);
      expect(JSON.parse(output)).toEqual({
        application: 'accepted',
        documents: [['Estado de cuenta – mayo.pdf', 'bank-statements-jan', 'delivered']],
        assetReport: 'delivered',
        decision: 'qualified',
        offers: 3,
        contact: 'enabled',
        session: { isProven: true, assetReport: 'delivered', contact: 'enabled' },
        afterwards: 'session-missing',
      });
    },
  );

  /** Runs a script in the folder of the client. */
  async function run(script: string, ...args: string[]): Promise<Result> {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], {
        cwd: folder,
      });
      return { exitCode: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { exitCode: code, output: stdout + stderr };
    }
  }
});

function toPort(server: ReturnType<typeof createAdaptorServer>): number {
  // The address of a TCP server is always an object. Only the address of a pipe is a string.
  return (server.address() as AddressInfo).port;
}
