// The control API below /_sandbox: shows what the sandbox received, and changes its state for tests and people.

import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod/mini';
import { toBankingMetrics } from './asset-report.ts';
import { errorRows } from './errors.ts';
import { faultSchema } from './faults.ts';
import { parseObject } from './operation.ts';
import { renderPage, shorten, toIsoTime } from './page.ts';
import { outcomes, scenarios } from './scenarios.ts';
import {
  resetContext,
  type AssetReportRecord,
  type CallRecord,
  type DocumentRecord,
  type LeadRecord,
  type SandboxContext,
} from './state.ts';

const consolePath = '/_sandbox/';
const maxProblemsOnPage = 20;
const notFound = { error: 'Record not found' };

/** `advanceMs` may be negative. */
const clockSchema = z
  .strictObject({
    advanceMs: z.optional(z.int()),
    now: z.optional(z.iso.datetime({ offset: true })),
  })
  .check(
    z.refine(({ advanceMs, now }) => (advanceMs === undefined) !== (now === undefined), {
      error: 'Send either advanceMs or now',
    }),
  );

const outcomeSchema = z.strictObject({ outcome: z.enum(outcomes) });

const emptySchema = z.strictObject({});

export function createControl(context: SandboxContext): Hono {
  const control = new Hono();
  control.use(requireSameOrigin);
  addReadRoutes(control, context);
  addLeadRoutes(control, context);
  addStateRoutes(control, context);
  return control;
}

function addReadRoutes(control: Hono, { clock, state }: SandboxContext): void {
  control.get('/leads', (c) => c.json({ leads: Array.from(state.leads.values(), toLeadView) }));
  control.get('/leads/:applicationId', (c) => {
    const record = state.leads.get(c.req.param('applicationId'));
    return record ? c.json(toLeadView(record)) : c.json(notFound, 404);
  });
  control.get('/documents', (c) =>
    c.json({ documents: Array.from(state.documents.values(), toDocumentView) }),
  );
  control.get('/documents/:documentId/content', (c) => {
    const document = state.documents.get(c.req.param('documentId'));
    if (!document) return c.json(notFound, 404);
    // The browser must download the bytes and not display them, because anybody may have uploaded them.
    c.header('Content-Disposition', 'attachment');
    c.header('Content-Type', 'application/octet-stream');
    return c.body(Uint8Array.from(document.content));
  });
  control.get('/asset-reports', (c) =>
    c.json({ assetReports: Array.from(state.assetReports.values(), toAssetReportView) }),
  );
  control.get('/asset-reports/:assetReportId/content', (c) => {
    const report = state.assetReports.get(c.req.param('assetReportId'));
    if (!report) return c.json(notFound, 404);
    c.header('Content-Type', 'application/json');
    return c.body(report.receivedText);
  });
  control.get('/calls', (c) => c.json({ calls: state.calls.map(toCallView) }));
  control.get('/errors', (c) =>
    c.json({ errors: Object.entries(errorRows).map(([id, row]) => ({ id, ...row })) }),
  );
  control.get('/scenarios', (c) => c.json({ scenarios }));
  control.get('/faults', (c) => c.json({ faults: state.faults }));
  control.get('/clock', (c) => c.json({ now: toIsoTime(clock.now()) }));
}

function addLeadRoutes(control: Hono, { clock, state }: SandboxContext): void {
  control.post('/leads/:applicationId/do-not-contact', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return c.json(notFound, 404);
    record.contactPreference = 'do-not-contact';
    record.history.push({ atMs: clock.now(), event: 'Marked Do Not Contact' });
    return respond(c, toLeadView(record));
  });
  control.post('/leads/:applicationId/outcome', async (c) => {
    const body = await readBody(c, outcomeSchema);
    if (body.kind === 'invalid') return body.response;
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return c.json(notFound, 404);
    record.outcome = body.value.outcome;
    record.history.push({ atMs: clock.now(), event: `Outcome set to ${record.outcome}` });
    return respond(c, toLeadView(record));
  });
}

