// The console at /_sandbox/: a ledger of what arrived, and the levers, as plain HTML with forms and no script.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { readPageNumbers, shorten, toListPage, type PageNumbers } from './console-pages.ts';
import {
  renderAssetReports,
  renderDocuments,
  renderLeadLink,
  renderLeads,
} from './console-records.ts';
import { renderReference } from './console-reference.ts';
import { consoleStyles } from './console-styles.ts';
import type { SandboxContext } from './context.ts';
import { faultKinds } from './faults.ts';
import { operationIds } from './operation-ids.ts';
import { renderPage, renderTime, type Markup } from './page.ts';
import type { CallRecord, LeadRecord } from './state.ts';

/** All of them are under /_sandbox/faults. */
const maxFaultsShown = 10;

export function createConsole(context: SandboxContext): Hono {
  const pages = new Hono();
  pages.get('/_sandbox', (c) => c.redirect('/_sandbox/'));
  pages.get('/_sandbox/', (c) => {
    const numbers = readPageNumbers((name) => c.req.query(name));
    return renderPage(c, 'Ledger', renderConsole(context, numbers));
  });
  pages.get('/_sandbox/console.css', (c) =>
    c.body(consoleStyles, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
  return pages;
}

function renderConsole(context: SandboxContext, pages: PageNumbers): Markup {
  const { state } = context;
  return html`<header>
      <h1>What the funding service received</h1>
      <p>It is ${renderTime(context.clock.now())} here. <a href="/_sandbox/">Look again</a></p>
      <nav aria-label="Sections">
        <a href="#calls">Calls ${state.calls.length}</a>
        <a href="#applications">Applications ${state.leads.size}</a>
        <a href="#documents">Documents ${state.documents.size}</a>
        <a href="#asset-reports">Bank reports ${state.assetReports.size}</a>
        <a href="#levers">Levers</a>
        <a href="#magic">Magic values</a>
        <a href="#errors">Errors</a>
      </nav>
    </header>
    <main>
      ${renderCalls(context, pages)} ${renderLeads(context, pages)}
      ${renderDocuments(context, pages)} ${renderAssetReports(context, pages)}
      ${renderLevers(context)} ${renderReference()}
    </main>`;
}

function renderCalls({ state }: SandboxContext, pages: PageNumbers): Markup {
  const { records, pager } = toListPage('calls', state.calls, pages);
  return html`<section id="calls">
    <h2>Calls</h2>
    ${
      records.length === 0
        ? html`<p>None yet. The newest will stand first.</p>`
        : html`${pager}
            <ol class="ledger">
              ${records.map((call) => renderCall(call, state.leads.get(call.applicationId ?? '')))}
            </ol>`
    }
  </section>`;
}

function renderCall(call: CallRecord, lead: LeadRecord | undefined): Markup {
  const isGood = call.outcome === 'ok';
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
        <span class="${isGood ? 'good' : 'bad'}">${isGood ? '✓ ok' : `✕ ${call.outcome}`}</span>
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

function renderLevers({ state }: SandboxContext): Markup {
  return html`<section id="levers">
    <h2>Levers</h2>
    <div class="levers">
      <form method="post" action="/_sandbox/clock">
        <input type="hidden" name="advanceMs" value="60000" />
        <button>Move the clock on a minute</button>
      </form>
      <form method="post" action="/_sandbox/clock">
        <input type="hidden" name="advanceMs" value="7200000" />
        <button>Move the clock on two hours</button>
      </form>
      <form method="post" action="/_sandbox/revoke-tokens">
        <button>Revoke all tokens (${state.tokens.size})</button>
      </form>
      <form method="post" action="/_sandbox/reset">
        <button>Forget everything</button>
      </form>
    </div>
    <h3>Order a fault</h3>
    <form class="row" method="post" action="/_sandbox/faults">
      <label>
        Operation
        <select name="operation">
          ${['any', ...operationIds].map((id) => html`<option>${id}</option>`)}
        </select>
      </label>
      <label>
        Kind
        <select name="kind">
          ${faultKinds.map((kind) => html`<option>${kind}</option>`)}
        </select>
      </label>
      <label>Times <input name="times" value="1" size="6" /></label>
      <label>Row, for “row” <input name="row" size="34" /></label>
      <label>Status, for “status” <input name="status" inputmode="numeric" size="4" /></label>
      <label>Delay in ms, for “delay” <input name="delayMs" inputmode="numeric" size="7" /></label>
      <button>Order</button>
    </form>
    ${
      state.faults.length === 0
        ? html`<p>No fault is waiting.</p>`
        : html`<p>Waiting, in this order:</p>
            <ol>
              ${state.faults
                .slice(0, maxFaultsShown)
                .map((fault) => html`<li><code>${shorten(JSON.stringify(fault), 600)}</code></li>`)}
            </ol>
            ${
              state.faults.length > maxFaultsShown
                ? html`<p><a href="/_sandbox/faults">All ${state.faults.length} as JSON</a></p>`
                : ''
            }
            <form method="post" action="/_sandbox/faults/clear">
              <button>Clear faults</button>
            </form>`
    }
  </section>`;
}
