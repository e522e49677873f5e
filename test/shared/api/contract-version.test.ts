// The responses that belong to the contract version. If this test fails because a response changed, increase `contractVersion`
// and record the responses again.

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { apiHeaders, apiPaths, contractVersion } from '../../../shared/api/paths.ts';
import { firstKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { readBankStatement } from '../../support/files/realistic-files.ts';

interface Recorded {
  /** Method and path. */
  readonly asked: string;
  readonly status: number;
  readonly body?: unknown;
}

const consent = { id: 'contact', version: '1' };
const settings = {
  consents: [{ ...consent, label: 'You may call me', text: 'About calls.', required: false }],
};
const application = JSON.stringify({ ...createApplication(), consents: [consent] });
const invalidApplication = application.replace('75000', '0');
const report = { report: { asset_report_id: 'a', items: [{ accounts: [{}] }] } };

/** The responses of contract version 1 to the requests of `sendAll`. Long lists are cut to one element. */
const recorded: readonly Recorded[] = JSON.parse(
  await readFile(new URL('../../fixtures/contract-responses.json', import.meta.url), 'utf8'),
);

/** Properties whose values are closed lists. */
const closedLists = new Set(['status', 'code', 'decision', 'contact', 'environment', 'group']);

it('belongs to the recorded responses', () => {
  expect(contractVersion).toBe('1');
});

it('covers every property of the recorded responses', async () => {
  const bff = await startBff({ settings });
  const responses = await sendAll(bff);
  await bff.close();
  expect(listChanges(recorded, responses)).toEqual([]);
});

async function sendAll(bff: TestBff): Promise<Recorded[]> {
  const browser = bff.openBrowser();
  const answers: Recorded[] = [];
  async function send(asked: string, text?: string): Promise<void> {
    const [method = '', path = ''] = asked.split(' ');
    const key = path === apiPaths.application ? { [apiHeaders.idempotencyKey]: firstKey } : {};
    const { status, json } = await browser.send(method, path, text, key);
    answers.push({ asked, status, body: json });
  }
  await send('POST /v1/application', application);
  await send('GET /v1/configuration');
  await send('POST /v1/session', '{}');
  await send('POST /v1/application', invalidApplication);
  await send('POST /v1/application', application);
  await send('GET /v1/application');
  const { status, json } = await browser.upload(Uint8Array.from(await readBankStatement()));
  answers.push({ asked: 'POST /v1/documents', status, body: json });
  await send('POST /v1/asset-report', JSON.stringify(report));
  await send('GET /v1/offers');
  bff.time.advance(10_000);
  await send('GET /v1/offers');
  await send('POST /v1/contact', JSON.stringify({ consent }));
  await send('POST /v1/session', '{}');
  await send('DELETE /v1/session');
  return answers;
}

/** Returns the paths of values that are missing, or have another type or another word of a closed list. */
function listChanges(before: unknown, now: unknown, path = ''): string[] {
  if (typeof before === 'object' && before !== null) {
    const current = Object(now);
    return Object.entries(before).flatMap(([key, value]) =>
      listChanges(value, current[key], `${path}/${key}`),
    );
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isExact = name === 'asked' || closedLists.has(name) || before === null;
  const isSame = isExact ? before === now : typeof before === typeof now;
  return isSame ? [] : [path];
}
