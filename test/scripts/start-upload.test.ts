// `npm start`, as in the README, delivers an application and a document to the sandbox.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createBrowser, createHttpSender } from '../support/applicant.ts';
import { findFreePort } from '../support/free-port.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { unlimited } from '../support/unlimited.ts';

const root = new URL('../../', import.meta.url);

/** A page of an adopter, which `ALLOWED_ORIGINS` adds to the page of the example. */
const otherPage = 'http://localhost:5173';

let child: ChildProcess;
let folder: string;

afterEach(async () => {
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

it('npm start delivers an application with a document', async () => {
  const { pageUrl, bffUrl } = await start();
  const { send, close } = createHttpSender([bffUrl]);
  const browser = createBrowser({ send, origin: pageUrl });
  onTestFinished(close);
  expect(await browser.apply()).toMatchObject({ status: 201 });
  expect(await browser.upload(createTextPdf('A statement'))).toMatchObject({ status: 201 });
  const headers = { Origin: otherPage };
  const response = await fetch(`${bffUrl}/v1/configuration`, { headers });
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe(otherPage);
});

/** Resolves when the output contains the URL of the page. Rejects if the program ends, for example because the build fails. */
async function start(): Promise<{ readonly pageUrl: string; readonly bffUrl: string }> {
  const [page, bff, sandbox] = [await findFreePort(), await findFreePort(), await findFreePort()];
  folder = mkdtempSync(join(tmpdir(), 'funding-application-start-'));
  const settings = join(folder, 'settings.json');
  writeFileSync(
    settings,
    JSON.stringify({
      limits: unlimited,
      documents: { undoSeconds: 0 },
      lead: { allowedCampaignIds: ['spring-2026'] },
    }),
  );
  child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ALLOWED_ORIGINS: otherPage,
      PAGE_PORT: String(page),
      BFF_PORT: String(bff),
      SANDBOX_PORT: String(sandbox),
      FUNDING_SETTINGS: settings,
      DATABASE_URL: `file:${join(folder, 'store.db')}`,
    },
  });
  await saying(child, 'Apply for funding');
  return { pageUrl: `http://localhost:${page}`, bffUrl: `http://localhost:${bff}` };
}

function saying(program: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    program.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${said}`)));
    program.stdout?.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes(words)) resolve();
    });
  });
}
