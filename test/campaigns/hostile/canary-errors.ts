// Causes every failure in BFF processes that hold canary data, and searches all output for the canaries.

import SwaggerParser from '@apidevtools/swagger-parser';
import * as z from 'zod/mini';
import { apiPaths } from '../../../shared/api/paths.ts';
import { problemCodes } from '../../../shared/api/problem-codes.ts';
import {
  canaries,
  canaryApplication,
  canaryDocuments,
  canaryReport,
  createCanarySearch,
} from '../../support/canaries.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { unlimited } from '../../support/unlimited.ts';
import { contactRequest } from '../../support/applications.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { CampaignRow } from '../campaign.ts';
import { listEvents } from './canary-events.ts';
import { triggerAllProblems } from './canary-problems.ts';
import {
  type CanaryEnvironment,
  challengeSecret,
  startCanaryEnvironment,
  startWatchedBff,
  unscannedMark,
  type WatchedBff,
  createCanaryBrowser,
  type CanaryBrowser,
  webhookSecret,
} from './canary-environment.ts';

/** Secrets and formatted values that the canary application does not contain in this form. */
const formatted = Object.entries({
  'Social Security number': '471-82-9364',
  'Employer Identification Number': '82-1734655',
  'date of birth': '08/23/1971',
  'date of birth, German': '23.08.1971',
  'date of birth, short': '19710823',
  phone: '(207) 555-9183',
  'phone, hyphens': '207-555-9183',
  amount: '7,351,924',
  'challenge secret': challengeSecret,
  'webhook secret': webhookSecret.slice('whsec_'.length),
}).map(([name, value]) => ({ name, value }));

const search = createCanarySearch([...canaries, ...formatted]);
const applicationJson = JSON.stringify(canaryApplication);
const openApiPathsSchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })),
);
const createLeadDelayMs = 1_500;

/** Causes every problem and every event of processes. No output may contain applicant data. */
export async function runCanaryErrors(): Promise<CampaignRow> {
  const environment = await startCanaryEnvironment();
  const { open, strict, answers, services } = environment;
  const others = await Promise.all([
    startWatchedBff(services, { limits: unlimited }),
    startWatchedBff(services, { limits: unlimited }, debugging),
  ]);
  const [plain, loud] = others;
  try {
    await triggerAllProblems(environment);
    await triggerEvents(environment);
    await sendEverything(await environment.begin());
    await awaitWebhooks(environment);
    await sendEverything(createCanaryBrowser(loud.url, answers));
    const undocumented = await listUndocumented(environment);
    const pages = [...(await readPages(open)), ...(await readPages(strict))];
    await Promise.all([
      stopDuringDelivery(environment),
      crash(strict, 'throw'),
      crash(plain, 'reject text'),
      crash(loud, 'reject'),
    ]);
    const quiet = [open, strict, plain];
    const logs = [...quiet, loud].map(({ stdout }) => stdout().toString());
    const stores = await Promise.all([...quiet, loud].map(({ readStore }) => readStore()));
    const codes = new Set([...answers.map(({ code }) => code), ...readStrings(logs, 'code')]);
    const events = new Set(readStrings(logs, 'event'));
    const outputs = {
      log: logs,
      'error output': quiet.map(({ stderr }) => stderr()),
      answers: listAnswers(environment),
      'status pages': pages,
      webhooks: services.webhooks,
      store: stores.flat(),
    };
    const inDebug = search.find(decodeBuffers(loud.stderr()));
    return {
      runs: codes.size,
      unit: 'problem codes',
      notes: `${answers.length} answers, ${events.size} events, ${services.webhooks.length} webhooks`,
      problems: [
        ...problemCodes.filter((code) => !codes.has(code)).map((code) => `not caused: ${code}`),
        ...listEvents('process')
          .filter((event) => !events.has(event))
          .map((event) => `not logged: ${event}`),
        ...undocumented.map((problem) => `not in the OpenAPI document: ${problem}`),
        ...Object.entries(outputs).flatMap(([place, texts]) =>
          search.find(...texts).map((canary) => `${place}: ${canary}`),
        ),
        // Shows that the search can find canaries. The BFF allows NODE_DEBUG in the sandbox only.
        ...(inDebug.includes('application/fundingNeed/amount, raw')
          ? []
          : ['the debug output of Node has no applicant data']),
      ],
    };
  } finally {
    await Promise.all(others.map(({ remove }) => remove()));
    await environment.close();
  }
}

const debugging = { NODE_DEBUG: 'http,http2,net,tls,undici,stream' } as const;

