// Whether what stands before the BFF lets long heads and whole documents through, and leaves refusals as they are.

import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { describe, isRefused, toProblem, type Browser } from './browser.ts';
import { ok, wrong, type Finding, type Findings } from './finding.ts';

const mebibyte = 1024 * 1024;
/** A file's name takes up to 4 KB, and cookies of the page's whole site come along; the BFF takes 16 KB. */
const longHeader = 'x'.repeat(4_000);

/** @param maxBytes of one document. */
export async function* examineTraffic(browser: Browser, maxBytes: number): Findings {
  yield await examineHead(browser);
  yield await examineBody(browser, maxBytes);
  yield await examineRefusals(browser);
}

async function examineHead(browser: Browser): Promise<Finding> {
  const answer = await browser.get(apiPaths.configuration, {
    [apiHeaders.documentName]: longHeader,
    cookie: `doctor=${longHeader}`,
  });
  if (answer.kind === 'arrived' && answer.status === 200) {
    return ok('head', 'Long file names and the cookies of a whole site get through.');
  }
  const mend = 'Let heads of 16 KB through. nginx: large_client_header_buffers 4 16k;';
  return wrong('head', `A head of 8 KB does not get through (${describe(answer)}).`, mend);
}

/** Nothing is kept: without a session the BFF refuses it, and the answer shows how far it came. */
async function examineBody(browser: Browser, maxBytes: number): Promise<Finding> {
  const size = toSize(maxBytes);
  const answer = await browser.postBytes(apiPaths.documents, new Uint8Array(maxBytes), {
    [apiHeaders.documentName]: 'doctor.pdf',
    [apiHeaders.documentCategory]: 'doctor',
  });
  if (isRefused(answer, 401)) {
    return ok('body', `A document of ${size} gets through to the BFF.`);
  }
  const mend = `Let bodies of ${size} through, and slowly. nginx: client_max_body_size ${Math.ceil(maxBytes / mebibyte)}m; proxy_request_buffering off;`;
  return wrong('body', `A document of ${size} does not get through (${describe(answer)}).`, mend);
}

async function examineRefusals(browser: Browser): Promise<Finding> {
  const answer = await browser.get(apiPaths.session);
  if (isRefused(answer, 401) && toProblem(answer) === 'session-missing') {
    return ok('refusals', 'The page can read why the BFF refuses something.');
  }
  const mend =
    'Leave answers of 400 and above to the BFF. nginx: proxy_intercept_errors off; take error_page out.';
  return wrong(
    'refusals',
    `A refusal of the BFF is replaced on the way (${describe(answer)}).`,
    mend,
  );
}

function toSize(bytes: number): string {
  return bytes < mebibyte ? `${bytes} bytes` : `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;
}
