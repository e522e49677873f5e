// The element, served by its BFF, beside a form of plain HTML, in interleaved rounds. Each measurement starts a browser with an
// empty cache and a profile of its own.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { type CDPSession, chromium, type Page, type Request } from '@playwright/test';
import { chromiumFlags, readTestTools } from '../scripts/test-tools.mjs';
import { completeDraft } from '../test/support/draft.ts';
import { findFreePort } from '../test/support/free-port.ts';
import {
  type HalfResult,
  judgeNoise,
  maxForeignShare,
  type Probe,
  quantile,
  Samples,
} from './goals.ts';
import { probeMachine, watchForeignUse } from './machine.ts';
import { createFloorPage } from './peers/floor-page.ts';
import {
  buildBff,
  buildWidget,
  startBff,
  startStub,
  widgetFolder,
  withFolder,
} from './processes.ts';
import {
  fillFields,
  findButton,
  focusField,
  listCodeUrls,
  listErrors,
  type PageTimes,
  type StepChange,
  watchTimes,
} from './widget-page.ts';

/** CPU throttling factor of the slow phone, relative to this machine. */
const slowdown = 4;
/** Slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms before each response. */
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const viewport = { width: 390, height: 844 };
/** 40 characters, at the speed of a fast typist. */
const typedText = 'Granary Street Bakery and Coffee Company';
const keyPauseMs = 40;
const timeoutMs = 30_000;
/** The page has loaded if there was no request for this long. */
const quietMs = 500;
/** More than the form has. Stops a measurement when the form does not end. */
const maxSteps = 10;
/** The step that submits the application has it. */
const lastField = 'signature/name';
const kibibyte = 1024;

const answers: Readonly<Record<string, string>> = {
  ...completeDraft,
  'owner/homeSameAsBusiness': 'no',
  'owner/homeAddress/street': '8 Hill Road',
  'owner/homeAddress/city': 'Lancaster',
  'owner/homeAddress/state': 'PA',
  'owner/homeAddress/zip': '17603',
  'consents/credit-authorization': 'yes',
  'consents/electronic-records': 'yes',
  // Only the form of plain HTML has these names.
  'owner/birthDate': '1985-04-27',
  category: 'Bank Statements - Jan',
};

interface Subject {
  readonly name: string;
  readonly url: string;
}

interface Context {
  readonly round: number;
  readonly samples: Samples;
  readonly foreignShares: number[];
  readonly report: (line: string) => void;
}

/**
 * @param asked number of rounds of the whole benchmark. Here it is three times as many: a round takes 12 s only, and the times of
 * one page load vary more than those of thousands of requests.
 * @param report receives a line about the progress.
 */
export async function measureWidget(
  asked: number,
  report: (line: string) => void,
): Promise<HalfResult> {
  const rounds = asked * 3;
  buildWidget();
  buildBff();
  const samples = new Samples();
  const foreignShares: number[] = [];
  const probes: Probe[] = [];
  await withFolder(async (folder) => {
    const stub = await startStub(0);
    const pagePort = await findFreePort();
    // Browsers send a Secure cookie over HTTP to localhost only, not to 127.0.0.1.
    const pageOrigin = `http://localhost:${pagePort}`;
    const databaseUrl = `file:${join(folder, 'store.db')}`;
    const bff = await startBff({ stub, databaseUrl, widgetFolder, pageOrigin });
    const bffUrl = bff.url.replace('127.0.0.1', 'localhost');
    const pages = await servePages(pagePort, bffUrl);
    const subjects: readonly Subject[] = [
      { name: 'floor page', url: `${pageOrigin}/floor` },
      { name: 'element', url: `${pageOrigin}/element` },
    ];
    try {
      probes.push(probeMachine(folder));
      for (let round = 1; round <= rounds; round += 1) {
        report(`round ${round} of ${rounds}`);
        const context = { round, samples, foreignShares, report };
        for (const subject of subjects) await measureSlow(context, subject);
        for (const subject of subjects) await measureHeap(context, subject);
        probes.push(probeMachine(folder));
      }
    } finally {
      pages.close();
      await bff.stop();
      await stub.stop();
    }
  });
  return { rounds, samples, noise: judgeNoise(probes, foreignShares), remarks: [] };
}

