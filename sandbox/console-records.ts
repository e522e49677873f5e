// The records on the console: calls, applications, documents, and bank reports, each list with its own pagination.
// Every page stays small: long texts are cut, and a link leads to the complete JSON.

import { html } from 'hono/html';
import { toBankingMetrics, type BankingMetrics } from './asset-report.ts';
import { renderTime, shorten, shortenList, toIsoTime, type Markup } from './page.ts';
import { outcomes } from './scenarios.ts';
import type {
  AssetReportRecord,
  CallRecord,
  DocumentRecord,
  LeadRecord,
  SandboxState,
} from './state.ts';

/** Larger JSON is replaced by a link. */
const maxInlineJsonBytes = 4_500;
const maxEventsShown = 10;
const maxNamesShown = 3;

/** The lists, each with the route of its JSON. The key is the section's id and the query parameter of its page number. */
const lists = {
  calls: { title: 'Calls', json: '/_sandbox/calls', pageSize: 20 },
  applications: { title: 'Applications', json: '/_sandbox/leads', pageSize: 10 },
  documents: { title: 'Documents', json: '/_sandbox/documents', pageSize: 10 },
  'asset-reports': { title: 'Bank reports', json: '/_sandbox/asset-reports', pageSize: 10 },
} as const;

type ListId = keyof typeof lists;

/** The page number of each list, from 1. */
export type PageNumbers = Readonly<Record<ListId, number>>;

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});

export function readPageNumbers(readQuery: (name: ListId) => string | undefined): PageNumbers {
  const readNumber = (id: ListId) => {
    const text = readQuery(id) ?? '';
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
  };
  return {
    calls: readNumber('calls'),
    applications: readNumber('applications'),
    documents: readNumber('documents'),
    'asset-reports': readNumber('asset-reports'),
  };
}

export function renderRecords(state: SandboxState, pages: PageNumbers): Markup {
  const { leads } = state;
  const documents = Array.from(state.documents.values());
  const reports = Array.from(state.assetReports.values());
  return html`${renderList('calls', state.calls, pages, (call) => renderCall(call, leads))}
  ${renderList('applications', Array.from(leads.values()), pages, renderLead)}
  ${renderList('documents', documents, pages, (document) => renderDocument(document, leads))}
  ${renderList('asset-reports', reports, pages, (report) => renderAssetReport(report, leads))}`;
}

/**
 * Renders one page of a list, newest record first.
 *
 * @param all oldest first.
 */
function renderList<Value>(
  id: ListId,
  all: readonly Value[],
  pages: PageNumbers,
  renderRecord: (record: Value) => Markup,
): Markup {
  const { title, json, pageSize } = lists[id];
  const lastPage = Math.max(1, Math.ceil(all.length / pageSize));
  const page = Math.min(pages[id], lastPage);
  const end = all.length - (page - 1) * pageSize;
  const records = all.slice(Math.max(0, end - pageSize), end).reverse();
  return html`<section id="${id}">
    <h2>${title}</h2>
    ${records.length === 0 ? html`<p>None yet.</p>` : ''}
    ${
      lastPage > 1
        ? html`<p class="note">
            Page ${page} of ${lastPage}.
            ${page > 1 ? html`<a href="${toPageUrl(id, page - 1, pages)}">Newer</a>` : ''}
            ${page < lastPage ? html`<a href="${toPageUrl(id, page + 1, pages)}">Older</a>` : ''}
            <a href="${json}">All ${all.length.toLocaleString('en-US')} as JSON</a>
          </p>`
        : ''
    }
    ${
      records.length > 0
        ? html`<ol class="records">
            ${records.map(renderRecord)}
          </ol>`
        : ''
    }
  </section>`;
}

function toPageUrl(id: ListId, page: number, pages: PageNumbers): string {
  const numbers = Object.entries({ ...pages, [id]: page }).filter(([, number]) => number > 1);
  const query = new URLSearchParams(numbers.map(([name, number]) => [name, String(number)]));
  return `/_sandbox/?${query.toString()}#${id}`;
}

