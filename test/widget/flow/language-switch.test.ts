// Another language while the form is filled in: everything given stays, and agreement to other words is asked for anew.

import { describe, expect, it } from 'vitest';
import { withConfiguration } from '../../../widget/flow/language-switch.ts';
import { createFlowState } from '../../../widget/flow/state.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createLoadedFlow, fill } from '../../support/create-flow.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus, createSession, fail, ok } from '../../support/fake-funding-api.ts';

const english = createConfiguration();
const spanish = createConfiguration({
  locale: 'es',
  fundingReasons: [{ value: 'Equipment', label: 'Equipo' }],
  consents: english.consents.map((consent) => ({ ...consent, label: `${consent.id} en español` })),
});

/** A form of which everything is answered, on the review, in a BFF that speaks Spanish from now on. */
async function createFilledFlow() {
  const created = await createLoadedFlow();
  fill(created.flow);
  created.api.configuration = ok(spanish);
  return created;
}

describe('another language', () => {
  it('is asked for, and changes the words and nothing else', async () => {
    const { api, flow } = await createLoadedFlow();
    flow.answer('fundingNeed/amount', 'many');
    flow.continue();
    const before = flow.state;
    api.configuration = ok(spanish);
    await flow.setLocale('es');
    expect(api.requestedLocales).toEqual([undefined, 'es']);
    expect(flow.state).toEqual({ ...before, configuration: spanish });
    expect(flow.state?.errors).toHaveLength(2);
  });

  it('unticks what was agreed to in other words, and says so', async () => {
    const { flow } = await createFilledFlow();
    await flow.setLocale('es');
    const { 'consents/terms': _terms, ...others } = completeDraft;
    expect(flow.state).toMatchObject({ step: 'review', rewordedConsents: ['consents/terms'] });
    expect(flow.state?.draft).toEqual(others);
  });

  it('unticks what was agreed to with links to other documents', async () => {
    const { api, flow } = await createFilledFlow();
    const [terms, ...others] = english.consents;
    const links = [{ label: 'Terms', url: 'https://partner.example/es/terms' }];
    api.configuration = ok({
      ...english,
      locale: 'es',
      consents: [{ ...terms!, links }, ...others],
    });
    await flow.setLocale('es');
    expect(flow.state?.rewordedConsents).toEqual(['consents/terms']);
  });

  it('is not sent before it was agreed to anew', async () => {
    const { api, flow } = await createFilledFlow();
    await flow.setLocale('es');
    await flow.submit();
    expect([api.submissions, flow.state?.errors]).toEqual([
      [],
      [{ path: 'consents/terms', code: 'required' }],
    ]);
    flow.answer('consents/terms', 'yes');
    expect(flow.state?.rewordedConsents).toEqual([]);
    await flow.submit();
    expect(flow.state?.step).toBe('submitted');
  });

  it('unticks the wish to be contacted as well', async () => {
    const { api, flow } = await createLoadedFlow((before) => {
      before.session = ok(createSession({ application: acceptedStatus }));
    });
    flow.parts?.contact.consent(true);
    api.configuration = ok(spanish);
    await flow.setLocale('es');
    expect([flow.parts?.contact.hasConsent, flow.state?.rewordedConsents]).toEqual([
      false,
      ['consents/contact'],
    ]);
  });

  it('leaves the wish to be contacted where its words are the same', async () => {
    const { api, flow } = await createLoadedFlow();
    flow.parts?.contact.consent(true);
    api.configuration = ok({ ...spanish, consents: english.consents });
    await flow.setLocale('es');
    expect([flow.parts?.contact.hasConsent, flow.state?.rewordedConsents]).toEqual([true, []]);
  });

  it('that the BFF does not answer is asked for again with the next step', async () => {
    const { api, flow } = await createLoadedFlow();
    api.configuration = fail('network');
    await flow.setLocale('es');
    expect(flow.state).toMatchObject({ step: 'funding-need', configuration: english });
    api.configuration = ok(spanish);
    fill(flow);
    await Promise.resolve();
    expect(flow.state?.configuration).toEqual(spanish);
  });

  it('is asked for again when the browser is online again', async () => {
    const { api, flow, page, polling } = await createLoadedFlow();
    page.connection.setOffline(true);
    api.configuration = fail('network');
    await flow.setLocale('es');
    api.configuration = ok(spanish);
    page.connection.setOffline(false);
    await polling.settle();
    expect(flow.state?.configuration).toEqual(spanish);
  });

  it('that the BFF does not have is not asked for again and again', async () => {
    const { api, flow } = await createLoadedFlow();
    await flow.setLocale('fr');
    fill(flow);
    expect(api.requestedLocales).toEqual([undefined, 'fr']);
  });

  it('that is no longer wanted when it comes is not shown', async () => {
    const { api, flow } = await createLoadedFlow();
    api.configuration = ok(spanish);
    const first = flow.setLocale('es');
    const second = flow.setLocale('en');
    await Promise.all([first, second]);
    expect([flow.state?.configuration, api.requestedLocales]).toEqual([english, [undefined, 'es']]);
  });

  it('waits while an application is sent that was read in the other one', async () => {
    const { api, flow, polling } = await createFilledFlow();
    api.application = fail('internal');
    const sending = flow.submit();
    await flow.setLocale('es');
    expect(flow.state?.configuration).toEqual(english);
    await sending;
    await polling.settle();
    expect(flow.state).toMatchObject({ problem: 'internal', configuration: spanish });
  });

  it('is the one the form is loaded in', async () => {
    const { api } = await createLoadedFlow(undefined, { locale: () => 'es' });
    expect(api.requestedLocales).toEqual(['es']);
  });

  it('brings the consents by which answers are checked from then on', async () => {
    const { api, flow } = await createFilledFlow();
    const [terms] = english.consents;
    const consents = [...english.consents, { ...terms!, id: 'privacy' }];
    api.configuration = ok({ ...english, locale: 'es', consents });
    await flow.setLocale('es');
    await flow.submit();
    expect([api.submissions, flow.state?.errors]).toEqual([
      [],
      [{ path: 'consents/privacy', code: 'required' }],
    ]);
  });

  it('is the one consents are asked anew in', async () => {
    const { api, flow } = await createLoadedFlow(undefined, { locale: () => 'es' });
    fill(flow);
    api.application = fail('consent-required');
    await flow.submit();
    expect(api.requestedLocales).toEqual(['es', 'es']);
  });
});

describe('a consent', () => {
  it.each([
    [
      'in the language it was read in',
      { locale: 'es' },
      { id: 'terms', version: '1', locale: 'es' },
    ],
    ['without one to a BFF that names none', { locale: undefined }, { id: 'terms', version: '1' }],
  ])('is sent %s', async (_how, changes, sent) => {
    const { api, flow } = await createLoadedFlow((before) => {
      before.configuration = ok({ ...english, ...changes });
    });
    fill(flow);
    await flow.submit();
    expect(JSON.parse(api.submissions[0]!.body).consents).toEqual([sent]);
  });

  it('stays given where its words are the same in both languages', () => {
    const state = { ...createFlowState(english), draft: completeDraft };
    const same = { ...spanish, consents: english.consents };
    expect(withConfiguration(state, same)).toEqual({ ...state, configuration: same });
  });
});