/** Serves the pages and the files of the floor page, compressed like the files of the element. */
async function servePages(port: number, bffUrl: string) {
  const readPeer = (name: string) => readFile(join(import.meta.dirname, 'peers', name));
  const files = new Map<string | undefined, readonly [string, Buffer]>();
  const add = (path: string, type: string, content: string | Buffer) =>
    files.set(path, [type, brotliCompressSync(content)]);
  add('/element', 'text/html', await createElementPage(bffUrl));
  add('/floor', 'text/html', createFloorPage());
  add('/floor-page.css', 'text/css', await readPeer('floor-page.css'));
  add('/floor-page.js', 'text/javascript', await readPeer('floor-page.js'));
  const server = createServer(({ url }, response) => {
    const [type, content] = files.get(url) ?? [];
    if (type === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-encoding': 'br',
      'content-length': content?.length,
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Has the first snippet of docs/embed/index.md. The start page is off, because the floor page has none. */
async function createElementPage(bffUrl: string): Promise<string> {
  const guide = await readFile(join(import.meta.dirname, '../docs/embed/index.md'), 'utf8');
  const snippet = /```html\n([^]*?)```/.exec(guide)?.[1];
  if (!snippet?.includes('<funding-application>')) {
    throw new Error('The first example of docs/embed/index.md does not contain the element.');
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Business funding</title>
</head>
<body>
<h1>Business funding</h1>
${snippet.replaceAll('https://apply.partner.example', bffUrl)}
<script>
document.querySelector('funding-application').settings = { startPage: false };
</script>
</body>
</html>
`;
}

/** Loads the page and walks to the company's name as an applicant with a slow phone. */
async function measureSlow(context: Context, subject: Subject): Promise<void> {
  const { samples, round } = context;
  await withBrowser(context, subject, 'slow phone', async (page, devtools) => {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slowNetwork);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const network = watchNetwork(page);
    await page.goto(subject.url, { waitUntil: 'commit' });
    const { usableAt = Number.NaN } = await waitForTimes(page, 'usableAt');
    await page.keyboard.type('7');
    const { longTasks, paintedAt } = await waitForTimes(page, 'paintedAt', 1);
    const [typedAt = Number.NaN] = paintedAt;
    const codeUrls = await page.evaluate(listCodeUrls, usableAt);
    const codeBytes = await network.sumBytes(codeUrls);
    await network.waitUntilQuiet();

    const change = await continueToNext(page);
    await page.evaluate(focusField, 'business/name');
    await page.keyboard.type(typedText, { delay: keyPauseMs });
    const { keysMs } = await waitForTimes(page, 'keysMs', 1 + typedText.length);
    const typed = keysMs.slice(1).toSorted((one, other) => one - other);

    return (isQuiet) => {
      const add = (figure: string, value: number) =>
        samples.add(figure, subject.name, { round, value, isQuiet });
      samples.add('first-code', subject.name, {
        round,
        value: codeBytes / kibibyte,
        isQuiet: true,
      });
      add('first-field', usableAt);
      add('first-character', typedAt);
      const blocking = longTasks.filter(({ startedAt }) => startedAt < typedAt);
      add(
        'blocking',
        blocking.reduce((sum, { ms }) => sum + ms - 50, 0),
      );
      add('step-painted', change.paintedMs);
      add('step-idle', change.idleMs);
      add('key-p95', quantile(typed, 0.95));
    };
  });
}

/** Fills in all steps without throttling. */
async function measureHeap(context: Context, subject: Subject): Promise<void> {
  const { samples, round } = context;
  await withBrowser(context, subject, 'all steps', async (page, devtools) => {
    await page.goto(subject.url);
    await waitForTimes(page, 'usableAt');
    for (let step = 1; !(await page.evaluate(focusField, lastField)); step += 1) {
      if (step > maxSteps) throw new Error(`The form did not end after ${maxSteps} steps`);
      await continueToNext(page);
    }
    await page.evaluate(fillFields, answers);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const value = usedSize / kibibyte / kibibyte;
    return () => samples.add('heap', subject.name, { round, value, isQuiet: true });
  });
}

/** Calls the result of `measure` with true if other programs used little of the processors meanwhile. */
async function withBrowser(
  { foreignShares, report }: Context,
  { name }: Subject,
  title: string,
  measure: (page: Page, devtools: CDPSession) => Promise<(isQuiet: boolean) => void>,
): Promise<void> {
  const executablePath = readTestTools().chromium?.executable;
  if (!executablePath) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');
  const args = chromiumFlags;
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args });
  try {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await page.addInitScript(watchTimes);
    // The start of the browser is not part of the measurement.
    await sleep(quietMs);
    const readForeignUse = watchForeignUse();
    const startedAt = performance.now();
    const add = await measure(page, devtools);
    const foreignShare = readForeignUse();
    const seconds = (performance.now() - startedAt) / 1000;
    report(`  ${name}, ${title}: ${seconds.toFixed(1)} s, others ${foreignShare.toFixed(2)}`);
    foreignShares.push(foreignShare);
    add(foreignShare <= maxForeignShare);
  } finally {
    await browser.close();
  }
}

/** Fills in the step. Returns the times of the change to the next step. */
async function continueToNext(page: Page): Promise<StepChange> {
  await page.evaluate(fillFields, answers);
  const { length } = (await readTimes(page)).changes;
  const { x, y } = await page.evaluate(findButton);
  await page.mouse.click(x, y);
  const { changes } = await waitForTimes(page, 'changes', length + 1);
  const change = changes[length];
  if (!change) throw new Error('The step did not change');
  return change;
}

function readTimes(page: Page): Promise<PageTimes> {
  return page.evaluate(() => Reflect.get(window, 'benchTimes'));
}

/**
 * Waits until the page has recorded a time, or this many times. Uses no locators, because their script takes 0.8 MiB of the page's
 * heap.
 */
async function waitForTimes(page: Page, key: keyof PageTimes, count = 0): Promise<PageTimes> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const times = await readTimes(page);
    const value = times[key];
    if (Array.isArray(value) ? value.length >= count : value !== undefined) return times;
    if (Date.now() > deadline) {
      const errors = await page.evaluate(listErrors);
      throw new Error(`The page has no ${key} after ${timeoutMs / 1000} s. ${errors.join(' ')}`);
    }
    await sleep(50);
  }
}

function watchNetwork(page: Page) {
  const finished: Request[] = [];
  const state = { running: 0, changedAt: performance.now() };
  const count = (change: number) => {
    state.running += change;
    state.changedAt = performance.now();
  };
  page.on('request', () => count(1));
  page.on('requestfailed', () => count(-1));
  page.on('requestfinished', (request) => {
    finished.push(request);
    count(-1);
  });
  return {
    async waitUntilQuiet(): Promise<void> {
      const deadline = Date.now() + timeoutMs;
      while (state.running > 0 || performance.now() - state.changedAt < quietMs) {
        if (Date.now() > deadline) throw new Error('The page does not stop loading');
        await sleep(50);
      }
    },
    /** Returns the size of the responses with their headers, as transferred. */
    async sumBytes(urls: readonly string[]): Promise<number> {
      const requests = finished.filter((request) => urls.includes(request.url()));
      const sizes = await Promise.all(requests.map((request) => request.sizes()));
      return sizes.reduce(
        (sum, { responseBodySize, responseHeadersSize }) =>
          sum + responseBodySize + responseHeadersSize,
        0,
      );
    },
  };
}
