// `POST /v1/asset-report` with a sandbox: each distinct report is delivered once, byte for byte.

import { describe, expect, it, onTestFinished } from 'vitest';
import { maxUploadsPerSession } from '../../../bff/documents/upload-semaphore.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Store } from '../../../bff/store/store.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createKey, type ApiHeaders, type Browser } from '../../support/applicant.ts';
import { createApplication, createBankReport } from '../../support/applications.ts';
import type { TestBff } from '../../support/bff.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { createManualTime, until } from '../../support/manual-time.ts';
import assetReport from '../../fixtures/asset-report.json' with { type: 'json' };
import {
  createCountedBody,
  openApplied,
  openBff,
  passTime,
  readJson,
  startSession,
  toOutcome,
} from '../open-bff.ts';

const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
const maxBytes = 8 * 1024 * 1024;
/** Every field of the spec, and one that the spec does not have, with a number and white space that JSON.stringify would change. */
const report = JSON.stringify(assetReport, null, 3)
  .replace('"cr-1"', 'null')
  .replace('1200.5', '1.2005E3, "iso_currency_code": "USD"');
const refreshed = report.replace('Flour', 'Wholesale order');
const send = (browser: Browser, text: string, headers?: ApiHeaders) =>
  browser.send('POST', apiPaths.assetReport, text, headers);
/** The reports that reached the sandbox, in the order of their arrival. */
const listReceived = ({ sandbox }: TestBff) =>
  Array.from(sandbox.context.state.assetReports.values(), ({ receivedText }) => receivedText);

describe('POST /v1/asset-report', () => {
  it.each([
    ['unchanged, with its white space', report],
    ['of several chunks', report.replace('{', `{"note": "${'äöü€'.repeat(300_000)}",`)],
  ])('delivers a report %s', async (_what, text) => {
    const time = createManualTime();
    const aggregatorName = 'Acme Link';
    const sandbox = createSandbox({ now: time.clock, aggregatorName });
    const bff = await openApplied({ time, sandbox, settings: { aggregatorName } });
    const delivered = { status: 'delivered', delayed: false };
    const answer = await send(bff.browser, text);
    expect([answer.status, answer.json]).toEqual([201, delivered]);
    expect(listReceived(bff)[0] === text).toBe(true);
    expect((await readJson(bff.browser, apiPaths.session)).assetReport).toEqual(delivered);
  });

  it.each([
    ['does not deliver the same bytes', report, [report]],
    ['delivers other content with the same id', refreshed, [report, refreshed]],
    // The sandbox records the JSON value without the white space around it.
    ['delivers the same content in another format', `${report} `, [report, report]],
  ])('%s again', async (_what, second, received) => {
    const bff = await openApplied();
    const first = await send(bff.browser, report);
    const answer = await send(bff.browser, second);
    expect([answer.status, answer.json]).toEqual([first.status, first.json]);
    expect(listReceived(bff)).toEqual(received);
  });

  it('delivers the reports that arrived before the application was accepted', async () => {
    const bff = await openBff();
    bff.faults.push({ path: '/creditapp', result: unreachable });
    await bff.browser.apply();
    for (const text of [report, refreshed, report]) {
      expect((await send(bff.browser, text)).status).toBe(202);
    }
    await passTime(bff, 60_000);
    await until(() => bff.sandbox.context.state.assetReports.size === 2);
    expect(listReceived(bff)).toEqual([report, refreshed]);
  });

  const withMember = (member: string) => report.replace('{', `{${member},`);
  const withLength = (length: string | undefined) => ({ 'content-length': length });
  it.each<[string, string, string, ApiHeaders?]>([
    ['an object without a report', '{}', '422 asset-report-invalid'],
    [
      'a report without items',
      '{"report":{"asset_report_id":"1","items":[]}}',
      '422 asset-report-invalid',
    ],
    ['incomplete JSON', '{"report":', '422 asset-report-invalid'],
    ['a duplicate name', withMember('"report":1'), '422 asset-report-invalid'],
    ['more than 8 MiB', ' '.repeat(maxBytes + 1), '413 too-large'],
    ['no length', report, '411 document-length-required', withLength(undefined)],
  ])('rejects %s', async (_what, body, outcome, headers = {}) => {
    const { browser, sandbox } = await openApplied();
    const all = { 'content-type': 'application/json', ...headers };
    const answer = await browser.send('POST', apiPaths.assetReport, body, all);
    expect(toOutcome(answer)).toBe(outcome);
    expect(sandbox.context.state.assetReports.size).toBe(0);
  });

  it('rejects a report without an application', async () => {
    const { browser } = await openBff();
    await startSession(browser);
    expect(toOutcome(await send(browser, report))).toBe('409 application-missing');
  });
});

