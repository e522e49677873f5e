// Triggers each problem of the API, with applicant data in every part of the request or response that can contain it.

import { randomUUID } from 'node:crypto';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { ProblemCode } from '../../../shared/api/problem-codes.ts';
import { canaryApplication, canaryDocuments, canaryReport } from '../../support/canaries.ts';
import { createTextPdf, writeEncrypted, writePdfRow } from '../../support/files/pdf.ts';
import { toUploadHeaders } from '../../support/applicant.ts';
import { claim, confirm, connectPhone, createHandoff, pickWrong } from '../../support/handoff.ts';
import {
  type CanaryEnvironment,
  createCanaryPhone,
  infectedMark,
  maxDocumentBytes,
  maxFiles,
} from './canary-environment.ts';
import { activeContents } from '../../support/bad-files/active-pdfs.ts';
import { toBytes } from '../../support/files/bytes.ts';
import { toChunk, writePlainPng } from '../../support/files/images.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { polyglots } from './files/disguises.ts';

type Trigger = (environment: CanaryEnvironment) => Promise<unknown>;

const { owner, business } = canaryApplication;
const [large, small] = canaryDocuments;
const applicationJson = JSON.stringify(canaryApplication);
/** Header values are limited to Latin-1. */
const applicationHeader = encodeURIComponent(applicationJson).slice(0, 2_000);
const delayMs = 500;

