// Triggers each problem of the API, with applicant data in every part of the request or response that can contain it.

import { randomUUID } from 'node:crypto';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { type ProblemCode, problemCodes } from '../../../shared/api/problem-codes.ts';
import { type Browser, toUploadHeaders } from '../../support/applicant.ts';
import { activeContents } from '../../support/bad-files/active-pdfs.ts';
import { canaryApplication, canaryDocuments, canaryReport } from '../../support/canaries.ts';
import { toBytes } from '../../support/files/bytes.ts';
import { toChunk, writePlainPng } from '../../support/files/images.ts';
import { createTextPdf, writeEncrypted, writePdfRow } from '../../support/files/pdf.ts';
import { claim, confirm, connectPhone, createHandoff, pickWrong } from '../../support/handoff.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  type CanaryBrowser,
  type CanaryEnvironment,
  createCanaryPhone,
  infectedMark,
  maxDocumentBytes,
  maxFiles,
} from './canary-environment.ts';
import { polyglots } from './files/disguises.ts';

type Trigger = (browser: CanaryBrowser, environment: CanaryEnvironment) => Promise<unknown>;
type Triggers = Readonly<Partial<Record<ProblemCode, Trigger>>>;

const { owner, business } = canaryApplication;
const [large, small] = canaryDocuments;
const applicationJson = JSON.stringify(canaryApplication);
/** Header values are limited to Latin-1. */
const applicationHeader = encodeURIComponent(applicationJson).slice(0, 2_000);
const otherAnswers = { ...canaryApplication, owner: { ...owner, firstName: 'Z' } };
const offersPath = '/getPreApprovalOffer';

/** By a browser without a session. */
const withoutSession: Triggers = {
  'origin-refused': (browser) => post(browser, { origin: `https://${owner.ssn}.example` }),
  'header-missing': (browser) => post(browser, { [apiHeaders.request]: applicationHeader }),
  'method-not-allowed': (browser) =>
    browser.send('PUT', `${apiPaths.application}?${owner.ssn}`, applicationJson),
  'unsupported-media-type': (browser) => post(browser, { 'content-type': `text/${owner.ssn}` }),
  'session-missing': (browser) =>
    post(browser, {
      cookie: `funding-session=${applicationHeader}`,
      authorization: `Funding ${applicationHeader}`,
    }),
  async 'too-many-requests'(_browser, { browse, strict }) {
    await browse(strict).send('POST', apiPaths.session);
    await browse(strict).send('POST', apiPaths.session);
  },
  // From another address, because `too-many-requests` used the only session of this minute.
  async 'too-soon'(_browser, { browse, strict }) {
    const browser = browse(strict);
    const address = { 'x-forwarded-for': '203.0.113.7' };
    await browser.send('POST', apiPaths.session, undefined, address);
    await browser.apply(canaryApplication, address);
  },
  'handoff-not-found': (_browser, environment) =>
    claim(openPhone(environment), { token: owner.ssn, code: undefined }),
};

/** By a browser with a session. */
const withSession: Triggers = {
  'not-found': (browser) => browser.send('GET', `/v1/${owner.ssn}?email=${owner.email}`),
  'too-large': (browser) =>
    browser.apply({
      ...canaryApplication,
      business: { ...business, name: applicationJson.repeat(60) },
    }),
  'invalid-request': (browser) =>
    browser.apply({
      ...canaryApplication,
      [owner.ssn]: owner,
      owner: { ...owner, ssn: owner.birthDate },
    }),
  'automation-suspected': (browser) =>
    browser.apply(canaryApplication, { [apiHeaders.honeypot]: applicationHeader }),
  'challenge-required': (browser) =>
    browser.apply(canaryApplication, { [apiHeaders.challenge]: applicationHeader }),
  'challenge-unavailable': (browser) =>
    browser.apply(canaryApplication, { [apiHeaders.challenge]: `away${owner.ssn}` }),
  'idempotency-key-missing': (browser) =>
    browser.apply(canaryApplication, { [apiHeaders.idempotencyKey]: owner.ssn }),
  async 'idempotency-key-reused'(browser) {
    const key = { [apiHeaders.idempotencyKey]: randomUUID() };
    await browser.apply(canaryApplication, key);
    await browser.apply(otherAnswers, key);
  },
  'application-missing': (browser) => browser.upload(small.content, small.name),
  // The funding service reports a duplicate with an unknown ApplicationID.
  async 'application-pending'(browser, { services }) {
    const row = 'create-lead/duplicate-id';
    await services.injectFault({ kind: 'row', operation: 'create-lead', row });
    await browser.apply();
    await browser.send('GET', apiPaths.offers);
  },
  async 'application-rejected'(browser, { services }) {
    const text = `Invalid value for Company: ${applicationJson}`;
    const answer = { IsSuccessful: false, ResponseText: text };
    services.tamperings.push({ path: '/creditapp', change: () => answer });
    await browser.apply();
  },
  'consent-required': (browser) =>
    browser.apply({ ...canaryApplication, consents: [{ id: owner.ssn, version: owner.email }] }),
  async 'storage-unavailable'(browser, { open }) {
    await open.run('fill disk');
    await browser.apply();
    await open.run('free disk');
  },
  async internal(browser, { open }) {
    await open.run('break reader');
    await browser.apply();
  },
};

