// What an applicant has to know on every step, at the lower edge of what is seen of it: offline, a session that ends, and one that has ended.

import { html, nothing, type TemplateResult } from 'lit';
import { toProblemText } from './parts.ts';
import type { StepContext } from './step-context.ts';

export function renderStatusLines(context: StepContext): TemplateResult {
  const { t, flow } = context;
  // Its room is below everything: nothing moves under somebody who types, and the last lines can be scrolled out from behind it (WCAG 2.2, 2.4.11).
  return html`<div class="status">
    ${flow.life.connection.isOffline ? renderNotice(html`<p>${t('offline')}</p>`) : nothing}
    ${renderSession(context)}
  </div>`;
}

/** A press with the mouse or a finger leaves the focus in the field somebody types in. */
function renderSession({ t, format, flow, state }: StepContext): TemplateResult | typeof nothing {
  const { session } = flow.life;
  const isSent = state.application !== undefined;
  if (session.notice === 'ended') {
    // A step that shows what was sent may say so itself.
    if (state.problem === 'session-missing') return nothing;
    return renderNotice(html`<p>${t(isSent ? 'problem.session-missing' : 'session.ended')}</p>`);
  }
  if (session.notice === undefined || session.endsAt === undefined) return nothing;
  const time = format.time(new Date(session.endsAt));
  return renderNotice(html`
    <p>${t(isSent ? 'session.ends.sent' : 'session.ends', { time })}</p>
    ${session.problem ? html`<p>${toProblemText(t, session.problem)}</p>` : nothing}
    ${
      session.canStay
        ? html`<div class="actions">
            <button
              type="button"
              class="button secondary"
              part="button secondary"
              @mousedown=${(event: Event) => event.preventDefault()}
              @click=${() => void session.stay()}
            >
              ${t('session.stay')}
            </button>
          </div>`
        : nothing
    }
  `);
}

/** Without a `tabindex`: it does not take the focus from somebody who types. */
function renderNotice(content: TemplateResult): TemplateResult {
  return html`<div class="notice calm" role="alert" part="notice">${content}</div>`;
}
