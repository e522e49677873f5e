// The console's reference, drawn from what the sandbox itself reads: magic values, error rows, credentials.

import { html } from 'hono/html';
import { sandboxCredentials } from './credentials.ts';
import { errorRows, type ErrorRow } from './errors.ts';
import type { Markup } from './page.ts';
import { scenarios } from './scenarios.ts';

export function renderReference(): Markup {
  return html`${renderMagicValues()} ${renderErrors()} ${renderCredentials()}`;
}

function renderMagicValues(): Markup {
  return html`<section id="magic">
    <h2>Magic values</h2>
    <p>
      Type tags into the name of the business, as many as you like:
      <code>Harbor Bakery [one offer] [slow]</code>. The id of any row of the error table below is a
      tag too: with <code>Harbor Bakery [upload-file/category-not-allowed]</code> that operation
      answers that error for this application.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Tag</th>
          <th scope="col">What happens</th>
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
      Every failure the sandbox can answer. “Chosen” texts are its own: the specification does not
      show their wording.
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Error table">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">When</th>
            <th scope="col">Text</th>
            <th scope="col">Status in “http” style</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([id, row]) =>
              html`<tr>
                <th scope="row"><code>${id}</code></th>
                <td>${row.condition}</td>
                <td>${row.text} ${row.isShown ? '' : html`<span class="note">chosen</span>`}</td>
                <td>${row.httpStatus}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
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
