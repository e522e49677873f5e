// The language of the form: its source, and a switch by the applicant.

import { expect, fixture, html } from '@open-wc/testing';
import type { FundingApplication } from '../../widget/funding-application.ts';
import { LanguageController, type LanguageHost } from '../../widget/app/language.ts';
import { Store } from '../../widget/app/store.ts';
import { loadMessages } from '../../widget/i18n/messages.ts';
import { createConfiguration } from '../support/configuration.ts';
import { FakeFundingApi, ok, withApplication } from '../support/fake-funding-api.ts';
import { mountAgain, mountWidget, Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const englishHeading = 'How much funding do you need?';
const spanishHeading = '¿Cuánto financiamiento necesita?';

/** Creates a BFF that responds in the requested language. */
function createBilingualApi(locales: readonly string[] = ['en', 'es']): FakeFundingApi {
  const api = new FakeFundingApi();
  api.getConfiguration = async (locale = locales[0] ?? 'en') => {
    api.requestedLocales.push(locale);
    const label = locale === 'es' ? 'Equipo' : 'Equipment';
    const fundingReasons = [{ value: 'Equipment', label }];
    return ok(createConfiguration({ locales: [...locales], locale, fundingReasons }));
  };
  return api;
}

/** The host page sets its language before the element loads. */
async function mountIn(
  around: (element: FundingApplication) => Element,
  api = createBilingualApi(),
): Promise<Mounted> {
  sessionStorage.clear();
  const element = document.createElement('funding-application');
  element.api = api;
  element.settings = { startPage: false };
  await fixture(html`${around(element)}`);
  const root = element.shadowRoot!;
  await waitUntil(() => root.querySelector('h2'));
  return new Mounted(element, api);
}

function within(element: Element, lang: string): HTMLElement {
  const parent = document.createElement('div');
  parent.lang = lang;
  parent.append(element);
  return parent;
}

/** Returns the language of the visible form and of the announcements. */
function langOf({ root }: Mounted): string {
  const parts = [...root.querySelectorAll('.frame, #announcement')];
  return [...new Set(parts.map((part) => part.getAttribute('lang')))].join();
}

describe('the initial language', () => {
  it('is the one of the attribute from the first paint', async () => {
    const headings: string[] = [];
    const mounted = await mountIn((element) => {
      element.setAttribute('locale', 'es-MX');
      element.addEventListener('funding-ready', ({ locale }) => headings.push(locale));
      return within(element, 'en');
    });
    expect(mounted.heading).to.equal(spanishHeading);
    expect(langOf(mounted)).to.equal('es');
    expect(headings).to.deep.equal(['es']);
    expect(mounted.api.requestedLocales).to.deep.equal(['es']);
    expect(mounted.text).to.include('Equipo');
  });

  it('follows the nearest lang attribute, across shadow roots', async () => {
    const outer = document.createElement('div');
    const mounted = await mountIn((element) => {
      outer.attachShadow({ mode: 'open' }).append(element);
      return within(outer, 'es');
    });
    expect(mounted.heading).to.equal(spanishHeading);
    outer.parentElement?.setAttribute('lang', 'en-GB');
    await mounted.waitForHeading(englishHeading);
    expect(langOf(mounted)).to.equal('en');
  });

  it('is the first configured one if the page has another', async () => {
    const api = createBilingualApi(['es', 'en']);
    const mounted = await mountIn((element) => within(element, 'xx'), api);
    expect(mounted.heading).to.equal(spanishHeading);
    expect(api.requestedLocales).to.deep.equal(['es']);
  });

  it('is always a configured one', async () => {
    const api = createBilingualApi(['en']);
    const mounted = await mountIn((element) => within(element, 'es'), api);
    expect(mounted.heading).to.equal(englishHeading);
    expect(mounted.root.querySelector('.languages')).to.equal(null);
  });
});

describe('a language switch', () => {
  it('keeps the step, the answers, and the focus', async () => {
    const mounted = await mountWidget(createBilingualApi());
    await mounted.fillUpTo('business');
    mounted.answer('business/name', 'Rosa’s Bakery LLC');
    await mounted.press('Continue');
    const sentences = () => mounted.textsOf('#error-summary li');
    expect(sentences()).to.include('Choose the type of business');
    const choice = mounted.find('.languages [lang="es"]');
    choice.focus();
    choice.click();
    await mounted.waitForHeading('Cuéntenos sobre su negocio');
    expect(sentences()).to.include('Elija el tipo de negocio');
    expect(sentences().length).to.be.greaterThan(5);
    const name = mounted.find<HTMLInputElement>('[name="business/name"]');
    expect(name.value).to.equal('Rosa’s Bakery LLC');
    expect(mounted.root.activeElement).to.equal(choice);
    expect(choice.getAttribute('aria-current')).to.equal('true');
    expect(mounted.announcement).to.equal('Cuéntenos sobre su negocio');
    await waitUntil(() => mounted.api.requestedLocales.includes('es'));
    await mounted.press('Atrás');
    expect(mounted.root.querySelector('select')?.textContent).to.include('Equipo');
  });

  it('lasts until the host page changes its language', async () => {
    const mounted = await mountIn((element) => within(element, 'en'));
    await mounted.press('Español');
    await mounted.waitForHeading(spanishHeading);
    const around = mounted.element.parentElement!;
    around.lang = 'en-US';
    await new Promise(requestAnimationFrame);
    expect(mounted.heading).to.equal(spanishHeading);
    around.lang = 'es';
    await new Promise(requestAnimationFrame);
    around.lang = 'en';
    await mounted.waitForHeading(englishHeading);
  });

  it('applies to the steps after the submission', async () => {
    const api = Object.assign(createBilingualApi(), withApplication());
    const mounted = await mountIn((element) => within(element, 'es'), api);
    await mounted.waitForHeading('El prestamista ya tiene su solicitud');
    await mounted.waitForText('Cerrar mi solicitud en este dispositivo');
    await mounted.press('English');
    await mounted.waitForHeading('Your application is with the lender');
    await mounted.goTo('documents');
    await mounted.press('Español');
    await mounted.waitForHeading('Agregue sus documentos');
  });
});

describe('custom messages of the host page', () => {
  it('replace the built-in messages of their language', async () => {
    const mounted = await mountWidget(createBilingualApi());
    mounted.element.messages = {
      en: { continue: 'Next', 'step.progress': '{number}/{total}' },
      es: { continue: 'Adelante' },
    };
    await mounted.element.updateComplete;
    expect(mounted.root.querySelector('[type="submit"]')?.textContent?.trim()).to.equal('Next');
    expect(mounted.text).to.include('1/5');
    await mounted.press('Español');
    await mounted.waitForHeading(spanishHeading);
    expect(mounted.root.querySelector('[type="submit"]')?.textContent?.trim()).to.equal('Adelante');
    mounted.element.messages = undefined;
    await mounted.element.updateComplete;
    expect(mounted.text).to.include('Continuar');
  });

  it('with unknown keys are reported in the console', async () => {
    const warnings: string[] = [];
    const { warn } = console;
    Object.assign(console, { warn: (text: string) => warnings.push(text) });
    const mounted = await mountWidget();
    Object.assign(mounted.element, {
      messages: { en: { 'offers.check': 'Look', contineu: 'Next', back: 7 } },
    });
    await mounted.fillUpTo('review');
    await waitUntil(() => warnings.length > 0);
    await mounted.press('Back');
    Object.assign(console, { warn });
    expect(warnings.length).to.equal(1);
    expect(warnings[0]).to.match(/: contineu, back$/);
    expect(mounted.text).to.include('Back');
  });
});

describe('a language that the applicant chose', () => {
  it('is restored after a reload until the applicant finishes', async () => {
    const before = await mountWidget(createBilingualApi());
    await before.press('Español');
    await before.waitForHeading(spanishHeading);
    before.element.remove();
    const again = await mountAgain(createBilingualApi());
    expect(again.heading).to.equal(spanishHeading);
    expect(again.api.requestedLocales).to.deep.equal(['es']);
    await again.element.finish();
    expect(sessionStorage.length).to.equal(0);
  });

  it('is not stored if storage is off', async () => {
    const mounted = await mountIn((element) => {
      element.draft = 'off';
      return within(element, 'en');
    });
    await mounted.press('Español');
    await mounted.waitForHeading(spanishHeading);
    expect(sessionStorage.length).to.equal(0);
  });
});

describe('a language that cannot be loaded', () => {
  function createHost(): LanguageHost {
    const host = document.createElement('div');
    return Object.assign(host, {
      locale: 'es',
      addController: () => undefined,
      removeController: () => undefined,
      requestUpdate: () => undefined,
      updateComplete: Promise.resolve(true),
    });
  }

  it('leaves the form unchanged until it is chosen again', async () => {
    let fails = true;
    const store = new Store([]);
    const language = new LanguageController(createHost(), store, async (locale) => {
      if (fails && locale === 'es') throw new TypeError('no connection');
      return loadMessages(locale);
    });
    language.hostConnected();
    expect(store.state.language.isLoading).to.equal(true);
    await waitUntil(() => store.state.language.failed === 'es');
    expect(store.state.language.isLoading).to.equal(false);
    expect(language.t('continue')).to.equal('Continue');
    fails = false;
    language.choose('es');
    await waitUntil(() => store.state.language.locale === 'es');
    expect(store.state.language.failed).to.equal(undefined);
    expect(language.t('continue')).to.equal('Continuar');
    language.hostDisconnected();
  });
});
