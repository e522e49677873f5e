// The timeline of the console: calls and changes, newest first. Equal calls in a row are one entry, because the form asks for
// offers every few seconds.

import { html } from 'hono/html';
import type { Operation } from '../shared/funding-service/operations.ts';
import { toBankingMetrics } from './asset-report.ts';
import { renderPreview } from './console-files.ts';
import { faultKinds, faultTexts } from './faults.ts';
import { operationNames } from './operation-names.ts';
import {
  renderJson,
  renderTimeOfDay,
  shorten,
  shortenList,
  toCount,
  toDollars,
  toFileSize,
  toIsoTime,
  type Markup,
} from './page.ts';
import type { ActionRecord, CallRecord, LeadRecord, SandboxState } from './state.ts';

const pageSize = 30;
/** A longer answer is on the page of the call. */
const maxAnswerBytes = 1_500;
const maxHeaderBytes = 100;

export interface TimelineFilter {
  readonly applicationId: string | undefined;
  readonly operation: Operation | undefined;
  readonly isFailuresOnly: boolean;
  /** Shows entries before this sequence number. */
  readonly before: number | undefined;
}

type Entry =
  /** Newest first. */
  | { readonly kind: 'calls'; readonly calls: CallRecord[] }
  | { readonly kind: 'action'; readonly action: ActionRecord };

interface TimelinePage {
  readonly entries: readonly Entry[];
  /** The `before` of the next page, if there is one. */
  readonly older: number | undefined;
}

export function renderTimeline(
  state: SandboxState,
  filter: TimelineFilter,
  toUrl: (before: number | undefined) => string,
  isAlone = false,
): Markup {
  const { entries, older } = listEntries(state, filter);
  const days = groupByDay(entries);
  return html`<div class="ledger" data-ledger>
      ${days.map(
        ({ day, entries: ofDay }) =>
          html`${renderDay(day, isAlone)}
            <ol class="entries" data-entries="${day}">
              ${ofDay.map((entry) => renderEntry(entry, state, isAlone))}
            </ol>`,
      )}
    </div>
    ${
      older !== undefined || filter.before !== undefined
        ? html`<p class="pages">
            ${filter.before === undefined ? '' : html`<a href="${toUrl(undefined)}">Newest</a>`}
            ${older === undefined ? '' : html`<a href="${toUrl(older)}">Older</a>`}
          </p>`
        : ''
    }`;
}

function listEntries(
  { calls, actions }: SandboxState,
  { applicationId, operation, isFailuresOnly, before = Infinity }: TimelineFilter,
): TimelinePage {
  const entries: Entry[] = [];
  let call = calls.length - 1;
  let action = actions.length - 1;
  for (;;) {
    const nextCall = calls[call];
    const nextAction = actions[action];
    if (!nextCall && !nextAction) return { entries, older: undefined };
    const isCall = (nextCall?.sequence ?? 0) > (nextAction?.sequence ?? 0);
    if (isCall) call -= 1;
    else action -= 1;
    const next = isCall ? nextCall : nextAction;
    if (!next || next.sequence >= before) continue;
    if (applicationId !== undefined && next.applicationId !== applicationId) continue;
    if (isCall && nextCall) {
      if (operation !== undefined && nextCall.operation !== operation) continue;
      if (isFailuresOnly && nextCall.outcome === 'ok') continue;
      const last = entries.at(-1);
      const newest = last?.kind === 'calls' ? last.calls[0] : undefined;
      if (last?.kind === 'calls' && newest && isRepeated(newest, nextCall)) {
        last.calls.push(nextCall);
        continue;
      }
    } else if (operation !== undefined || isFailuresOnly) continue;
    const last = entries.at(-1);
    if (last && entries.length === pageSize) return { entries, older: oldestSequence(last) };
    if (isCall && nextCall) entries.push({ kind: 'calls', calls: [nextCall] });
    else if (nextAction) entries.push({ kind: 'action', action: nextAction });
  }
}

/** Calls that store something are never joined. */
function isRepeated(newer: CallRecord, older: CallRecord): boolean {
  return (
    newer.operation === older.operation &&
    newer.applicationId === older.applicationId &&
    newer.outcome === older.outcome &&
    newer.status === older.status &&
    newer.fault === older.fault &&
    newer.note === older.note &&
    newer.recordId === undefined &&
    older.recordId === undefined &&
    !(newer.operation === 'create-lead' && newer.outcome === 'ok')
  );
}

