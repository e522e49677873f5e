// The lazy-loaded part of the form: the steps after the first one, their controls, validation, and submission.

import type { FormPart } from '../app/feature.ts';
import { toStepHeading } from '../app/parts.ts';
import { furtherFieldStyles } from '../fields/further-fields.styles.ts';
import messages from '../i18n/en-form.json' with { type: 'json' };
import { Pickers } from '../fields/pickers.ts';
import type { AppState } from '../app/store.ts';
import type { PickerHost, TakeAnswer } from '../fields/combobox.ts';
import { renderBusiness } from './business.ts';
import { renderIdentity } from './identity.ts';
import { renderOwner } from './owner.ts';
import { reviewStyles } from './review.styles.ts';
import { renderReview } from './review.ts';
import { Submission, type SubmissionEnvironment } from './submission.ts';
import { createValidation } from './validation.ts';

export const styles = [furtherFieldStyles, reviewStyles];
export { messages };

export interface FormEnvironment extends SubmissionEnvironment {
  readonly now: () => Date;
  readonly host: PickerHost;
  readonly takeAnswer: TakeAnswer;
  /** Whether native selects replace the comboboxes. */
  readonly usesSelects: () => boolean;
}

export function createFormPart(environment: FormEnvironment): FormPart {
  const { host, takeAnswer, usesSelects, now } = environment;
  const validate = createValidation(now);
  const submission = new Submission(environment, validate);
  const pickers = new Pickers(host, takeAnswer, usesSelects);
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
      if (before.form && !after.form) submission.cancel();
      else if (isDecided(before, after)) submission.forget();
    },
    toIndustryLabel: (value, locale) => pickers.toIndustryLabel(value, locale),
  };
}

/** The funding service has decided about the submitted answers, or the applicant has cleared them. */
function isDecided({ form: before }: AppState, { form: after }: AppState): boolean {
  return (
    after?.application?.status === 'accepted' ||
    before?.rejectedReference !== after?.rejectedReference ||
    before?.timesCleared !== after?.timesCleared
  );
}
