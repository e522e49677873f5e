// Measures the time until an application with its consents is durably committed.

import { randomBytes, randomUUID } from 'node:crypto';
import { openStore } from '../bff/store/open-store.ts';
import { quantile } from './load.ts';
import type { Engine } from './applications.ts';

const warmUp = 200;
const commits = 2_000;
/** Approximate size of an encrypted lead with four consents. */
const leadBytes = 2_000;
const consentText = 'I authorise the lender to obtain my credit report. '.repeat(12);

export async function measureCommits({ name, withUrl }: Engine): Promise<string> {
  return withUrl(async (url) => {
    const store = await openStore(url);
    const times: number[] = [];
    for (let index = 0; index < warmUp + commits; index += 1) {
      const id = randomUUID();
      await store.addSession({
        id,
        origin: 'http://localhost:8080',
        createdAt: Date.now(),
      });
      const began = performance.now();
      await store.addApplication(createApplication(id), createConsents(id));
      if (index >= warmUp) times.push(performance.now() - began);
    }
    await store.close();
    times.sort((a, b) => a - b);
    return [
      name.padEnd(26),
      `p50 ${quantile(times, 0.5).toFixed(2)} ms`,
      `p99 ${quantile(times, 0.99).toFixed(2)} ms`,
      `(${commits} applications with 4 consents, one after another)`,
    ].join('  ');
  });
}

function createApplication(id: string) {
  return {
    id,
    sessionId: id,
    idempotencyKey: id,
    fingerprint: id,
    key: { keyId: '1', bytes: randomBytes(61) },
    encryptedLead: randomBytes(leadBytes),
    receivedAt: Date.now(),
  };
}

function createConsents(applicationId: string) {
  return ['credit', 'records', 'terms', 'contact'].map((consentId) => ({
    id: randomUUID(),
    applicationId,
    consentId,
    version: '1',
    text: consentText,
    textHash: 'ab'.repeat(32),
    locale: 'en',
    givenAt: Date.now(),
    encryptedAddress: randomBytes(40),
  }));
}
