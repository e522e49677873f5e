// The console below /_sandbox/: HTML pages with everything that the sandbox received, its controls, and a reference. The pages work
// without script. With script, they update themselves.

import { readFileSync } from 'node:fs';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { operations } from '../shared/funding-service/operations.ts';
import { renderApplication } from './console-application.ts';
import { describeClock, renderControls } from './console-controls.ts';
import { renderReference } from './console-reference.ts';
import {
  renderEvent,
  renderHeaders,
  renderResult,
  renderTimeline,
  toFaultLabel,
  type TimelineFilter,
} from './console-timeline.ts';
import { maskJson, toSecretField } from './masks.ts';
import { operationNames } from './operation-names.ts';
import { indent, renderPage, renderTime, shorten, toCount, type Markup } from './page.ts';
import { toMessage, type CallRecord, type SandboxContext } from './state.ts';

const maxApplicationsInFilter = 50;
const maxBodyBytes = 60_000;
/** The arrow of a select, as in the form. Its gray has a contrast of 3:1 in both color schemes. */
const chevron =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="20" height="20"><path d="m5 8 5 5 5-5" fill="none" stroke="#857d70" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"/></svg>';

const sections = [
  ['/_sandbox/', 'Timeline'],
  ['/_sandbox/controls', 'Controls'],
  ['/_sandbox/reference', 'Reference'],
] as const;

