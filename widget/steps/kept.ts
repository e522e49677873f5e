// What this browser keeps of the answers, and the way to have it forgotten.

import { html, nothing, type TemplateResult } from 'lit';
import { isRestoredHere } from '../flow/state.ts';
import type { StepContext } from './step-context.ts';

/** Above a step that was taken up again: what came back, and what did not. */
export function renderRestored(context: StepContext): TemplateResult | typeof nothing {
  return isRestoredHere(context.state)
    ? html`<div class="kept">
        <p>${context.t('autosave.restored')}</p>
        ${renderClear(context)}
      </div>`
    : nothing;
}

/** Under Continue. */
export function renderKept(context: StepContext): TemplateResult | typeof nothing {
  const { t, flow, state } = context;
  return flow.keepsDraft
    ? html`<div class="small">
        <p>${t('autosave')}</p>
        ${isRestoredHere(state) ? nothing : renderClear(context)}
      </div>`
    : nothing;
}

/** It takes a second press, in place; the focus stays where it is. */
function renderClear({ t, flow, isShown, toggleShown }: StepContext): TemplateResult {
  const isAsking = isShown('clear');
  return html`<button
      type="button"
      class="quiet"
      part="link"
      aria-expanded=${isAsking}
      @click=${() => toggleShown('clear')}
    >
      ${t('clear')}
    </button>
    ${
      isAsking
        ? html`<p>${t('clear.text')}</p>
            <button type="button" class="quiet" part="link" @click=${() => flow.clear()}>
              ${t('clear.confirm')}
            </button>`
        : nothing
    }`;
}
