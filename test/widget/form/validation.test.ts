// Tests for the errors on a step.

import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../widget/app/draft.ts';
import { formSteps, type FormStepId } from '../../../widget/app/navigation.ts';
import { createValidation } from '../../../widget/form/validation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';

const validate = createValidation(() => new Date('2026-11-20T12:00:00Z'));
const configuration = createConfiguration();

function listPaths(step: FormStepId, draft: Draft = {}): readonly string[] {
  return validate({ configuration, draft }, step).map(({ path }) => path);
}

describe('createValidation', () => {
  it.each(formSteps)('finds no error in complete answers (%s)', (step) => {
    expect(listPaths(step, completeDraft)).toEqual([]);
  });

  it('lists the errors in the order of the fields', () => {
    expect(listPaths('business')).toEqual([
      'business/name',
      'business/type',
      'business/industry',
      'business/address/street',
      'business/address/city',
      'business/address/state',
      'business/address/zip',
      'business/annualRevenue',
      'business/foundedMonth',
      'business/foundedYear',
    ]);
  });

  it('lists the errors of one step only', () => {
    expect(listPaths('owner').filter((path) => listPaths('identity').includes(path))).toEqual([]);
  });

  it('requires the fields that the configuration names', () => {
    const required = createConfiguration({ requiredFields: ['birthDate'] });
    const draft = { ...completeDraft, 'owner/birthDate/year': '', 'owner/birthDate/month': '' };
    const without = { ...draft, 'owner/birthDate/day': '' };
    expect(listPaths('identity', without)).toEqual([]);
    expect(validate({ configuration: required, draft: without }, 'identity')).toMatchObject([
      { path: expect.stringMatching(/^owner\/birthDate/) as string, code: 'required' },
    ]);
  });

  it('requires the consents of the configuration', () => {
    const [terms] = configuration.consents;
    const consents = [{ ...terms!, id: 'privacy' }, ...configuration.consents];
    const errors = validate(
      { configuration: createConfiguration({ consents }), draft: completeDraft },
      'review',
    );
    expect(errors).toEqual([{ path: 'consents/privacy', code: 'required' }]);
  });

  it('compares the signature with the last name', () => {
    const draft = { ...completeDraft, 'signature/name': 'Ana Lopez' };
    expect(validate({ configuration, draft }, 'review')).toEqual([
      { path: 'signature/name', code: 'name-mismatch' },
    ]);
  });
});
