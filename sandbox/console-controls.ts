// The controls of the whole sandbox: faults, clock, tokens, and deletion. Each says what it does in the form.

import { html } from 'hono/html';
import { operations } from '../shared/funding-service/operations.ts';
import { describeFault, faultTexts, type Fault } from './faults.ts';
import { magicWords } from './magic-words.ts';
import { operationNames } from './operation-names.ts';
import { renderTime, shorten, toCount, toDuration, type Markup } from './page.ts';
import type { SandboxContext, SandboxState } from './state.ts';

const maxFaultsShown = 10;
const path = '/_sandbox/controls';

export function renderControls(context: SandboxContext): Markup {
  return html`<main>
    <h1>Controls</h1>
    <p class="lede">
      Make the funding service fail, age, or forget. The outcome of an application is on its own
      page.
    </p>
    ${renderFaults(context.state)} ${renderClock(context)} ${renderSeed(context.state)}
    ${renderTokens(context.state)} ${renderReset(context.state)}
  </main>`;
}

function renderFaults({ faults }: SandboxState): Markup {
  return html`<section id="faults">
    <h2>Faults</h2>
    <p>A fault changes the answer to the next matching call. Then it is gone.</p>
    <div id="pending-faults" data-live>
      <h3>Pending <span class="count">${faults.length}</span></h3>
      ${
        faults.length === 0
          ? html`<p class="note">None. Every call is answered as usual.</p>`
          : html`<ol class="pending">
              ${faults.slice(0, maxFaultsShown).map(renderPendingFault)}
            </ol>`
      }
      ${
        faults.length > maxFaultsShown
          ? html`<p><a href="/_sandbox/faults">All ${faults.length} as JSON</a></p>`
          : ''
      }
      ${
        faults.length > 1
          ? html`<form
              method="post"
              action="/_sandbox/faults/clear"
              data-control
              data-said="faults-said"
            >
              <input type="hidden" name="returnTo" value="${path}#faults" />
              <button type="submit">Remove all faults</button>
            </form>`
          : ''
      }
    </div>
    <p class="said" id="faults-said" role="status" tabindex="-1"></p>
    ${renderFaultForm()}
  </section>`;
}

function renderPendingFault(fault: Fault, index: number): Markup {
  const { kind, operation, times } = fault;
  const text = describeFault(fault);
  return html`<li>
    <p>
      <strong>${faultTexts[kind].label}</strong> ${shorten(text, 300)} for
      ${operation === 'any' ? 'any operation' : operationNames[operation]},
      ${times === 'always' ? 'always' : times === 1 ? 'once' : `${times} times`}
    </p>
    <form method="post" action="/_sandbox/faults/remove" data-control data-said="faults-said">
      <input type="hidden" name="index" value="${index}" />
      <input type="hidden" name="kind" value="${kind}" />
      <input type="hidden" name="returnTo" value="${path}#faults" />
      <button type="submit" class="small">
        Remove <span class="visually-hidden">fault ${index + 1}</span>
      </button>
    </form>
  </li>`;
}

function renderFaultForm(): Markup {
  return html`<form method="post" action="/_sandbox/faults" class="fault-form" data-control>
    <h3>Add a fault</h3>
    <fieldset>
      <legend>What goes wrong</legend>
      <div class="choices">
        ${magicWords.faults.map(
          ({ kind, label, effect, form }) =>
            html`<p class="choice">
              <input
                type="radio"
                name="kind"
                id="kind-${kind}"
                value="${kind}"
                ${kind === 'status' ? 'checked' : ''}
                aria-describedby="kind-${kind}-text"
              />
              <label for="kind-${kind}">${label}</label>
              <span class="hint" id="kind-${kind}-text"
                >${effect} <em>In the form:</em> ${form}</span
              >
            </p>`,
        )}
      </div>
    </fieldset>
    <div class="row">
      <p class="field of-any">
        <label for="operation">Operation</label>
        <select id="operation" name="operation">
          <option value="any">Any operation</option>
          ${operations.map((id) => html`<option value="${id}">${operationNames[id]}</option>`)}
        </select>
      </p>
      <p class="field of-row">
        <label for="row">Error</label>
        <select id="row" name="row">
          ${operations.map(
            (operation) =>
              html`<optgroup label="${operationNames[operation]}">
                ${magicWords.errors
                  .filter((row) => row.operation === operation)
                  .map(
                    ({ id }) =>
                      html`<option value="${id}">${id.slice(operation.length + 1)}</option>`,
                  )}
              </optgroup>`,
          )}
        </select>
      </p>
      <p class="field of-status">
        <label for="status">Status</label>
        <input id="status" name="status" type="number" min="200" max="599" autocomplete="off" />
      </p>
      <p class="field of-delay">
        <label for="delayMs">Delay in milliseconds</label>
        <input id="delayMs" name="delayMs" type="number" min="0" max="600000" value="10000" />
      </p>
      <p class="field of-throttle">
        <label for="retryAfterSeconds">Retry-After in seconds</label>
        <input id="retryAfterSeconds" name="retryAfterSeconds" type="number" min="0" value="5" />
      </p>
      <p class="field">
        <label for="times">Calls</label>
        <select id="times" name="times">
          <option value="1">The next one</option>
          ${[2, 3, 5, 10].map((count) => html`<option value="${count}">The next ${count}</option>`)}
          <option value="always">All, until removed</option>
        </select>
      </p>
    </div>
    <input type="hidden" name="returnTo" value="${path}#faults" />
    <button type="submit" class="primary">Add fault</button>
    <p class="said" role="status"></p>
  </form>`;
}

