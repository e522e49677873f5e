// The page of one application: its facts, its outcome, the offers as the service would answer now, its files, and its timeline.

import { html } from 'hono/html';
import { leadSchema } from '../shared/funding-service/lead.ts';
import { toBankingMetrics } from './asset-report.ts';
import { renderFile } from './console-files.ts';
import { renderContactControl, renderOutcomeControl } from './console-outcome.ts';
import { renderTimeline, toKeyFacts, type TimelineFilter } from './console-timeline.ts';
import { mask, maskJson, toSecretField } from './masks.ts';
import { isObject } from './operation.ts';
import {
  renderJson,
  renderTime,
  shorten,
  shortenList,
  toCount,
  toDollars,
  type Markup,
} from './page.ts';
import { decide } from './pre-approval-offer.ts';
import type { AssetReportRecord, LeadRecord, SandboxContext } from './state.ts';

const pageSize = 20;
const maxFieldBytes = 400;
const maxEventsShown = 10;

const parts = [
  ['outcome', 'Outcome'],
  ['contact', 'Contact'],
  ['timeline', 'Timeline'],
  ['documents', 'Documents'],
  ['bank-reports', 'Bank reports'],
  ['fields', 'Fields'],
] as const;

export interface ApplicationView {
  readonly filter: TimelineFilter;
  /** Fields whose values are shown without a mask. */
  readonly revealed: ReadonlySet<string>;
  /** From 1. */
  readonly documentsPage: number;
}

