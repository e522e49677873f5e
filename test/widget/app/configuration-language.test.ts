// Tests for the BFF's texts after the applicant has changed the language.

import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../../shared/api/configuration.ts';
import { withConfiguration } from '../../../widget/app/configuration-language.ts';
import { emptyContact } from '../../../widget/app/store.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createAcceptedForm, createAcceptedState } from '../../support/create-feature.ts';
import { createFilledApp } from '../../support/create-app.ts';
import { completeDraft } from '../../support/draft.ts';
import { fail, ok } from '../../support/fake-funding-api.ts';

const english = createConfiguration();
const spanish = createConfiguration({
  locale: 'es',
  fundingReasons: [{ value: 'Equipment', label: 'Equipo' }],
  consents: english.consents.map((consent) => ({ ...consent, label: `${consent.id} (es)` })),
});

/** A form on its review. The BFF responds to the next request with this configuration. */
async function create(configuration: Configuration = spanish) {
  const created = await createFilledApp();
  created.api.requestedLocales.length = 0;
  created.api.configuration = ok(configuration);
  return Object.assign(created, {
    async setLocale(locale: 'en' | 'es'): Promise<void> {
      created.store.merge('language', { locale });
      await created.settle();
    },
  });
}

describe('the texts of the BFF', () => {
  it('are requested in the language of the form', async () => {
    const world = await create();
    await world.setLocale('es');
    expect(world.api.requestedLocales).toEqual(['es']);
    expect(world.form?.configuration).toBe(spanish);
  });

  it('are requested again with the next step after a failure', async () => {
    const world = await create();
    world.api.configuration = fail('network');
    await world.setLocale('es');
    expect(world.form).toMatchObject({ configuration: english, problem: undefined });
    world.api.configuration = ok(spanish);
    world.app.back();
    await world.settle();
    expect(world.form?.configuration).toBe(spanish);
  });

  it('are requested again after a failure when the browser is online', async () => {
    const world = await create();
    world.connection.setOffline(true);
    world.api.configuration = fail('network');
    await world.setLocale('es');
    world.api.configuration = ok(spanish);
    world.connection.setOffline(false);
    await world.settle();
    expect(world.form?.configuration).toBe(spanish);
  });

  it('are requested once in a language that the BFF does not have', async () => {
    const world = await create(english);
    await world.setLocale('es');
    world.app.back();
    await world.settle();
    expect(world.api.requestedLocales).toEqual(['es']);
  });

  it('are not replaced by the response for an earlier language', async () => {
    const world = await create();
    const send = world.api.hold('getConfiguration');
    await world.setLocale('es');
    await world.setLocale('en');
    send(ok(spanish));
    await world.settle();
    expect(world.form?.configuration).toEqual(english);
    expect(world.api.requestedLocales).toEqual(['es']);
  });

  it('stay during a submission', async () => {
    const world = await create();
    const send = world.api.hold('submitApplication');
    await world.submit();
    await world.setLocale('es');
    expect(world.form?.configuration).toEqual(english);
    send(fail('internal'));
    await world.settle();
    expect(world.form).toMatchObject({ problem: 'internal', configuration: { locale: 'es' } });
  });
});

describe('the consents in another language', () => {
  it('are sent when changed ones are accepted again, with their language', async () => {
    const world = await create();
    await world.setLocale('es');
    await world.submit();
    expect(world.api.submissions).toEqual([]);
    expect(world.form?.errors).toEqual([{ path: 'consents/terms', code: 'required' }]);
    world.app.answer('consents/terms', 'yes');
    expect(world.form?.rewordedConsents).toEqual([]);
    await world.submit();
    expect(world.form?.step).toBe('submitted');
    expect(JSON.parse(world.api.submissions[0]?.body ?? '{}')).toMatchObject({
      consents: [{ id: 'terms', locale: 'es' }],
    });
  });

  it('are those of the new configuration', async () => {
    const added = english.consents.map((consent) => ({ ...consent, id: `new-${consent.id}` }));
    const both = [...english.consents, ...added];
    const world = await create({ ...english, locale: 'es', consents: both });
    await world.setLocale('es');
    await world.submit();
    expect(world.api.submissions).toEqual([]);
    expect(world.form?.errors).toEqual([{ path: 'consents/new-terms', code: 'required' }]);
  });
});

describe('withConfiguration', () => {
  const form = createAcceptedForm({
    configuration: english,
    step: 'review',
    application: undefined,
    draft: completeDraft,
  });
  const state = createAcceptedState({ form, contact: { ...emptyContact, hasConsent: true } });

  it('keeps answers and errors', () => {
    const errors = [{ path: 'fundingNeed/amount', code: 'required' }] as const;
    const draft = { 'fundingNeed/amount': 'many' };
    const before = { ...state, form: { ...form, draft, errors }, contact: emptyContact };
    expect(withConfiguration(before, spanish).form).toEqual({
      ...before.form,
      configuration: spanish,
    });
  });

  const links = [{ label: 'Terms', url: 'https://partner.example/es/terms' }];
  const { 'consents/terms': _terms, ...withoutTerms } = completeDraft;
  const changed = ['consents/terms', 'consents/contact'];

  it.each([
    ['removes consents whose text has changed', spanish.consents, changed],
    [
      'removes consents whose links have changed',
      english.consents.map((consent) => ({ ...consent, links })),
      changed,
    ],
    ['keeps consents whose text is the same', english.consents, []],
  ])('%s', (_rule, consents, reworded) => {
    const after = withConfiguration(state, { ...spanish, consents });
    const hasConsent = reworded.length === 0;
    expect(after.form?.draft).toEqual(hasConsent ? completeDraft : withoutTerms);
    expect(after.form?.rewordedConsents).toEqual(reworded);
    expect(after.contact.hasConsent).toBe(hasConsent);
  });
});
