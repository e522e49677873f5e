// The console's records: applications with their levers, documents and bank reports. Each list shows one page of records.

import { html } from 'hono/html';
import { shorten, shortenList, toListPage, type PageNumbers } from './console-pages.ts';
import type { SandboxContext } from './context.ts';
import { renderTime, type Markup } from './page.ts';
import { outcomes } from './scenarios.ts';
import type { AssetReportRecord, DocumentRecord, LeadRecord } from './state.ts';
import { toAssetReportView, type BankingMetrics, toTime } from './views.ts';

/** JSON that takes more of the page is linked to. */
const maxFoldedBytes = 4_500;
const maxEventsShown = 10;
const maxNamesShown = 3;

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});

export function renderLeads({ state }: SandboxContext, pages: PageNumbers): Markup {
  const { records, pager } = toListPage('applications', Array.from(state.leads.values()), pages);
  return html`<section id="applications">
    <h2>Applications</h2>
    ${records.length === 0 ? html`<p>None yet.</p>` : ''} ${pager}
    <ol class="ledger">
      ${records.map(renderLead)}
    </ol>
  </section>`;
}

export function renderDocuments({ state }: SandboxContext, pages: PageNumbers): Markup {
  const { records, pager } = toListPage('documents', Array.from(state.documents.values()), pages);
  return html`<section id="documents">
    <h2>Documents</h2>
    ${records.length === 0 ? html`<p>None yet.</p>` : ''} ${pager}
    <ol class="ledger">
      ${records.map((document) => renderDocument(document, state.leads))}
    </ol>
  </section>`;
}

export function renderAssetReports({ state }: SandboxContext, pages: PageNumbers): Markup {
  const all = Array.from(state.assetReports.values());
  const { records, pager } = toListPage('asset-reports', all, pages);
  return html`<section id="asset-reports">
    <h2>Bank reports</h2>
    ${records.length === 0 ? html`<p>None yet.</p>` : ''} ${pager}
    <ol class="ledger">
      ${records.map((report) => renderAssetReport(report, state.leads))}
    </ol>
  </section>`;
}

/** The lead as JSON. It may be on another page of the console. */
export function renderLeadLink({ applicationId, lead }: LeadRecord): Markup {
  return html`<a href="/_sandbox/leads/${applicationId}">${shorten(lead.Company)}</a>`;
}

function renderLead(record: LeadRecord): Markup {
  const { applicationId, lead } = record;
  const isMarked = record.contactPreference === 'do-not-contact';
  const path = `/_sandbox/leads/${applicationId}`;
  return html`<li id="${applicationId}">
    ${renderTime(record.createdAtMs)}
    <div>
      <p>
        <strong>${shorten(lead.Company)}</strong> asks for ${dollars.format(lead.LoanAmount)}
        ${isMarked ? html`<span class="bad">✕ Do not contact</span>` : ''}
      </p>
      <p class="note">
        <code>${applicationId}</code> · reference <code>${shorten(record.referenceId)}</code> ·
        owner ${record.owner} · <a href="/apply/${applicationId}">tracking page</a>
      </p>
      ${
        record.ignoredFields.length > 0
          ? html`<p class="note">
              Ignored fields: ${shortenList(record.ignoredFields, maxNamesShown)}
            </p>`
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
      ${renderHistory(record, path)}
      ${renderFolded('The lead as it arrived', record.receivedText, path)}
    </div>
  </li>`;
}

function renderHistory({ history }: LeadRecord, path: string): Markup {
  const latest = history.slice(-maxEventsShown);
  const earlier = history.length - latest.length;
  return html`<details>
    <summary>History</summary>
    <ul>
      ${earlier > 0 ? html`<li><a href="${path}">${earlier} earlier events</a></li>` : ''}
      ${latest.map(({ atMs, event }) => html`<li>${toTime(atMs)} ${event}</li>`)}
    </ul>
  </details>`;
}

function renderDocument(document: DocumentRecord, leads: ReadonlyMap<string, LeadRecord>): Markup {
  const { documentId, name, ext, category, content, sha256 } = document;
  return html`<li>
    ${renderTime(document.receivedAtMs)}
    <div>
      <p>
        <strong>${shorten(name)}.${shorten(ext, 40)}</strong> as ${category}
        ${renderOwner(document, leads)}
      </p>
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
  const heading = metrics ? shortenList(metrics.institutions, maxNamesShown) : 'Incomplete report';
  return html`<li>
    ${renderTime(record.receivedAtMs)}
    <div>
      <p><strong>${heading}</strong> ${renderOwner(record, leads)}</p>
      <p class="note">
        <code>${record.assetReportId}</code> ·
        ${
          metrics
            ? toMetricsLine(metrics)
            : `missing or wrong: ${shortenList(incomplete, maxNamesShown)}`
        }
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
  const lead = leads.get(applicationId);
  return lead ? html`for ${renderLeadLink(lead)}` : html``;
}

/** @param path the address of the whole as JSON. */
function renderFolded(title: string, json: string, path: string): Markup {
  const indented =
    json.length > maxFoldedBytes ? undefined : JSON.stringify(JSON.parse(json), null, 2);
  if (indented === undefined || shorten(indented, maxFoldedBytes) !== indented) {
    return html`<p>
      <a href="${path}">${title}, ${json.length.toLocaleString('en-US')} letters</a>
    </p>`;
  }
  return html`<details>
    <summary>${title}</summary>
    <pre>${indented}</pre>
  </details>`;
}

function renderOption(value: string, current: string): Markup {
  return value === current
    ? html`<option selected>${value}</option>`
    : html`<option>${value}</option>`;
}
