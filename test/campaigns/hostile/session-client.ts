// The browser of an applicant that sends its session as a cookie or as a session token, as the element does.

import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { SessionTransport } from '../../../bff/middleware/session.ts';
import type { Answer, Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import type { TestBff } from '../../support/bff.ts';

export type SessionClient = ReturnType<typeof createSessionClient>;

export function createSessionClient(bff: TestBff, transport: SessionTransport) {
  const browser: Browser = bff.openBrowser();
  let token: string | undefined;

  const send = async (
    method: string,
    path: string,
    body?: BodyInit,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
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
    send,
    begin: () =>
      send('POST', apiPaths.session, transport === 'cookie' ? '{}' : '{"transport":"handle"}'),
    apply: (key: string, name?: string) =>
      send(
        'POST',
        apiPaths.application,
        JSON.stringify(createApplication(name === undefined ? {} : { name })),
        { [apiHeaders.idempotencyKey]: key },
      ),
    /** The current seal of the browser. */
    seal: () => token ?? [...browser.cookies.values()][0] ?? '',
    /** The headers that send a seal by the transport of this session. */
    toHeaders(seal: string): Readonly<Record<string, string>> {
      if (transport === 'handle') return { authorization: `Funding ${seal}` };
      return { cookie: `${cookieName()}=${seal}` };
    },
  };
}