/** Triggers the events that no problem triggers. */
async function triggerEvents({
  apply,
  begin,
  browse,
  services,
  open,
}: CanaryEnvironment): Promise<void> {
  const forwarded = { 'x-forwarded-for': encodeURIComponent(applicationJson) };
  await browse().send('GET', apiPaths.configuration, undefined, forwarded);
  await (await apply()).upload(createTextPdf(unscannedMark), 'tax return.pdf');
  const browser = await apply();
  await services.injectFault({
    kind: 'row',
    operation: 'asset-report',
    row: 'asset-report/application-not-found',
    subject: canaryApplication.owner.ssn,
  });
  await browser.send('POST', apiPaths.assetReport, canaryReport);
  services.tamperings.push({
    path: '/creditapp',
    change: (answer) => ({ ...answer, pURL: `javascript:${applicationJson}` }),
  });
  await (await begin()).apply();
  await open.run('warn');
}

/** Until the receiver has events of each kind, some of them again after it refused them. */
async function awaitWebhooks({ services }: CanaryEnvironment): Promise<void> {
  const hasAll = () =>
    ['application.', 'document.', 'bank_report.', 'contact_request.'].every((kind) =>
      services.webhooks.some((webhook) => webhook.includes(`"type":"${kind}`)),
    );
  await waitUntil(() => hasAll() && services.webhooks.length >= 6, 'The last webhook');
}

/** Sends all kinds of data, and requests every view of it. */
async function sendEverything(browser: CanaryBrowser): Promise<void> {
  await browser.send('POST', apiPaths.session);
  await browser.apply();
  for (const { name, content } of canaryDocuments) await browser.upload(content, name);
  await browser.send('POST', apiPaths.assetReport, canaryReport);
  await browser.send('POST', apiPaths.contact, contactRequest);
  for (const path of [apiPaths.application, apiPaths.offers, apiPaths.documents, apiPaths.session])
    await browser.send('GET', path);
}

async function listUndocumented({ open, answers }: CanaryEnvironment): Promise<string[]> {
  const response = await fetch(`${open.url}/openapi.json`);
  const document = await SwaggerParser.dereference(await response.json());
  const { paths } = z.object({ paths: openApiPathsSchema }).parse(document);
  const problems = answers.flatMap(({ method, path, status, code }) => {
    const endpoint = paths[path.replace(/\?.*/, '')]?.[method.toLowerCase()];
    const isListed = JSON.stringify(endpoint?.responses[status] ?? {}).includes(`"${code}"`);
    return !endpoint || code === undefined || isListed ? [] : [`${method} ${path}: ${code}`];
  });
  return [...new Set(problems)];
}

async function readPages({ url }: WatchedBff): Promise<string[]> {
  const pages = ['/metrics', '/readyz', '/livez'].map(async (path) => {
    const answer = await fetch(url + path);
    return JSON.stringify([...answer.headers]) + (await answer.text());
  });
  return Promise.all(pages);
}

/** Stops the process while it waits for the response to Create Lead. */
async function stopDuringDelivery({ begin, open, services }: CanaryEnvironment): Promise<void> {
  const browser = await begin();
  await services.injectFault({
    kind: 'delay',
    operation: 'create-lead',
    delayMs: createLeadDelayMs,
  });
  const answered = browser.apply().catch(() => undefined);
  await waitUntil(() => services.sandbox.context.state.faults.length === 0, 'The slow call');
  await open.signal('SIGTERM');
  await answered;
}

async function crash(bff: WatchedBff, how: 'throw' | 'reject' | 'reject text'): Promise<void> {
  await bff.run(how);
  await bff.ended;
}

/** The responses that must not contain applicant data: all problems, and all paths except `echoingPaths`. */
function listAnswers({ answers }: CanaryEnvironment): string[] {
  return answers
    .filter(({ path, status }) => status >= 400 || !echoingPaths.has(path))
    .map(({ headers, text }) => headers + text);
}

/** Successful responses contain the choices of the form, or the applicant's own document names. */
const echoingPaths: ReadonlySet<string> = new Set([
  apiPaths.configuration,
  apiPaths.documents,
  apiPaths.session,
]);

/** Decodes the buffers in the debug output, where Node prints the first 50 bytes in hexadecimal. */
function decodeBuffers(output: Buffer): string {
  return output
    .toString()
    .replaceAll(/<Buffer ([\da-f ]+)/g, (_match, digits: string) =>
      Buffer.from(digits.replaceAll(' ', ''), 'hex').toString('latin1'),
    );
}

function readStrings(logs: readonly string[], name: string): readonly string[] {
  const lines = logs.flatMap((log) => log.split('\n')).filter((line) => line.startsWith('{'));
  return lines.flatMap((line) => {
    const value: unknown = JSON.parse(line)[name];
    return typeof value === 'string' ? [value] : [];
  });
}
