// Attempts of a script on a partner's page, as functions that run in the page.

import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { stepIds } from '../../../widget/app/navigation.ts';
import type { Tab } from './browser.ts';
import { bffOrigin } from './combinations.ts';

/** No page's policy allows this URL, and no server responds there. */
export const blockedAddress = 'https://blocked.example/picture.png';

/** Requests the session as the element does, with or without a session token. Returns status and body. */
export function askForSession(tab: Tab, token?: string): Promise<string> {
  return tab.evaluate(
    async ({ url, headers }) => {
      const answer = await fetch(url, { credentials: 'include', cache: 'no-store', headers });
      return `${answer.status} ${await answer.text()}`;
    },
    {
      url: bffOrigin + apiPaths.session,
      headers: {
        [apiHeaders.request]: '1',
        ...(token === undefined ? {} : { authorization: `Funding ${token}` }),
      },
    },
  );
}

/** The property names of a history entry, which contains the step of each form of the page, and nothing else of it. */
const historyNames = [
  'fundingApplication',
  'owner',
  'places',
  'step',
  'returnsToReview',
  'depth',
  'generation',
  'from',
];

/** Tells the next page of the tab that it has an application (docs/decisions/0011-element-loading.md). */
const submittedDraft = JSON.stringify({
  version: 1,
  step: 'review',
  returnsToReview: false,
  answers: {},
  omitted: [],
  isSubmitted: true,
});

/**
 * Returns all persistent data that a script can read, except for `submittedDraft` and the names of steps, and the document when it contains one of
 * `secrets`.
 */
export function readKept(tab: Tab, secrets: readonly string[]): Promise<readonly string[]> {
  const formKey = `funding-application ${bffOrigin} 0`;
  const known = [...historyNames, ...stepIds, formKey];
  return tab.evaluate(
    async (given: { all: readonly string[]; known: readonly string[]; submittedDraft: string }) => {
      const listTexts = (value: unknown): readonly string[] =>
        typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([name, each]) => [name, ...listTexts(each)])
          : typeof value === 'string'
            ? [value]
            : [];
      const places: Readonly<Record<string, () => unknown>> = {
        cookie: () => document.cookie,
        localStorage: () => Object.values(localStorage).join(),
        sessionStorage: () =>
          Object.values(sessionStorage)
            .filter((text) => text !== given.submittedDraft)
            .join(),
        address: () => location.search + location.hash,
        history: () => listTexts(history.state).filter((text) => !given.known.includes(text)),
        'window.name': () => window.name,
        databases: async () => (await indexedDB.databases()).map(({ name }) => name).join(),
        caches: async () => (await caches.keys()).join(),
        document: () =>
          given.all.filter((secret) => document.documentElement.outerHTML.includes(secret)),
      };
      const kept: string[] = [];
      for (const [place, read] of Object.entries(places)) {
        // Where cookies are blocked, reading storage throws.
        const value = await Promise.resolve()
          .then(read)
          .catch(() => '');
        const text = String(value).replaceAll('""', '');
        if (text !== '') kept.push(`${place}: ${text}`);
      }
      return kept;
    },
    { all: secrets, known, submittedDraft },
  );
}

/** Proves that the browser reports violations. */
export function violatePolicy(tab: Tab): Promise<void> {
  return tab.evaluate((address: string) => {
    new Image().src = address;
  }, blockedAddress);
}
