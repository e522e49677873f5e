// The page at a lead's pURL. It shows the state of the application without personal data.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { renderPage, renderTime, type Markup } from './page.ts';
import { decide } from './pre-approval-offer.ts';
import type { LeadRecord, SandboxContext } from './state.ts';

export function createTrackingPage(context: SandboxContext): Hono {
  return new Hono().get('/:applicationId', (c) => {
    const record = context.state.leads.get(c.req.param('applicationId'));
    if (!record) {
      const body = html`<main>
        <h1>Application not found</h1>
        <p>
          A reset deletes applications, and a restart too unless <code>SANDBOX_DATA</code> names a
          file.
        </p>
      </main>`;
      return renderPage(c, { title: 'Application not found', body, status: 404 });
    }
    return renderPage(c, { title: 'Your application', body: renderApplication(record, context) });
  });
}

function renderApplication(record: LeadRecord, context: SandboxContext): Markup {
  const { applicationId } = record;
  const documents = Array.from(context.state.documents.values()).filter(
    (document) => document.applicationId === applicationId,
  );
  const reports = Array.from(context.state.assetReports.values()).filter(
    (report) => report.applicationId === applicationId,
  );
  return html`<main class="letter">
    <h1>Your application</h1>
    <p>${toStatusText(record, context)}</p>
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

function toStatusText(record: LeadRecord, context: SandboxContext): string {
  const { status, offers } = decide(record, context);
  if (status === 'Not Qualified') return 'This application did not qualify for an offer.';
  if (offers.length === 0) return 'This application qualified. Offers are being prepared.';
  return offers.length === 1
    ? 'This application qualified, and one offer is ready.'
    : `This application qualified, and ${offers.length} offers are ready.`;
}
