// Which fields belong to which step.

import { homeChoicePath, type Draft } from './draft.ts';
import { formFields } from './form-fields.ts';
import type { FormStepId } from './navigation.ts';

/** The paths of a step's fields in the order of the screen. The error summary has the same order. */
export function toFieldPaths(step: FormStepId, draft: Draft): readonly string[] {
  const paths = formFields[step].map(({ path }) => path);
  return draft[homeChoicePath] === 'no'
    ? paths
    : paths.filter((path) => !path.startsWith('owner/homeAddress'));
}

/** The step on which a field can be corrected. */
export function toStepOf(path: string): FormStepId {
  if (path.startsWith('fundingNeed')) return 'funding-need';
  if (path.startsWith('business')) return 'business';
  if (formFields.identity.some((field) => path.startsWith(field.path))) return 'identity';
  if (path.startsWith('owner')) return 'owner';
  return 'review';
}
