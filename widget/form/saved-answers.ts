// Says where the answers are kept, offers to keep them on the device, and welcomes an applicant who comes back.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext } from '../app/feature.ts';
import { formSteps, isFormStep, type ValidateStep } from '../app/navigation.ts';
import { toFieldPaths, toStepOf } from '../app/step-fields.ts';
import { renderButton, renderNoticeOf } from '../app/parts.ts';
import type { FormState } from '../app/store.ts';
import { live } from '../fields/live.ts';

/**
 * The notice on the step on which a draft was restored, and a reminder on later steps with answers that were not stored.
 *
 * @param clear "Clear my answers".
 */
export function renderRestored(
  context: StepContext,
  validate: ValidateStep,
  clear: TemplateResult,
  acknowledge: () => void,
): TemplateResult | typeof nothing {
  const { t, form, state, focus } = context;
  if (!isRestoredHere(form)) return nothing;
  const { restored } = form;
  if (!restored || !isWelcomedHere(form))
    return renderNoticeOf('information', html`<p>${t('restored.again')}</p>`);
  const { reached, omitted } = restored;
  const place = {
    number: formSteps.indexOf(reached) + 1,
    total: formSteps.length,
    name: t(`step.${reached}.name`),
  };
  const isKept = state.device.status === 'on';
  const handleContinue = () => {
    acknowledge();
    focus(findNextPath(context, validate) ?? 'step-heading');
  };
  const content = html`
    <p><strong>${t('restored.title')}</strong></p>
    <p>
      ${t(reached === form.step ? 'restored.here' : 'restored.reached', place)}
      ${t(omitted.length === 0 ? 'restored.all' : isKept ? 'restored.omitted.device' : 'restored.omitted')}
    </p>
    <div class="actions">${renderButton(t('restored.continue'), handleContinue)} ${clear}</div>
  `;
  return renderNoticeOf('information', content);
}

/** Where the answers are, and the checkbox that keeps them on the device. */
export function renderSaved(
  context: StepContext,
  clear: TemplateResult,
  toggle: () => void,
): TemplateResult {
  const { t, format, form, state, endsWithPage } = context;
  const { status, endsAt } = state.device;
  const isOn = status === 'on';
  return html`
    <p>
      ${isOn && endsAt !== undefined ? t('device.kept', { date: format.date(new Date(endsAt)) }) : t('autosave')}
    </p>
    ${
      status === 'unavailable' || endsWithPage
        ? nothing
        : html`<label class="choice" part="choice">
              <input
                type="checkbox"
                id="keep-on-device"
                .checked=${live(isOn || status === 'starting')}
                @change=${toggle}
              />
              <span>${t('device.keep')}</span>
            </label>
            <p role="status">
              ${isOn ? t('device.on') : status === 'failed' ? t('device.failed') : nothing}
            </p>`
    }
    ${isWelcomedHere(form) ? nothing : clear}
  `;
}

/** Returns true if the current step welcomes the applicant back. */
function isWelcomedHere({ step, restored }: FormState): boolean {
  return restored !== undefined && restored.step === step && !restored.isSeen;
}

/** Returns true if the current step shows a notice about restored answers. */
export function isRestoredHere(form: FormState): boolean {
  const isOmittedHere = form.restored?.omitted.some((path) => toStepOf(path) === form.step);
  return isWelcomedHere(form) || isOmittedHere === true;
}

/** The first field on this step whose answer was not stored, or is missing or wrong. */
function findNextPath({ form }: StepContext, validate: ValidateStep): string | undefined {
  const { step, draft, restored } = form;
  if (!isFormStep(step)) return undefined;
  const open = [...(restored?.omitted ?? []), ...validate(form, step).map(({ path }) => path)];
  return toFieldPaths(step, draft).find((path) => open.some((one) => one.startsWith(path)));
}
