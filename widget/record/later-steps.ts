// The steps after the submission beside a wide page, with the state of each. A click shows the step.

import { nothing, type TemplateResult } from 'lit';
import { hasBankReport, withoutRejected } from '../app/attachment-parts.ts';
import type { StepContext } from '../app/feature.ts';
import { toCounted } from '../app/later-parts.ts';
import type { LaterStepId } from '../app/navigation.ts';
import { type ListedStep, renderStepList } from '../app/step-list.ts';

/** The record lists the same states itself, and the offers need the width. */
export function renderLaterSteps(context: StepContext): TemplateResult | typeof nothing {
  const { t, form, actions, configuration } = context;
  if (form.step !== 'documents' && form.step !== 'bank') return nothing;
  const results = toResults(context);
  const toStep = (step: LaterStepId, isDone: boolean, summary?: string): ListedStep => {
    const isCurrent = step === form.step;
    return {
      name: t(`steps.${step}`),
      state: isCurrent ? 'current' : isDone ? 'done' : 'open',
      summary,
      show: isCurrent ? undefined : () => actions.showStep(step),
    };
  };
  const toTask = (step: 'documents' | 'bank') =>
    toStep(step, results[step] !== undefined, results[step] ?? t('submitted.not-started'));
  return renderStepList(t('steps'), [
    toStep('submitted', true),
    toTask('documents'),
    ...(configuration.bankConnection === 'off' ? [] : [toTask('bank')]),
    toStep('offers', false, results.offers),
  ]);
}

/** The results of the steps so far, for example the number of files. A step without a result has `undefined`. */
export function toResults(context: StepContext): {
  readonly [Step in Exclude<LaterStepId, 'submitted'>]: string | undefined;
} {
  const { t, state } = context;
  const fileCount = withoutRejected(state.documents.uploaded).length;
  const offerCount = state.offers.response?.offers.length ?? 0;
  return {
    documents:
      fileCount > 0
        ? toCounted(context, 'submitted.files.one', 'submitted.files.many', fileCount)
        : undefined,
    bank: hasBankReport(state.bank) ? t('submitted.bank') : undefined,
    offers:
      offerCount > 0
        ? toCounted(context, 'offers.title.one', 'offers.title.many', offerCount)
        : undefined,
  };
}
