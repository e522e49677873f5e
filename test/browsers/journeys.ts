// The BFF and the sandbox as processes, configured for the pages of `combinations.ts`. All journeys use them one after the other.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSandboxView } from '../e2e/sandbox-view.ts';
import { createBankStatement } from '../support/files/realistic-files.ts';
import { startStack } from '../support/stack.ts';
import { type Combination, hosts, toOrigin } from './combinations.ts';
import { type Journey, runJourney } from './journey.ts';

export interface Journeys {
  run(combination: Combination): Promise<Journey>;
  stop(): Promise<void>;
}

/** Requires the built widget (`vite build`). */
export async function startJourneys(): Promise<Journeys> {
  const [certificate, document, stack] = await Promise.all([
    createCertificate(Object.values(hosts)),
    createBankStatement(),
    startStack({
      // A script fills in the form faster than a person.
      settings: { limits: { minimumFillSeconds: 0 } },
      bff: {
        PUBLIC_URL: toOrigin(hosts.bff),
        ALLOWED_ORIGINS: toOrigin(hosts.sameSite),
        CROSS_SITE_ORIGINS: [hosts.crossSite, hosts.otherCrossSite].map(toOrigin).join(),
        TRUSTED_PROXIES: '127.0.0.1',
      },
    }),
  ]);
  const sandbox = createSandboxView(stack.sandboxUrl);
  let journeys = 0;
  return {
    async run(combination) {
      journeys += 1;
      await sandbox.reset();
      return runJourney({
        combination,
        certificate,
        document,
        sandbox,
        bffUrl: stack.bffUrl,
        // Addresses reserved for documentation (RFC 5737).
        clientAddress: `203.0.113.${journeys}`,
      });
    },
    stop: stack.stop,
  };
}

export interface Certificate {
  /** Both in PEM format. */
  readonly key: string;
  readonly cert: string;
}

const run = promisify(execFile);

/** Requires the `openssl` command. Leaves no files on disk. */
export async function createCertificate(hosts: readonly string[]): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'funding-application-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const names = hosts.map((host) => `DNS:${host}`).join(',');
    const request = `req -x509 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=${names}`;
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1';
    await run('openssl', [...`${request} ${key}`.split(' '), '-keyout', keyFile, '-out', certFile]);
    return { key: await readFile(keyFile, 'utf8'), cert: await readFile(certFile, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
