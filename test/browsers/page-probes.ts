// What a script on a partner's page could try, as functions that run in the page.

import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { Tab } from './browser.ts';
import { bffOrigin } from './hosts.ts';

/** No page's policy allows it, and nothing answers there. */
export const blockedAddress = 'https://blocked.example/picture.png';

/** Asks for the session as the widget would, with or without a handle; answers status and body. */
export function askForSession(tab: Tab, handle?: string): Promise<string> {
  return tab.run(
    async ({ url, headers }) => {
      const answer = await fetch(url, { credentials: 'include', cache: 'no-store', headers });
      return `${answer.status} ${await answer.text()}`;
    },
    {
      url: bffOrigin + apiPaths.session,
      headers: {
        [apiHeaders.request]: '1',
        ...(handle === undefined ? {} : { authorization: `Funding ${handle}` }),
      },
    },
  );
}

/** Everything a script can read and that stays after the page, and the document itself where it holds one of `secrets`. */
export function readKept(tab: Tab, secrets: readonly string[]): Promise<readonly string[]> {
  return tab.run(async (all: readonly string[]) => {
    const places: Readonly<Record<string, () => unknown>> = {
      cookie: () => document.cookie,
      localStorage: () => Object.values(localStorage).join(),
      sessionStorage: () => Object.values(sessionStorage).join(),
      address: () => location.search + location.hash,
      history: () => JSON.stringify(history.state ?? ''),
      'window.name': () => window.name,
      databases: async () => (await indexedDB.databases()).map(({ name }) => name).join(),
      caches: async () => (await caches.keys()).join(),
      document: () => all.filter((secret) => document.documentElement.outerHTML.includes(secret)),
    };
    const kept: string[] = [];
    for (const [place, read] of Object.entries(places)) {
      // Where cookies are blocked, so is storage: reading it throws.
      const value = await Promise.resolve()
        .then(read)
        .catch(() => '');
      const text = String(value).replaceAll('""', '');
      if (text !== '') kept.push(`${place}: ${text}`);
    }
    return kept;
  }, secrets);
}

/** To see that a violation is reported at all. */
export function violatePolicy(tab: Tab): Promise<void> {
  return tab.run((address: string) => {
    new Image().src = address;
  }, blockedAddress);
}
