// The control API below /_sandbox: shows what the sandbox received, and changes its state for tests and people.

import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod/mini';
import { toBankingMetrics } from './asset-report.ts';
import { errorRows, isErrorRowId, toOperation } from './errors.ts';
import { describeFault, faultKinds, faultSchema, faultTexts } from './faults.ts';
import { maxCustomOffers } from './offers.ts';
import { operationNames } from './operation-names.ts';
import { parseObject } from './operation.ts';
import { renderPage, shorten, toCount, toDuration, toIsoTime } from './page.ts';
import { servePreview } from './preview.ts';
import { outcomes, outcomeTexts, scenarios } from './scenarios.ts';
import {
  recordAction,
  resetContext,
  toMessage,
  type AssetReportRecord,
  type CallRecord,
  type DocumentRecord,
  type LeadRecord,
  type SandboxContext,
} from './state.ts';

const consolePath = '/_sandbox/';
const maxProblemsOnPage = 20;
/** 100 years. */
const maxAdvanceMs = 3_155_760_000_000;
const notFound = { error: 'Record not found' };

/** `advanceMs` may be negative. `isReset` returns to the time of the machine. */
const clockSchema = z
  .strictObject({
    advanceMs: z.optional(z.int().check(z.gte(-maxAdvanceMs), z.lte(maxAdvanceMs))),
    now: z.optional(z.iso.datetime({ offset: true })),
    isReset: z.optional(z.literal(true)),
  })
  .check(
    z.refine(
      (fields) => Object.values(fields).filter((value) => value !== undefined).length === 1,
      {
        error: 'Send either advanceMs or now',
      },
    ),
  );

const outcomeSchema = z.strictObject({
  outcome: z.enum(outcomes).check(
    z.refine((outcome) => outcome !== 'custom-offers', {
      error: 'Send custom offers to /leads/<ApplicationID>/offers',
    }),
  ),
});

const customOffersSchema = z.strictObject({
  count: z.int().check(z.gte(1), z.lte(maxCustomOffers)),
  amounts: z._default(z.array(z.int().check(z.gte(1), z.lte(1_000_000_000))), []),
  delaySeconds: z._default(z.int().check(z.gte(0), z.lte(86_400)), 0),
});

const seedSchema = z.strictObject({ seed: z.int().check(z.gte(0), z.lte(1_000_000)) });

const removeFaultSchema = z.strictObject({
  index: z.int().check(z.gte(0)),
  kind: z.enum(faultKinds),
});

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
  control.get('/documents/:documentId/preview', (c) => {
    const document = state.documents.get(c.req.param('documentId'));
    return (document && servePreview(c, document)) ?? c.json(notFound, 404);
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
  control.get('/calls/:callId', (c) => {
    const call = state.calls.find(({ callId }) => String(callId) === c.req.param('callId'));
    if (!call) return c.json(notFound, 404);
    return c.json({ ...toCallView(call), answer: call.answer ?? null });
  });
  control.get('/errors', (c) =>
    c.json({ errors: Object.entries(errorRows).map(([id, row]) => ({ id, ...row })) }),
  );
  control.get('/scenarios', (c) => c.json({ scenarios }));
  control.get('/faults', (c) => c.json({ faults: state.faults }));
  control.get('/seed', (c) => c.json({ seed: state.seed }));
  control.get('/clock', (c) => c.json({ now: toIsoTime(clock.now()) }));
}

function addLeadRoutes(control: Hono, context: SandboxContext): void {
  const { clock, state } = context;
  control.post('/leads/:applicationId/do-not-contact', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return c.json(notFound, 404);
    record.contactPreference = 'do-not-contact';
    record.history.push({ atMs: clock.now(), event: 'Marked Do Not Contact' });
    recordAction(context, {
      text: `${toName(record)} is marked Do Not Contact.`,
      effect: 'The applicant can allow contact again in the form.',
      applicationId: record.applicationId,
    });
    return respond(c, body, context, toLeadView(record));
  });
  control.post('/leads/:applicationId/outcome', async (c) => {
    const body = await readBody(c, outcomeSchema);
    if (body.kind === 'invalid') return body.response;
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return c.json(notFound, 404);
    record.outcome = body.value.outcome;
    record.history.push({ atMs: clock.now(), event: `Outcome set to ${record.outcome}` });
    const { label, form } = outcomeTexts[record.outcome];
    const text = `The outcome of ${toName(record)} is now “${label}”.`;
    recordAction(context, { text, effect: form, applicationId: record.applicationId });
    return respond(c, body, context, toLeadView(record));
  });
  control.post('/leads/:applicationId/offers', async (c) => {
    const body = await readBody(c, customOffersSchema, toCustomOffersFields);
    if (body.kind === 'invalid') return body.response;
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return c.json(notFound, 404);
    const { count, amounts, delaySeconds } = body.value;
    const atMs = clock.now();
    record.outcome = 'custom-offers';
    record.customOffers = { count, amounts, readyAtMs: atMs + delaySeconds * 1000 };
    record.history.push({ atMs, event: `Outcome set to ${record.outcome}` });
    const when = delaySeconds > 0 ? `in ${toDuration(delaySeconds * 1000)}` : 'now';
    recordAction(context, {
      text: `${toName(record)} gets ${toCount(count, 'offer')} ${when}.`,
      effect: 'The form shows them the next time it asks.',
      applicationId: record.applicationId,
    });
    return respond(c, body, context, toLeadView(record));
  });
}

