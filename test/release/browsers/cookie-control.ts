// Measures without the element which cookies a browser returns to the BFF's host. The checks compare the element with the result.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tab } from './browser.ts';
import { bffOrigin } from './combinations.ts';

/** Requests below this path are answered by the recording proxy and not passed to the BFF. */
export const controlPath = '/control/';

/** Returned cookies. `plain` is `SameSite=None` without `Partitioned`, which "third-party cookies" usually means. */
export interface ReturnedCookies {
  readonly strict: boolean;
  readonly partitioned: boolean;
  readonly plain: boolean;
}

const attributes = {
  strict: 'SameSite=Strict',
  partitioned: 'SameSite=None; Partitioned',
  plain: 'SameSite=None',
} as const;
const names = Object.keys(attributes) as readonly (keyof typeof attributes)[];

/** Handles `/control/set`, then `/control/read`, for a page of any origin. */
export function answerControl(request: IncomingMessage, response: ServerResponse): void {
  const end = request.url?.endsWith('/set') ? '' : '; Max-Age=0';
  const returned = names.map((name) => [
    name,
    request.headers.cookie?.includes(`${toName(name)}=1`) ?? false,
  ]);
  response.writeHead(200, {
    'content-type': 'application/json',
    'access-control-allow-origin': request.headers.origin ?? '',
    'access-control-allow-credentials': 'true',
    'set-cookie': names.map(
      (name) => `${toName(name)}=1; Path=/; Secure; HttpOnly; ${attributes[name]}${end}`,
    ),
  });
  response.end(JSON.stringify(Object.fromEntries(returned)));
}

export function measureCookies(tab: Tab): Promise<ReturnedCookies> {
  return tab.evaluate(async (base: string) => {
    const ask = (path: string) => fetch(base + path, { credentials: 'include', cache: 'no-store' });
    await ask('/control/set');
    return (await (await ask('/control/read')).json()) as ReturnedCookies;
  }, bffOrigin);
}

function toName(name: keyof typeof attributes): string {
  return `__Host-control-${name}`;
}
