// Uploads hostile files to a BFF process over HTTP, two at once, and measures its memory and the delay of its event loop.

import { measureMemory, watchChildMemory } from '../../../bench/memory.ts';
import { inspectionDefaults } from '../../../bff/config/settings.ts';
import { problemSchema } from '../../../shared/api/problems.ts';
import {
  createBrowser,
  createHttpSender,
  createKey,
  type Browser,
} from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { unlimited } from '../../support/unlimited.ts';
import { above, type CampaignContext, type CampaignRow, sampleOf } from '../campaign.ts';
import { listBombs } from './files/bombs.ts';
import type { HostileFile } from './files/hostile-file.ts';
import { listHostileFiles } from './hostile-files.ts';

/** The maximum of the setting. A new application starts before the limit is reached. */
const maxFiles = 200;
const atOnce = 2;
const mebibyte = 2 ** 20;
const bombBytes = 8_000_000;
const maxLoopDelayMs = 50;

export async function runFilesOverHttp({ share }: CampaignContext): Promise<CampaignRow> {
  const { row, riseMegabytes, loopP99Ms } = await sendFiles(sampleOf(listHostileFiles(), share));
  return {
    ...row,
    problems: [
      ...row.problems,
      ...above(loopP99Ms, maxLoopDelayMs, 'ms of delay in the event loop'),
      ...above(riseMegabytes, 150, 'MB more memory'),
    ],
  };
}

/** The delay of the event loop has no limit, because SQLite writes and erases these files on the same thread. */
export async function runBombsOverHttp({ share }: CampaignContext): Promise<CampaignRow> {
  const { row, riseMegabytes, childPeakMegabytes } = await sendFiles(
    sampleOf(listBombs(bombBytes), share),
  );
  const { memoryMegabytes } = inspectionDefaults;
  return {
    ...row,
    problems: [
      ...row.problems,
      ...above(childPeakMegabytes, memoryMegabytes, 'MB in an inspection process'),
      ...above(riseMegabytes, 60, 'MB of growth in the BFF'),
    ],
  };
}

async function sendFiles(files: readonly HostileFile[]) {
  const extensions = ['pdf', 'jpg', 'png', 'docx', 'xlsx', 'txt', 'csv'];
  // The strict mode, because some files are refused only there.
  const scripts = 'refuse';
  const documents = { maxFiles, maxTotalBytes: 1024 * mebibyte, extensions, scripts };
  const stack = await startStack({
    settings: { documents, limits: unlimited },
    bff: { WIDGET_FOLDER: 'none' },
  });
  const children = watchChildMemory(stack.bffProcessId);
  const problems: string[] = [];
  let [refused, slowest, slowestMs] = [0, '', 0];

  async function sendAll(chosen: readonly HostileFile[]): Promise<void> {
    const browser = await apply(stack);
    const waiting = [...chosen];
    const sendNext = async (): Promise<void> => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const name = `${file.group}: ${file.name}`;
        const startedAt = performance.now();
        const { status, json } = await browser.upload(
          file.make(),
          `${file.name}.${file.extension}`,
        );
        const tookMs = Math.round(performance.now() - startedAt);
        if (tookMs > slowestMs) [slowest, slowestMs] = [name, tookMs];
        if (status >= 400) refused += 1;
        const code = status < 300 ? undefined : problemSchema.parse(json).code;
        const isExpected = status < 300 ? file.expected !== 'refused' : status < 500 && code;
        if (!isExpected) problems.push(`${name}: ${status} ${code ?? ''}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendNext));
  }

  try {
    // The first files load and compile code, so they are not measured.
    const warmUp = Math.min(maxFiles, Math.ceil(files.length / 4));
    await sendAll(files.slice(0, warmUp));
    await readLoopP99(stack);
    const { riseBytes } = await measureMemory(stack.bffProcessId, async () => {
      for (let at = warmUp; at < files.length; at += maxFiles)
        await sendAll(files.slice(at, at + maxFiles));
    });
    const riseMegabytes = Math.round(riseBytes / mebibyte);
    const childPeakMegabytes = Math.round(children.readPeakBytes() / mebibyte);
    const loopP99Ms = await readLoopP99(stack);
    const notes = `${refused} refused, slowest ${slowestMs} ms (${slowest}), inspection process at most ${childPeakMegabytes} MB, BFF + ${riseMegabytes} MB, event loop p99 ${loopP99Ms} ms`;
    const row = { runs: files.length, unit: 'files', notes, problems };
    return { row, riseMegabytes, childPeakMegabytes, loopP99Ms };
  } finally {
    children.stop();
    await stack.stop();
  }
}

/** Starts a session and submits an application. */
async function apply({ bffUrl, pageUrl }: Stack): Promise<Browser> {
  const browser = createBrowser({ send: createHttpSender([bffUrl]).send, origin: pageUrl });
  const application = createApplication({}, { campaignId: undefined });
  const { status, text } = await browser.apply(application, createKey());
  if (status >= 300) throw new Error(text);
  return browser;
}

/** Covers the time since the last call, because reading the metric resets it. About 10 ms of it is the sampling interval. */
async function readLoopP99({ bffUrl }: Stack): Promise<number> {
  const text = await (await fetch(`${bffUrl}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('/metrics has no event loop lag');
  return Math.round(Number(seconds) * 1000);
}
