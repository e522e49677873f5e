// Closing the application on this device, for applicants who share it with others.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext, Wording } from '../app/feature.ts';
import { renderButton, renderNotice, renderProblem } from '../app/parts.ts';
import { hasUnsentFiles } from '../app/store.ts';
import { toNextAction } from './submitted.ts';

/** The layout shows it under every step after the submission. */
export function renderFinish(context: StepContext): TemplateResult {
  const { t, state, actions, focus } = context;
  const { isClosing, warnsOfUnsent, problem } = state.closing;
  const close = async () => {
    if ((await actions.close()) === 'warned') focus('finish-unsent');
  };
  const isNext = context.form.step === 'submitted' && toNextAction(context) === 'finish';
  const label = t(isClosing ? 'finish.ending' : 'finish');
  return html`<div class="group">
    ${
      warnsOfUnsent && hasUnsentFiles(state.documents)
        ? renderNotice(t('finish.unsent'), 'finish-unsent')
        : nothing
    }
    ${renderProblem(context, problem)}
    <div class="actions">
      ${renderButton(label, () => void close(), isNext ? 'button' : 'quiet', 'finish-hint')}
      <span class="hint" part="hint" id="finish-hint">${t('finish.hint')}</span>
    </div>
  </div>`;
}

/** The page after closing. It says nothing about the application. */
export function renderFinished({ t }: Pick<Wording, 't'>, startAgain: () => void): TemplateResult {
  return html`<p>${t('finished.text')}</p>
    <div class="actions">${renderButton(t('finished.new'), startAgain)}</div>`;
}
