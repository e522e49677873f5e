// The notice that the session ends soon, or has ended.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext } from './feature.ts';
import { renderStatusNotice, toProblemText } from './parts.ts';
import { canExtend } from './session.ts';

/** @param extend extends the session. */
export function renderSessionNotice(
  { t, format, form, state }: StepContext,
  extend: () => void,
): TemplateResult | typeof nothing {
  const { notice, endsAt, problem } = state.session;
  const isSent = form.application !== undefined;
  // A step with this problem shows the same message.
  if (notice === 'ended' && form.problem !== 'session-missing')
    return renderStatusNotice(
      html`<p>${t(isSent ? 'problem.session-missing' : 'session.ended')}</p>`,
    );
  if (notice !== 'ends' || endsAt === undefined) return nothing;
  const time = format.time(new Date(endsAt));
  return renderStatusNotice(html`
    <p>${t(isSent ? 'session.ends.sent' : 'session.ends', { time })}</p>
    ${problem ? html`<p>${toProblemText(t, problem)}</p>` : nothing}
    ${
      canExtend(state)
        ? html`<div class="actions">
            <button
              type="button"
              class="button secondary"
              part="button secondary"
              @mousedown=${(event: Event) => event.preventDefault()}
              @click=${extend}
            >
              ${t('session.stay')}
            </button>
          </div>`
        : nothing
    }
  `);
}
