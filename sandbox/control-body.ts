// Reads the body of a control request, JSON or a console form, and answers plainly when it is wrong.

import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shorten } from './console-pages.ts';
import { parseObject } from './operation.ts';
import { renderPage } from './page.ts';

export type ControlReading<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly response: Response };

const consolePath = '/_sandbox/';
/** On a page. JSON has all of them. */
const maxProblemsShown = 20;

/** No body at all is the same as `{}`. Values of a form are text, so numbers among them are read as numbers. */
export async function readControlBody<Schema extends z.ZodMiniType>(
  c: Context,
  schema: Schema,
): Promise<ControlReading<z.infer<Schema>>> {
  const text = await c.req.text();
  const fields = isForm(c) ? readForm(text) : parseObject(text || '{}');
  if (!fields) return invalid(c, ['The body is not a JSON object']);
  const parsed = schema.safeParse(fields, { error: z.locales.en().localeError });
  if (parsed.success) return { kind: 'valid', value: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return invalid(c, problems);
}

/** What happened, as JSON; a form goes back to the console instead. */
export function answerControl(c: Context, result: Readonly<Record<string, unknown>>): Response {
  return isForm(c) ? c.redirect(consolePath, 303) : c.json(result);
}

/**
 * Refuses requests that a page of another origin makes in the user's browser, a page on another port of this machine included: the
 * control endpoints need no password, and a plain form could reach them.
 */
export const sameOriginOnly: MiddlewareHandler = async (c, next) => {
  const site = c.req.header('Sec-Fetch-Site') ?? 'none';
  const origin = c.req.header('Origin') ?? c.req.url;
  const isForeign = site !== 'none' && site !== 'same-origin';
  if (isForeign || (site === 'none' && !isSameOrigin(origin, c.req.url))) {
    return c.json({ error: 'Requests from another origin are refused' }, 403);
  }
  await next();
  return undefined;
};

function isSameOrigin(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}

function isForm(c: Context): boolean {
  return (c.req.header('Content-Type') ?? '').startsWith('application/x-www-form-urlencoded');
}

/** Fields left empty are left out. */
function readForm(text: string): Record<string, unknown> {
  const given = Array.from(new URLSearchParams(text)).filter(([, value]) => value !== '');
  return Object.fromEntries(
    given.map(([name, value]) => [name, /^-?\d+$/.test(value) ? Number(value) : value]),
  );
}

async function invalid(
  c: Context,
  problems: readonly string[],
): Promise<{ readonly kind: 'invalid'; readonly response: Response }> {
  return { kind: 'invalid', response: await refuse(c, problems) };
}

async function refuse(c: Context, problems: readonly string[]): Promise<Response> {
  if (!isForm(c)) return c.json({ error: 'Invalid control request', problems }, 400);
  const body = html`<main>
    <h1>That was not done</h1>
    <ul>
      ${problems.slice(0, maxProblemsShown).map((problem) => html`<li>${shorten(problem, 600)}</li>`)}
    </ul>
    <p><a href="${consolePath}">Back to the console</a></p>
  </main>`;
  return renderPage(c, 'Not done', body, 400);
}
