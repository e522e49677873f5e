// How each problem of the contract comes about, with what the applicant typed in every place it can be.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problems.ts';
import { canaryApplication, canaryDocuments, canaryReport } from '../support/canary-applicant.ts';
import { createTextPdf } from '../support/text-pdf.ts';
import { toUploadHeaders } from './canary-browser.ts';
import { infectedMark } from './canary-services.ts';
import { maxDocumentBytes, maxFiles, type CanaryStage } from './canary-stage.ts';
import { activeContents } from './files/active-content.ts';
import { toBytes } from '../support/file-writers/bytes.ts';
import { toChunk, writePlainPng } from '../support/file-writers/image-writer.ts';
import { writeEncrypted } from './files/pdf-encryption.ts';
import { addObjects, writePdfText } from '../support/file-writers/pdf-writer.ts';
import { polyglots } from './files/polyglots.ts';

type Provoke = (stage: CanaryStage) => Promise<unknown>;

const { owner, business } = canaryApplication;
const [large, small] = canaryDocuments;
const typed = JSON.stringify(canaryApplication);
/** Headers carry no more than Latin-1. */
const typedHeader = encodeURIComponent(typed).slice(0, 2_000);
const delayMs = 500;

export const provocations: Readonly<Record<ProblemCode, Provoke>> = {
  'origin-refused': ({ browse }) =>
    browse().send('POST', apiPaths.application, typed, { origin: `https://${owner.ssn}.example` }),
  'header-missing': ({ browse }) =>
    browse().send('POST', apiPaths.application, typed, { [apiHeaders.request]: typedHeader }),
  'not-found': async ({ begin }) =>
    (await begin()).send('GET', `/v1/${owner.ssn}?email=${owner.email}`),
  'method-not-allowed': ({ browse }) =>
    browse().send('PUT', `${apiPaths.application}?${owner.ssn}`, typed),
  'unsupported-media-type': ({ browse }) =>
    browse().send('POST', apiPaths.application, typed, { 'content-type': `text/${owner.ssn}` }),
  'too-large': async ({ begin }) =>
    (await begin()).apply({
      ...canaryApplication,
      business: { ...business, name: typed.repeat(60) },
    }),
  'invalid-request': async ({ begin }) =>
    (await begin()).apply({
      ...canaryApplication,
      [owner.ssn]: owner,
      owner: { ...owner, ssn: owner.birthDate },
    }),
  'session-missing': ({ browse }) =>
    browse().send('POST', apiPaths.application, typed, {
      cookie: `funding-session=${typedHeader}`,
      authorization: `Funding ${typedHeader}`,
    }),
  'too-many-requests': async ({ browse, narrow }) => {
    await browse(narrow).send('POST', apiPaths.session);
    await browse(narrow).send('POST', apiPaths.session);
  },
  // Two that wait for the service are all it does at once.
  'too-busy': async ({ apply, services }) => {
    const browsers = [await apply(), await apply()];
    await services.order({ kind: 'delay', operation: 'pre-approval-offer', delayMs, times: 2 });
    const waiting = browsers.map((browser) => browser.send('GET', apiPaths.offers));
    while (services.sandbox.context.state.faults.length > 0) await sleep(10);
    await browsers[0]?.send('GET', `${apiPaths.application}?${owner.ssn}`);
    await Promise.all(waiting);
  },
  // A place of its own: the other BFF's only session is taken.
  'too-soon': async ({ browse, narrow }) => {
    const browser = browse(narrow);
    const address = { 'x-forwarded-for': '203.0.113.7' };
    await browser.send('POST', apiPaths.session, undefined, address);
    await browser.apply(canaryApplication, address);
  },
  'automation-suspected': async ({ begin }) =>
    (await begin()).apply(canaryApplication, { [apiHeaders.honeypot]: typedHeader }),
  'challenge-required': async ({ begin }) =>
    (await begin()).apply(canaryApplication, { [apiHeaders.challenge]: typedHeader }),
  'challenge-unavailable': async ({ begin }) =>
    (await begin()).apply(canaryApplication, { [apiHeaders.challenge]: `away${owner.ssn}` }),
  'idempotency-key-missing': async ({ begin }) =>
    (await begin()).apply(canaryApplication, { [apiHeaders.idempotencyKey]: owner.ssn }),
  'idempotency-key-reused': async ({ begin }) => {
    const browser = await begin();
    const key = { [apiHeaders.idempotencyKey]: randomUUID() };
    await browser.apply(canaryApplication, key);
    await browser.apply({ ...canaryApplication, owner: { ...owner, firstName: 'Z' } }, key);
  },
  'application-exists': async ({ apply }) =>
    (await apply()).apply({ ...canaryApplication, owner: { ...owner, firstName: 'Z' } }),
  'application-missing': async ({ begin }) => (await begin()).upload(small.name, small.content),
  // One that the service says it has already, under an ID nobody knows.
  'application-pending': async ({ begin, services }) => {
    await services.order({
      kind: 'row',
      operation: 'create-lead',
      row: 'create-lead/duplicate-id',
    });
    const browser = await begin();
    await browser.apply();
    await browser.send('GET', apiPaths.offers);
  },
  'application-rejected': async ({ begin, services }) => {
    services.tamperings.push({
      path: '/creditapp',
      change: () => ({ IsSuccessful: false, ResponseText: `Invalid value for Company: ${typed}` }),
    });
    await (await begin()).apply();
  },
  'consent-required': async ({ begin }) =>
    (await begin()).apply({
      ...canaryApplication,
      consents: [{ id: owner.ssn, version: owner.email }],
    }),
  'document-name-invalid': async ({ apply }) =>
    (await apply()).upload(small.name, small.content, {
      [apiHeaders.documentName]: `${typedHeader}%ZZ`,
    }),
  'document-category-invalid': async ({ apply }) =>
    (await apply()).upload(small.name, small.content, {
      [apiHeaders.documentCategory]: typedHeader,
    }),
  'document-length-required': async ({ apply }) =>
    (await apply()).send(
      'POST',
      apiPaths.documents,
      toStream(small.content),
      toUploadHeaders(small.name),
    ),
  'document-empty': async ({ apply }) => (await apply()).upload(small.name, new Uint8Array()),
  'document-too-large': async ({ apply }) =>
    (await apply()).upload(small.name, createTextPdf(typed, maxDocumentBytes + 1)),
  // Nobody is there any more to be told; it stands in the log.
  'document-incomplete': async ({ apply, open }) => {
    const browser = await apply();
    const socket = browser.begin('POST', apiPaths.documents, {
      ...toUploadHeaders(small.name),
      'content-length': String(small.content.byteLength),
    });
    socket.write(small.content.subarray(0, -10), () => socket.end());
    await untilLogged(open, 'document-incomplete');
  },
  'document-type-refused': async ({ apply }) =>
    (await apply()).upload(`${small.name}.exe`, small.content),
  'document-type-mismatch': async ({ apply }) =>
    (await apply()).upload(large.name, Buffer.from(typed)),
  'document-damaged': async ({ apply }) =>
    (await apply()).upload(large.name, large.content.subarray(0, -40_000)),
  'document-picture-damaged': async ({ apply }) => {
    const text = toChunk('tEXt', Buffer.from(`Comment\0${typed}`));
    return (await apply()).upload(`${small.name}.png`, writePlainPng([text]).subarray(0, -12));
  },
  'document-password': async ({ apply }) =>
    (await apply()).upload(small.name, toBytes(writeEncrypted(owner.ssn))),
  'document-attachments': ({ apply }) => uploadActive(apply, 'an attachment by name'),
  'document-active-content': ({ apply }) => uploadActive(apply, 'a program started'),
  'document-media': ({ apply }) => uploadActive(apply, 'rich media'),
  'document-scripts': ({ apply }) => uploadActive(apply, 'JavaScript at opening'),
  'document-unsafe': async ({ apply }) => {
    const browser = await apply();
    const content = Buffer.concat([
      small.content,
      Buffer.from('PK\x05\x06'),
      Buffer.alloc(18),
      Buffer.from(typed),
    ]);
    await browser.upload(small.name, content);
    for (const file of polyglots.slice(0, 3))
      await browser.upload(`${small.name}.${file.extension}`, file.make());
  },
  'document-too-many-pixels': async ({ apply }) => {
    const text = toChunk('tEXt', Buffer.from(`Comment\0${typed}`));
    const picture = writePlainPng([text], { width: 50_000, height: 50_000 });
    return (await apply()).upload(`${small.name}.png`, picture);
  },
  'document-not-checked': async ({ apply, open }) => {
    await open.order('break inspections');
    await (await apply()).upload(small.name, small.content);
    await open.order('mend inspections');
  },
  'inspection-unavailable': async ({ apply, open }) => {
    await open.order('break inspections');
    await (await apply()).upload(large.name, large.content);
    await open.order('mend inspections');
  },
  'document-infected': async ({ apply }) =>
    (await apply()).upload(small.name, createTextPdf(infectedMark)),
  'document-limit-reached': async ({ apply }) => {
    const browser = await apply();
    for (let number = 0; number <= maxFiles; number += 1) {
      await browser.upload(small.name, createTextPdf(`canary-bytes-small-91ae ${number}`));
    }
  },
  'document-space-exhausted': async ({ apply }) => {
    const browser = await apply();
    await browser.upload(large.name, large.content);
    await browser.upload(large.name, createTextPdf('canary-bytes-small-91ae', 300_000));
  },
  'document-rejected': async ({ apply, services }) => {
    const browser = await apply();
    await services.order({
      kind: 'row',
      operation: 'upload-file',
      row: 'upload-file/category-not-allowed',
      subject: owner.ssn,
    });
    await browser.upload(small.name, small.content);
  },
  'asset-report-invalid': async ({ apply }) =>
    (await apply()).send('POST', apiPaths.assetReport, canaryReport.slice(1)),
  'asset-report-rejected': async ({ apply, services }) => {
    const browser = await apply();
    await services.order({
      kind: 'row',
      operation: 'asset-report',
      row: 'asset-report/report-invalid',
      subject: owner.ssn,
    });
    await browser.send('POST', apiPaths.assetReport, canaryReport);
  },
  'service-refused': async ({ apply, services }) => {
    const browser = await apply();
    services.tamperings.push({
      path: '/getPreApprovalOffer',
      change: (answer) => ({ ...answer, ReferenceID: `${owner.ssn} ${typed}` }),
    });
    await browser.send('GET', apiPaths.offers);
  },
  'service-unavailable': async ({ apply, services }) => {
    const browser = await apply();
    services.tamperings.push({ path: '/getPreApprovalOffer', change: () => ({ message: typed }) });
    await browser.send('GET', apiPaths.offers);
  },
  'storage-unavailable': async ({ begin, open }) => {
    const browser = await begin();
    await open.order('fill disk');
    await browser.apply();
    await open.order('empty disk');
  },
  internal: async ({ begin, open }) => {
    const browser = await begin();
    await open.order('break reader');
    await browser.apply();
  },
};

/** Until a line of its log holds the code. */
async function untilLogged({ stdout }: CanaryStage['open'], code: string): Promise<void> {
  while (!stdout().includes(`"code":"${code}"`)) await sleep(10);
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function uploadActive(apply: CanaryStage['apply'], name: string): Promise<unknown> {
  const content = activeContents.find((active) => active.name === name);
  if (!content) throw new RangeError('There is no such file');
  const browser = await apply();
  return browser.upload(small.name, toBytes(addObjects(writePdfText(), content.objects)));
}
