// Whether the BFF lets a page of some origin ask, and whether its answers reach that page as it wrote them.

import { configurationSchema, type Configuration } from '../../../shared/api/configuration.ts';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { describe, foreignOrigin, readJson, toProblem, type Browser } from './browser.ts';
import { ok, wrong, type Finding, type Findings } from './finding.ts';
import type { Arrived, Lost } from './visit.ts';

const askedHeaders = ['authorization', 'content-type', ...Object.values(apiHeaders)];

/**
 * @param listingMend the line that lists the page's origin.
 * @returns the BFF's configuration as the page gets it; without one the page can do nothing.
 */
export async function* examineAnswers(
  browser: Browser,
  listingMend: string,
): Findings<Configuration | undefined> {
  if (browser.relation !== 'same-origin') {
    const answer = await browser.preflight(apiPaths.application, askedHeaders);
    const finding = await examinePreflight(answer, browser, listingMend);
    yield finding;
    // A browser would not go on either.
    if (finding.result === 'wrong') return undefined;
  }
  const answer = await browser.get(apiPaths.configuration);
  const configuration = readJson(answer, configurationSchema);
  if (answer.kind === 'lost' || answer.status !== 200 || !configuration) {
    yield await toRefusal('answers', answer, browser, listingMend);
    return undefined;
  }
  const finding =
    findCorsFault('answers', answer, browser) ??
    findCacheFault(answer, await browser.get(apiPaths.configuration));
  yield (
    finding ?? ok('answers', 'They reach the page as the BFF wrote them, and nobody keeps them.')
  );
  return configuration;
}

/** Why the BFF, or what stands before it, refuses what the widget sends. */
export async function toRefusal(
  check: string,
  answer: Arrived | Lost,
  browser: Browser,
  listingMend: string,
): Promise<Finding> {
  const code = toProblem(answer);
  switch (code) {
    case undefined:
      return wrong(
        check,
        `Something else than the BFF answers (${describe(answer)}).`,
        'The proxy has to pass /v1/ on with all headers and methods; a firewall or a login before it keeps applicants out.',
      );
    case 'origin-refused':
      return (await doesOriginArrive(browser))
        ? wrong(
            check,
            'The running BFF does not let the origin in.',
            `${listingMend}\nand restart the BFF; the log names the reason (gate-refused).`,
          )
        : wrong(
            check,
            'Origin or Sec-Fetch-Site does not reach the BFF as it was sent, or the BFF runs with another PUBLIC_URL.',
            `Have the proxy pass both on as they come. nginx: take proxy_set_header Origin …; out.\nOr restart the BFF with PUBLIC_URL=${browser.publicOrigin}`,
          );
    case 'header-missing':
      return wrong(
        check,
        `${apiHeaders.request} does not reach the BFF.`,
        `Have the proxy pass on all headers of the request, ${apiHeaders.request} among them.`,
      );
    default:
      return wrong(check, `The BFF refuses it (${code}).`, 'Look into its log for the reason.');
  }
}

/** The BFF always lets its own origin in and never a foreign one, whatever is listed; asked for something that does nothing. */
async function doesOriginArrive(browser: Browser): Promise<boolean> {
  if (browser.relation === 'same-origin') return false;
  const ask = (origin: string) =>
    browser.delete(apiPaths.session, { origin, 'sec-fetch-site': 'same-origin' });
  const own = toProblem(await ask(browser.publicOrigin));
  return own !== 'origin-refused' && toProblem(await ask(foreignOrigin)) === 'origin-refused';
}

async function examinePreflight(
  answer: Arrived | Lost,
  browser: Browser,
  listingMend: string,
): Promise<Finding> {
  if (toProblem(answer)) return toRefusal('preflight', answer, browser, listingMend);
  if (answer.kind === 'lost' || answer.status < 200 || answer.status > 299) {
    const mend = 'Have the proxy pass OPTIONS on to the BFF, without a login.';
    return wrong('preflight', `The preflight is refused (${describe(answer)}).`, mend);
  }
  const fault = findCorsFault('preflight', answer, browser);
  if (fault) return fault;
  const headers = toNames(answer, 'access-control-allow-headers');
  const methods = toNames(answer, 'access-control-allow-methods');
  const missing = [
    ...askedHeaders.filter((name) => !headers.includes(name)),
    ...['GET', 'POST', 'DELETE'].filter((name) => !methods.includes(name.toLowerCase())),
  ];
  if (missing.length === 0) return ok('preflight', 'It passes, with all methods and headers.');
  const message = `It does not allow ${missing.join(', ')}: the proxy answers in the BFF's place.`;
  return wrong(
    'preflight',
    message,
    "Take the proxy's own answer to OPTIONS out. nginx: if ($request_method = OPTIONS) { … }",
  );
}

/** `undefined` when a page of that origin may read the answer (Fetch standard, "CORS check"). */
function findCorsFault(check: string, { headers }: Arrived, browser: Browser): Finding | undefined {
  if (browser.relation === 'same-origin') return undefined;
  const allowed = headers.get('access-control-allow-origin');
  if (allowed === browser.origin && headers.get('access-control-allow-credentials') === 'true') {
    return undefined;
  }
  const state = allowed === null ? 'missing' : allowed.includes(',') ? 'there twice' : 'changed';
  const which =
    allowed === browser.origin
      ? 'Access-Control-Allow-Credentials'
      : `Access-Control-Allow-Origin (${state})`;
  return wrong(
    check,
    `Browsers keep the answer from the page: ${which}.`,
    'The BFF sends these headers itself. nginx: take add_header and proxy_hide_header Access-Control-… out.',
  );
}

function findCacheFault(first: Arrived, second: Arrived | Lost): Finding | undefined {
  const id = first.headers.get('x-request-id');
  if (id !== null && second.kind === 'arrived' && second.headers.get('x-request-id') === id) {
    const mend =
      'Keep nothing below /v1/. nginx: proxy_cache off; of a CDN: bypass the cache for /v1/*.';
    const message = "A cache answers for the BFF: applicants could see each other's answers.";
    return wrong('answers', message, mend);
  }
  const changed = [
    ...(toNames(first, 'cache-control').includes('no-store') ? [] : ['Cache-Control: no-store']),
    ...(first.headers.get('x-content-type-options') === 'nosniff'
      ? []
      : ['X-Content-Type-Options: nosniff']),
    ...(id === null ? ['X-Request-Id'] : []),
  ];
  if (changed.length === 0) return undefined;
  const mend =
    'Have the proxy leave the headers of the BFF as they are. nginx: take expires, proxy_hide_header and add_header out.';
  return wrong(
    'answers',
    `Headers of the BFF are changed on the way: ${changed.join(', ')}.`,
    mend,
  );
}

/** Whether a page may read the header that renews a handle; only other origins ask. */
export function isHandleExposed({ headers }: Arrived, browser: Browser): boolean {
  const exposed = toNames({ headers }, 'access-control-expose-headers');
  return browser.relation === 'same-origin' || exposed.includes(apiResponseHeaders.session);
}

function toNames({ headers }: Pick<Arrived, 'headers'>, name: string): readonly string[] {
  return (headers.get(name) ?? '').split(',').map((part) => part.trim().toLowerCase());
}
