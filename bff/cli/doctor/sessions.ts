// Whether a session begins, comes back with the browser, is refused to others and ends: by cookie, and by handle.

import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { sessionSchema } from '../../../shared/api/session.ts';
import { isHandleExposed, toRefusal } from './answers.ts';
import {
  describe,
  foreignOrigin,
  isRefused,
  readJson,
  type Browser,
  type Relation,
} from './browser.ts';
import { ok, wrong, type Finding, type Findings } from './finding.ts';
import type { Arrived, Lost } from './visit.ts';

export interface SessionExpectation {
  /** How the BFF takes the page, which decides the cookie's attributes. */
  readonly mode: Relation;
  /** Whether browsers reach the BFF over https. */
  readonly isSecure: boolean;
  /** The line that lists the page's origin. */
  readonly listingMend: string;
}

/** Begins two sessions and ends both. What they are opened with is never part of a finding. */
export async function* examineSessions(
  browser: Browser,
  expectation: SessionExpectation,
): Findings {
  const begun = await browser.postJson(apiPaths.session, {});
  if (begun.kind === 'lost' || begun.status !== 200 || !readJson(begun, sessionSchema)) {
    yield await toRefusal('session', begun, browser, expectation.listingMend);
    return;
  }
  const lines = begun.headers.getSetCookie().filter((line) => cookieName.test(line));
  yield examineCookie(lines, expectation);
  const [pair] = lines[0]?.split(';', 1) ?? [];
  if (pair !== undefined) {
    const known = examineReturn(await browser.get(apiPaths.session, { cookie: pair }));
    yield known;
    yield await examineGate(browser, pair);
    const ended = await examineEnd(browser, pair);
    // What the BFF does not know cannot end either.
    if (known.result === 'ok') yield ended;
  }
  yield await examineHandle(browser, expectation);
}

const cookieName = /^(?:__Host-Http-funding|funding-session)-[0-9a-f]{8}=/;

function examineCookie(lines: readonly string[], expectation: SessionExpectation): Finding {
  const [line, ...more] = lines;
  if (line === undefined || more.length > 0) {
    const message =
      line === undefined ? 'The cookie does not arrive.' : 'The cookie arrives twice.';
    return wrong(
      'cookie',
      message,
      'Have the proxy pass Set-Cookie on as it is. nginx: take proxy_hide_header, proxy_ignore_headers and add_header Set-Cookie out.',
    );
  }
  const faults = listCookieFaults(line, expectation);
  if (faults.length === 0) return ok('cookie', 'It arrives with its name and attributes.');
  const isNameWrong = faults.includes(nameFault);
  const mend = isNameWrong
    ? 'The BFF itself runs with another PUBLIC_URL: give it this one, and restart it.'
    : 'nginx: take proxy_cookie_domain, proxy_cookie_path and proxy_cookie_flags out.';
  return wrong('cookie', `Something is wrong with it: ${faults.join(', ')}.`, mend);
}

const nameFault = 'the name is that of another scheme';

function listCookieFaults(line: string, { mode, isSecure }: SessionExpectation): readonly string[] {
  const attributes = new Map(
    line
      .split(';')
      .slice(1)
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.trim().split('=', 2);
        return [name.toLowerCase(), value.toLowerCase()];
      }),
  );
  const isCrossSite = mode === 'cross-site';
  const sameSite = isCrossSite ? 'None' : 'Strict';
  const rules: readonly (readonly [boolean, string])[] = [
    [line.startsWith('__Host-Http-') === isSecure, nameFault],
    [attributes.has('secure') || !(isSecure || isCrossSite), 'Secure is missing'],
    [attributes.has('httponly'), 'HttpOnly is missing'],
    [attributes.get('path') === '/', 'Path is not /'],
    [!attributes.has('domain'), 'a Domain was added'],
    [attributes.get('samesite') === sameSite.toLowerCase(), `SameSite is not ${sameSite}`],
    [attributes.has('partitioned') || !isCrossSite, 'Partitioned is missing'],
  ];
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}

function examineReturn(answer: Arrived | Lost): Finding {
  if (answer.kind === 'arrived' && answer.status === 200) {
    return ok('session', 'It begins, and the next request is known by its cookie.');
  }
  const mend =
    'Have the proxy pass Cookie on. Of several BFFs each needs the same SESSION_KEYS, PUBLIC_URL and store.';
  return wrong('session', `The BFF does not know its own cookie (${describe(answer)}).`, mend);
}

/** A proxy that writes these headers itself would let any site in. */
async function examineGate(browser: Browser, cookie: string): Promise<Finding> {
  const foreign = { cookie, origin: foreignOrigin, 'sec-fetch-site': 'cross-site' };
  const unmarked = await browser.get(apiPaths.session, { cookie, [apiHeaders.request]: undefined });
  if (!isRefused(unmarked, 403)) {
    const mend = `Take it out of the proxy. nginx: proxy_set_header ${apiHeaders.request} …;`;
    return wrong(
      'gate',
      `A request without ${apiHeaders.request} gets in (${describe(unmarked)}).`,
      mend,
    );
  }
  const answer = await browser.get(apiPaths.session, foreign);
  if (isRefused(answer, 403)) {
    return ok('gate', 'Requests of other origins, and without our header, are refused.');
  }
  const mend =
    'Have the proxy pass Origin and Sec-Fetch-Site on as they come. nginx: take proxy_set_header Origin …; out.';
  return wrong('gate', `A page of any other origin gets in (${describe(answer)}).`, mend);
}

async function examineEnd(browser: Browser, cookie: string): Promise<Finding> {
  const ended = await browser.delete(apiPaths.session, { cookie });
  const startTimer = await browser.get(apiPaths.session, { cookie });
  if (ended.kind === 'arrived' && ended.status === 204 && isRefused(startTimer, 401)) {
    return ok('end', 'The session ends when the page says so.');
  }
  const message = `The session does not end (${describe(ended)}, then ${describe(startTimer)}).`;
  return wrong('end', message, 'Have the proxy pass DELETE on, and keep no answer below /v1/.');
}

/** For browsers that keep no cookie of ours. */
async function examineHandle(
  browser: Browser,
  { listingMend }: SessionExpectation,
): Promise<Finding> {
  const begun = await browser.postJson(apiPaths.session, { transport: 'handle' });
  const handle = readJson(begun, sessionSchema)?.handle;
  if (begun.kind === 'lost' || handle === undefined) {
    return toRefusal('handle', begun, browser, listingMend);
  }
  const authorization = `Funding ${handle}`;
  const answer = await browser.get(apiPaths.session, { authorization });
  await browser.delete(apiPaths.session, { authorization });
  if (answer.kind === 'lost' || answer.status !== 200) {
    const mend =
      'Have the proxy pass Authorization on, and ask for no login of its own below /v1/.';
    return wrong('handle', `Browsers without cookies stay out (${describe(answer)}).`, mend);
  }
  if (!isHandleExposed(answer, browser)) {
    const mend = 'Leave Access-Control-Expose-Headers as the BFF sends it.';
    return wrong('handle', 'The page may not read a renewed handle.', mend);
  }
  return ok('handle', 'Browsers that keep no cookie get in too.');
}
