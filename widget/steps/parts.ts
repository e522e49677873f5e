// Pieces that several steps show: problem, waiting line, counted sentences.

import { html, nothing, type TemplateResult } from 'lit';
import type { MessageKey } from '../i18n/text.ts';
import type { FlowProblem } from '../flow/state.ts';
import type { StepContext } from './step-context.ts';

export interface Heading {
  readonly title: string;
  readonly why?: string;
}

/** Why something did not work, calmly, with a way to try again where that helps. */
export function renderProblem(
  { t }: Pick<StepContext, 't'>,
  problem: FlowProblem | undefined,
  onRetry?: () => void,
): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  return html`<div class="notice calm" role="alert" part="notice" tabindex="-1">
    <p>${t(`problem.${problem}`)}</p>
    ${
      onRetry
        ? html`<div class="actions">
            <button type="button" class="button secondary" @click=${onRetry}>
              ${t('try-again')}
            </button>
          </div>`
        : nothing
    }
  </div>`;
}

/** What is being done right now, in words. */
export function renderWaiting(sentence: string): TemplateResult {
  return html`<p class="waiting" role="status">
    <span class="pulse"></span><span>${sentence}</span>
  </p>`;
}

/** How to reach somebody, as far as the partner says; empty when it does not. */
export function toSupport({ configuration }: Pick<StepContext, 'configuration'>): string {
  const { name, phone, email } = configuration.support;
  return [name, phone, email].filter((way) => way !== undefined && way !== '').join(', ');
}

/** One sentence for one, another for several. */
export function toCounted(
  { t, format }: Pick<StepContext, 't' | 'format'>,
  one: MessageKey,
  many: MessageKey,
  count: number,
): string {
  return count === 1 ? t(one) : t(many, { count: format.number(count) });
}