const steps = [
  ['1 minute', 60_000],
  ['1 hour', 3_600_000],
  ['2 hours', 7_200_000],
  ['1 day', 86_400_000],
  ['30 days', 2_592_000_000],
] as const;

function renderClock({ clock }: SandboxContext): Markup {
  return html`<section id="clock">
    <h2>Clock</h2>
    <p>
      Only the sandbox moves. Offers become ready, and access tokens expire after two hours. The
      form shows the offers sooner, and the BFF requests a new token without the applicant noticing.
    </p>
    <div id="clock-state" data-live>
      <p>${describeClock(clock.offsetMs())} ${renderMinute(clock.now())}</p>
    </div>
    <form method="post" action="/_sandbox/clock" data-control>
      <fieldset class="buttons">
        <legend>Move forward</legend>
        ${steps.map(
          ([text, ms]) =>
            html`<button type="submit" name="advanceMs" value="${ms}">${text}</button>`,
        )}
      </fieldset>
      <input type="hidden" name="returnTo" value="${path}#clock" />
      <p class="said" role="status"></p>
    </form>
    <form method="post" action="/_sandbox/clock" class="row" data-control>
      <p class="field">
        <label for="amount">Move by</label>
        <span class="hint" id="amount-hint">A negative number moves back.</span>
        <input
          id="amount"
          name="amount"
          type="number"
          value="15"
          required
          aria-describedby="amount-hint"
        />
      </p>
      <p class="field">
        <label for="unit">Unit</label>
        <select id="unit" name="unit">
          <option value="60000">minutes</option>
          <option value="3600000">hours</option>
          <option value="86400000">days</option>
        </select>
      </p>
      <input type="hidden" name="returnTo" value="${path}#clock" />
      <button type="submit">Move</button>
      <p class="said" role="status"></p>
    </form>
    <form method="post" action="/_sandbox/clock" data-control>
      <input type="hidden" name="isReset" value="true" />
      <input type="hidden" name="returnTo" value="${path}#clock" />
      <button type="submit">Back to now</button>
      <p class="said" role="status"></p>
    </form>
  </section>`;
}

export function describeClock(offsetMs: number): string {
  if (Math.abs(offsetMs) < 1_000) return 'The clock shows the time of this machine.';
  return `The clock is ${toDuration(offsetMs)} ${offsetMs > 0 ? 'ahead' : 'behind'}.`;
}

/** Without seconds, so that the page changes only once a minute. */
function renderMinute(epochMs: number): Markup {
  return renderTime(Math.floor(epochMs / 60_000) * 60_000);
}

function renderSeed({ seed }: SandboxState): Markup {
  return html`<section id="seed">
    <h2>Offers</h2>
    <p>
      The same application always gets the same offers. Another seed gives every application other
      amounts and prices. The form shows them the next time it asks.
    </p>
    <form method="post" action="/_sandbox/seed" class="row" data-control>
      <p class="field">
        <label for="seed-value">Seed</label>
        <input
          id="seed-value"
          name="seed"
          type="number"
          min="0"
          max="1000000"
          value="${seed}"
          required
        />
      </p>
      <input type="hidden" name="returnTo" value="${path}#seed" />
      <button type="submit">Set seed</button>
      <p class="said" role="status"></p>
    </form>
  </section>`;
}

function renderTokens({ tokens }: SandboxState): Markup {
  return html`<section id="tokens">
    <h2>Access tokens</h2>
    <p>
      The next call with a revoked token is refused. The BFF then requests a new token and repeats
      the call. The form shows nothing of it.
    </p>
    <form method="post" action="/_sandbox/revoke-tokens" data-control>
      <input type="hidden" name="returnTo" value="${path}#tokens" />
      <button type="submit">Revoke all tokens</button>
      <p class="said" role="status"></p>
    </form>
    <p id="token-count" class="note" data-live>
      ${toCount(tokens.size, 'token')} issued and not revoked.
    </p>
  </section>`;
}

function renderReset(state: SandboxState): Markup {
  return html`<section id="reset">
    <h2>Delete everything</h2>
    <p>
      Forms that are open keep their applications in the BFF, but the sandbox no longer knows them:
      they get no offers. Tokens stay valid.
    </p>
    <details>
      <summary>Delete everything …</summary>
      <form method="post" action="/_sandbox/reset" data-control>
        <p id="reset-text" data-live>
          This deletes ${describeRecords(state)}, and sets the clock back.
        </p>
        <input type="hidden" name="returnTo" value="${path}#reset" />
        <button type="submit" class="danger">Delete now</button>
        <p class="said" role="status"></p>
      </form>
    </details>
  </section>`;
}

function describeRecords({ leads, documents, assetReports, calls, faults }: SandboxState): string {
  const counts = [
    toCount(leads.size, 'application'),
    toCount(documents.size, 'document'),
    toCount(assetReports.size, 'bank report'),
    toCount(calls.length, 'call'),
  ];
  return `${counts.join(', ')}, and ${toCount(faults.length, 'pending fault')}`;
}
