// Every failure that processes can have, with an applicant whose every value can be told; then everything they wrote and answered is searched.

import { setTimeout as sleep } from 'node:timers/promises';
import { apiPaths } from '../../shared/api/paths.ts';
import { problemCodes, type ProblemCode } from '../../shared/api/problems.ts';
import {
  canaries,
  canaryApplication,
  canaryDocuments,
  canaryReport,
  canarySettings,
} from '../support/canary-applicant.ts';
import { createCanarySearch } from '../support/canary-search.ts';
import { createTextPdf } from '../support/text-pdf.ts';
import { unlimited } from '../support/unlimited.ts';
import { canaryOrigin, createCanaryBrowser, type CanaryBrowser } from './canary-browser.ts';
import { provocations } from './canary-problems.ts';
import { unscannedMark } from './canary-services.ts';
import { challengeSecret, startCanaryStage, type CanaryStage } from './canary-stage.ts';
import { startWatchedBff, type WatchedBff } from './watched-bff.ts';

export interface CanaryErrors {
  /** Problem codes that neither an answer nor the log has shown. */
  readonly missingCodes: readonly ProblemCode[];
  /** Of the log, as it was written. */
  readonly events: ReadonlySet<string>;
  /** What was found and in which form, by the place where it was. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  /** What Node itself says of its streams and sockets when it is asked to (NODE_DEBUG); not ours, and refused outside the sandbox. */
  readonly foundInDebug: readonly string[];
  readonly debugBytes: number;
}

/** Numbers as people write them. */
const written = [
  ['Social Security number', '471-82-9364'],
  ['Employer Identification Number', '82-1734655'],
  ['date of birth', '08/23/1971'],
  ['date of birth, German', '23.08.1971'],
  ['date of birth, short', '19710823'],
  ['phone', '(207) 555-9183'],
  ['phone, hyphens', '207-555-9183'],
  ['amount', '7,351,924'],
  ['secret of the challenge', challengeSecret],
].map(([name = '', value = '']) => ({ name, value }));

const search = createCanarySearch([...canaries, ...written]);
const wish = JSON.stringify({ consent: { id: 'contact', version: 'placeholder-1' } });
const typed = JSON.stringify(canaryApplication);
const busyMs = 1_500;

export async function runCanaryErrors(): Promise<CanaryErrors> {
  const stage = await startCanaryStage();
  const others = await Promise.all([startAnother(stage), startAnother(stage, debugging)]);
  const [plain, loud] = others;
  try {
    for (const code of problemCodes) await provocations[code](stage);
    await provokeEvents(stage);
    await travel(await stage.begin());
    await travel(createCanaryBrowser(loud.url, stage.answers));
    const pages = [...(await readPages(stage.open)), ...(await readPages(stage.narrow))];
    await Promise.all([
      stopWhileBusy(stage),
      crash(stage.narrow, 'throw'),
      crash(plain, 'reject text'),
      crash(loud, 'reject'),
    ]);
    const quiet = [stage.open, stage.narrow, plain];
    const logs = [...quiet, loud].map(({ stdout }) => stdout().toString());
    const seen = new Set([...stage.answers.map(({ code }) => code), ...readWords(logs, 'code')]);
    const stores = await Promise.all([...quiet, loud].map(({ readStore }) => readStore()));
    return {
      missingCodes: problemCodes.filter((code) => !seen.has(code)),
      events: new Set(readWords(logs, 'event')),
      found: {
        log: search.find(...logs),
        'error output': search.find(...quiet.map(({ stderr }) => stderr())),
        answers: search.find(...listAnswers(stage)),
        'status pages': search.find(...pages),
        store: search.find(...stores.flat()),
      },
      foundInDebug: search.find(readBuffers(loud.stderr())),
      debugBytes: loud.stderr().byteLength,
    };
  } finally {
    await Promise.all(others.map(({ remove }) => remove()));
    await stage.close();
  }
}

