// A BFF that closes at the end of its test, and what the tests of its routes ask for most.

import { onTestFinished } from 'vitest';
import { apiPaths } from '../../shared/api/paths.ts';
import type { Bff } from '../../bff/index.ts';
import { createBrowser, type Answer, type ApiHeaders, type Browser } from '../support/applicant.ts';
import { startBff, type TestBff, type TestBffOptions } from '../support/bff.ts';
import { until } from '../support/manual-time.ts';

export interface OpenBff extends TestBff {
  /** The browser of one applicant. */
  readonly browser: Browser;
}

export async function openBff(options: TestBffOptions = {}): Promise<OpenBff> {
  const bff = await startBff(options);
  onTestFinished(async () => void (await bff.close()));
  return { ...bff, browser: bff.openBrowser() };
}

/** A BFF whose applicant has submitted an application. */
export async function openApplied(
  options: TestBffOptions = {},
  application?: object,
): Promise<OpenBff> {
  const bff = await openBff(options);
  await bff.browser.apply(application);
  return bff;
}

/** The status of a response, and the code of its problem: `201`, or `409 document-sent`. */
export function toOutcome({ status, headers, json }: Answer): string {
  const isProblem = headers.get('content-type') === 'application/problem+json';
  return isProblem ? `${status} ${json.code}` : String(status);
}

/** Waits until the delivery worker has set its timer, and advances the time. */
export async function passTime({ time }: Pick<TestBff, 'time'>, ms = 2_000): Promise<void> {
  await until(() => time.listTimers().length > 0);
  time.advance(ms);
}

/** Sends an object as JSON. */
export function post(
  browser: Browser,
  path: string,
  body: object,
  headers?: ApiHeaders,
): Promise<Answer> {
  return browser.send('POST', path, JSON.stringify(body), headers);
}

export async function readJson(browser: Browser, path: string): Promise<Answer['json']> {
  return (await browser.send('GET', path)).json;
}

export const readMetrics = async ({ app }: Pick<TestBff, 'app'>): Promise<string> =>
  (await app.request('/metrics')).text();

/** The log lines of these events. */
export function listEvents(
  { logLines }: Pick<TestBff, 'logLines'>,
  ...events: readonly string[]
): readonly Readonly<Record<string, unknown>>[] {
  return logLines.map((line) => JSON.parse(line)).filter(({ event }) => events.includes(event));
}

/** A body that counts how often it is read. It sends its parts, and then ends, fails, or stalls. */
export function createCountedBody(
  parts: readonly Uint8Array[],
  end: 'ends' | 'fails' | 'stalls' = 'ends',
) {
  let reads = 0;
  let interrupt: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        interrupt = () => controller.error(new Error('The browser went away'));
        const part = parts[reads];
        reads += 1;
        if (part) return controller.enqueue(part);
        if (end === 'stalls') return new Promise(() => undefined);
        return end === 'ends' ? controller.close() : interrupt();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, countReads: () => reads, interrupt: () => interrupt() };
}

export const startSession = (browser: Browser): Promise<Answer> =>
  browser.send('POST', apiPaths.session);

/** A browser whose requests a host passes to `fetch`. */
export function openFetchBrowser(bff: Bff, context: Parameters<Bff['fetch']>[1] = {}): Browser {
  return createBrowser({
    async send({ method, path, headers, body }) {
      const init = { method, headers, ...(body === undefined ? {} : { body: body as string }) };
      const response = await bff.fetch(new Request(bff.publicUrl + path, init), context);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  });
}