export function createConsole(context: SandboxContext): Hono {
  const { state } = context;
  const pages = new Hono();
  const show = async (c: Context, title: string, main: Markup, status?: 404) => {
    const body = html`${renderHeader(c, context)} ${main}`;
    return renderPage(c, { title, body, ...(status && { status }) });
  };
  pages.get('/_sandbox', (c) => c.redirect('/_sandbox/'));
  pages.get('/_sandbox/', async (c) => {
    const filter = readFilter(c);
    return show(c, 'Timeline', renderHome(context, filter));
  });
  pages.get('/_sandbox/applications/:applicationId', async (c) => {
    const record = state.leads.get(c.req.param('applicationId'));
    if (!record) return show(c, 'Application not found', renderMissing('application'), 404);
    const filter = { ...readFilter(c), applicationId: record.applicationId };
    const revealed = new Set((c.req.query('reveal') ?? '').split(',').filter(toSecretField));
    const documentsPage = readPositive(c.req.query('documents')) ?? 1;
    const view = { filter, revealed, documentsPage };
    return show(c, shorten(record.lead.Company, 60), renderApplication(record, context, view));
  });
  pages.get('/_sandbox/timeline/:callId', async (c) => {
    const callId = readPositive(c.req.param('callId'));
    const call = state.calls.find((one) => one.callId === callId);
    if (!call) return show(c, 'Call not found', renderMissing('call'), 404);
    return show(c, `Call ${call.callId}`, renderCall(call, context));
  });
  pages.get('/_sandbox/controls', async (c) => show(c, 'Controls', renderControls(context)));
  pages.get('/_sandbox/reference', async (c) => show(c, 'Reference', renderReference()));
  pages.get('/favicon.ico', (c) => c.body(null, 204));
  pages.get('/_sandbox/console.css', (c) =>
    c.body(readAsset('console.css'), 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
  pages.get('/_sandbox/chevron.svg', (c) =>
    c.body(chevron, 200, { 'Content-Type': 'image/svg+xml' }),
  );
  pages.get('/_sandbox/console.js', (c) =>
    c.body(readAsset('console.js'), 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  return pages;
}

/** On request, because the conformance test contains the sandbox without these files. */
function readAsset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function readFilter(c: Context): TimelineFilter {
  const operation = operations.find((id) => id === c.req.query('operation'));
  return {
    applicationId: c.req.query('application') || undefined,
    operation,
    isFailuresOnly: c.req.query('failures') === '1',
    before: readPositive(c.req.query('before')),
  };
}

function readPositive(text = ''): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

function renderHeader(c: Context, { clock, state }: SandboxContext): Markup {
  const sequence = readPositive(c.req.query('done'));
  const done = state.actions.findLast((action) => action.sequence === sequence);
  const offsetMs = clock.offsetMs();
  return html`<header>
    <nav aria-label="Console">
      ${sections.map(
        ([path, title]) =>
          html`<a href="${path}" ${path === c.req.path ? html`aria-current="page"` : ''}
            >${title}</a
          >`,
      )}
      <a class="refresh" href="${c.req.path}">Refresh</a>
      <span class="connection" role="status" data-connection></span>
    </nav>
    <p class="status" id="summary" data-live>
      ${toCount(state.leads.size, 'application')} ·
      <a href="/_sandbox/controls#faults">${toCount(state.faults.length, 'pending fault')}</a>
      ${
        Math.abs(offsetMs) < 1_000
          ? ''
          : html`· <a href="/_sandbox/controls#clock">${describeClock(offsetMs)}</a>`
      }
    </p>
    ${done ? html`<p class="done" role="status">${shorten(toMessage(done), 600)}</p>` : ''}
  </header>`;
}

function renderHome(context: SandboxContext, filter: TimelineFilter): Markup {
  const { state } = context;
  const isFiltered =
    filter.applicationId !== undefined || filter.operation !== undefined || filter.isFailuresOnly;
  const isEmpty = state.calls.length === 0 && state.actions.length === 0;
  return html`<main>
    <h1>What the funding service received</h1>
    ${isEmpty && !isFiltered ? '' : renderFilterForm(context, filter)}
    <p class="news" hidden><button type="button" data-news>New entries</button></p>
    <div id="home" data-live>
      ${state.leads.size === 0 && !isFiltered ? renderFirstSteps() : ''}
      ${
        isFiltered && !hasCalls(context, filter)
          ? html`<p class="empty">No call matches. <a href="/_sandbox/">Show everything</a></p>`
          : renderTimeline(state, filter, (before) => toTimelineUrl(filter, before))
      }
    </div>
  </main>`;
}

function hasCalls({ state }: SandboxContext, filter: TimelineFilter): boolean {
  const { applicationId, operation, isFailuresOnly } = filter;
  return [...state.calls, ...(operation || isFailuresOnly ? [] : state.actions)].some(
    (one) =>
      (applicationId === undefined || one.applicationId === applicationId) &&
      (!('operation' in one) ||
        ((operation === undefined || one.operation === operation) &&
          (!isFailuresOnly || one.outcome !== 'ok'))),
  );
}

function toTimelineUrl(filter: TimelineFilter, before: number | undefined): string {
  const query = new URLSearchParams();
  if (filter.applicationId !== undefined) query.set('application', filter.applicationId);
  if (filter.operation !== undefined) query.set('operation', filter.operation);
  if (filter.isFailuresOnly) query.set('failures', '1');
  if (before !== undefined) query.set('before', String(before));
  return `/_sandbox/?${query.toString()}`;
}

function renderFirstSteps(): Markup {
  return html`<section class="empty">
    <h2>No application yet</h2>
    <p>An application appears here as soon as it is sent:</p>
    <ol>
      <li>
        Open the page with the form. With <code>npm start</code>, its address stands in the
        terminal.
      </li>
      <li>
        Fill in the form, or type a <a href="/_sandbox/reference#scenarios">scenario tag</a> into
        the business name, for example <code>Harbor Bakery [one offer]</code>.
      </li>
      <li>Submit. This page shows what arrived, and what the service answered.</li>
    </ol>
  </section>`;
}

function renderFilterForm({ state }: SandboxContext, filter: TimelineFilter): Markup {
  const leads = Array.from(state.leads.values()).slice(-maxApplicationsInFilter).reverse();
  const isSelected = (value: string | undefined, current: string | undefined) =>
    value === current ? 'selected' : '';
  return html`<form class="filter" method="get" action="/_sandbox/">
    <p class="field">
      <label for="filter-application">Application</label>
      <select id="filter-application" name="application">
        <option value="">All</option>
        ${leads.map(
          ({ applicationId, lead }) =>
            html`<option
              value="${applicationId}"
              ${isSelected(applicationId, filter.applicationId)}
            >
              ${shorten(lead.Company, 60)}
            </option>`,
        )}
      </select>
    </p>
    <p class="field">
      <label for="filter-operation">Operation</label>
      <select id="filter-operation" name="operation">
        <option value="">All</option>
        ${operations.map(
          (id) =>
            html`<option value="${id}" ${isSelected(id, filter.operation)}>
              ${operationNames[id]}
            </option>`,
        )}
      </select>
    </p>
    <p class="check">
      <input
        type="checkbox"
        id="filter-failures"
        name="failures"
        value="1"
        ${filter.isFailuresOnly ? 'checked' : ''}
      />
      <label for="filter-failures">Failures only</label>
    </p>
    <button type="submit">Filter</button>
  </form>`;
}

function renderCall(call: CallRecord, context: SandboxContext): Markup {
  const lead = context.state.leads.get(call.applicationId ?? '');
  const { operation, status, durationMs, atMs, answer, request, fault } = call;
  const masked = request === undefined ? undefined : maskJson(request);
  return html`<main>
    <p class="back"><a href="/_sandbox/">Timeline</a></p>
    <h1>${operationNames[operation]}</h1>
    <p class="lede">
      ${renderResult(call)} · status ${status} in ${durationMs} ms · ${renderTime(atMs)}
      ${fault ? html`· changed by the fault “${toFaultLabel(fault)}”` : ''}
    </p>
    ${renderEvent(call, lead, context.state)}
    <section>
      <h2>Request</h2>
      ${renderHeaders(call)}
      ${
        request === undefined
          ? ''
          : masked === undefined
            ? html`<p class="note">The body is not JSON.</p>`
            : html`<h3>Body, masked</h3>
                ${renderPre(masked)}`
      }
    </section>
    <section>
      <h2>Answer</h2>
      ${
        answer === undefined
          ? html`<p class="note">The sandbox keeps only the answers of the latest calls.</p>`
          : answer === ''
            ? html`<p class="note">Empty.</p>`
            : renderPre(answer)
      }
    </section>
  </main>`;
}

function renderPre(text: string): Markup {
  return html`<pre tabindex="0">${shorten(indent(text), maxBodyBytes)}</pre>`;
}

function renderMissing(what: string): Markup {
  return html`<main>
    <h1>This ${what} does not exist</h1>
    <p>
      A reset deletes everything, and a restart too unless <code>SANDBOX_DATA</code> names a file.
    </p>
    <p><a href="/_sandbox/">Timeline</a></p>
  </main>`;
}
