// The frame of the sandbox's pages: head, banner, and headers that keep them free of scripts.

import type { Context } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { toTime } from './views.ts';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Everything shown was typed by somebody; there is no script, so none can be smuggled in. */
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
  // "no-referrer" would make browsers send `Origin: null` with the console's own forms.
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
        <p class="banner">
          <strong>Sandbox.</strong> Nothing here is lent, and nobody is contacted.
        </p>
        ${body}
      </body>
    </html>`;
  return c.html(page, status);
}

export function renderTime(epochMs: number): Markup {
  const time = toTime(epochMs);
  return html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 19)} UTC</time>`;
}