/** By a browser with an accepted application. */
const withApplication: Triggers = {
  // `requestsAtOnce` is 2, and two requests wait for the funding service.
  async 'too-busy'(browser, { apply, services }) {
    const fault = { kind: 'delay', operation: 'pre-approval-offer', delayMs: 500, times: 2 };
    const other = await apply();
    await services.injectFault(fault);
    const waiting = [browser, other].map(({ send }) => send('GET', apiPaths.offers));
    await waitUntil(() => services.sandbox.context.state.faults.length === 0, 'The slow call');
    await browser.send('GET', `${apiPaths.application}?${owner.ssn}`);
    await Promise.all(waiting);
  },
  'application-exists': (browser) => browser.apply(otherAnswers),
  'document-name-invalid': (browser) =>
    browser.upload(small.content, small.name, {
      [apiHeaders.documentName]: `${applicationHeader}%ZZ`,
    }),
  'document-category-invalid': (browser) =>
    browser.upload(small.content, small.name, { [apiHeaders.documentCategory]: applicationHeader }),
  'document-length-required': (browser) =>
    browser.send('POST', apiPaths.documents, toStream(small.content), toUploadHeaders(small.name)),
  'document-empty': (browser) => browser.upload(new Uint8Array(), small.name),
  'document-too-large': (browser) =>
    browser.upload(createTextPdf(applicationJson, maxDocumentBytes + 1), small.name),
  // The client is gone, so that only the log contains the problem.
  async 'document-incomplete'(browser, { open }) {
    const socket = browser.begin('POST', apiPaths.documents, {
      ...toUploadHeaders(small.name),
      'content-length': String(small.content.byteLength),
    });
    socket.write(small.content.subarray(0, -10), () => socket.end());
    const isLogged = () => open.stdout().includes('"code":"document-incomplete"');
    await waitUntil(isLogged, 'The log line of document-incomplete');
  },
  'document-type-refused': (browser) => browser.upload(small.content, `${small.name}.exe`),
  'document-type-mismatch': (browser) => browser.upload(Buffer.from(applicationJson), large.name),
  'document-damaged': (browser) => browser.upload(large.content.subarray(0, -40_000), large.name),
  'document-picture-damaged': (browser) =>
    browser.upload(writePlainPng([toTextChunk()]).subarray(0, -12), `${small.name}.png`),
  'document-password': (browser) => browser.upload(toBytes(writeEncrypted(owner.ssn)), small.name),
  'document-attachments': (browser) => uploadActive(browser, 'a named attachment'),
  'document-active-content': (browser) => uploadActive(browser, 'a program in a referenced action'),
  'document-media': (browser) => uploadActive(browser, 'rich media'),
  'document-scripts': (browser) => uploadActive(browser, 'a script that runs when the file opens'),
  async 'document-unsafe'(browser) {
    const archive = toBytes(`PK\x05\x06${'\0'.repeat(18)}`);
    const content = [small.content, archive, Buffer.from(applicationJson)];
    await browser.upload(Buffer.concat(content), small.name);
    for (const file of polyglots.slice(0, 3))
      await browser.upload(file.make(), `${small.name}.${file.extension}`);
  },
  'document-too-many-pixels': (browser) =>
    browser.upload(
      writePlainPng([toTextChunk()], { width: 50_000, height: 50_000 }),
      `${small.name}.png`,
    ),
  'document-not-checked': (browser, environment) =>
    uploadWithoutInspection(browser, environment, small),
  'inspection-unavailable': (browser, environment) =>
    uploadWithoutInspection(browser, environment, large),
  'document-infected': (browser) => browser.upload(createTextPdf(infectedMark), small.name),
  async 'document-limit-reached'(browser) {
    for (let number = 0; number <= maxFiles; number += 1)
      await browser.upload(createTextPdf(`canary-bytes-small-91ae ${number}`), small.name);
  },
  async 'document-space-exhausted'(browser) {
    await browser.upload(large.content, large.name);
    await browser.upload(createTextPdf('canary-bytes-small-91ae', 300_000), large.name);
  },
  async 'document-rejected'(browser, { services }) {
    const row = 'upload-file/category-not-allowed';
    const subject = owner.ssn;
    await services.injectFault({ kind: 'row', operation: 'upload-file', row, subject });
    await browser.upload(small.content, small.name);
  },
  'document-missing': (browser) =>
    browser.send('POST', apiPaths.documentCategory, '{"number":1,"category":"other"}'),
  async 'document-sent'(browser) {
    await browser.upload(small.content, small.name);
    await browser.send('POST', apiPaths.documentRemoval, '{"number":1}');
  },
  'asset-report-invalid': (browser) =>
    browser.send('POST', apiPaths.assetReport, canaryReport.slice(1)),
  async 'asset-report-rejected'(browser, { services }) {
    const row = 'asset-report/report-invalid';
    const subject = owner.ssn;
    await services.injectFault({ kind: 'row', operation: 'asset-report', row, subject });
    await browser.send('POST', apiPaths.assetReport, canaryReport);
  },
  async 'handoff-expired'(browser, environment) {
    const { token } = await createHandoff(browser);
    await environment.open.run('expire handoffs');
    await claim(openPhone(environment), { token });
  },
  async 'handoff-claimed'(browser, environment) {
    const { token, code } = await connectPhone(browser, openPhone(environment));
    await claim(openPhone(environment), { token });
    await claim(openPhone(environment), { code });
  },
  async 'service-refused'(browser, { services }) {
    const given = { ReferenceID: `${owner.ssn} ${applicationJson}` };
    const change = (answer: object) => ({ ...answer, ...given });
    services.tamperings.push({ path: offersPath, change });
    await browser.send('GET', apiPaths.offers);
  },
  async 'service-unavailable'(browser, { services }) {
    services.tamperings.push({ path: offersPath, change: () => ({ message: applicationJson }) });
    await browser.send('GET', apiPaths.offers);
  },
};

