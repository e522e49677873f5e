// An applicant's browser for the campaigns on sessions: carries its session by cookie or by handle, as the widget would.

import { apiResponseHeaders, apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { SessionTransport } from '../../bff/middleware/session-cookie.ts';
import {
  createApplication,
  pageOrigin,
  type Answer,
  type Browser,
  type Rig,
} from '../bff/bff-rig.ts';

export interface SessionClient {
  readonly transport: SessionTransport;
  readonly origin: string;
  begin(): Promise<Answer>;
  send(
    method: string,
    path: string,
    body?: BodyInit,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  apply(key: string, company?: string): Promise<Answer>;
  /** What the browser holds just now. */
  seal(): string;
  /** The headers that carry a seal the way this session goes. */
  carry(seal: string): Readonly<Record<string, string>>;
  /** Talks to another process from now on. */
  moveTo(rig: Rig): void;
}

export function createSessionClient(
  rig: Rig,
  transport: SessionTransport,
  origin: string = pageOrigin,
): SessionClient {
  let browser: Browser = rig.openBrowser(origin);
  let handle: string | undefined;

  const send: SessionClient['send'] = async (method, path, body, headers = {}) => {
    const carried = handle === undefined ? {} : { authorization: `Funding ${handle}` };
    const answer = await browser.send(method, path, body, { ...carried, ...headers });
    handle = answer.json?.handle ?? answer.headers.get(apiResponseHeaders.session) ?? handle;
    return answer;
  };

  function cookieName(): string {
    return [...browser.cookies.keys()][0] ?? '';
  }

  return {
    transport,
    origin,
    send,
    begin: () =>
      send('POST', apiPaths.session, transport === 'cookie' ? '{}' : '{"transport":"handle"}'),
    apply: (key, name) =>
      send(
        'POST',
        apiPaths.application,
        JSON.stringify(createApplication(name === undefined ? {} : { name })),
        { [apiHeaders.idempotencyKey]: key },
      ),
    seal: () => handle ?? [...browser.cookies.values()][0] ?? '',
    carry(seal): Readonly<Record<string, string>> {
      if (transport === 'handle') return { authorization: `Funding ${seal}` };
      return { cookie: `${cookieName()}=${seal}` };
    },
    moveTo(other) {
      const { cookies } = browser;
      browser = other.openBrowser(origin);
      for (const [name, value] of cookies) browser.cookies.set(name, value);
    },
  };
}