export function renderApplication(
  record: LeadRecord,
  context: SandboxContext,
  view: ApplicationView,
): Markup {
  const { state } = context;
  const { applicationId, lead } = record;
  const path = `/_sandbox/applications/${applicationId}`;
  const reports = Array.from(state.assetReports.values()).filter(
    (report) => report.applicationId === applicationId,
  );
  return html`<main>
    <p class="back"><a href="/_sandbox/">All applications</a></p>
    <h1>${shorten(lead.Company, 240)}</h1>
    <p class="lede">
      Asks for <strong>${toDollars(lead.LoanAmount)}</strong> · received
      ${renderTime(record.createdAtMs)}
    </p>
    <p class="facts">${toKeyFacts(record)}</p>
    <nav class="parts" aria-label="On this page">
      ${parts.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}
    </nav>
    <div class="bench">
      <div>
        <section id="now" data-live>
          <h2>What the form gets now</h2>
          ${renderDecision(record, context)}
        </section>
        <section id="timeline" data-live>
          <h2>Timeline</h2>
          ${renderTimeline(
            state,
            view.filter,
            (before) =>
              before === undefined ? `${path}#timeline` : `${path}?before=${before}#timeline`,
            true,
          )}
        </section>
        ${renderDocuments(record, context, view.documentsPage)}
        <section id="bank-reports" data-live>
          <h2>Bank reports <span class="count">${reports.length}</span></h2>
          ${
            reports.length === 0
              ? html`<p class="note">None yet.</p>`
              : html`<ol class="files">
                  ${reports.slice(-pageSize).reverse().map(renderReport)}
                </ol>`
          }
        </section>
        ${renderFields(record, view.revealed)}
      </div>
      <aside aria-label="Controls of this application">
        ${renderOutcomeControl(record, path)} ${renderContactControl(record, path)}
        ${renderIdentifiers(record)}
      </aside>
    </div>
  </main>`;
}

function renderDecision(record: LeadRecord, context: SandboxContext): Markup {
  const { status, offers } = decide(record, context);
  if (status === 'Not Qualified')
    return html`<p><strong>Not Qualified</strong>, without offers.</p>`;
  if (offers.length === 0) return html`<p><strong>Qualified</strong>, no offers yet.</p>`;
  return html`<p><strong>Qualified</strong> with ${toCount(offers.length, 'offer')}.</p>
    ${
      record.outcome === 'untidy-offers'
        ? html`<p class="note">
            The answer spells some of these figures as text, or leaves them out.
          </p>`
        : ''
    }
    <table>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col" class="figure">Amount</th>
          <th scope="col" class="figure">APR</th>
          <th scope="col" class="figure">Payment</th>
          <th scope="col" class="figure">Repaid</th>
        </tr>
      </thead>
      <tbody>
        ${offers.map(
          (offer) =>
            html`<tr>
              <th scope="row">
                ${offer.Product} <span class="note">${toCount(offer.Est_Term, 'month')}</span>
              </th>
              <td class="figure" data-label="Amount">${toDollars(offer.Loan_Amount)}</td>
              <td class="figure" data-label="APR">
                ${offer.APR_Range_Low.toFixed(1)}% to ${offer.APR_Range_High.toFixed(1)}%
              </td>
              <td class="figure" data-label="Payment">
                ${toDollars(offer.Est_Payment_Amount)}
                <span class="note">${offer.Payment_Frequency.toLowerCase()}</span>
              </td>
              <td class="figure" data-label="Repaid">${toDollars(offer.Total_Cost_of_Loan)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function renderDocuments(
  { applicationId }: LeadRecord,
  { state }: SandboxContext,
  asked: number,
): Markup {
  const documents = Array.from(state.documents.values())
    .filter((document) => document.applicationId === applicationId)
    .reverse();
  const lastPage = Math.max(1, Math.ceil(documents.length / pageSize));
  const page = Math.min(asked, lastPage);
  const toUrl = (number: number) =>
    `/_sandbox/applications/${applicationId}?documents=${number}#documents`;
  return html`<section id="documents" data-live>
    <h2>Documents <span class="count">${documents.length}</span></h2>
    ${documents.length === 0 ? html`<p class="note">None yet.</p>` : ''}
    ${
      documents.length > 0
        ? html`<ol class="files">
            ${documents
              .slice((page - 1) * pageSize, page * pageSize)
              .map((document) => html`<li>${renderFile(document)}</li>`)}
          </ol>`
        : ''
    }
    ${
      lastPage > 1
        ? html`<p class="pages">
            Page ${page} of ${lastPage}
            ${page > 1 ? html`<a href="${toUrl(page - 1)}">Newer</a>` : ''}
            ${page < lastPage ? html`<a href="${toUrl(page + 1)}">Older</a>` : ''}
          </p>`
        : ''
    }
  </section>`;
}

function renderReport(record: AssetReportRecord): Markup {
  const { completeReport, incomplete, assetReportId } = record;
  const metrics = completeReport && toBankingMetrics(completeReport);
  const facts = metrics
    ? [
        toCount(metrics.accounts, 'account'),
        toCount(metrics.transactions, 'transaction'),
        `balance ${toDollars(metrics.currentBalance)}`,
        `deposits ${toDollars(metrics.deposits)}`,
      ].join(' · ')
    : `Missing or invalid: ${shortenList(incomplete, 3)}`;
  return html`<li>
    <p><strong>${metrics ? shortenList(metrics.institutions, 3) : 'Incomplete report'}</strong></p>
    <p class="facts">${facts}</p>
    ${renderJson(
      'Report as received',
      record.receivedText,
      `/_sandbox/asset-reports/${assetReportId}/content`,
      2_000,
    )}
  </li>`;
}

/** All fields of the specification, also those that were not sent. */
function renderFields(record: LeadRecord, revealed: ReadonlySet<string>): Markup {
  const names = Object.keys(leadSchema.shape);
  const values: Readonly<Record<string, unknown>> = record.lead;
  const sent = names.filter((name) => values[name] !== undefined).length;
  const path = `/_sandbox/applications/${record.applicationId}`;
  return html`<section id="fields" data-live>
    <h2>Fields</h2>
    <details ${revealed.size > 0 ? 'open' : ''}>
      <summary>All ${names.length} fields, ${sent} of them sent</summary>
      <dl class="fields">
        ${names.map(
          (name) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${renderValue(name, values[name], revealed, path)}</dd>
            </div>`,
        )}
      </dl>
    </details>
    ${
      record.ignoredFields.length > 0
        ? html`<p class="facts">
            Ignored, because the specification does not list them:
            ${shortenList(record.ignoredFields, 3)}
          </p>`
        : ''
    }
    ${renderJson(
      'Lead as received, masked',
      maskJson(record.receivedText, revealed) ?? '',
      `/_sandbox/leads/${record.applicationId}`,
    )}
    <p class="note">
      <a href="/_sandbox/leads/${record.applicationId}">Complete JSON, without masks</a>
    </p>
  </section>`;
}

function renderValue(
  name: string,
  value: unknown,
  revealed: ReadonlySet<string>,
  path: string,
): Markup {
  if (value === undefined) return html`<span class="note">not sent</span>`;
  const field = toSecretField(name);
  if (!field) return html`${shorten(toText(value), maxFieldBytes)}`;
  const isRevealed = revealed.has(field);
  const others = new Set(revealed);
  if (isRevealed) others.delete(field);
  else others.add(field);
  const query = others.size > 0 ? `?reveal=${Array.from(others).join(',')}` : '';
  return html`<span
      >${isRevealed ? shorten(toText(value), maxFieldBytes) : mask(field, toText(value))}</span
    >
    <a id="reveal-${field}" href="${path}${query}#reveal-${field}" data-swap="fields"
      >${isRevealed ? 'Hide' : 'Reveal'} <span class="visually-hidden">${field}</span></a
    >`;
}

function toText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (isObject(value)) return Object.values(value).map(String).join(', ');
  return String(value);
}

function renderIdentifiers(record: LeadRecord): Markup {
  const { applicationId, referenceId, owner, history } = record;
  const latest = history.slice(-maxEventsShown).reverse();
  return html`<section>
    <h2>Identifiers</h2>
    <dl class="headers">
      <div>
        <dt>ApplicationID</dt>
        <dd>${applicationId}</dd>
      </div>
      <div>
        <dt>ID of the partner</dt>
        <dd>${shorten(referenceId)}</dd>
      </div>
      <div>
        <dt>Owner</dt>
        <dd>${owner}</dd>
      </div>
    </dl>
    <p><a href="/apply/${applicationId}">Tracking page</a></p>
    <details>
      <summary>History</summary>
      <ul class="history">
        ${latest.map(({ atMs, event }) => html`<li>${renderTime(atMs)} ${event}</li>`)}
      </ul>
    </details>
  </section>`;
}
