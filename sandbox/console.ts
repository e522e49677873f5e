// The console at /_sandbox/: an HTML page with everything the sandbox received, its controls, and a reference. It uses no script.

import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { operations } from '../shared/funding-service/operations.ts';
import { sandboxCredentials } from './authentication.ts';
import { readPageNumbers, renderRecords, type PageNumbers } from './console-records.ts';
import { errorRows, type ErrorRow } from './errors.ts';
import { faultKinds } from './faults.ts';
import { renderPage, renderTime, shorten, type Markup } from './page.ts';
import { scenarios } from './scenarios.ts';
import type { SandboxContext } from './state.ts';

const maxFaultsShown = 10;
const styles = readFileSync(new URL('console.css', import.meta.url), 'utf8');

export function createConsole(context: SandboxContext): Hono {
  const pages = new Hono();
  pages.get('/_sandbox', (c) => c.redirect('/_sandbox/'));
  pages.get('/_sandbox/', (c) => {
    const numbers = readPageNumbers((name) => c.req.query(name));
    return renderPage(c, 'Console', renderConsole(context, numbers));
  });
  pages.get('/_sandbox/console.css', (c) =>
    c.body(styles, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
  return pages;
}

function renderConsole(context: SandboxContext, pages: PageNumbers): Markup {
  const { state } = context;
  return html`<header>
      <h1>Sandbox console</h1>
      <p>
        The sandbox's clock shows ${renderTime(context.clock.now())}.
        <a href="/_sandbox/">Refresh</a>
      </p>
      <nav aria-label="Sections">
        <a href="#calls">Calls ${state.calls.length}</a>
        <a href="#applications">Applications ${state.leads.size}</a>
        <a href="#documents">Documents ${state.documents.size}</a>
        <a href="#asset-reports">Bank reports ${state.assetReports.size}</a>
        <a href="#controls">Controls</a>
        <a href="#scenarios">Scenario tags</a>
        <a href="#errors">Errors</a>
      </nav>
    </header>
    <main>
      ${renderRecords(state, pages)} ${renderControls(context)} ${renderScenarios()}
      ${renderErrors()} ${renderCredentials()}
    </main>`;
}

function renderControls({ state }: SandboxContext): Markup {
  return html`<section id="controls">
    <h2>Controls</h2>
    <div class="controls">
      <form method="post" action="/_sandbox/clock">
        <input type="hidden" name="advanceMs" value="60000" />
        <button type="submit">Advance the clock by one minute</button>
      </form>
      <form method="post" action="/_sandbox/clock">
        <input type="hidden" name="advanceMs" value="7200000" />
        <button type="submit">Advance the clock by two hours</button>
      </form>
      <form method="post" action="/_sandbox/revoke-tokens">
        <button type="submit">Revoke all tokens (${state.tokens.size})</button>
      </form>
      <form method="post" action="/_sandbox/reset">
        <button type="submit">Delete all records</button>
      </form>
    </div>
    <h3>Add a fault</h3>
    <form class="row" method="post" action="/_sandbox/faults">
      <label>
        Operation
        <select name="operation">
          ${['any', ...operations].map((id) => html`<option>${id}</option>`)}
        </select>
      </label>
      <label>
        Kind
        <select name="kind">
          ${faultKinds.map((kind) => html`<option>${kind}</option>`)}
        </select>
      </label>
      <label>Times <input type="text" name="times" value="1" size="6" /></label>
      <label>Row (for “row”) <input type="text" name="row" size="34" /></label>
      <label
        >Status (for “status”) <input type="text" name="status" inputmode="numeric" size="4"
      /></label>
      <label>
        Delay in ms (for “delay”) <input type="text" name="delayMs" inputmode="numeric" size="7" />
      </label>
      <button type="submit">Add</button>
    </form>
    ${
      state.faults.length === 0
        ? html`<p>No faults are pending.</p>`
        : html`<p>Pending faults, in order:</p>
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
              <button type="submit">Clear faults</button>
            </form>`
    }
  </section>`;
}

function renderScenarios(): Markup {
  return html`<section id="scenarios">
    <h2>Scenario tags</h2>
    <p>
      Type one or more tags into the business name, for example
      <code>Harbor Bakery [one offer] [slow]</code>. The id of each row in the error table below is
      also a tag: with <code>Harbor Bakery [upload-file/category-not-allowed]</code>, that operation
      returns that error for this application.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Tag</th>
          <th scope="col">Effect</th>
        </tr>
      </thead>
      <tbody>
        ${scenarios.map(
          ({ tag, description }) =>
            html`<tr>
              <th scope="row"><code>[${tag}]</code></th>
              <td>${description}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function renderErrors(): Markup {
  const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(errorRows);
  return html`<section id="errors">
    <h2>Errors</h2>
    <p>
      Every error that the sandbox can return. It chose the texts marked “chosen”, because the
      specification does not show their wording.
    </p>
    <section class="scroll" tabindex="0" aria-label="Error table">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Condition</th>
            <th scope="col">Text</th>
            <th scope="col">Status in “http” style</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([id, row]) =>
              html`<tr>
                <th scope="row"><code>${id}</code></th>
                <td data-label="Condition">${row.condition}</td>
                <td data-label="Text">
                  ${row.text} ${row.isShown ? '' : html`<span class="note">chosen</span>`}
                </td>
                <td data-label="Status">${row.httpStatus}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
  </section>`;
}

function renderCredentials(): Markup {
  return html`<section id="credentials">
    <h2>Credentials</h2>
    <dl>
      ${Object.entries(sandboxCredentials).map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd><code>${value}</code></dd>`,
      )}
    </dl>
  </section>`;
}