function toName({ lead }: LeadRecord): string {
  return shorten(lead.Company, 120);
}

function addStateRoutes(control: Hono, context: SandboxContext): void {
  const { clock, state } = context;
  control.post('/reset', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    resetContext(context);
    context.save({ isReset: true });
    recordAction(context, {
      text: 'Everything was deleted, and the clock shows the time of this machine.',
    });
    return respond(c, body, context, { isReset: true });
  });
  control.post('/clock', async (c) => {
    const body = await readBody(c, clockSchema, toClockFields);
    if (body.kind === 'invalid') return body.response;
    const { advanceMs, now, isReset } = body.value;
    if (advanceMs !== undefined) clock.advance(advanceMs);
    if (now !== undefined) clock.setTo(Date.parse(now));
    if (isReset) clock.reset();
    recordAction(context, { text: toClockText(advanceMs, toIsoTime(clock.now())) });
    return respond(c, body, context, { now: toIsoTime(clock.now()) });
  });
  control.post('/seed', async (c) => {
    const body = await readBody(c, seedSchema);
    if (body.kind === 'invalid') return body.response;
    state.seed = body.value.seed;
    recordAction(context, {
      text: `The seed of the offers is now ${state.seed}.`,
      effect: 'Each application gets other amounts and prices the next time the form asks.',
    });
    return respond(c, body, context, { seed: state.seed });
  });
  control.post('/revoke-tokens', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    const revoked = state.tokens.size;
    state.tokens.clear();
    recordAction(context, {
      text: `${toCount(revoked, 'access token')} revoked.`,
      effect: 'The next call is refused, and the BFF repeats it with a new token.',
    });
    return respond(c, body, context, { revoked });
  });
  addFaultRoutes(control, context);
}

function toClockText(advanceMs: number | undefined, now: string): string {
  const time = `It shows ${now.slice(0, 10)} ${now.slice(11, 19)} UTC.`;
  if (advanceMs === undefined) return `The clock was set. ${time}`;
  const direction = advanceMs < 0 ? 'back' : 'forward';
  return `The clock moved ${direction} by ${toDuration(advanceMs)}. ${time}`;
}