export const problemTriggers: Readonly<Record<ProblemCode, Trigger>> = {
  'origin-refused': ({ browse }) =>
    browse().send('POST', apiPaths.application, applicationJson, {
      origin: `https://${owner.ssn}.example`,
    }),
  'header-missing': ({ browse }) =>
    browse().send('POST', apiPaths.application, applicationJson, {
      [apiHeaders.request]: applicationHeader,
    }),
  'not-found': async ({ begin }) =>
    (await begin()).send('GET', `/v1/${owner.ssn}?email=${owner.email}`),
  'method-not-allowed': ({ browse }) =>
    browse().send('PUT', `${apiPaths.application}?${owner.ssn}`, applicationJson),
  'unsupported-media-type': ({ browse }) =>
    browse().send('POST', apiPaths.application, applicationJson, {
      'content-type': `text/${owner.ssn}`,
    }),
  'too-large': async ({ begin }) =>
    (await begin()).apply({
      ...canaryApplication,
      business: { ...business, name: applicationJson.repeat(60) },
    }),
  'invalid-request': async ({ begin }) =>
    (await begin()).apply({
      ...canaryApplication,
      [owner.ssn]: owner,
      owner: { ...owner, ssn: owner.birthDate },
    }),
  'session-missing': ({ browse }) =>
    browse().send('POST', apiPaths.application, applicationJson, {
      cookie: `funding-session=${applicationHeader}`,
      authorization: `Funding ${applicationHeader}`,
    }),
  'too-many-requests': async ({ browse, strict }) => {
    await browse(strict).send('POST', apiPaths.session);
    await browse(strict).send('POST', apiPaths.session);
  },
  // `requestsAtOnce` is 2, and two requests wait for the funding service.
  'too-busy': async ({ apply, services }) => {
    const browsers = [await apply(), await apply()];
    await services.injectFault({
      kind: 'delay',
      operation: 'pre-approval-offer',
      delayMs,
      times: 2,
    });
    const waiting = browsers.map((browser) => browser.send('GET', apiPaths.offers));
    await waitUntil(() => services.sandbox.context.state.faults.length === 0, 'The slow call');
    await browsers[0]?.send('GET', `${apiPaths.application}?${owner.ssn}`);
    await Promise.all(waiting);
  },
  // Another address, because `too-many-requests` used the only session of this minute.
  'too-soon': async ({ browse, strict }) => {
    const browser = browse(strict);
    const address = { 'x-forwarded-for': '203.0.113.7' };
    await browser.send('POST', apiPaths.session, undefined, address);
    await browser.apply(canaryApplication, address);
  },
  'automation-suspected': async ({ begin }) =>
    (await begin()).apply(canaryApplication, { [apiHeaders.honeypot]: applicationHeader }),
  'challenge-required': async ({ begin }) =>
    (await begin()).apply(canaryApplication, { [apiHeaders.challenge]: applicationHeader }),
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
  'application-missing': async ({ begin }) => (await begin()).upload(small.content, small.name),
  // The funding service reports a duplicate with an unknown ApplicationID.
  'application-pending': async ({ begin, services }) => {
    await services.injectFault({
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
      change: () => ({
        IsSuccessful: false,
        ResponseText: `Invalid value for Company: ${applicationJson}`,
      }),
    });
    await (await begin()).apply();
  },
  'consent-required': async ({ begin }) =>
    (await begin()).apply({
      ...canaryApplication,
      consents: [{ id: owner.ssn, version: owner.email }],
    }),
  'document-name-invalid': async ({ apply }) =>
    (await apply()).upload(small.content, small.name, {
      [apiHeaders.documentName]: `${applicationHeader}%ZZ`,
    }),
  'document-category-invalid': async ({ apply }) =>
    (await apply()).upload(small.content, small.name, {
      [apiHeaders.documentCategory]: applicationHeader,
    }),
  'document-length-required': async ({ apply }) =>
    (await apply()).send(
      'POST',
      apiPaths.documents,
      toStream(small.content),
      toUploadHeaders(small.name),
    ),
  'document-empty': async ({ apply }) => (await apply()).upload(new Uint8Array(), small.name),
  'document-too-large': async ({ apply }) =>
    (await apply()).upload(createTextPdf(applicationJson, maxDocumentBytes + 1), small.name),
  // The client is gone, so that only the log contains the problem.
  'document-incomplete': async ({ apply, open }) => {
    const browser = await apply();
    const socket = browser.begin('POST', apiPaths.documents, {
      ...toUploadHeaders(small.name),
      'content-length': String(small.content.byteLength),
    });
    socket.write(small.content.subarray(0, -10), () => socket.end());
    await waitForLog(open, 'document-incomplete');
  },
  'document-type-refused': async ({ apply }) =>
    (await apply()).upload(small.content, `${small.name}.exe`),
  'document-type-mismatch': async ({ apply }) =>
    (await apply()).upload(Buffer.from(applicationJson), large.name),
  'document-damaged': async ({ apply }) =>
    (await apply()).upload(large.content.subarray(0, -40_000), large.name),
  'document-picture-damaged': async ({ apply }) => {
    const text = toChunk('tEXt', Buffer.from(`Comment\0${applicationJson}`));
    return (await apply()).upload(writePlainPng([text]).subarray(0, -12), `${small.name}.png`);
  },
  'document-password': async ({ apply }) =>
    (await apply()).upload(toBytes(writeEncrypted(owner.ssn)), small.name),
  'document-attachments': ({ apply }) => uploadActive(apply, 'a named attachment'),
  'document-active-content': ({ apply }) => uploadActive(apply, 'a program in a referenced action'),
  'document-media': ({ apply }) => uploadActive(apply, 'rich media'),
  'document-scripts': ({ apply }) => uploadActive(apply, 'a script that runs when the file opens'),
  'document-unsafe': async ({ apply }) => {
    const browser = await apply();
    const content = Buffer.concat([
      small.content,
      Buffer.from('PK\x05\x06'),
      Buffer.alloc(18),
      Buffer.from(applicationJson),
    ]);
    await browser.upload(content, small.name);
    for (const file of polyglots.slice(0, 3))
      await browser.upload(file.make(), `${small.name}.${file.extension}`);
  },
  'document-too-many-pixels': async ({ apply }) => {
    const text = toChunk('tEXt', Buffer.from(`Comment\0${applicationJson}`));
    const picture = writePlainPng([text], { width: 50_000, height: 50_000 });
    return (await apply()).upload(picture, `${small.name}.png`);
  },
  'document-not-checked': async ({ apply, open }) => {
    await open.run('break inspections');
    await (await apply()).upload(small.content, small.name);
    await open.run('restore inspections');
  },
  'inspection-unavailable': async ({ apply, open }) => {
    await open.run('break inspections');
    await (await apply()).upload(large.content, large.name);
    await open.run('restore inspections');
  },
  'document-infected': async ({ apply }) =>
    (await apply()).upload(createTextPdf(infectedMark), small.name),
  'document-limit-reached': async ({ apply }) => {
    const browser = await apply();
    for (let number = 0; number <= maxFiles; number += 1) {
      await browser.upload(createTextPdf(`canary-bytes-small-91ae ${number}`), small.name);
    }
  },
  'document-space-exhausted': async ({ apply }) => {
    const browser = await apply();
    await browser.upload(large.content, large.name);
    await browser.upload(createTextPdf('canary-bytes-small-91ae', 300_000), large.name);
  },
  'document-rejected': async ({ apply, services }) => {
    const browser = await apply();
    await services.injectFault({
      kind: 'row',
      operation: 'upload-file',
      row: 'upload-file/category-not-allowed',
      subject: owner.ssn,
    });
    await browser.upload(small.content, small.name);
  },
  'document-missing': async ({ apply }) =>
    (await apply()).send('POST', apiPaths.documentCategory, '{"number":1,"category":"other"}'),
  'document-sent': async ({ apply }) => {
    const browser = await apply();
    await browser.upload(small.content, small.name);
    await browser.send('POST', apiPaths.documentRemoval, '{"number":1}');
  },
  'asset-report-invalid': async ({ apply }) =>
    (await apply()).send('POST', apiPaths.assetReport, canaryReport.slice(1)),
  'asset-report-rejected': async ({ apply, services }) => {
    const browser = await apply();
    await services.injectFault({
      kind: 'row',
      operation: 'asset-report',
      row: 'asset-report/report-invalid',
      subject: owner.ssn,
    });
    await browser.send('POST', apiPaths.assetReport, canaryReport);
  },
  'handoff-not-found': ({ open, answers }) =>
    claim(createCanaryPhone(open, answers), { token: owner.ssn, code: undefined }),
  'handoff-expired': async ({ apply, open, answers }) => {
    const { token } = await createHandoff(await apply());
    await open.run('expire handoffs');
    await claim(createCanaryPhone(open, answers), { token });
  },
  'handoff-claimed': async ({ apply, open, answers }) => {
    const { token, code } = await connectPhone(await apply(), createCanaryPhone(open, answers));
    await claim(createCanaryPhone(open, answers), { token });
    await claim(createCanaryPhone(open, answers), { code });
  },
  'handoff-revoked': async ({ apply, open, answers }) => {
    const desktop = await apply();
    const phone = createCanaryPhone(open, answers);
    await connectPhone(desktop, phone);
    await desktop.send('DELETE', apiPaths.handoff);
    await phone.upload(small.content, small.name);
  },
  'handoff-wrong-number': async ({ apply, open, answers }) => {
    const phone = createCanaryPhone(open, answers);
    const { token, number } = await createHandoff(await apply());
    const { json } = await claim(phone, { token });
    await confirm(phone, pickWrong(json.choices, number));
  },
  'handoff-declined': async ({ apply, open, answers }) => {
    const phone = createCanaryPhone(open, answers);
    const { token } = await createHandoff(await apply());
    await claim(phone, { token });
    await phone.send('DELETE', apiPaths.handoff);
    await phone.send('GET', apiPaths.handoff);
  },
  'handoff-ended': async ({ apply, open, answers }) => {
    const phone = createCanaryPhone(open, answers);
    await connectPhone(await apply(), phone);
    await phone.upload(large.content, large.name);
    await phone.send('GET', apiPaths.documents);
    await phone.send('DELETE', apiPaths.handoff);
    await phone.send('GET', apiPaths.handoff);
  },
  'forbidden-scope': async ({ apply, open, answers }) => {
    const phone = createCanaryPhone(open, answers);
    await connectPhone(await apply(), phone);
    await phone.send('POST', apiPaths.application, applicationJson);
  },
  'service-refused': async ({ apply, services }) => {
    const browser = await apply();
    services.tamperings.push({
      path: '/getPreApprovalOffer',
      change: (answer) => ({ ...answer, ReferenceID: `${owner.ssn} ${applicationJson}` }),
    });
    await browser.send('GET', apiPaths.offers);
  },
  'service-unavailable': async ({ apply, services }) => {
    const browser = await apply();
    services.tamperings.push({
      path: '/getPreApprovalOffer',
      change: () => ({ message: applicationJson }),
    });
    await browser.send('GET', apiPaths.offers);
  },
  'storage-unavailable': async ({ begin, open }) => {
    const browser = await begin();
    await open.run('fill disk');
    await browser.apply();
    await open.run('free disk');
  },
  internal: async ({ begin, open }) => {
    const browser = await begin();
    await open.run('break reader');
    await browser.apply();
  },
};

/** Resolves when the log contains the problem code. */
async function waitForLog({ stdout }: CanaryEnvironment['open'], code: string): Promise<void> {
  await waitUntil(() => stdout().includes(`"code":"${code}"`), `The log line of ${code}`);
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function uploadActive(apply: CanaryEnvironment['apply'], name: string): Promise<unknown> {
  const content = activeContents.find((active) => active.name === name);
  if (!content) throw new RangeError(`Unknown active content: ${name}.`);
  const browser = await apply();
  return browser.upload(writePdfRow(content), small.name);
}
