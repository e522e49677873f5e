// An applicant's browser as the BFF sees it: one session over the /v1 contract.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { applicationStatusSchema } from '../shared/api/application-status.ts';
import { configurationSchema, type Configuration } from '../shared/api/configuration.ts';
import { documentListSchema } from '../shared/api/attachments.ts';
import { apiHeaders, apiPaths } from '../shared/api/paths.ts';
import type { Application } from '../shared/application/application.ts';
import type { TestFile } from '../test/support/files/realistic-files.ts';
import type { Stack } from '../test/support/stack.ts';

export interface Applicant {
  upload(file: TestFile): Promise<void>;
  /** Waits until the funding service has this many documents of this applicant. */
  waitForDelivery(documents: number): Promise<void>;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | NodeJS.ReadableStream;
}

const timeoutMs = 120_000;
const address = { street: '418 Granary Street', city: 'Lancaster', state: 'PA', zip: '17603' };

/** Creates an applicant with an accepted application. */
export async function createApplicant(stack: Stack): Promise<Applicant> {
  let cookie = '';

  async function send(method: 'GET' | 'POST', path: string, sent: Sent = {}): Promise<unknown> {
    const answer = await request(stack.bffUrl + path, {
      method,
      headers: {
        origin: stack.pageUrl,
        [apiHeaders.request]: '1',
        ...(cookie && { cookie }),
        ...sent.headers,
      },
      // Node's stream type and undici's stream type differ in one overload only.
      body: (sent.body ?? null) as string | null,
      headersTimeout: timeoutMs,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    const setCookie = [answer.headers['set-cookie'] ?? []].flat()[0];
    if (setCookie) cookie = setCookie.split(';', 1)[0] ?? '';
    return text === '' ? undefined : JSON.parse(text);
  }

  function sendJson(path: string, body: unknown, headers: Record<string, string> = {}) {
    return send('POST', path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  async function apply(): Promise<void> {
    const configuration = configurationSchema.parse(await send('GET', apiPaths.configuration));
    await sendJson(apiPaths.session, {});
    const key = { [apiHeaders.idempotencyKey]: randomUUID() };
    await sendJson(apiPaths.application, createApplication(configuration), key);
    await waitUntil('The application is not accepted', async () => {
      const answer = await send('GET', apiPaths.application);
      return applicationStatusSchema.parse(answer).status === 'accepted';
    });
  }

  await apply();
  return {
    async upload(file) {
      await send('POST', apiPaths.documents, {
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(file.bytes),
          [apiHeaders.documentName]: encodeURIComponent(file.name),
          [apiHeaders.documentCategory]: 'bank-statements',
        },
        body: createReadStream(file.path),
      });
    },
    async waitForDelivery(documents) {
      await waitUntil(`${documents} documents are not delivered`, async () => {
        const list = documentListSchema.parse(await send('GET', apiPaths.documents));
        return list.documents.filter(({ status }) => status === 'delivered').length >= documents;
      });
    },
  };
}

async function waitUntil(failure: string, isReached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isReached())) {
    if (Date.now() > deadline) throw new Error(`${failure} after ${timeoutMs / 1000} seconds`);
    await sleep(50);
  }
}

function createApplication(configuration: Configuration): Application {
  const first = (choices: Configuration['businessTypes']) => choices[0]?.value ?? '';
  return {
    fundingNeed: { amount: 45_000, reason: first(configuration.fundingReasons) },
    business: {
      name: 'Granary Street Bakery LLC',
      type: first(configuration.businessTypes),
      industry: 'Food & Beverage',
      address,
      annualRevenue: 495_000,
      foundedMonth: 4,
      foundedYear: 2016,
      employees: 9,
      taxId: '123456789',
    },
    owner: {
      firstName: 'Ada',
      lastName: 'Baker',
      email: 'ada@bakery.example',
      phone: '7175550148',
      homeAddress: address,
      birthDate: '1984-05-17',
      ssn: '123456789',
      creditScore: first(configuration.creditScores),
      ownershipPercent: 100,
    },
    consents: configuration.consents.map(({ id, version }) => ({ id, version })),
    signature: { name: 'Ada Baker' },
  };
}