function addFaultRoutes(control: Hono, context: SandboxContext): void {
  const { faults } = context.state;
  control.post('/faults', async (c) => {
    const body = await readBody(c, faultSchema, toFaultFields);
    if (body.kind === 'invalid') return body.response;
    const fault = body.value;
    faults.push(fault);
    const { label, form } = faultTexts[fault.kind];
    const operation = fault.operation === 'any' ? 'any call' : operationNames[fault.operation];
    const text = `Fault added for ${operation}: ${label} ${describeFault(fault)}`.trim();
    recordAction(context, { text: `${text}.`, effect: `In the form: ${form}` });
    return respond(c, body, context, { faults });
  });
  control.post('/faults/remove', async (c) => {
    const body = await readBody(c, removeFaultSchema);
    if (body.kind === 'invalid') return body.response;
    const { index, kind } = body.value;
    const fault = faults[index];
    // A call may have used the fault since the page was shown.
    if (fault?.kind !== kind) return c.json({ error: 'This fault is no longer pending' }, 409);
    faults.splice(index, 1);
    const text = `Fault removed: ${faultTexts[kind].label} ${describeFault(fault)}`.trim();
    recordAction(context, { text: `${text}.` });
    return respond(c, body, context, { faults });
  });
  control.post('/faults/clear', async (c) => {
    const body = await readBody(c, emptySchema);
    if (body.kind === 'invalid') return body.response;
    recordAction(context, { text: `${toCount(faults.length, 'fault')} removed.` });
    faults.length = 0;
    return respond(c, body, context, { faults: [] });
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
function toDocumentView(record: DocumentRecord) {
  const { documentId, applicationId, name, ext, category, bytes, sha256, receivedAtMs } = record;
  const file = { name, ext, category, bytes, sha256 };
  return { documentId, applicationId, ...file, receivedAt: toIsoTime(receivedAtMs) };
}

/** `metrics` is null for an incomplete report. */
function toAssetReportView({ receivedAtMs, completeReport, ...record }: AssetReportRecord) {
  return {
    ...record,
    receivedAt: toIsoTime(receivedAtMs),
    metrics: completeReport === undefined ? null : toBankingMetrics(completeReport),
  };
}

/** Does not include the answer; it has a route of its own. */
function toCallView({
  atMs,
  fault,
  applicationId,
  answer: _answer,
  request: _request,
  recordId,
  ...record
}: CallRecord) {
  return {
    ...record,
    recordId: recordId ?? null,
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
  | { readonly kind: 'valid'; readonly value: Value; readonly returnTo: string }
  | { readonly kind: 'invalid'; readonly response: Response };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON object or a form of the console. An empty body counts as `{}`.
 *
 * @param toFields converts the fields of a form, whose values are text and whole numbers.
 */
async function readBody<Schema extends z.ZodMiniType>(
  c: Context,
  schema: Schema,
  toFields: (fields: Fields) => Fields = (fields) => fields,
): Promise<ControlBody<z.infer<Schema>>> {
  const text = await c.req.text();
  const form = isForm(c) ? parseForm(text) : undefined;
  const fields = form ? toFields(form.fields) : parseObject(text || '{}');
  if (!fields) {
    return { kind: 'invalid', response: await reject(c, ['The body is not a JSON object']) };
  }
  const parsed = schema.safeParse(fields, { error: z.locales.en().localeError });
  const returnTo = form?.returnTo ?? consolePath;
  if (parsed.success) return { kind: 'valid', value: parsed.data, returnTo };
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return { kind: 'invalid', response: await reject(c, problems) };
}

/** Saves the change, and sends the result as JSON. A form gets the sentence of the timeline: as JSON to its script, or on the page it came from. */
function respond(
  c: Context,
  { returnTo }: { readonly returnTo: string },
  context: SandboxContext,
  result: Fields,
): Response {
  const action = context.state.actions.at(-1);
  context.save({ applicationId: action?.applicationId });
  if (!isForm(c)) return c.json(result);
  if (wantsJson(c)) return c.json({ ...result, message: action && toMessage(action) });
  const url = new URL(returnTo, c.req.url);
  url.searchParams.set('done', String(action?.sequence));
  return c.redirect(url.pathname + url.search + url.hash, 303);
}

async function reject(c: Context, problems: readonly string[]): Promise<Response> {
  if (!isForm(c) || wantsJson(c)) {
    return c.json(
      { error: 'Invalid control request', problems: problems.slice(0, maxProblemsOnPage) },
      400,
    );
  }
  const body = html`<main>
    <h1>Invalid request</h1>
    <p>The sandbox did not change anything. Correct these fields:</p>
    <ul>
      ${problems.slice(0, maxProblemsOnPage).map((problem) => html`<li>${shorten(problem, 600)}</li>`)}
    </ul>
    <p><a href="${consolePath}">Back to the console</a></p>
  </main>`;
  return renderPage(c, { title: 'Invalid request', body, status: 400 });
}

function isForm(c: Context): boolean {
  return (c.req.header('Content-Type') ?? '').startsWith('application/x-www-form-urlencoded');
}

function wantsJson(c: Context): boolean {
  return c.req.header('Accept') === 'application/json';
}

/** Omits empty fields, and converts whole numbers, because all values of a form are text. */
function parseForm(text: string): { readonly fields: Fields; readonly returnTo: string } {
  const { returnTo, ...values } = Object.fromEntries(new URLSearchParams(text));
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  const fields = filled.map(([name, value]) => [
    name,
    /^-?\d+$/.test(value) ? Number(value) : value,
  ]);
  // Only paths of the console: `//elsewhere.example` would lead to another site.
  const isOwnPath = returnTo !== undefined && /^\/_sandbox\/[\w/?=&#-]*$/.test(returnTo);
  return {
    fields: Object.fromEntries(fields) as Fields,
    returnTo: isOwnPath ? returnTo : consolePath,
  };
}

function toClockFields(fields: Fields): Fields {
  const { amount, unit, ...others } = fields;
  if (typeof amount === 'number' && typeof unit === 'number') {
    return { ...others, advanceMs: amount * unit };
  }
  return others.isReset === 'true' ? { ...others, isReset: true } : fields;
}

function toCustomOffersFields({ amounts, ...fields }: Fields): Fields {
  if (amounts === undefined) return fields;
  const texts = String(amounts)
    .trim()
    .split(/[\s;]+/);
  // A thousands separator is a comma: 25,000.
  return { ...fields, amounts: texts.map((text) => Number(text.replaceAll(/[$,]/g, ''))) };
}

/** The form has the fields of every kind. Those of other kinds are dropped, and the row decides the operation. */
function toFaultFields(fields: Fields): Fields {
  const { kind } = fields;
  const known = faultKinds.find((one) => one === kind);
  if (!known) return fields;
  const names = new Set<string>(['kind', 'operation', 'times', ...faultTexts[known].fields]);
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
  const { row } = own;
  if (known === 'row' && typeof row === 'string' && isErrorRowId(row)) {
    return { ...own, operation: toOperation(row) };
  }
  return known === 'processing-failed' ? { ...own, operation: 'asset-report' } : own;
}