const debugging = { NODE_DEBUG: 'http,http2,net,tls,undici,stream' } as const;

function startAnother(
  { services }: CanaryStage,
  variables: Readonly<Record<string, string>> = {},
): Promise<WatchedBff> {
  return startWatchedBff({
    serviceUrl: services.serviceUrl,
    pageOrigin: canaryOrigin,
    settings: { ...canarySettings, limits: unlimited },
    variables,
  });
}

/** What the log tells besides what the problems bring about. */
async function provokeEvents({ apply, begin, browse, services, open }: CanaryStage): Promise<void> {
  const forwarded = { 'x-forwarded-for': encodeURIComponent(typed) };
  await browse().send('GET', apiPaths.configuration, undefined, forwarded);
  await (await apply()).upload('tax return.pdf', createTextPdf(unscannedMark));
  const browser = await apply();
  await services.order({
    kind: 'row',
    operation: 'asset-report',
    row: 'asset-report/application-not-found',
    subject: canaryApplication.owner.ssn,
  });
  await browser.send('POST', apiPaths.assetReport, canaryReport);
  services.tamperings.push({
    path: '/creditapp',
    change: (answer) => ({ ...answer, pURL: `javascript:${typed}` }),
  });
  await (await begin()).apply();
  await open.order('warn');
}

/** Everything that can be given and asked for. */
async function travel(browser: CanaryBrowser): Promise<void> {
  await browser.send('POST', apiPaths.session);
  await browser.apply();
  for (const { name, content } of canaryDocuments) await browser.upload(name, content);
  await browser.send('POST', apiPaths.assetReport, canaryReport);
  await browser.send('POST', apiPaths.contact, wish);
  for (const path of [apiPaths.application, apiPaths.offers, apiPaths.documents, apiPaths.session])
    await browser.send('GET', path);
}

async function readPages({ url }: WatchedBff): Promise<string[]> {
  const pages = ['/metrics', '/readyz', '/livez'].map(async (path) => {
    const answer = await fetch(url + path);
    return JSON.stringify([...answer.headers]) + (await answer.text());
  });
  return Promise.all(pages);
}

/** In the middle of an application that the service is slow to take. */
async function stopWhileBusy({ begin, open, services }: CanaryStage): Promise<void> {
  const browser = await begin();
  await services.order({ kind: 'delay', operation: 'create-lead', delayMs: busyMs });
  const answered = browser.apply().catch(() => undefined);
  while (services.sandbox.context.state.faults.length > 0) await sleep(10);
  await open.signal('SIGTERM');
  await answered;
}

async function crash(bff: WatchedBff, how: 'throw' | 'reject' | 'reject text'): Promise<void> {
  await bff.order(how);
  await bff.ended;
}

/** Applicants are told the names of their own documents, and everybody what the form offers; nothing else is ever told back. */
function listAnswers({ answers }: CanaryStage): string[] {
  return answers
    .filter(({ path, status }) => status >= 400 || !tellsValues.has(path))
    .map(({ headers, text }) => headers + text);
}

const tellsValues: ReadonlySet<string> = new Set([
  apiPaths.configuration,
  apiPaths.documents,
  apiPaths.session,
]);

/** Node shows the first fifty bytes of a buffer, each as two digits. */
function readBuffers(output: Buffer): string {
  return output
    .toString()
    .replaceAll(/<Buffer ([\da-f ]+)/g, (_match, digits: string) =>
      Buffer.from(digits.replaceAll(' ', ''), 'hex').toString('latin1'),
    );
}

function readWords(logs: readonly string[], name: string): readonly string[] {
  const lines = logs.flatMap((log) => log.split('\n')).filter((line) => line.startsWith('{'));
  return lines.flatMap((line) => {
    const value: unknown = JSON.parse(line)[name];
    return typeof value === 'string' ? [value] : [];
  });
}