describe('the limits of bank reports', () => {
  it('leave a permit for others while two stall', async () => {
    const { browser, other } = await openWatched();
    const idle = Array.from({ length: maxUploadsPerSession }, () => startReport(browser));
    await until(() => idle.every(({ countReads }) => countReads() > 0));
    const third = await send(browser, report);
    expect([toOutcome(third), third.headers.get('retry-after')]).toEqual([
      '429 too-many-requests',
      '2',
    ]);
    // Documents share the permits.
    expect(toOutcome(await browser.upload(createTextPdf('small')))).toBe('429 too-many-requests');
    expect((await send(other, report)).status).toBe(202);
    for (const { interrupt } of idle) interrupt();
    for (const { answer } of idle) expect(toOutcome(await answer)).toBe('400 invalid-request');
    expect((await send(browser, report)).status).toBe(202);
  });

  it('discard a report after a stall', async () => {
    const { browser, time, listKept } = await openWatched();
    const { answer } = startReport(browser, 300_000);
    await until(async () => (await listKept()).includes('receiving'));
    await passTime({ time }, 30_000);
    expect(toOutcome(await answer)).toBe('400 invalid-request');
    expect(await listKept()).toEqual([]);
  });

  it('check reports one after another, without blocking other requests', async () => {
    const { browser, other, reads } = await openWatched();
    let turn = 0;
    const turns = new AbortController();
    onTestFinished(() => turns.abort());
    setImmediate(function count() {
      turn += 1;
      if (!turns.signal.aborted) setImmediate(count);
    });
    const seen: { readonly id: string; readonly turn: number }[] = [];
    reads.onRead = (id) => seen.push({ id, turn });
    const large = createBankReport('a').replace('{', `{"note":"${'x'.repeat(1_000_000)}",`);
    const answers = await Promise.all([browser, other].map((one) => send(one, large)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const changes = seen.filter(({ id }, index) => id !== seen[index - 1]?.id);
    expect(changes).toHaveLength(2);
    for (const { id } of changes) {
      const turnsOfReport = seen.filter((read) => read.id === id).map((read) => read.turn);
      // The last read finds the end.
      expect(turnsOfReport).toHaveLength(5);
      expect(new Set(turnsOfReport).size).toBe(5);
    }
  });

  it('leave nothing of an invalid report', async () => {
    const { browser, other, listKept } = await openWatched();
    const [bad, good] = await Promise.all([
      send(browser, `{"report":${' '.repeat(300_000)}}`),
      send(other, report),
    ]);
    expect([bad, good].map(toOutcome)).toEqual(['422 asset-report-invalid', '202']);
    expect(await listKept()).toEqual(['received']);
  });

  it.each([
    ['no bytes', '0', '422 asset-report-invalid'],
    ['more than 8 MiB', String(maxBytes + 1), '413 too-large'],
  ])('read no report that announces %s', async (_name, length, outcome) => {
    const { browser } = await openApplied();
    const { answer, countReads } = startReport(browser, 1, length);
    expect([toOutcome(await answer), countReads()]).toEqual([outcome, 0]);
  });

  /** Two applicants. Nothing is delivered, so that only the check reads reports. */
  async function openWatched() {
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    const begun: string[] = [];
    const reads = { onRead: (_id: string): unknown => undefined };
    const watched: Store = {
      ...store,
      beginAttachment(attachment, limit) {
        begun.push(attachment.id);
        return store.beginAttachment(attachment, limit);
      },
      readChunk(attachmentId, number) {
        reads.onRead(attachmentId);
        return store.readChunk(attachmentId, number);
      },
    };
    const bff = await openBff({ time, store: watched });
    const other = bff.openBrowser();
    for (const [browser, key] of [
      [bff.browser, createKey()],
      [other, createKey()],
    ] as const) {
      bff.faults.push({ path: '/creditapp', result: unreachable });
      await browser.apply(createApplication(), key);
    }
    await bff.delivery.stop();

    /** The states of started reports that have data in the store. */
    async function listKept(): Promise<readonly string[]> {
      const kept: string[] = [];
      for (const id of begun) {
        const row = await store.findAttachment(id);
        const content = await store.readChunk(id, 0);
        if (row ?? content) kept.push(row?.state ?? 'without a row');
      }
      return kept;
    }
    return { ...bff, other, reads, listKept };
  }
});

/** Starts a report that stalls after this many bytes. */
function startReport(browser: Browser, bytes = 1, length = String(maxBytes)) {
  const counted = createCountedBody([new Uint8Array(bytes).fill(0x20)], 'stalls');
  const headers = { 'content-type': 'application/json', 'content-length': length };
  const answer = browser.send('POST', apiPaths.assetReport, counted.body, headers);
  return { ...counted, answer };
}
