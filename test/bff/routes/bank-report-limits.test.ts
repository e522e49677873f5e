// Limits of `POST /v1/asset-report`: size, concurrent uploads, stalled uploads, and checks one after another.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxUploadsPerSession } from '../../../bff/documents/upload-semaphore.ts';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { secondKey, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { createManualTime, until } from '../../support/manual-time.ts';

const longest = 8 * 1024 * 1024;
const idleTimeoutMs = 30_000;

describe('bank reports', () => {
  let bff: TestBff;
  let browser: Browser;
  let other: Browser;
  let store: Store;
  let begun: string[];
  /** For each chunk that was read: its attachment, and the number of event loop turns so far. */
  let reads: { readonly attachmentId: string; readonly turn: number }[];
  let turns: AbortController;

  beforeEach(async () => {
    const time = createManualTime();
    store = await openStore('file::memory:', { clock: time.clock });
    begun = [];
    reads = [];
    let turn = 0;
    turns = new AbortController();
    setImmediate(function count() {
      turn += 1;
      if (!turns.signal.aborted) setImmediate(count);
    });
    const watched: Store = {
      ...store,
      beginAttachment(attachment, limit) {
        begun.push(attachment.id);
        return store.beginAttachment(attachment, limit);
      },
      readChunk(attachmentId, number) {
        reads.push({ attachmentId, turn });
        return store.readChunk(attachmentId, number);
      },
    };
    bff = await startBff({ time, store: watched });
    const lost = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
    for (let time = 0; time < 2; time += 1) bff.faults.push({ path: '/creditapp', result: lost });
    [browser, other] = [bff.openBrowser(), bff.openBrowser()];
    await browser.apply();
    await other.apply(createApplication(), secondKey);
    // Nothing is delivered, so only the check reads reports.
    await bff.delivery.stop();
  });

  afterEach(() => {
    turns.abort();
    return bff.close();
  });

  it('leave a permit for others while they stall', async () => {
    const idle = Array.from({ length: maxUploadsPerSession }, () => startReport(browser));
    await until(() => idle.every(({ isRead }) => isRead()));
    const third = await send(browser, createReport());
    expect(isProblem(third, 'too-many-requests')).toBe(true);
    expect(third.headers.get('retry-after')).toBe('2');
    expect((await send(other, createReport())).status).toBe(202);
    for (const report of idle) report.breakOff();
    for (const { answer } of idle) expect((await answer).json.code).toBe('invalid-request');
    expect((await send(browser, createReport())).status).toBe(202);
  });

  it('share the upload permits with documents', async () => {
    const idle = Array.from({ length: maxUploadsPerSession }, () => startReport(browser));
    await until(() => idle.every(({ isRead }) => isRead()));
    const document = await browser.upload(createTextPdf('small'));
    expect(isProblem(document, 'too-many-requests')).toBe(true);
    for (const report of idle) report.breakOff();
    await Promise.all(idle.map(({ answer }) => answer));
  });

  it('are discarded after a stall', async () => {
    const report = startReport(browser, 300_000);
    await until(async () => (await listKept()).includes('receiving'));
    await until(() => bff.time.listTimers().includes(idleTimeoutMs));
    bff.time.advance(idleTimeoutMs);
    expect(isProblem(await report.answer, 'invalid-request')).toBe(true);
    expect(await listKept()).toEqual([]);
  });

  it('are checked one after another, without blocking other requests', async () => {
    const statuses = await Promise.all([
      send(browser, createReport('first', 1_000_000)),
      send(other, createReport('second', 1_000_000)),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([202, 202]);
    const changes = reads.filter(
      ({ attachmentId }, index) => attachmentId !== reads[index - 1]?.attachmentId,
    );
    expect(changes).toHaveLength(2);
    for (const { attachmentId } of changes) {
      const own = reads.filter((read) => read.attachmentId === attachmentId);
      // The last read finds the end.
      expect(own).toHaveLength(5);
      expect(new Set(own.map(({ turn }) => turn)).size).toBe(5);
    }
  });

  it('leave nothing behind if they are invalid', async () => {
    const [bad, good] = await Promise.all([
      send(browser, `{"report":${' '.repeat(300_000)}}`),
      send(other, createReport()),
    ]);
    expect([isProblem(bad, 'asset-report-invalid'), good.status]).toEqual([true, 202]);
    expect(await listKept()).toEqual(['received']);
  });

  it('need a Content-Length', async () => {
    const answer = await send(browser, createReport(), { 'content-length': undefined });
    expect([answer.status, answer.json.code]).toEqual([411, 'document-length-required']);
  });

  it.each([
    ['no bytes', '0', 422, 'asset-report-invalid'],
    ['more than 8 MiB', String(longest + 1), 413, 'too-large'],
  ])('are not read if they announce %s', async (_name, length, status, code) => {
    const report = startReport(browser, 1, length);
    const answer = await report.answer;
    expect([answer.status, answer.json.code, report.isRead()]).toEqual([status, code, false]);
  });

  /** The started reports that have data in the store. */
  async function listKept(): Promise<readonly string[]> {
    const kept: string[] = [];
    for (const id of begun) {
      const row = await store.findAttachment(id);
      const chunk = await store.readChunk(id, 0);
      if (row ?? chunk) kept.push(row?.state ?? 'without a row');
    }
    return kept;
  }
});

function send(
  browser: Browser,
  text: string,
  headers?: Readonly<Record<string, string | undefined>>,
) {
  return browser.send('POST', apiPaths.assetReport, text, headers);
}

/** Starts a report that stalls after this many bytes. */
function startReport(browser: Browser, bytes = 1, length = String(longest)) {
  let isRead = false;
  let breakOff: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        isRead = true;
        breakOff = () => controller.error(new Error('gone'));
        controller.enqueue(new Uint8Array(bytes).fill(0x20));
        return new Promise(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'application/json', 'content-length': length };
  const answer = browser.send('POST', apiPaths.assetReport, body, headers);
  return { answer, isRead: () => isRead, breakOff: () => breakOff() };
}

function createReport(id = 'report-1', bytes = 1): string {
  const items = [{ accounts: [], note: 'x'.repeat(bytes) }];
  return JSON.stringify({ report: { asset_report_id: id, items } });
}
