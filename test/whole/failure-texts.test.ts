// Failures of real platforms through the whole BFF. None of them deletes content.

import { afterEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../shared/api/paths.ts';
import type { Browser } from '../support/applicant.ts';
import { startBff, type TestBff } from '../support/bff.ts';
import { failureTexts, type FailureText } from '../support/failure-texts.ts';
import { createResponse } from '../support/scripted-transport.ts';
import { createTextPdf } from '../support/files/pdf.ts';

const statuses = [200, 401, 500] as const;
/** One of each kind. How every text is classified, with every status and in every shape: delivery/failure-matrix.test.ts. */
const texts = failureTexts.filter(({ text }) =>
  [
    'unable to obtain exclusive access to this record',
    'Unexpected token < in JSON at position 0',
    'Too Many Requests',
    '',
  ].includes(text),
);
const pdf = createTextPdf('Statement of March');

let bff: TestBff;

afterEach(() => bff.close());

/** Creates a BFF, and makes the next calls of one operation return this failure. */
async function fail(path: string, status: number, { text, code }: FailureText): Promise<void> {
  bff = await startBff();
  const own = { IsSuccessful: false, ResponseText: text, ResponseMessage: text };
  const result = createResponse(
    status,
    code === undefined ? own : [{ errorCode: code, message: text }],
  );
  // After a 401, the BFF renews the token and repeats the call once.
  bff.faults.push({ path, result }, ...(status === 401 ? [{ path, result }] : []));
}

async function findApplication(browser: Browser) {
  const { reference } = (await browser.send('GET', apiPaths.application)).json;
  const application = await bff.store.findApplication(reference);
  if (!application) throw new Error('The application is gone');
  return application;
}

describe.each(statuses)('a failure with status %i', (status) => {
  it.each(texts)('with "$text" keeps the application', async (failure) => {
    await fail('/creditapp', status, failure);
    const browser = bff.openBrowser();
    const response = await browser.apply();
    expect([response.status, response.json.status]).toEqual([202, 'received']);
    const application = await findApplication(browser);
    expect(application.state).toBe('waiting');
    expect(application.encryptedLead).toBeDefined();
  });

  it.each(texts)('with "$text" keeps the document', async (failure) => {
    await fail('/UploadFileApiV1', status, failure);
    const browser = bff.openBrowser();
    await browser.apply();
    const response = await browser.upload(pdf);
    expect([response.status, response.json.status]).toEqual([202, 'received']);
    const { id } = await findApplication(browser);
    const [document] = await bff.store.listAttachments(id, 'document');
    expect(document?.state).toBe('waiting');
    expect(await bff.store.readChunk(document?.id ?? '', 0)).toBeDefined();
  });

  it.each(texts)('with "$text" keeps the contact request', async (failure) => {
    await fail('/contactUser', status, failure);
    const browser = bff.openBrowser();
    await browser.apply();
    const consent = { id: 'contact', version: 'placeholder-1' };
    const response = await browser.send('POST', apiPaths.contact, JSON.stringify({ consent }));
    expect([response.status, response.json]).toEqual([202, { contact: 'received' }]);
  });
});
