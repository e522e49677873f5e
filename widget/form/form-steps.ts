// The steps of the form beside a wide form, with a summary of the answers of each. A click shows the step.

import type { TemplateResult } from 'lit';
import { toAnswerGroups, type Answer } from '../app/answers.ts';
import type { StepContext } from '../app/feature.ts';
import { withPlace } from '../app/history.ts';
import { type FormStepId, formSteps, toReachable, type ValidateStep } from '../app/navigation.ts';
import { renderStepList } from '../app/step-list.ts';
import type { FormState } from '../app/store.ts';
import type { Translate } from '../i18n/messages.ts';

/** The answers of each summary. The list stays on the screen, so it never contains an SSN, an EIN, a date of birth, or a credit score. */
const summaryPaths: Readonly<Record<FormStepId, readonly string[]>> = {
  'funding-need': ['fundingNeed/amount', 'fundingNeed/reason'],
  business: ['business/name', 'business/industry'],
  owner: ['owner/firstName', 'owner/lastName', 'owner/email'],
  identity: [],
  review: [],
};

export function renderFormSteps(
  context: StepContext,
  validate: ValidateStep,
  updateForm: (change: (form: FormState) => FormState) => void,
): TemplateResult {
  const { t, form } = context;
  const furthest = formSteps.indexOf(form.furthestStep);
  const answers = toAnswerGroups(context, form.draft).flatMap((group) => group.answers);
  return renderStepList(
    t('steps'),
    formSteps.map((step, index) => {
      const isCurrent = step === form.step;
      const isSeen = index <= furthest;
      const isDone = () => isSeen && step !== 'review' && validate(form, step).length === 0;
      return {
        name: t(`step.${step}.name`),
        state: isCurrent ? 'current' : isDone() ? 'done' : 'open',
        summary: isSeen && !isCurrent ? toSummary(t, answers, step) : undefined,
        show:
          isSeen && !isCurrent
            ? () => updateForm((now) => withShown(now, step, validate))
            : undefined,
      };
    }),
  );
}

/** Back to an earlier step, or forward to a later one, but never past a step with errors. */
function withShown(form: FormState, step: FormStepId, validate: ValidateStep): FormState {
  return (
    toReachable(form, step) ?? withPlace(form, { step, returnsToReview: false }, true, validate)
  );
}

function toSummary(t: Translate, answers: readonly Answer[], step: FormStepId): string {
  if (step === 'identity') return t('steps.hidden');
  const values = summaryPaths[step].map(
    (path) => answers.find((answer) => answer.path === path)?.value ?? '',
  );
  // A name is one value.
  const [first = '', second = '', ...others] = values;
  const isName = step === 'owner';
  const parts = isName ? [`${first} ${second}`.trim(), ...others] : values;
  return parts.filter((part) => part !== '').join(' · ');
}
