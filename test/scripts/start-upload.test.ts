// `npm start`, as in the README, delivers an application and a document to the sandbox.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { firstKey } from '../support/applicant.ts';
import { createApplication } from '../support/applications.ts';
import { findFreePort } from '../support/free-port.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { unlimited } from '../support/unlimited.ts';

const root = new URL('../../', import.meta.url);

let child: ChildProcess;
let folder: string;

afterEach(async () => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

it('delivers an application with a document', { timeout: 60_000 }, async () => {
  const { pageUrl, bffUrl } = await start();
  const cookies = new Map<string, string>();

  async function send(path: string, body: BodyInit, headers: object = {}): Promise<number> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(bffUrl + path, {
      method: 'POST',
      body,
      headers: {
        origin: pageUrl,
        [apiHeaders.request]: '1',
        'content-type': 'application/json',
        cookie,
        ...headers,
      },
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    return response.status;
  }

  expect(await send(apiPaths.session, '{}')).toBe(200);
  const application = JSON.stringify(createApplication());
  const key = { [apiHeaders.idempotencyKey]: firstKey };
  expect(await send(apiPaths.application, application, key)).toBe(201);
  const document = {
    'content-type': 'application/octet-stream',
    [apiHeaders.documentName]: 'statement.pdf',
    [apiHeaders.documentCategory]: 'bank-statements-jan',
  };
  expect(await send(apiPaths.documents, createTextPdf('A statement'), document)).toBe(201);
});

/** Resolves when the output contains the URL of the page. */
async function start(): Promise<{ readonly pageUrl: string; readonly bffUrl: string }> {
  const [page, bff, sandbox] = [await findFreePort(), await findFreePort(), await findFreePort()];
  folder = mkdtempSync(join(tmpdir(), 'funding-application-start-'));
  const settings = join(folder, 'settings.json');
  writeFileSync(
    settings,
    JSON.stringify({ limits: unlimited, lead: { allowedCampaignIds: ['spring-2026'] } }),
  );
  child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
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

function saying({ stdout }: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve) => {
    let said = '';
    stdout?.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes(words)) resolve();
    });
  });
}
