// The console's records: applications with their levers, documents and bank reports.

import { html } from 'hono/html';
import type { SandboxContext } from './context.ts';
import { renderTime, type Markup } from './page.ts';
import { outcomes } from './scenarios.ts';
import type { AssetReportRecord, DocumentRecord, LeadRecord } from './state.ts';
import { toAssetReportView, type BankingMetrics, toTime } from './views.ts';

/** Longer JSON is linked to and not folded into the page. */
const maxFoldedLength = 20_000;

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});

export function renderLeads({ state }: SandboxContext): Markup {
  const leads = Array.from(state.leads.values()).reverse();
  return html`<section id="applications">
    <h2>Applications</h2>
    ${leads.length === 0 ? html`<p>None yet.</p>` : ''}
    <ol class="ledger">
      ${leads.map(renderLead)}
    </ol>
  </section>`;
}

export function renderDocuments({ state }: SandboxContext): Markup {
  const documents = Array.from(state.documents.values()).reverse();
  return html`<section id="documents">
    <h2>Documents</h2>
    ${documents.length === 0 ? html`<p>None yet.</p>` : ''}
    <ol class="ledger">
      ${documents.map((document) => renderDocument(document, state.leads))}
    </ol>
  </section>`;
}

export function renderAssetReports({ state }: SandboxContext): Markup {
  const reports = Array.from(state.assetReports.values()).reverse();
  return html`<section id="asset-reports">
    <h2>Bank reports</h2>
    ${reports.length === 0 ? html`<p>None yet.</p>` : ''}
    <ol class="ledger">
      ${reports.map((report) => renderAssetReport(report, state.leads))}
    </ol>
  </section>`;
}

function renderLead(record: LeadRecord): Markup {
  const { applicationId, lead } = record;
  const isMarked = record.contactPreference === 'do-not-contact';
  const path = `/_sandbox/leads/${applicationId}`;
  return html`<li id="${applicationId}">
    ${renderTime(record.createdAtMs)}
    <div>
      <p>
        <strong>${lead.Company}</strong> asks for ${dollars.format(lead.LoanAmount)}
        ${isMarked ? html`<span class="bad">✕ Do not contact</span>` : ''}
      </p>
      <p class="note">
        <code>${applicationId}</code> · reference <code>${record.referenceId}</code> · owner
        ${record.owner} · <a href="/apply/${applicationId}">tracking page</a>
      </p>
      ${
        record.ignoredFields.length > 0
          ? html`<p class="note">Ignored fields: ${record.ignoredFields.join(', ')}</p>`
          : ''
      }
      <div class="levers">
        <form method="post" action="${path}/do-not-contact">
          <button ${isMarked ? 'disabled' : ''}>Mark do not contact</button>
        </form>
        <form method="post" action="${path}/outcome">
          <label>
            Outcome
            <select name="outcome">
              ${outcomes.map((outcome) => renderOption(outcome, record.outcome))}
            </select>
          </label>
          <button>Set</button>
        </form>
      </div>
      <details>
        <summary>History</summary>
        <ul>
          ${record.history.map(({ atMs, event }) => html`<li>${toTime(atMs)} ${event}</li>`)}
        </ul>
      </details>
      ${renderFolded('The lead as it arrived', record.receivedText, path)}
    </div>
  </li>`;
}

function renderDocument(document: DocumentRecord, leads: ReadonlyMap<string, LeadRecord>): Markup {
  const { documentId, name, ext, category, content, sha256 } = document;
  return html`<li>
    ${renderTime(document.receivedAtMs)}
    <div>
      <p><strong>${name}.${ext}</strong> as ${category} ${renderOwner(document, leads)}</p>
      <p class="note">
        <code>${documentId}</code> · ${content.byteLength.toLocaleString('en-US')} bytes ·
        <a href="/_sandbox/documents/${documentId}/content">download</a>
      </p>
      <p class="note">SHA-256 <code>${sha256}</code></p>
    </div>
  </li>`;
}

function renderAssetReport(
  record: AssetReportRecord,
  leads: ReadonlyMap<string, LeadRecord>,
): Markup {
  const { metrics, incomplete } = toAssetReportView(record);
  const path = `/_sandbox/asset-reports/${record.assetReportId}/content`;
  return html`<li>
    ${renderTime(record.receivedAtMs)}
    <div>
      <p>
        <strong>${metrics?.institutions.join(', ') ?? 'Incomplete report'}</strong>
        ${renderOwner(record, leads)}
      </p>
      <p class="note">
        <code>${record.assetReportId}</code> ·
        ${metrics ? toMetricsLine(metrics) : `missing or wrong: ${incomplete.join(', ')}`}
      </p>
      ${renderFolded('The report as it arrived', record.receivedText, path)}
    </div>
  </li>`;
}

function toMetricsLine(metrics: BankingMetrics): string {
  const { accounts, transactions, currentBalance, deposits } = metrics;
  return `accounts: ${accounts} · transactions: ${transactions} · ${dollars.format(currentBalance)} now · ${dollars.format(deposits)} came in`;
}

function renderOwner(
  { applicationId }: { readonly applicationId: string },
  leads: ReadonlyMap<string, LeadRecord>,
): Markup {
  return html`for <a href="#${applicationId}">${leads.get(applicationId)?.lead.Company}</a>`;
}

function renderFolded(title: string, json: string, path: string): Markup {
  if (json.length > maxFoldedLength) {
    return html`<p>
      <a href="${path}">${title}, ${json.length.toLocaleString('en-US')} letters</a>
    </p>`;
  }
  return html`<details>
    <summary>${title}</summary>
    <pre>${JSON.stringify(JSON.parse(json), null, 2)}</pre>
  </details>`;
}

function renderOption(value: string, current: string): Markup {
  return value === current
    ? html`<option selected>${value}</option>`
    : html`<option>${value}</option>`;
}
