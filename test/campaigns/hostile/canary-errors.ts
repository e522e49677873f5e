// Causes every failure in BFF processes that hold canary data, and searches all output for the canaries.

import SwaggerParser from '@apidevtools/swagger-parser';
import * as z from 'zod/mini';
import { apiPaths } from '../../../shared/api/paths.ts';
import { problemCodes, type ProblemCode } from '../../../shared/api/problem-codes.ts';
import {
  canaries,
  canaryApplication,
  canaryDocuments,
  canaryReport,
  canarySettings,
  createCanarySearch,
} from '../../support/canaries.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { unlimited } from '../../support/unlimited.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { contactRequest } from '../../support/applications.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { problemTriggers } from './canary-problems.ts';
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

export interface CanaryErrors {
  /** Problem codes that appear in no response and no log line. */
  readonly missingCodes: readonly ProblemCode[];
  /** Problems that the OpenAPI document does not list for the request that they answered. */
  readonly undocumented: readonly string[];
  /** Names of all logged events. */
  readonly events: ReadonlySet<string>;
  /** The canaries found, with their encoding, for each kind of output. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  /** The canaries found in the debug output of Node (NODE_DEBUG), which the BFF allows in the sandbox only. */
  readonly foundInDebug: readonly string[];
  readonly debugBytes: number;
}

/** Secrets and formatted values that the canary application does not contain in this form. */
const formatted = [
  ['Social Security number', '471-82-9364'],
  ['Employer Identification Number', '82-1734655'],
  ['date of birth', '08/23/1971'],
  ['date of birth, German', '23.08.1971'],
  ['date of birth, short', '19710823'],
  ['phone', '(207) 555-9183'],
  ['phone, hyphens', '207-555-9183'],
  ['amount', '7,351,924'],
  ['challenge secret', challengeSecret],
  ['webhook secret', webhookSecret.slice('whsec_'.length)],
].map(([name = '', value = '']) => ({ name, value }));

const search = createCanarySearch([...canaries, ...formatted]);
const applicationJson = JSON.stringify(canaryApplication);
const openApiPathsSchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })),
);
const createLeadDelayMs = 1_500;

export async function runCanaryErrors(): Promise<CanaryErrors> {
  const environment = await startCanaryEnvironment();
  const others = await Promise.all([
    startOpenBff(environment),
    startOpenBff(environment, debugging),
  ]);
  const [plain, loud] = others;
  try {
    for (const code of problemCodes) await problemTriggers[code](environment);
    await triggerEvents(environment);
    await sendEverything(await environment.begin());
    await awaitWebhooks(environment);
    await sendEverything(createCanaryBrowser(loud.url, environment.answers));
    const undocumented = await listUndocumented(environment);
    const pages = [
      ...(await readPages(environment.open)),
      ...(await readPages(environment.strict)),
    ];
    await Promise.all([
      stopDuringDelivery(environment),
      crash(environment.strict, 'throw'),
      crash(plain, 'reject text'),
      crash(loud, 'reject'),
    ]);
    const quiet = [environment.open, environment.strict, plain];
    const logs = [...quiet, loud].map(({ stdout }) => stdout().toString());
    const seen = new Set([
      ...environment.answers.map(({ code }) => code),
      ...readStrings(logs, 'code'),
    ]);
    const stores = await Promise.all([...quiet, loud].map(({ readStore }) => readStore()));
    return {
      missingCodes: problemCodes.filter((code) => !seen.has(code)),
      undocumented,
      events: new Set(readStrings(logs, 'event')),
      found: {
        log: search.find(...logs),
        'error output': search.find(...quiet.map(({ stderr }) => stderr())),
        answers: search.find(...listAnswers(environment)),
        'status pages': search.find(...pages),
        webhooks: search.find(...environment.services.webhooks),
        store: search.find(...stores.flat()),
      },
      foundInDebug: search.find(decodeBuffers(loud.stderr())),
      debugBytes: loud.stderr().byteLength,
    };
  } finally {
    await Promise.all(others.map(({ remove }) => remove()));
    await environment.close();
  }
}

const debugging = { NODE_DEBUG: 'http,http2,net,tls,undici,stream' } as const;

function startOpenBff(
  { services }: CanaryEnvironment,
  variables: Readonly<Record<string, string>> = {},
): Promise<WatchedBff> {
  return startWatchedBff({
    serviceUrl: services.serviceUrl,
    pageOrigin,
    settings: { ...canarySettings, limits: unlimited },
    variables,
  });
}

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
