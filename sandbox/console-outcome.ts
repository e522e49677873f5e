// The controls of one application: its outcome, offers of one's own, and Do Not Contact.

import { html } from 'hono/html';
import { magicWords } from './magic-words.ts';
import { maxCustomOffers } from './offers.ts';
import type { Markup } from './page.ts';
import type { Outcome } from './scenarios.ts';
import type { LeadRecord } from './state.ts';

export function renderOutcomeControl(record: LeadRecord, path: string): Markup {
  const choices = magicWords.outcomes.filter(({ id }) => id !== 'custom-offers');
  const action = `/_sandbox/leads/${record.applicationId}`;
  return html`<section id="outcome">
    <h2>Outcome</h2>
    <form method="post" action="${action}/outcome" data-control>
      <fieldset>
        <legend>Answer of the service to the next request for offers</legend>
        ${choices.map((choice) => renderChoice(choice, record.outcome))}
      </fieldset>
      <input type="hidden" name="returnTo" value="${path}" />
      <button type="submit" class="primary">Set outcome</button>
      <p class="said" role="status"></p>
    </form>
    <details ${record.outcome === 'custom-offers' ? 'open' : ''}>
      <summary>Offers of your own</summary>
      <form method="post" action="${action}/offers" data-control>
        <p class="field">
          <label for="count">Number of offers</label>
          <input
            id="count"
            name="count"
            type="number"
            min="1"
            max="${maxCustomOffers}"
            value="${record.customOffers?.count ?? 3}"
            required
          />
        </p>
        <p class="field">
          <label for="amounts">Amounts in dollars</label>
          <span class="hint" id="amounts-hint">Separated by spaces. Empty: from the lead.</span>
          <input
            id="amounts"
            name="amounts"
            type="text"
            inputmode="numeric"
            autocomplete="off"
            aria-describedby="amounts-hint"
            value="${record.customOffers?.amounts.join(' ') ?? ''}"
          />
        </p>
        <p class="field">
          <label for="delaySeconds">Delay in seconds</label>
          <span class="hint" id="delay-hint">Until then, the form waits for offers.</span>
          <input
            id="delaySeconds"
            name="delaySeconds"
            type="number"
            min="0"
            max="86400"
            value="0"
            required
            aria-describedby="delay-hint"
          />
        </p>
        <input type="hidden" name="returnTo" value="${path}" />
        <button type="submit" class="primary">Send these offers</button>
        <p class="said" role="status"></p>
      </form>
    </details>
  </section>`;
}

function renderChoice(
  { id, label, answer, form }: (typeof magicWords.outcomes)[number],
  current: Outcome,
): Markup {
  return html`<p class="choice">
    <input
      type="radio"
      name="outcome"
      id="outcome-${id}"
      value="${id}"
      ${id === current ? 'checked' : ''}
      aria-describedby="outcome-${id}-text"
    />
    <label for="outcome-${id}">${label}</label>
    <span class="hint" id="outcome-${id}-text">${answer} ${form}</span>
  </p>`;
}

export function renderContactControl(record: LeadRecord, path: string): Markup {
  const isMarked = record.contactPreference === 'do-not-contact';
  return html`<section id="contact">
    <h2>Contact</h2>
    <div id="contact-state" data-live>
      <p>
        ${
          isMarked
            ? html`<strong>Do Not Contact.</strong> The applicant can allow contact again in the
                form; the call then appears in the timeline.`
            : html`Contact is allowed.`
        }
      </p>
    </div>
    <form
      method="post"
      action="/_sandbox/leads/${record.applicationId}/do-not-contact"
      data-control
    >
      <input type="hidden" name="returnTo" value="${path}" />
      <button type="submit">Mark Do Not Contact</button>
      <p class="said" role="status"></p>
    </form>
  </section>`;
}