function renderCall(call: CallRecord, leads: ReadonlyMap<string, LeadRecord>): Markup {
  const lead = leads.get(call.applicationId ?? '');
  const isOk = call.outcome === 'ok';
  const details = {
    status: call.status,
    durationMs: call.durationMs,
    requestBytes: call.requestBytes,
    headers: Object.fromEntries(
      Object.entries(call.headers).map(([name, value]) => [name, shorten(value, 100)]),
    ),
  };
  return html`<li>
    ${renderTime(call.atMs)}
    <div>
      <p>
        <strong>${call.operation}</strong>
        <span class="${isOk ? 'good' : 'bad'}">${isOk ? '✓ ok' : `✕ ${call.outcome}`}</span>
        ${call.fault ? html`<span class="note">fault: ${call.fault}</span>` : ''}
        ${lead ? renderLeadLink(lead) : ''}
      </p>
      <details>
        <summary>${call.status} in ${call.durationMs} ms</summary>
        <pre>${JSON.stringify(details, null, 2)}</pre>
      </details>
    </div>
  </li>`;
}

/** Links to the lead's JSON, because the lead may be on another page of the list. */
function renderLeadLink({ applicationId, lead }: LeadRecord): Markup {
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
        <strong>${shorten(lead.Company)}</strong> requests ${dollars.format(lead.LoanAmount)}
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
      <div class="controls">
        <form method="post" action="${path}/do-not-contact">
          <button ${isMarked ? 'disabled' : ''}>Mark Do Not Contact</button>
        </form>
        <form method="post" action="${path}/outcome">
          <label>
            Outcome
            <select name="outcome">
              ${outcomes.map((outcome) => renderOption(outcome, record.outcome))}
            </select>
          </label>
          <button type="submit">Set outcome</button>
        </form>
      </div>
      ${renderHistory(record, path)} ${renderJson('Received lead', record.receivedText, path)}
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
      ${latest.map(({ atMs, event }) => html`<li>${toIsoTime(atMs)} ${event}</li>`)}
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
        ${renderLeadOf(document, leads)}
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
  const { completeReport, incomplete } = record;
  const metrics = completeReport && toBankingMetrics(completeReport);
  const path = `/_sandbox/asset-reports/${record.assetReportId}/content`;
  const heading = metrics ? shortenList(metrics.institutions, maxNamesShown) : 'Incomplete report';
  return html`<li>
    ${renderTime(record.receivedAtMs)}
    <div>
      <p><strong>${heading}</strong> ${renderLeadOf(record, leads)}</p>
      <p class="note">
        <code>${record.assetReportId}</code> ·
        ${
          metrics
            ? toMetricsLine(metrics)
            : `missing or invalid: ${shortenList(incomplete, maxNamesShown)}`
        }
      </p>
      ${renderJson('Received report', record.receivedText, path)}
    </div>
  </li>`;
}

function toMetricsLine(metrics: BankingMetrics): string {
  const { accounts, transactions, currentBalance, deposits } = metrics;
  return `accounts: ${accounts} · transactions: ${transactions} · balance: ${dollars.format(currentBalance)} · deposits: ${dollars.format(deposits)}`;
}

function renderLeadOf(
  { applicationId }: { readonly applicationId: string },
  leads: ReadonlyMap<string, LeadRecord>,
): Markup {
  const lead = leads.get(applicationId);
  return lead ? html`for ${renderLeadLink(lead)}` : html``;
}

/** @param path the URL of the complete JSON. */
function renderJson(title: string, json: string, path: string): Markup {
  const indented =
    json.length > maxInlineJsonBytes ? undefined : JSON.stringify(JSON.parse(json), null, 2);
  if (indented === undefined || shorten(indented, maxInlineJsonBytes) !== indented) {
    return html`<p>
      <a href="${path}">${title}, ${json.length.toLocaleString('en-US')} characters</a>
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
