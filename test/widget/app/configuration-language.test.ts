// Tests for the BFF's texts after the applicant has changed the language.

import { describe, expect, it } from 'vitest';
import type { Locale } from '../../../shared/application/lists.ts';
import {
  ConfigurationLanguage,
  withConfiguration,
} from '../../../widget/app/configuration-language.ts';
import { type AppState, emptyContact, type FormState, Store } from '../../../widget/app/store.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createAcceptedForm, createAcceptedState } from '../../support/create-feature.ts';
import { completeDraft } from '../../support/draft.ts';
import { fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';

const english = createConfiguration();
const spanish = createConfiguration({
  locale: 'es',
  fundingReasons: [{ value: 'Equipment', label: 'Equipo' }],
  consents: english.consents.map((consent) => ({ ...consent, label: `${consent.id} en español` })),
});
const form = createAcceptedForm({
  configuration: english,
  step: 'review',
  application: undefined,
  draft: completeDraft,
});
const state = createAcceptedState({ form });

/** A complete form on its review. */
function create() {
  const api = new FakeFundingApi();
  api.configuration = ok(spanish);
  const store: Store = new Store([(before, after) => language.react(before, after)], state);
  const language = new ConfigurationLanguage(store, api);

  /** Waits for responses. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }

  return {
    api,
    store,
    settle,
    get form() {
      return store.state.form;
    },
    async setLocale(locale: Locale): Promise<void> {
      store.merge('language', { locale });
      await settle();
    },
    async merge(changes: Partial<AppState>): Promise<void> {
      store.update((current) => ({ ...current, ...changes }));
      await settle();
    },
    async mergeForm(changes: Partial<FormState>): Promise<void> {
      store.update((current) => ({ ...current, form: { ...form, ...current.form, ...changes } }));
      await settle();
    },
  };
}

describe('ConfigurationLanguage', () => {
  it('requests the texts in the language of the form', async () => {
    const world = create();
    await world.setLocale('es');
    expect(world.api.requestedLocales).toEqual(['es']);
    expect(world.form?.configuration).toBe(spanish);
  });

  it('retries a failed request with the next step', async () => {
    const world = create();
    world.api.configuration = fail('network');
    await world.setLocale('es');
    expect(world.form).toMatchObject({ configuration: english, problem: undefined });
    world.api.configuration = ok(spanish);
    await world.mergeForm({ step: 'owner' });
    expect(world.form?.configuration).toBe(spanish);
  });

  it('retries a failed request when the browser is online', async () => {
    const world = create();
    await world.merge({ isOffline: true });
    world.api.configuration = fail('network');
    await world.setLocale('es');
    world.api.configuration = ok(spanish);
    await world.merge({ isOffline: false });
    expect(world.form?.configuration).toBe(spanish);
  });

  it('requests a language that the BFF does not have once', async () => {
    const world = create();
    world.api.configuration = ok(english);
    await world.setLocale('es');
    await world.mergeForm({ step: 'owner' });
    expect(world.api.requestedLocales).toEqual(['es']);
  });

  it('ignores the response for an earlier language', async () => {
    const world = create();
    void world.setLocale('es');
    await world.setLocale('en');
    expect(world.form?.configuration).toBe(english);
    expect(world.api.requestedLocales).toEqual(['es']);
  });

  it('waits for the end of a submission', async () => {
    const world = create();
    await world.mergeForm({ isSubmitting: true });
    await world.setLocale('es');
    expect(world.form?.configuration).toBe(english);
    await world.mergeForm({ isSubmitting: false });
    expect(world.form?.configuration).toBe(spanish);
  });
});

describe('withConfiguration', () => {
  it('keeps answers and errors', () => {
    const errors = [{ path: 'fundingNeed/amount', code: 'required' }] as const;
    const draft = { 'fundingNeed/amount': 'many' };
    const before = { ...state, form: { ...form, draft, errors } };
    expect(withConfiguration(before, spanish).form).toEqual({
      ...before.form,
      configuration: spanish,
    });
  });

  it('removes consents whose text has changed', () => {
    const after = withConfiguration(state, spanish);
    const { 'consents/terms': _terms, ...others } = completeDraft;
    expect(after.form).toMatchObject({ draft: others, rewordedConsents: ['consents/terms'] });
    expect(after.form?.draft).not.toHaveProperty(['consents/terms']);
  });

  it('removes consents whose links have changed', () => {
    const links = [{ label: 'Terms', url: 'https://partner.example/es/terms' }];
    const consents = english.consents.map((consent) =>
      consent.id === 'terms' ? { ...consent, links } : consent,
    );
    const after = withConfiguration(state, { ...spanish, consents });
    expect(after.form?.rewordedConsents).toEqual(['consents/terms']);
  });

  it('keeps consents whose text is the same', () => {
    const after = withConfiguration(state, { ...spanish, consents: english.consents });
    expect(after.form).toMatchObject({ draft: completeDraft, rewordedConsents: [] });
  });

  it('removes the consent to be contacted if its text has changed', () => {
    const before = { ...state, contact: { ...emptyContact, hasConsent: true } };
    const after = withConfiguration(before, spanish);
    expect(after.contact.hasConsent).toBe(false);
    expect(after.form?.rewordedConsents).toContain('consents/contact');
  });

  it('keeps the consent to be contacted if its text is the same', () => {
    const before = { ...state, contact: { ...emptyContact, hasConsent: true } };
    const after = withConfiguration(before, { ...spanish, consents: english.consents });
    expect(after.contact.hasConsent).toBe(true);
  });
});
