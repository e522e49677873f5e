// Checks everything that the funding service received at the end of the main path.

import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import jpeg from 'jpeg-js';
import filedLead from '../fixtures/main-job-lead.json' with { type: 'json' };
import type { TestFile } from '../support/files/realistic-files.ts';
import type { SandboxView } from './sandbox-view.ts';

export interface Given {
  readonly reference: string;
  /** In the order of their categories: March statement, driver's license, voided check. */
  readonly files: readonly TestFile[];
  /** Asset reports as the browser sent them. */
  readonly reports: readonly string[];
}

/** Expects every attachment once and unchanged; the photo rotated, smaller, and without metadata. */
export async function expectReceived(
  sandbox: SandboxView,
  { reference, files, reports }: Given,
): Promise<void> {
  const leads = await sandbox.leads();
  expect(leads).toHaveLength(1);
  const [lead] = leads;
  expect(lead?.contactPreference).not.toMatch(/do not/i);
  expectLead(lead?.lead ?? {}, reference);

  const documents = await sandbox.documents();
  const categories = ['Bank Statements - Mar', "Driver's License", 'Voided Check'];
  expect(documents).toHaveLength(files.length);
  for (const [index, file] of files.entries()) {
    const received = documents.find(({ name }) => name === file.nameWithoutExtension);
    if (!received) throw new Error(`${file.name} did not arrive`);
    expect(received).toMatchObject({ ext: file.extension, category: categories[index] });
    const content = await sandbox.contentOf(received);
    if (file.extension === 'jpg') expectPreparedPhoto(content);
    else expect(content.equals(await readFile(file.path))).toBe(true);
  }

  const received = await sandbox.assetReports();
  expect(received).toHaveLength(1);
  expect(reports).toHaveLength(1);
  const [report] = received;
  if (report) expect(await sandbox.reportTextOf(report)).toBe(reports[0]);
}

/** The original is 3000 × 2250 with an EXIF rotation. */
function expectPreparedPhoto(content: Buffer): void {
  expect(content.includes('Exif')).toBe(false);
  const { width, height } = jpeg.decode(content);
  expect([width, height]).toEqual([1_800, 2_400]);
}

/** Checks the whole lead: a field that is not listed here must be absent. */
function expectLead(lead: Readonly<Record<string, unknown>>, reference: string): void {
  const now = new Date();
  const months = (now.getUTCFullYear() - 2017) * 12 + now.getUTCMonth() - 2;
  const monthsSince = now.getUTCDate() < 15 ? months - 1 : months;
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as unknown;
  const address = expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as unknown;
  expect(lead).toEqual({
    ...filedLead,
    ID: reference,
    Ip: address,
    SignatureIp: address,
    SignatureTimestamp: time,
    CreatedAt: time,
    TimeInBusinessMonths: monthsSince,
    BusinessAge: String(Math.floor(monthsSince / 12)),
  });
}
