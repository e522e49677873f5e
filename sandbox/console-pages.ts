// Keeps the console's pages small: a few records a page, and texts cut to a length. The whole is always one link away, as JSON.

import { html } from 'hono/html';
import type { Markup } from './page.ts';

/** The lists of the console. Each has its own page number in the query, and its records as JSON below `/_sandbox`. */
export const sections = {
  calls: { json: '/_sandbox/calls', pageSize: 20 },
  applications: { json: '/_sandbox/leads', pageSize: 10 },
  documents: { json: '/_sandbox/documents', pageSize: 10 },
  'asset-reports': { json: '/_sandbox/asset-reports', pageSize: 10 },
} as const;

export type SectionId = keyof typeof sections;

/** Page numbers from 1. */
export type PageNumbers = Readonly<Record<SectionId, number>>;

export interface ListPage<Value> {
  /** Newest first. */
  readonly records: readonly Value[];
  /** Links to the other pages; empty if one page holds all records. */
  readonly pager: Markup | '';
}

export function readPageNumbers(read: (name: SectionId) => string | undefined): PageNumbers {
  const readNumber = (id: SectionId) => {
    const text = read(id) ?? '';
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
  };
  return {
    calls: readNumber('calls'),
    applications: readNumber('applications'),
    documents: readNumber('documents'),
    'asset-reports': readNumber('asset-reports'),
  };
}

/**
 * One page of records.
 *
 * @param all oldest first.
 */
export function toListPage<Value>(
  id: SectionId,
  all: readonly Value[],
  pages: PageNumbers,
): ListPage<Value> {
  const { json, pageSize } = sections[id];
  const last = Math.max(1, Math.ceil(all.length / pageSize));
  const page = Math.min(pages[id], last);
  const newest = all.length - (page - 1) * pageSize;
  const oldest = Math.max(0, newest - pageSize);
  const records = all.slice(oldest, newest).reverse();
  if (last === 1) return { records, pager: '' };
  return {
    records,
    pager: html`<p class="note">
      Page ${page} of ${last}.
      ${page > 1 ? html`<a href="${toAddress(id, page - 1, pages)}">Newer</a>` : ''}
      ${page < last ? html`<a href="${toAddress(id, page + 1, pages)}">Older</a>` : ''}
      <a href="${json}">All ${all.length.toLocaleString('en-US')} as JSON</a>
    </p>`,
  };
}

function toAddress(id: SectionId, page: number, pages: PageNumbers): string {
  const numbers = Object.entries({ ...pages, [id]: page }).filter(([, number]) => number > 1);
  const query = new URLSearchParams(numbers.map(([name, number]) => [name, String(number)]));
  return `/_sandbox/?${query.toString()}#${id}`;
}

/** The beginning of a text that takes at most `maxBytes` in the page's HTML. */
export function shorten(text: string, maxBytes = 160): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    // The longest escape is `&quot;`.
    bytes += /["&'<>]/.test(character) ? 6 : Buffer.byteLength(character);
    if (bytes > maxBytes) return `${text.slice(0, end)}…`;
    end += character.length;
  }
  return text;
}

/** The first texts of a list, each shortened, and how many more there are. */
export function shortenList(texts: readonly string[], maxTexts: number): string {
  const shown = texts.slice(0, maxTexts).map((text) => shorten(text));
  const left = texts.length - shown.length;
  return shown.join(', ') + (left > 0 ? `, and ${left.toLocaleString('en-US')} more` : '');
}
