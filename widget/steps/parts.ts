// Pieces that several steps show: problem, waiting line, counted sentences.

import { html, nothing, type TemplateResult } from 'lit';
import type { MessageKey, Translate } from '../i18n/text.ts';
import type { FlowProblem } from '../flow/state.ts';
import { renderReloadButton } from '../app/parts.ts';
import type { StepContext } from './step-context.ts';

const minuteMs = 60_000;

export interface Heading {
  readonly title: string;
  readonly why?: string;
}

/** Why something did not work, calmly. */
export function renderProblem(
  { t }: Pick<StepContext, 't'>,
  problem: FlowProblem | undefined,
  retryAfterMs?: number,
): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  return html`<div class="notice calm" role="alert" part="notice" tabindex="-1">
    <p>${toProblemText(t, problem, retryAfterMs)}</p>
    ${problem === 'page-outdated' ? renderReloadButton(t) : nothing}
  </div>`;
}

/** Beside consents that were ticked in another language. */
export function renderReworded({ t, state }: StepContext): TemplateResult | typeof nothing {
  return state.rewordedConsents.length > 0
    ? html`<p class="notice calm" role="alert" part="notice">${t('consents.language-changed')}</p>`
    : nothing;
}

/** The sentence for a problem; of a limit that lasts for two minutes or longer, also how long. */
export function toProblemText(t: Translate, problem: FlowProblem, retryAfterMs = 0): string {
  return problem === 'too-many-requests' && retryAfterMs >= 2 * minuteMs
    ? t('problem.too-many-requests.long', { minutes: Math.ceil(retryAfterMs / minuteMs) })
    : t(`problem.${problem}`);
}

/** What is being done right now, in words. */
export function renderWaiting(sentence: string): TemplateResult {
  return html`<p class="waiting" role="status">
    <span class="pulse"></span><span>${sentence}</span>
  </p>`;
}

/** One sentence for one, another for several. */
export function toCounted(
  { t, format }: Pick<StepContext, 't' | 'format'>,
  one: MessageKey,
  many: MessageKey,
  count: number,
): string {
  return format.isOne(count) ? t(one) : t(many, { count: format.number(count) });
}
