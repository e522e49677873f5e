// The control endpoints below /_sandbox: what was received, and levers for tests and people.

import { Hono } from 'hono';
import * as z from 'zod/mini';
import { markDoNotContact } from './contact-user.ts';
import type { SandboxContext } from './context.ts';
import { answerControl, readControlBody, sameOriginOnly } from './control-body.ts';
import { errorRows } from './errors.ts';
import { faultSchema } from './faults.ts';
import { outcomes, scenarios } from './scenarios.ts';
import { resetState } from './state.ts';
import { toAssetReportView, toCallView, toDocumentView, toLeadView, toTime } from './views.ts';

/** `advanceMs` may be negative. */
const clockSchema = z
  .strictObject({
    advanceMs: z.optional(z.int()),
    now: z.optional(z.iso.datetime({ offset: true })),
  })
  .check(
    z.refine(({ advanceMs, now }) => (advanceMs === undefined) !== (now === undefined), {
      error: 'Give either advanceMs or now',
    }),
  );

const outcomeSchema = z.strictObject({ outcome: z.enum(outcomes) });

const nothingSchema = z.strictObject({});

export function createControl(context: SandboxContext): Hono {
  const control = new Hono();
  control.use(sameOriginOnly);
  addReading(control, context);
  addLeadLevers(control, context);
  addLevers(control, context);
  return control;
}

function addReading(control: Hono, { clock, state }: SandboxContext): void {
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
    // Never shown in place: the bytes are whatever somebody uploaded.
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
  control.get('/clock', (c) => c.json({ now: toTime(clock.now()) }));
}

function addLeadLevers(control: Hono, { clock, state }: SandboxContext): void {
  control.post('/leads/:applicationId/do-not-contact', async (c) => {
    const body = await readControlBody(c, nothingSchema);
    if (body.kind === 'invalid') return body.response;
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return c.json(notFound, 404);
    markDoNotContact(record, clock.now());
    return answerControl(c, toLeadView(record));
  });
  control.post('/leads/:applicationId/outcome', async (c) => {
    const body = await readControlBody(c, outcomeSchema);
    if (body.kind === 'invalid') return body.response;
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return c.json(notFound, 404);
    record.outcome = body.value.outcome;
    record.history.push({ atMs: clock.now(), event: `Outcome set to ${record.outcome}` });
    return answerControl(c, toLeadView(record));
  });
}

function addLevers(control: Hono, { clock, state }: SandboxContext): void {
  control.post('/reset', async (c) => {
    const body = await readControlBody(c, nothingSchema);
    if (body.kind === 'invalid') return body.response;
    resetState(state);
    clock.reset();
    return answerControl(c, { isReset: true });
  });
  control.post('/clock', async (c) => {
    const body = await readControlBody(c, clockSchema);
    if (body.kind === 'invalid') return body.response;
    const { advanceMs, now } = body.value;
    if (advanceMs !== undefined) clock.advance(advanceMs);
    if (now !== undefined) clock.setTo(Date.parse(now));
    return answerControl(c, { now: toTime(clock.now()) });
  });
  control.post('/revoke-tokens', async (c) => {
    const body = await readControlBody(c, nothingSchema);
    if (body.kind === 'invalid') return body.response;
    const revoked = state.tokens.size;
    state.tokens.clear();
    return answerControl(c, { revoked });
  });
  control.post('/faults', async (c) => {
    const body = await readControlBody(c, faultSchema);
    if (body.kind === 'invalid') return body.response;
    state.faults.push(body.value);
    return answerControl(c, { faults: state.faults });
  });
  control.post('/faults/clear', async (c) => {
    const body = await readControlBody(c, nothingSchema);
    if (body.kind === 'invalid') return body.response;
    state.faults.length = 0;
    return answerControl(c, { faults: [] });
  });
}

const notFound = { error: 'No such record' };