function oldestSequence(entry: Entry): number {
  return entry.kind === 'action' ? entry.action.sequence : (entry.calls.at(-1)?.sequence ?? 0);
}

function groupByDay(entries: readonly Entry[]) {
  const days: { readonly day: string; readonly entries: Entry[] }[] = [];
  for (const entry of entries) {
    const atMs = entry.kind === 'action' ? entry.action.atMs : (entry.calls[0]?.atMs ?? 0);
    const day = toIsoTime(atMs).slice(0, 10);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

/** A heading below the heading before the ledger. */
function renderDay(day: string, isAlone: boolean): Markup {
  const time = html`<time datetime="${day}">${toDay(day)}</time>`;
  return isAlone
    ? html`<h3 class="day" data-day="${day}">${time}</h3>`
    : html`<h2 class="day" data-day="${day}">${time}</h2>`;
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

function toDay(day: string): string {
  return `${dayFormat.format(new Date(day))}, UTC`;
}

function renderEntry(entry: Entry, state: SandboxState, isAlone: boolean): Markup {
  if (entry.kind === 'action') return renderAction(entry.action);
  const { calls } = entry;
  const [newest] = calls;
  const oldest = calls.at(-1);
  return newest && oldest ? renderCalls(newest, oldest, calls.length, { state, isAlone }) : html``;
}

function renderAction({ sequence, atMs, text }: ActionRecord): Markup {
  return html`<li id="change-${sequence}" class="entry change" data-key="change-${sequence}">
    <p class="when">${renderTimeOfDay(atMs)}</p>
    <p class="what">${shorten(text, 400)}</p>
    <p class="result note">Changed here</p>
  </li>`;
}

function renderCalls(
  newest: CallRecord,
  oldest: CallRecord,
  count: number,
  { state, isAlone }: { readonly state: SandboxState; readonly isAlone: boolean },
): Markup {
  const { callId, atMs, operation, status, durationMs, fault } = newest;
  const lead = state.leads.get(newest.applicationId ?? '');
  return html`<li
    id="call-${oldest.callId}"
    class="entry"
    data-key="call-${oldest.callId}"
    data-version="${callId}"
  >
    <p class="when">
      <a href="/_sandbox/timeline/${callId}"
        >${renderTimeOfDay(atMs)} <span class="visually-hidden">Call ${callId}</span></a
      >
    </p>
    <div class="what">
      ${renderEvent(newest, lead, state, isAlone)}
      <details>
        <summary>
          ${operationNames[operation]} <span class="tail">${status} in ${durationMs} ms</span>
        </summary>
        ${renderCallDetails(newest, maxAnswerBytes)}
      </details>
    </div>
    <p class="result">
      ${renderResult(newest)} ${count > 1 ? html`<span class="count">${count} times</span>` : ''}
      ${fault ? html`<span class="note">Fault: ${toFaultLabel(fault)}</span>` : ''}
    </p>
  </li>`;
}

/** The name that the controls have for the fault. */
export function toFaultLabel(fault: string): string {
  const kind = faultKinds.find((one) => one === fault);
  return kind ? faultTexts[kind].label : fault;
}

export function renderResult({ outcome }: CallRecord): Markup {
  if (outcome === 'ok') return html`<span class="good">✓ Accepted</span>`;
  return outcome === 'broken'
    ? html`<span class="bad">✕ No usable answer</span>`
    : html`<span class="bad">✕ Refused</span>`;
}

/** The call in words: the record that it stored, or why it stored none. */
export function renderEvent(
  call: CallRecord,
  lead: LeadRecord | undefined,
  state: SandboxState,
  /** True on the page of the application, whose name need not be repeated. */
  isAlone = false,
): Markup {
  const of = lead && !isAlone ? html`for ${renderLeadLink(lead)}` : '';
  if (call.outcome !== 'ok' && call.recordId === undefined) {
    const note = call.note || (call.outcome === 'broken' ? toBrokenText(call) : call.outcome);
    return html`<p><strong>${failureNames[call.operation]}</strong> ${of}</p>
      <p class="facts bad">${shorten(note, 400)}</p>`;
  }
  switch (call.operation) {
    case 'token':
      return html`<p><strong>Access token</strong> issued for two hours</p>`;
    case 'create-lead':
      return lead
        ? html`<p>
              <strong>Application</strong>
              ${isAlone ? '' : html`from ${renderLeadLink(lead)}`} for
              <strong>${toDollars(lead.lead.LoanAmount)}</strong>
            </p>
            <p class="facts">${toKeyFacts(lead)}</p>`
        : html`<p><strong>Application</strong></p>`;
    case 'pre-approval-offer':
      return html`<p><strong>Offers</strong> requested${of && html` ${of}`}: ${call.note}</p>`;
    case 'contact-user':
      return html`<p><strong>Contact allowed again</strong> ${of}</p>`;
    case 'asset-report':
      return renderReportEvent(call, of, state);
    case 'upload-file':
      return renderDocumentEvent(call, of, state);
  }
}

const failureNames: Readonly<Record<Operation, string>> = {
  token: 'Access token',
  'create-lead': 'Application',
  'pre-approval-offer': 'Offers',
  'contact-user': 'Contact request',
  'asset-report': 'Bank report',
  'upload-file': 'Document',
};

function toBrokenText({ status, fault }: CallRecord): string {
  if (fault === 'drop-after-commit') return 'Stored, but the answer was replaced by a 504 page.';
  if (status >= 400) return `A page with status ${status} was sent instead of an answer.`;
  return 'The answer was not usable.';
}

/** The facts that a reader asks for first. Fields come from outside, so each is cut. */
export function toKeyFacts({ lead }: LeadRecord): string {
  return [
    `${shorten(lead.BusinessType, 60)} in ${lead.Industry}`,
    `${toCount(Math.floor(lead.TimeInBusinessMonths / 12), 'year')} in business`,
    `${toDollars(lead.AnnualRevenue)} a year`,
    `credit ${shorten(lead.CreditScore, 60)}`,
    `for ${shorten(lead.LoanReason, 80)}`,
  ].join(' · ');
}

function renderReportEvent(call: CallRecord, of: Markup | string, state: SandboxState): Markup {
  const record = state.assetReports.get(call.recordId ?? '');
  if (!record) return html`<p><strong>Bank report</strong> ${of}</p>`;
  const metrics = record.completeReport && toBankingMetrics(record.completeReport);
  return metrics
    ? html`<p><strong>Bank report</strong> ${of} from ${shortenList(metrics.institutions, 3)}</p>
        <p class="facts">
          ${toCount(metrics.accounts, 'account')} · ${toCount(metrics.transactions, 'transaction')}
          · balance ${toDollars(metrics.currentBalance)} · deposits ${toDollars(metrics.deposits)}
        </p>`
    : html`<p><strong>Incomplete bank report</strong> ${of}</p>
        <p class="facts">Missing or invalid: ${shortenList(record.incomplete, 3)}</p>`;
}

function renderDocumentEvent(call: CallRecord, of: Markup | string, state: SandboxState): Markup {
  const document = state.documents.get(call.recordId ?? '');
  if (!document) return html`<p><strong>Document</strong> ${of}</p>`;
  const { name, ext, category, bytes } = document;
  return html`<p><strong>${shorten(name)}.${shorten(ext, 40)}</strong> ${of}</p>
    <p class="facts">${category} · ${toFileSize(bytes)}</p>
    ${renderPreview(document)}`;
}

function renderLeadLink({ applicationId, lead }: LeadRecord): Markup {
  return html`<a href="/_sandbox/applications/${applicationId}">${shorten(lead.Company, 120)}</a>`;
}

/** The request's headers without secrets, and the answer. */
function renderCallDetails(call: CallRecord, maxBytes: number): Markup {
  const url = `/_sandbox/timeline/${call.callId}`;
  return html`${renderHeaders(call)}
    ${
      call.answer === undefined
        ? html`<p class="note">The sandbox keeps only the answers of the latest calls.</p>`
        : renderJson('Answer', call.answer, url, maxBytes, `/_sandbox/calls/${call.callId}`)
    }
    <p class="note"><a href="${url}">Call ${call.callId}</a></p>`;
}

export function renderHeaders({ headers, requestBytes }: CallRecord): Markup {
  return html`<dl class="headers">
    ${Object.entries(headers).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${shorten(value, maxHeaderBytes)}</dd>
        </div>`,
    )}
    <div>
      <dt>request body</dt>
      <dd>${toCount(requestBytes, 'byte')}</dd>
    </div>
  </dl>`;
}