function addStateRoutes(control: Hono, context: SandboxContext): void {
  const { clock, state } = context;
  control.post('/reset', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    resetContext(context);
    return respond(c, { isReset: true });
  });
  control.post('/clock', async (c) => {
    const body = await readBody(c, clockSchema);
    if (body.kind === 'invalid') return body.response;
    const { advanceMs, now } = body.value;
    if (advanceMs !== undefined) clock.advance(advanceMs);
    if (now !== undefined) clock.setTo(Date.parse(now));
    return respond(c, { now: toIsoTime(clock.now()) });
  });
  control.post('/revoke-tokens', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    const revoked = state.tokens.size;
    state.tokens.clear();
    return respond(c, { revoked });
  });
  control.post('/faults', async (c) => {
    const body = await readBody(c, faultSchema);
    if (body.kind === 'invalid') return body.response;
    state.faults.push(body.value);
    return respond(c, { faults: state.faults });
  });
  control.post('/faults/clear', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    state.faults.length = 0;
    return respond(c, { faults: [] });
  });
}

function toLeadView({ createdAtMs, history, ...record }: LeadRecord) {
  return {
    ...record,
    createdAt: toIsoTime(createdAtMs),
    history: history.map(({ atMs, event }) => ({ at: toIsoTime(atMs), event })),
  };
}

/** Does not include the bytes; they have a route of their own. */
function toDocumentView({ receivedAtMs, content, ...record }: DocumentRecord) {
  return { ...record, receivedAt: toIsoTime(receivedAtMs), bytes: content.byteLength };
}

/** `metrics` is null for an incomplete report. */
function toAssetReportView({ receivedAtMs, completeReport, ...record }: AssetReportRecord) {
  return {
    ...record,
    receivedAt: toIsoTime(receivedAtMs),
    metrics: completeReport === undefined ? null : toBankingMetrics(completeReport),
  };
}

function toCallView({ atMs, fault, applicationId, ...record }: CallRecord) {
  return {
    ...record,
    at: toIsoTime(atMs),
    fault: fault ?? null,
    applicationId: applicationId ?? null,
  };
}

/**
 * Rejects requests that a page of another origin makes in the user's browser, including a page on another port of this machine.
 * The control API needs no password, and a plain HTML form of any page can reach it.
 */
const requireSameOrigin: MiddlewareHandler = async (c, next) => {
  const site = c.req.header('Sec-Fetch-Site') ?? 'none';
  const origin = c.req.header('Origin') ?? c.req.url;
  const isCrossOrigin = site !== 'none' && site !== 'same-origin';
  if (isCrossOrigin || (site === 'none' && !hasSameHost(origin, c.req.url))) {
    return c.json({ error: 'Cross-origin requests are not allowed' }, 403);
  }
  await next();
  return undefined;
};

function hasSameHost(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}

type ControlBody<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly response: Response };

/** Reads a JSON object or a form of the console. An empty body counts as `{}`. */
async function readBody<Schema extends z.ZodMiniType>(
  c: Context,
  schema: Schema,
): Promise<ControlBody<z.infer<Schema>>> {
  const text = await c.req.text();
  const fields = isForm(c) ? parseForm(text) : parseObject(text || '{}');
  if (!fields) {
    return { kind: 'invalid', response: await reject(c, ['The body is not a JSON object']) };
  }
  const parsed = schema.safeParse(fields, { error: z.locales.en().localeError });
  if (parsed.success) return { kind: 'valid', value: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return { kind: 'invalid', response: await reject(c, problems) };
}

/** Sends the result as JSON, or redirects a form back to the console. */
function respond(c: Context, result: Readonly<Record<string, unknown>>): Response {
  return isForm(c) ? c.redirect(consolePath, 303) : c.json(result);
}

async function reject(c: Context, problems: readonly string[]): Promise<Response> {
  if (!isForm(c)) return c.json({ error: 'Invalid control request', problems }, 400);
  const body = html`<main>
    <h1>Invalid request</h1>
    <p>The sandbox did not change anything. Correct these fields:</p>
    <ul>
      ${problems.slice(0, maxProblemsOnPage).map((problem) => html`<li>${shorten(problem, 600)}</li>`)}
    </ul>
    <p><a href="${consolePath}">Back to the console</a></p>
  </main>`;
  return renderPage(c, 'Invalid request', body, 400);
}

function isForm(c: Context): boolean {
  return (c.req.header('Content-Type') ?? '').startsWith('application/x-www-form-urlencoded');
}

/** Omits empty fields, and converts whole numbers, because all values of a form are text. */
function parseForm(text: string): Record<string, unknown> {
  const filled = Array.from(new URLSearchParams(text)).filter(([, value]) => value !== '');
  return Object.fromEntries(
    filled.map(([name, value]) => [name, /^-?\d+$/.test(value) ? Number(value) : value]),
  );
}
