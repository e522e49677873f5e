// Uploads hostile files to a BFF process over HTTP, two at once, and measures its memory and the delay of its event loop.

import { request } from 'undici';
import { measureMemory, watchChildMemory } from '../../../bench/memory.ts';
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
import type { HostileFile } from './files/hostile-file.ts';

export interface FilesOverHttp {
  readonly files: number;
  readonly refused: number;
  /** Rise of the BFF's resident memory, without its child processes. */
  readonly riseMegabytes: number;
  /** Peak of resident memory of one child process. */
  readonly childPeakMegabytes: number;
  /** For one upload with its inspection. */
  readonly slowestMs: number;
  readonly slowest: string;
  /** From `/metrics`. About 10 ms of it is the sampling interval. */
  readonly eventLoopP99Ms: number;
  readonly problems: readonly string[];
}

/** The maximum of the setting. A new application starts before the limit is reached. */
const maxFiles = 200;
const atOnce = 2;
/** Inspections of bombs take long. */
const timeoutMs = 120_000;
const mebibyte = 2 ** 20;

export async function sendFilesOverHttp(files: readonly HostileFile[]): Promise<FilesOverHttp> {
  const extensions = ['pdf', 'jpg', 'png', 'docx', 'xlsx', 'txt', 'csv'];
  // The strict mode, because some files are refused only there.
  const scripts = 'refuse';
  const documents = { maxFiles, maxTotalBytes: 1024 * mebibyte, extensions, scripts };
  const stack = await startStack({
    settings: { documents, limits: unlimited },
    bff: { WIDGET_FOLDER: 'none' },
  });
  const problems: string[] = [];
  const children = watchChildMemory(stack.bffProcessId);
  let refused = 0;
  let slowest = '';
  let slowestMs = 0;

  async function sendAll(chosen: readonly HostileFile[], browser: Browser): Promise<void> {
    const waiting = [...chosen];
    const sendNext = async (): Promise<void> => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const startedAt = performance.now();
        const { status, code } = await upload(browser, file);
        const tookMs = Math.round(performance.now() - startedAt);
        if (tookMs > slowestMs) [slowest, slowestMs] = [`${file.group}: ${file.name}`, tookMs];
        if (status >= 400) refused += 1;
        const isExpected = status < 300 ? file.expected !== 'refused' : status < 500 && code;
        if (!isExpected) problems.push(`${file.group}: ${file.name}: ${status} ${code ?? ''}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendNext));
  }

  try {
    // The first files load and compile code, so they are not measured.
    const warmUp = Math.min(maxFiles, Math.ceil(files.length / 4));
    const rest = chunk(files.slice(warmUp), maxFiles);
    await sendAll(files.slice(0, warmUp), await apply(stack));
    await readEventLoopP99(stack);
    const use = await measureMemory(stack.bffProcessId, async () => {
      for (const some of rest) await sendAll(some, await apply(stack));
    });
    return {
      files: files.length,
      refused,
      riseMegabytes: Math.round(use.riseBytes / mebibyte),
      childPeakMegabytes: Math.round(children.readPeakBytes() / mebibyte),
      slowest,
      slowestMs,
      eventLoopP99Ms: await readEventLoopP99(stack),
      problems,
    };
  } finally {
    children.stop();
    await stack.stop();
  }
}

/** Starts a session and submits an application. */
async function apply({ bffUrl, pageUrl }: Stack): Promise<Browser> {
  const browser = createBrowser({
    send: createHttpSender([bffUrl], timeoutMs).send,
    origin: pageUrl,
  });
  const application = createApplication({}, { campaignId: undefined });
  const { status, text } = await browser.apply(application, createKey());
  if (status >= 300) throw new Error(text);
  return browser;
}

async function upload(
  browser: Browser,
  { name, extension, make }: HostileFile,
): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const { status, json } = await browser.upload(make(), `${name}.${extension}`);
  return { status, code: status < 300 ? undefined : problemSchema.parse(json).code };
}

/** Covers the time since the last call, because reading the metric resets it. */
async function readEventLoopP99(stack: Stack): Promise<number> {
  const { body } = await request(`${stack.bffUrl}/metrics`);
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await body.text())?.[1];
  if (seconds === undefined) throw new Error('/metrics has no event loop lag');
  return Math.round(Number(seconds) * 1000);
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
