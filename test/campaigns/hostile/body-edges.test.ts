// Sends bodies at the limits of JSON, numbers, and text, and checks whether the BFF accepts them as an application.

import { beforeAll, describe, expect, it } from 'vitest';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { readRows } from '../../support/files/rows.ts';
import { type Body, describePrototypes, findFault } from './input-rules.ts';

/** A valid application with one change. */
interface EdgeRow {
  readonly name: string;
  /** Default: false. */
  readonly isAccepted?: boolean;
  /** JSON of the amount, or of the company's name. */
  readonly amount?: string;
  readonly company?: string;
  /** Bytes of the company's name, in hexadecimal. */
  readonly companyBytes?: string;
  /** An additional first member of the application, or of the owner. */
  readonly member?: string;
  readonly owner?: string;
  /** The whole body, in which APPLICATION stands for the application. */
  readonly body?: string;
}

const application = JSON.stringify(createApplication());
const company = '"Harbor Bakery LLC"';

const rows: readonly EdgeRow[] = [
  ...readRows<EdgeRow>('body-edges.ndjson', import.meta.url),
  { name: 'an amount of 10,000 digits', amount: '1'.repeat(10_000) },
  { name: 'an amount with 10,000 decimals', amount: `0.${'0'.repeat(10_000)}1` },
  { name: 'a string of 60 KB', company: `"${'a'.repeat(60_000)}"` },
  { name: 'a string of 60 KB of spaces', company: `"${' '.repeat(60_000)}"` },
  { name: 'a string of 255 characters', company: `"${'ä'.repeat(255)}"`, isAccepted: true },
  { name: 'a string of 255 rare characters', company: `"${'😀'.repeat(255)}"`, isAccepted: true },
  { name: '6,000 names', member: Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`).join() },
  { name: 'null bytes', body: '\0'.repeat(60_000) },
  { name: 'a trailing comma', body: `${application.slice(0, -1)},}` },
  { name: 'an application without its last character', body: application.slice(0, -1) },
  ...[33, 1_000, 30_000].flatMap((depth): EdgeRow[] => {
    const arrays = '['.repeat(depth) + ']'.repeat(depth);
    const objects = `${'{"a":'.repeat(depth / 3)}1${'}'.repeat(depth / 3)}`;
    return [
      { name: `${depth} arrays`, body: arrays },
      { name: `${depth} unterminated arrays`, body: '['.repeat(depth) },
      { name: `${depth} arrays in an application`, member: `"x":${arrays}` },
      { name: `${depth / 3} objects`, body: objects },
    ];
  }),
];

function toBody(row: EdgeRow): Body {
  const { amount = '75000', company: name = company, companyBytes, member, owner } = row;
  const first = member === undefined ? '{' : `{${member},`;
  const text = (row.body ?? 'APPLICATION')
    .replaceAll('APPLICATION', () => application)
    .replace('75000', amount)
    .replace(company, () => name)
    .replace('"owner":{', owner === undefined ? '$&' : `$&${owner},`)
    .replace('{', () => first);
  if (companyBytes === undefined) return text;
  const [before = '', after = ''] = text.split(company.slice(1, -1));
  return Uint8Array.from(
    Buffer.concat([Buffer.from(before), Buffer.from(companyBytes, 'hex'), Buffer.from(after)]),
  );
}

describe('a body at the limits of JSON, numbers, or text', () => {
  let bff: TestBff;
  let browser: Browser;
  const prototypes = describePrototypes();

  beforeAll(async () => {
    bff = await startBff();
    return () => bff.close();
  });

  async function submit(body: Body) {
    browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    return browser.send('POST', apiPaths.application, body, {
      [apiHeaders.idempotencyKey]: crypto.randomUUID(),
      'content-type': 'application/json',
    });
  }

  it.each(rows)('is accepted or refused as an application: $name', async (row) => {
    const { status, json } = await submit(toBody(row));
    expect([status, findFault(status, json)]).toEqual([row.isAccepted ? 201 : 400, undefined]);
  });

  it('is refused as UTF-16', async () => {
    const body = Uint8Array.from(Buffer.from(application, 'utf16le'));
    expect((await submit(body)).status).toBe(400);
  });

  it('is refused as too large above 64 KB', async () => {
    const { status, json } = await submit('['.repeat(64 * 1024 + 1));
    expect([status, json.code]).toEqual([413, 'too-large']);
  });

  it.each([apiPaths.contact, apiPaths.assetReport, apiPaths.session])(
    'causes no server error or echo at %s',
    async (path) => {
      const faults = new Set<string | undefined>();
      for (const row of rows) {
        const headers = { 'content-type': 'application/json' };
        const { status, json } = await browser.send('POST', path, toBody(row), headers);
        faults.add(findFault(status, json));
      }
      expect([...faults]).toEqual([undefined]);
    },
  );

  it('causes no prototype pollution or internal error', () => {
    expect(describePrototypes()).toBe(prototypes);
    expect(bff.logLines.filter((line) => line.includes('request-failed'))).toEqual([]);
  });
});
