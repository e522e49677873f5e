// The page behind a lead's pURL: where its application stands, without anything personal.

import { Hono } from 'hono';
import { html } from 'hono/html';
import type { SandboxContext } from './context.ts';
import { renderPage, renderTime } from './page.ts';
import { decide } from './pre-approval-offer.ts';
import type { LeadRecord } from './state.ts';

export function createTrackingPage(context: SandboxContext): Hono {
  return new Hono().get('/:applicationId', (c) => {
    const record = context.state.leads.get(c.req.param('applicationId'));
    if (!record) {
      const body = html`<main>
        <h1>No such application</h1>
        <p>The sandbox keeps applications in memory only; a restart or a reset forgets them.</p>
      </main>`;
      return renderPage(c, 'No such application', body, 404);
    }
    return renderPage(c, 'Your application', renderTracking(record, context));
  });
}

function renderTracking(record: LeadRecord, context: SandboxContext) {
  const { applicationId } = record;
  const documents = Array.from(context.state.documents.values()).filter(
    (document) => document.applicationId === applicationId,
  );
  const reports = Array.from(context.state.assetReports.values()).filter(
    (report) => report.applicationId === applicationId,
  );
  return html`<main class="letter">
    <h1>Your application</h1>
    <p>${toStanding(record, context)}</p>
    <dl>
      <dt>Application</dt>
      <dd>${applicationId}</dd>
      <dt>Received</dt>
      <dd>${renderTime(record.createdAtMs)}</dd>
      <dt>Documents</dt>
      <dd>${documents.length}</dd>
      <dt>Bank reports</dt>
      <dd>${reports.length}</dd>
    </dl>
  </main>`;
}

function toStanding(record: LeadRecord, context: SandboxContext): string {
  const { status, offers } = decide(record, context);
  if (status === 'Not Qualified') return 'This application did not qualify for an offer.';
  if (offers.length === 0) return 'This application qualified; offers are being prepared.';
  return offers.length === 1
    ? 'This application qualified, and one offer is ready.'
    : `This application qualified, and ${offers.length} offers are ready.`;
}
