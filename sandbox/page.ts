// The layout of the sandbox's HTML pages, and helpers for their content.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The pages show data that anybody may have sent, so the policy allows only the sandbox's own script, styles, and previews. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; frame-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export interface Page {
  readonly title: string;
  readonly body: Markup;
  readonly status?: 200 | 400 | 404;
}

/** Sends a page. If the browser has the same page already, sends 304 without content. */
export async function renderPage(c: Context, { title, body, status = 200 }: Page) {
  c.header('Content-Security-Policy', contentSecurityPolicy);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Cache-Control', 'no-store');
  // With "no-referrer", browsers would send `Origin: null` with the console's own forms.
  c.header('Referrer-Policy', 'same-origin');
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Sandbox funding service</title>
        <link rel="stylesheet" href="/_sandbox/console.css" />
        <script type="module" src="/_sandbox/console.js"></script>
      </head>
      <body>
        <section class="banner" aria-label="Notice">
          <strong>Sandbox.</strong> No money is lent, and nobody is contacted.
        </section>
        ${body}
      </body>
    </html>`;
  const etag = `"${createHash('sha256').update(String(page)).digest('base64url').slice(0, 22)}"`;
  c.header('ETag', etag);
  if (status === 200 && c.req.header('If-None-Match') === etag) return c.body(null, 304);
  return c.html(page, status);
}

export function renderTime(epochMs: number): Markup {
  const time = toIsoTime(epochMs);
  return html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 19)} UTC</time>`;
}

/** Only the time of day, for lists that name the day once. */
export function renderTimeOfDay(epochMs: number): Markup {
  const time = toIsoTime(epochMs);
  return html`<time datetime="${time}">${time.slice(11, 19)}</time>`;
}

export function toIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

const dollarsAndCents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});

export function toDollars(amount: number): string {
  return (Number.isInteger(amount) ? wholeDollars : dollarsAndCents).format(amount);
}

export function toFileSize(bytes: number): string {
  if (bytes < 1_000) return toCount(bytes, 'byte');
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 document`, `2 documents`. */
export function toCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `2 hours`, `1 day 3 minutes`; at most two units. */
export function toDuration(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ] as const;
  const parts: string[] = [];
  let rest = Math.abs(ms);
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(toCount(count, name));
  }
  return parts.slice(0, 2).join(' ') || '0 seconds';
}

/** Cuts a text so that it takes at most `maxBytes` in the HTML of the page. */
export function shorten(text: string, maxBytes = 160): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    // The longest escape sequence is `&quot;`.
    bytes += /["&'<>]/.test(character) ? 6 : Buffer.byteLength(character);
    if (bytes > maxBytes) return `${text.slice(0, end)}…`;
    end += character.length;
  }
  return text;
}

/** Joins the first texts of a list, each shortened, and the number of the remaining ones. */
export function shortenList(texts: readonly string[], maxTexts: number): string {
  const shown = texts.slice(0, maxTexts).map((text) => shorten(text));
  const remaining = texts.length - shown.length;
  return (
    shown.join(', ') + (remaining > 0 ? `, and ${remaining.toLocaleString('en-US')} more` : '')
  );
}

/**
 * @param url of the complete JSON, which is linked if it does not fit in `maxBytes`.
 * @param answerUrl of a call as JSON, from which the script of the console shows the answer in place.
 */
export function renderJson(
  title: string,
  json: string,
  url: string,
  maxBytes = 4_500,
  answerUrl?: string,
): Markup {
  const indented = json.length > maxBytes ? undefined : indent(json);
  if (indented === undefined || shorten(indented, maxBytes) !== indented) {
    const size = toCount(json.length, 'character');
    return answerUrl === undefined
      ? html`<p class="note"><a href="${url}">${title}, ${size}</a></p>`
      : html`<details data-answer="${answerUrl}">
          <summary>${title}, ${size}</summary>
          <p class="note"><a href="${url}">${title} on its own page</a></p>
        </details>`;
  }
  return html`<details>
    <summary>${title}</summary>
    <pre tabindex="0">${indented}</pre>
  </details>`;
}

/** Returns other text unchanged. */
export function indent(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return json;
    throw error;
  }
}
