// The reference on the console: scenario tags, outcomes, errors, control API, settings, and credentials.

import { html } from 'hono/html';
import { sandboxCredentials } from './authentication.ts';
import { environmentVariables, toDefault, variableNames } from './environment.ts';
import { controlRoutes, magicWords } from './magic-words.ts';
import type { Markup } from './page.ts';

export function renderReference(): Markup {
  return html`<main>
    <h1>Reference</h1>
    <p class="lede">What you can type into the form to get a certain answer.</p>
    ${renderScenarios()} ${renderOutcomes()} ${renderErrors()} ${renderControlApi()}
    ${renderSettings()} ${renderCredentials()}
  </main>`;
}

function renderScenarios(): Markup {
  return html`<section id="scenarios">
    <h2>Scenario tags</h2>
    <p>
      Type one or more tags into the business name, for example
      <code>Harbor Bakery [one offer] [slow]</code>. The id of each error below is also a tag: with
      <code>Harbor Bakery [upload-file/category-not-allowed]</code>, that operation returns that
      error for this application.
    </p>
    <dl class="terms">
      ${magicWords.tags.map(
        ({ tag, description }) =>
          html`<div>
            <dt><code>[${tag}]</code></dt>
            <dd>${description}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function renderOutcomes(): Markup {
  return html`<section id="outcomes">
    <h2>Outcomes</h2>
    <p>Set the outcome on the page of an application, or with a tag.</p>
    <dl class="terms">
      ${magicWords.outcomes.map(
        ({ id, label, answer, form }) =>
          html`<div>
            <dt>${label}<br /><code>${id}</code></dt>
            <dd>${answer} ${form}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function renderErrors(): Markup {
  return html`<section id="errors">
    <h2>Errors</h2>
    <p>
      Every error that the sandbox can return. It chose the texts marked “chosen”, because the
      specification does not show their wording. The status is that of the failure style “http”.
    </p>
    <dl class="terms wide">
      ${magicWords.errors.map(
        (row) =>
          html`<div>
            <dt><code>${row.id}</code></dt>
            <dd>
              ${row.text}
              <span class="note">
                ${row.condition} · ${row.httpStatus}${row.isShown ? '' : ' · chosen'}
              </span>
            </dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function renderControlApi(): Markup {
  return html`<section id="control-api">
    <h2>Control API</h2>
    <p>The same controls for tests, below <code>/_sandbox</code>, with bodies in JSON.</p>
    <dl class="terms wide">
      ${controlRoutes.map(
        ({ method, path, body, description }) =>
          html`<div>
            <dt><code>${method} ${path}</code></dt>
            <dd>
              ${toPlainText(description)}
              ${body === undefined ? '' : html`<br /><code>${body}</code>`}
            </dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function renderSettings(): Markup {
  return html`<section id="settings">
    <h2>Settings</h2>
    <p>Environment variables that the sandbox reads when it starts.</p>
    <dl class="terms wide">
      ${variableNames.map((name) => {
        const { description, value } = environmentVariables[name];
        const initial = toDefault(name);
        return html`<div>
          <dt><code>${name}</code></dt>
          <dd>
            ${toPlainText(description)}
            <span class="note">
              ${toPlainText(value)}${initial === undefined ? '' : html` · by default ${initial}`}
            </span>
          </dd>
        </div>`;
      })}
    </dl>
  </section>`;
}

/** Without the code marks and links of Markdown. */
function toPlainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}

function renderCredentials(): Markup {
  return html`<section id="credentials">
    <h2>Credentials</h2>
    <dl class="terms">
      ${Object.entries(sandboxCredentials).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd><code>${value}</code></dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
