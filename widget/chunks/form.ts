// The lazy-loaded chunk `form`: the steps after the first one, validation, submission, and the session.

import { withSession } from '../app/application-status.ts';
import { ConfigurationLanguage } from '../app/configuration-language.ts';
import {
  createValidation,
  toErrorMessages,
  withCorrectedErrors,
  withStepCompleted,
  withStoredDraft,
} from '../form/validation.ts';
import { DeviceDraft, type DeviceDraftEnvironment } from '../app/device-draft.ts';
import type { FormChunk } from '../app/feature.ts';
import { StepHistory, type StepHistoryOptions } from '../app/history.ts';
import { toStepHeading } from '../app/parts.ts';
import { renderSessionNotice, SessionController, type SessionEnvironment } from '../app/session.ts';
import { stepListStyles } from '../app/step-list.ts';
import type { AppState, FormState } from '../app/store.ts';
import { renderErrorSummary, renderFieldError } from '../fields/errors.ts';
import { furtherFieldStyles } from '../fields/further-fields.styles.ts';
import { Pickers, type PickerHost } from '../fields/pickers.ts';
import type { Translate } from '../i18n/messages.ts';
import messages from '../i18n/en-form.json' with { type: 'json' };
import { renderBusiness } from '../form/business.ts';
import { renderFormSteps } from '../form/form-steps.ts';
import { FieldAdvice, type FieldAdviceEnvironment, withoutAdvice } from '../form/field-advice.ts';
import { renderIdentity } from '../form/identity.ts';
import { renderOwner } from '../form/owner.ts';
import { reviewStyles } from '../form/review.styles.ts';
import { renderReview } from '../form/review.ts';
import { renderRestored, renderSaved } from '../form/saved-answers.ts';
import { Submission, type SubmissionEnvironment, toSubmittedEvents } from '../form/submission.ts';

export const styles = [furtherFieldStyles, reviewStyles, stepListStyles];
export { printStyles } from '../styles/print.styles.ts';
export { FieldMasks } from '../fields/masks.ts';
export { messages };

export type FormEnvironment = SubmissionEnvironment &
  SessionEnvironment &
  FieldAdviceEnvironment &
  DeviceDraftEnvironment &
  PickerHost & {
    /** Undefined if the steps are not entries of the browser's history. */
    readonly history: Pick<StepHistoryOptions, 'key' | 'environment'> | undefined;
  };

export function createFormChunk(environment: FormEnvironment): FormChunk {
  const { now, store, api } = environment;
  const validate = createValidation(now);
  const history =
    environment.history && new StepHistory({ ...environment.history, store, validate });
  const session = new SessionController(environment);
  const deviceDraft = new DeviceDraft(environment);
  const configurationLanguage = new ConfigurationLanguage(store, api);
  const submission = new Submission(environment, validate);
  const pickers = new Pickers(environment);
  const advice = new FieldAdvice(environment);
  return {
    steps: {
      business: {
        toHeading: toStepHeading('business'),
        render: (context) => renderBusiness(context, pickers),
      },
      owner: {
        toHeading: toStepHeading('owner'),
        render: (context) => renderOwner(context, pickers),
      },
      identity: { toHeading: toStepHeading('identity'), render: renderIdentity },
      review: {
        // After an attempt, "Nothing has been sent yet" may no longer be true.
        toHeading: (context) =>
          context.form.isSubmitting || context.form.problem !== undefined
            ? { title: context.t('step.review.title') }
            : toStepHeading('review')(context),
        render: (context) => renderReview(context, validate),
      },
    },
    validate,
    submit: () => submission.submit(),
    react: (before, after) => {
      deviceDraft.react(before, after);
      history?.react(before, after);
      session.react(before, after);
      configurationLanguage.react(before, after);
      advice.react(before, after);
      if (before.form && !after.form) submission.cancel();
      else if (isDecided(before, after)) submission.forget();
    },
    withStepCompleted: (form) => withStepCompleted(form, validate),
    withCorrectedErrors: (form, path) =>
      withCorrectedErrors(withoutAdvice(form, path), path, validate),
    advise: (path, typed) => advice.advise(path, typed),
    renderAdvice: (wording, form, path) => advice.render(wording, form, path),
    restoreDevice: () => deviceDraft.restore(),
    withStoredDraft: (form, stored) => withStoredDraft(form, stored, validate),
    withSession,
    noteActivity: () => session.noteActivity(),
    toIndustryLabel: (value, locale) => pickers.toIndustryLabel(value, locale),
    toErrorMessages,
    toAnnouncements: (before, after, { t }) => toCorrections(before.form, after.form, t),
    toHostEvents: toSubmittedEvents,
    renderFieldError,
    renderErrorSummary: (context, errors) =>
      renderErrorSummary(context, context.form.step, errors, context.focus),
    renderSteps: (context) =>
      renderFormSteps(context, validate, (change) => store.updateForm(change)),
    renderRestored: (context, clear) =>
      renderRestored(context, validate, clear, () =>
        store.updateForm((form) => ({
          ...form,
          restored: form.restored && { ...form.restored, isSeen: true },
        })),
      ),
    renderSaved: (context, clear) => renderSaved(context, clear, () => deviceDraft.toggle()),
    renderSessionNotice: (context) => renderSessionNotice(context, () => void session.extend()),
  };
}

/** The error summary shrinks without the focus on it. */
function toCorrections(
  before: FormState | undefined,
  after: FormState | undefined,
  t: Translate,
): readonly string[] {
  const errors = before?.errors ?? [];
  const left = after?.errors ?? [];
  if (left.length >= errors.length || !left.every((error) => errors.includes(error))) return [];
  const count = left.length;
  if (count > 1) return [t('summary.left.many', { count })];
  return [t(count === 1 ? 'summary.left.one' : 'summary.left.none')];
}

/** The funding service has decided about the submitted answers, or the applicant has cleared them. */
function isDecided({ form: before }: AppState, { form: after }: AppState): boolean {
  return (
    after?.application?.status === 'accepted' ||
    before?.rejectedReference !== after?.rejectedReference ||
    before?.timesCleared !== after?.timesCleared
  );
}
