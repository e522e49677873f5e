// How many answers an application requires with the default settings, counted by the validation of the form.

import { expect, it } from 'vitest';
import { defaultSettings } from '../../bff/config/settings.ts';
import { formSteps, createForm } from '../../widget/app/navigation.ts';
import { createValidation } from '../../widget/form/validation.ts';
import { createConfiguration } from '../support/configuration.ts';

const now = () => new Date('2026-11-20T12:00:00Z');

it('an application requires at most 22 answers', () => {
  const { consents, requiredFields } = defaultSettings();
  const configuration = createConfiguration({
    requiredFields,
    consents: consents.map(({ id, version, required, label, text }) => ({
      id,
      version,
      required,
      label: label.en,
      text: text.en,
    })),
  });
  const form = createForm(configuration);
  const validate = createValidation(now);
  // An empty form has one error for each required answer.
  const required = formSteps.flatMap((step) => validate(form, step).map(({ path }) => path));
  expect(new Set(required).size).toBe(required.length);
  expect(required.length, required.join('\n')).toBeLessThanOrEqual(22);
});