/** By a browser with an accepted application, and a phone. */
const withPhone: Readonly<
  Partial<Record<ProblemCode, (browser: CanaryBrowser, phone: Browser) => Promise<unknown>>>
> = {
  async 'handoff-revoked'(browser, phone) {
    await connectPhone(browser, phone);
    await browser.send('DELETE', apiPaths.handoff);
    await phone.upload(small.content, small.name);
  },
  async 'handoff-wrong-number'(browser, phone) {
    const { token, number } = await createHandoff(browser);
    const { json } = await claim(phone, { token });
    await confirm(phone, pickWrong(json.choices, number));
  },
  async 'handoff-declined'(browser, phone) {
    const { token } = await createHandoff(browser);
    await claim(phone, { token });
    await phone.send('DELETE', apiPaths.handoff);
    await phone.send('GET', apiPaths.handoff);
  },
  async 'handoff-ended'(browser, phone) {
    await connectPhone(browser, phone);
    await phone.upload(large.content, large.name);
    await phone.send('GET', apiPaths.documents);
    await phone.send('DELETE', apiPaths.handoff);
    await phone.send('GET', apiPaths.handoff);
  },
  async 'forbidden-scope'(browser, phone) {
    await connectPhone(browser, phone);
    await phone.send('POST', apiPaths.application, applicationJson);
  },
};

/** In the order of the codes, because some triggers use up a limit. */
export async function triggerAllProblems(environment: CanaryEnvironment): Promise<void> {
  for (const code of problemCodes) {
    await withoutSession[code]?.(environment.browse(), environment);
    if (withSession[code]) await withSession[code](await environment.begin(), environment);
    if (withApplication[code]) await withApplication[code](await environment.apply(), environment);
    if (withPhone[code]) await withPhone[code](await environment.apply(), openPhone(environment));
  }
}

function post(
  { send }: CanaryBrowser,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  return send('POST', apiPaths.application, applicationJson, headers);
}

function openPhone({ open, answers }: CanaryEnvironment): Browser {
  return createCanaryPhone(open, answers);
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function toTextChunk(): Buffer {
  return toChunk('tEXt', Buffer.from(`Comment\0${applicationJson}`));
}

async function uploadWithoutInspection(
  browser: CanaryBrowser,
  { open }: CanaryEnvironment,
  { content, name }: (typeof canaryDocuments)[number],
): Promise<void> {
  await open.run('break inspections');
  await browser.upload(content, name);
  await open.run('restore inspections');
}

async function uploadActive(browser: CanaryBrowser, name: string): Promise<unknown> {
  const content = activeContents.find((active) => active.name === name);
  if (!content) throw new RangeError(`Unknown active content: ${name}.`);
  return browser.upload(writePdfRow(content), small.name);
}
