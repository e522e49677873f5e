// The browser of an applicant that sends its session as a cookie or as a session token, as the element does. Its requests can move
// to another process.

import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { SessionTransport } from '../../../bff/middleware/session.ts';
import { pageOrigin, type Answer, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import type { TestBff } from '../../support/bff.ts';

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
  /** The current seal of the browser. */
  seal(): string;
  /** The headers that send a seal by the transport of this session. */
  toHeaders(seal: string): Readonly<Record<string, string>>;
  /** Sends later requests to another process. */
  moveTo(bff: TestBff): void;
}

export function createSessionClient(
  bff: TestBff,
  transport: SessionTransport,
  origin: string = pageOrigin,
): SessionClient {
  let browser: Browser = bff.openBrowser(origin);
  let token: string | undefined;

  const send: SessionClient['send'] = async (method, path, body, headers = {}) => {
    const own = token === undefined ? {} : { authorization: `Funding ${token}` };
    const answer = await browser.send(method, path, body, { ...own, ...headers });
    token = answer.json?.handle ?? answer.headers.get(apiResponseHeaders.session) ?? token;
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
    seal: () => token ?? [...browser.cookies.values()][0] ?? '',
    toHeaders(seal): Readonly<Record<string, string>> {
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
