// The way out on a computer that others use as well, and what is shown once it was taken.

import { html, nothing, type TemplateResult } from 'lit';
import type { FlowController } from '../flow/flow-controller.ts';
import type { Translate } from '../i18n/text.ts';
import { renderProblem } from './parts.ts';
import type { StepContext } from './step-context.ts';

/** Stands under every step after the submission. */
export function renderFinish(context: StepContext): TemplateResult | typeof nothing {
  const { t, flow } = context;
  const { end, parts } = flow;
  if (!parts) return nothing;
  return html`<div class="group">
    ${
      end.warnsOfUnsent && parts.documents.hasUnsent
        ? html`<p class="notice calm" part="notice" id="finish-unsent" role="alert" tabindex="-1">
            ${t('finish.unsent')}
          </p>`
        : nothing
    }
    ${renderProblem(context, end.problem)}
    <div class="actions">
      <button
        type="button"
        class="quiet"
        part="link"
        aria-describedby="finish-hint"
        @click=${() => void finish(context)}
      >
        ${t(end.isEnding ? 'finish.ending' : 'finish')}
      </button>
      <span class="hint" part="hint" id="finish-hint">${t('finish.hint')}</span>
    </div>
  </div>`;
}

/** Nothing here says whose application it was. */
export function renderFinished(t: Translate, flow: FlowController): TemplateResult {
  return html`<p>${t('finished.text')}</p>
    <div class="actions">
      <button
        type="button"
        class="button secondary"
        part="button secondary"
        @click=${() => void flow.load()}
      >
        ${t('finished.new')}
      </button>
    </div>`;
}

async function finish({ flow, focusField }: StepContext): Promise<void> {
  const outcome = await flow.end.end(flow.parts?.documents);
  if (outcome === 'warned') focusField('finish-unsent');
}
