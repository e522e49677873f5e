// The BFF and the sandbox as processes, configured for the pages of `hosts.ts`. All journeys use them one after the other.

import { createSandboxView } from '../e2e/sandbox-view.ts';
import { createBankStatement } from '../support/files/realistic-files.ts';
import { startStack } from '../support/stack.ts';
import type { Cell } from './cells.ts';
import { createCertificate } from './certificate.ts';
import { hosts, toOrigin } from './hosts.ts';
import { runJourney, type Journey } from './journey.ts';

export interface BrowserRig {
  walk(cell: Cell): Promise<Journey>;
  stop(): Promise<void>;
}

/** Requires the built widget (`vite build`). */
export async function startBrowserRig(): Promise<BrowserRig> {
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
    async walk(cell) {
      journeys += 1;
      await sandbox.reset();
      return runJourney({
        cell,
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
