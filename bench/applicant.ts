// An applicant with an accepted application who uploads large files to a BFF process.

import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { applicationStatusSchema } from '../shared/api/application-status.ts';
import { documentListSchema } from '../shared/api/attachments.ts';
import { apiPaths } from '../shared/api/paths.ts';
import {
  createBrowser,
  createHttpSender,
  createKey,
  toUploadHeaders,
  type Answer,
} from '../test/support/applicant.ts';
import { createApplication } from '../test/support/applications.ts';
import type { TestFile } from '../test/support/files/realistic-files.ts';
import type { Stack } from '../test/support/stack.ts';

export interface Applicant {
  upload(file: TestFile): Promise<void>;
  /** Waits until the funding service has this many documents of this applicant. */
  waitForDelivery(documents: number): Promise<void>;
}

const timeoutMs = 120_000;

/** Creates an applicant with an accepted application. */
export async function createApplicant({ bffUrl, pageUrl }: Stack): Promise<Applicant> {
  const { send } = createHttpSender([bffUrl], timeoutMs);
  const browser = createBrowser({ send, origin: pageUrl });
  const application = createApplication({}, { campaignId: undefined });
  expectSuccess(await browser.apply(application, createKey()));
  await waitUntil('The application is not accepted', async () => {
    const { json } = expectSuccess(await browser.send('GET', apiPaths.application));
    return applicationStatusSchema.parse(json).status === 'accepted';
  });
  return {
    async upload({ name, bytes, path }) {
      const headers = toUploadHeaders(name, bytes);
      const content = createReadStream(path);
      expectSuccess(await browser.send('POST', apiPaths.documents, content, headers));
    },
    async waitForDelivery(documents) {
      await waitUntil(`${documents} documents are not delivered`, async () => {
        const { json } = expectSuccess(await browser.send('GET', apiPaths.documents));
        const list = documentListSchema.parse(json).documents;
        return list.filter(({ status }) => status === 'delivered').length >= documents;
      });
    },
  };
}

function expectSuccess(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

async function waitUntil(failure: string, isReached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isReached())) {
    if (Date.now() > deadline) throw new Error(`${failure} after ${timeoutMs / 1000} seconds`);
    await sleep(50);
  }
}
