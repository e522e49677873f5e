// The page before the form: what is needed at hand, how long it takes, how it is protected.

import { html, type TemplateResult } from 'lit';
import type { StepContext } from './step-context.ts';

export function renderStart({ t, flow }: StepContext): TemplateResult {
  return html`<div class="actions">
    <button type="button" class="button" data-testid="start" @click=${() => flow.next()}>
      ${t('start')}
    </button>
  </div>`;
}
