// The layout of the sandbox's HTML pages, and helpers for their content.

import type { Context } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The pages show data that anybody may have sent. They need no script, so the policy allows none. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function renderPage(
  c: Context,
  title: string,
  body: Markup,
  status: 200 | 400 | 404 = 200,
): Response | Promise<Response> {
  c.header('Content-Security-Policy', contentSecurityPolicy);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Cache-Control', 'no-store');
  // With "no-referrer", browsers would send `Origin: null` with the console's own forms.
  c.header('Referrer-Policy', 'same-origin');
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Sandbox funding service</title>
        <link rel="stylesheet" href="/_sandbox/console.css" />
      </head>
      <body>
        <p class="banner"><strong>Sandbox.</strong> No money is lent, and nobody is contacted.</p>
        ${body}
      </body>
    </html>`;
  return c.html(page, status);
}

export function renderTime(epochMs: number): Markup {
  const time = toIsoTime(epochMs);
  return html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 19)} UTC</time>`;
}

export function toIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
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
