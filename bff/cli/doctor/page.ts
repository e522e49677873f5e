// Whether a page embeds the widget as it has to, and lets it load, ask and render.

import { apiPaths } from '../../../shared/api/paths.ts';
import type { PublicSite } from './address.ts';
import { describe, toMediaType, visitorHeaders } from './browser.ts';
import {
  allowsConnection,
  allowsScript,
  allowsTrustedTypes,
  parsePolicies,
  type Policy,
} from './content-security-policy.ts';
import { hint, ok, wrong, type Finding, type Findings } from './finding.ts';
import type { Widget } from './script.ts';
import { findTags, type Tag } from './tags.ts';

const element = 'funding-application';
const trustedTypesPolicy = 'lit-html';

/** @param widget what the BFF serves; `undefined` when it serves none. */
export async function* examinePage(
  { publicOrigin, visit }: PublicSite,
  page: URL,
  widget: Widget | undefined,
): Findings {
  const answer = await visit({
    method: 'GET',
    url: page.href,
    headers: { ...visitorHeaders, accept: 'text/html', 'sec-fetch-mode': 'navigate' },
  });
  if (answer.kind === 'lost' || answer.status !== 200 || toMediaType(answer) !== 'text/html') {
    const mend = 'Give the address that browsers end at, of a page that needs no login.';
    yield wrong('page', `It is no page that can be looked at (${describe(answer)}).`, mend);
    return;
  }
  const html = answer.bytes.toString();
  const script = findTags(html, 'script').find((tag) => isWidget(toUrl(tag, page)));
  const [host] = findTags(html, element);
  const tag = `<script type="module" src="${publicOrigin}/widget/${element}.js"></script>`;
  if (!script || !host) {
    const missing = script ? `<${element}>` : 'script tag of the widget';
    const mend = `${tag}\n<${element}></${element}>\nWhere a program of the page adds them this cannot be seen from here.`;
    yield wrong('embedding', `The page's HTML has no ${missing}.`, mend);
  }
  if (script) yield examineTag(script, { page, publicOrigin, widget, host, tag });
  const metas = findTags(html, 'meta').filter(
    (meta) => meta.get('http-equiv')?.toLowerCase() === 'content-security-policy',
  );
  const policies = [
    ...parsePolicies(answer.headers.get('content-security-policy') ?? ''),
    ...metas.flatMap((meta) => parsePolicies(meta.get('content') ?? '')),
  ];
  yield* examinePolicies(policies, { page, publicOrigin, widget, script });
}

function toUrl(tag: Tag, page: URL): URL | undefined {
  const source = tag.get('src') ?? '';
  return source !== '' && URL.canParse(source, page) ? new URL(source, page) : undefined;
}

function isWidget(url: URL | undefined): boolean {
  return url?.pathname.endsWith(`/${element}.js`) ?? false;
}

interface Embedding {
  readonly page: URL;
  readonly publicOrigin: string;
  readonly widget: Widget | undefined;
}

interface TagSurroundings extends Embedding {
  readonly host: Tag | undefined;
  /** As the script tag should read. */
  readonly tag: string;
}

function examineTag(
  script: Tag,
  { page, publicOrigin, widget, host, tag }: TagSurroundings,
): Finding {
  const url = toUrl(script, page);
  const integrity = script.get('integrity') ?? '';
  const bff = host?.get('bff-url') ?? url?.origin ?? '';
  if (!url || !URL.canParse(bff) || new URL(bff).origin !== publicOrigin) {
    const message = 'The script tag, or bff-url, leads to another BFF than PUBLIC_URL.';
    return wrong('embedding', message, tag);
  }
  if (url.search !== '' || url.hash !== '') {
    const message = 'The address of the script has a query: its other files would load it twice.';
    return wrong('embedding', message, tag);
  }
  if (script.get('type')?.toLowerCase() !== 'module') {
    return wrong('embedding', 'The script is a module, and its tag does not say so.', tag);
  }
  if (integrity !== '' && widget) return examinePin(url, integrity, widget);
  return ok('embedding', 'The page has the script tag and the element.');
}

function examinePin(url: URL, integrity: string, { version, entry, files }: Widget): Finding {
  const expected = files.find(({ file }) => file === entry)?.integrity ?? '';
  const folder = `/widget/${version}/`;
  const pinned = `<script type="module" src="${url.origin}${folder}${entry}" integrity="${expected}"></script>`;
  if (!integrity.split(/\s+/).includes(expected)) {
    const message = 'Its integrity is that of another version, so browsers refuse the script.';
    return wrong('embedding', message, pinned);
  }
  if (url.pathname.startsWith(folder)) {
    return ok('embedding', 'The page has the element, and a script tag that pins this version.');
  }
  const message = 'It pins the integrity of an address that the next release changes.';
  return hint('embedding', message, pinned);
}

interface PolicySurroundings extends Embedding {
  readonly script: Tag | undefined;
}

function* examinePolicies(
  policies: readonly Policy[],
  { page, publicOrigin, widget, script }: PolicySurroundings,
): Generator<Finding> {
  const source = (script && toUrl(script, page)) ?? new URL(`${publicOrigin}/widget/${element}.js`);
  // Chunks are loaded relative to the script.
  const urls = [
    source.href,
    ...(widget?.files ?? []).map(({ file }) => new URL(file, source).href),
  ];
  const loaded = {
    urls,
    nonce: script?.get('nonce') ?? '',
    integrity: script?.get('integrity') ?? '',
  };
  const header = 'In the Content-Security-Policy of the page';
  yield policies.every((policy) => allowsScript(policy, loaded, page.origin))
    ? ok('script-src', 'The page may load all files of the widget.')
    : wrong(
        'script-src',
        'The Content-Security-Policy of the page forbids the script, or a file that it loads later.',
        `${header}, added to what is there: script-src ${source.origin}\nWith 'strict-dynamic' the tag needs the page's nonce instead.`,
      );
  yield policies.every((policy) =>
    allowsConnection(policy, publicOrigin + apiPaths.session, page.origin),
  )
    ? ok('connect-src', 'The page may ask the BFF.')
    : wrong(
        'connect-src',
        'The Content-Security-Policy of the page forbids to ask the BFF.',
        `${header}, added to what is there: connect-src ${publicOrigin}`,
      );
  yield policies.every((policy) => allowsTrustedTypes(policy, trustedTypesPolicy))
    ? ok('trusted-types', 'The widget may render.')
    : wrong(
        'trusted-types',
        'The Content-Security-Policy of the page names Trusted Types policies, and not that of the widget.',
        `${header}, added to what is there: trusted-types ${trustedTypesPolicy}`,
      );
}
