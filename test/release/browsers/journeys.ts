// The BFF and the sandbox as processes, configured for the pages of `combinations.ts`. All journeys use them one after the other.

import { createSandboxView } from '../../e2e/sandbox-view.ts';
import { getStatementPdf } from '../../support/files/realistic-files.ts';
import { createSelfSigned } from '../../support/self-signed.ts';
import { startStack, type StackOptions } from '../../support/stack.ts';
import { type Combination, hosts, toOrigin } from './combinations.ts';
import { type Journey, runJourney } from './journey.ts';

const dayMs = 24 * 60 * 60_000;

/** Requires the built widget (`vite build`). */
export async function startServers(settings: StackOptions['settings'] = {}) {
  const stack = await startStack({
    settings,
    bff: {
      PUBLIC_URL: toOrigin(hosts.bff),
      ALLOWED_ORIGINS: toOrigin(hosts.sameSite),
      CROSS_SITE_ORIGINS: [hosts.crossSite, hosts.otherCrossSite].map(toOrigin).join(),
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  return {
    /** A certificate for all hosts. The browsers are told to ignore that it is self-signed. */
    certificate: createSelfSigned(Date.now() + 2 * dayMs, Object.values(hosts)),
    stack,
  };
}

export type Journeys = Awaited<ReturnType<typeof startJourneys>>;

export async function startJourneys() {
  const [document, { certificate, stack }] = await Promise.all([
    getStatementPdf(),
    // A script fills in the form faster than a person.
    startServers({ limits: { minimumFillSeconds: 0 } }),
  ]);
  const sandbox = createSandboxView(stack.sandboxUrl);
  let journeys = 0;
  return {
    async run(combination: Combination): Promise<Journey> {
      journeys += 1;
      await sandbox.reset();
      return runJourney({
        combination,
        certificate,
        document: document.path,
        sandbox,
        bffUrl: stack.bffUrl,
        // Addresses reserved for documentation (RFC 5737).
        clientAddress: `203.0.113.${journeys}`,
      });
    },
    stop: stack.stop,
  };
}
