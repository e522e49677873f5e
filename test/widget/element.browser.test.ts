// The API of the element: properties, methods, attributes, and slots.

import { expect, fixture, html, nextFrame } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import {
  createSession,
  fail,
  FakeFundingApi,
  ok,
  withApplication,
} from '../support/fake-funding-api.ts';
import {
  createApi,
  mountAfter,
  mountAgain,
  mountDocuments,
  mountWidget,
} from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

beforeEach(() => sessionStorage.clear());

describe('a prefill', () => {
  it('fills empty fields only', async () => {
    const mounted = await mountWidget();
    mounted.answer('fundingNeed/amount', '1,000');
    mounted.element.prefill = {
      fundingNeed: { amount: 75_000, reason: 'Equipment' },
      business: { name: 'Rosa’s Bakery LLC' },
    };
    await mounted.element.updateComplete;
    expect(mounted.valueAt('fundingNeed/amount')).to.equal('1,000');
    await mounted.press('Continue');
    expect(mounted.valueAt('business/name')).to.equal('Rosa’s Bakery LLC');
  });

  it('is cleared when the applicant finishes', async () => {
    const mounted = await mountAfter();
    mounted.element.prefill = { fundingNeed: { amount: 75_000 } };
    await mounted.element.updateComplete;
    await mounted.element.finish();
    mounted.api.session = ok(createSession());
    await mounted.press('Start another application');
    await mounted.waitForHeading('How much funding');
    expect(mounted.valueAt('fundingNeed/amount')).to.equal('');
  });
});

describe('the methods', () => {
  it('go back only to steps that the applicant can reach', async () => {
    const mounted = await mountWidget();
    expect(mounted.element.goTo('review')).to.equal(false);
    await mounted.fillUpTo('business');
    expect(mounted.element.goTo('funding-need')).to.equal(true);
    await mounted.waitForHeading('How much funding');
  });

  it('clear the answers', async () => {
    const mounted = await mountWidget();
    const { element } = mounted;
    element.prefill = { fundingNeed: { amount: 75_000 } };
    await element.updateComplete;
    mounted.answer('fundingNeed/amount', '1,000');
    expect(element.reset({ keepPrefill: true })).to.equal(true);
    await element.updateComplete;
    expect(mounted.valueAt('fundingNeed/amount')).to.equal('75,000');
    expect(element.reset()).to.equal(true);
    await element.updateComplete;
    expect(mounted.valueAt('fundingNeed/amount')).to.equal('');
    expect((await mountAfter()).element.reset()).to.equal(false);
  });

  it('end the session or reject with a code', async () => {
    const mounted = await mountDocuments({ ended: fail('network') });
    await mounted.choosePdfs('march.pdf');
    const failure = await mounted.element.finish().catch((error: unknown) => error);
    expect(failure).to.include({ name: 'FundingError', code: 'network' });
    mounted.api.ended = ok(undefined);
    await mounted.element.finish();
    expect(mounted.heading).to.equal('Your application is closed on this device');
  });

  it('send no bank report of a closed application to the next one', async () => {
    const mounted = await mountWidget();
    const { api, element } = mounted;
    // It waits until the steps after the submission are loaded.
    const sending = element.submitAssetReport({}).catch((error: unknown) => error);
    await element.finish();
    await mounted.waitForHeading('Your application is closed on this device');
    await mounted.press('Start another application');
    expect(await sending).to.include({ name: 'FundingError', code: 'application-missing' });
    expect(api.reports).to.deep.equal([]);
  });

  it('move the focus to the heading', async () => {
    const { element, root } = await mountWidget();
    expect(root.activeElement).to.equal(null);
    element.focus();
    expect(root.activeElement?.id).to.equal('step-heading');
  });
});

describe('an element that is not connected', () => {
  it('can be focused', () => {
    expect(() => document.createElement('funding-application').focus()).not.to.throw();
  });

  it('starts when it is connected again before its first update', async () => {
    const element = document.createElement('funding-application');
    element.api = new FakeFundingApi();
    document.body.append(element);
    element.remove();
    await element.updateComplete;
    document.body.append(element);
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));
    element.remove();
  });

  it('keeps its session when it is moved', async () => {
    const { element, root, api } = await mountWidget();
    const other = await fixture<HTMLElement>(html`<div></div>`);
    other.append(element);
    await element.updateComplete;
    expect(root.querySelector('#fundingNeed-amount')).to.not.equal(null);
    expect(api.sessionsOpened).to.equal(1);
  });
});

describe('heading-level', () => {
  for (const [value, levels] of [
    [undefined, ['2', '3']],
    [4, ['4', '5']],
    [6, ['6']],
    [9, ['6']],
    [-3, ['1', '2']],
  ] as const) {
    it(`${value} gives the headings the levels ${levels.join(' and ')}`, async () => {
      const { element, root } = await mountAfter();
      element.headingLevel = value;
      await element.updateComplete;
      const found = [...root.querySelectorAll('h2, h3')].map(({ ariaLevel }) => ariaLevel);
      expect(new Set(found)).to.deep.equal(new Set(levels));
    });
  }

  it('reaches the error summary, without an accessibility violation', async () => {
    const mounted = await mountWidget();
    mounted.element.setAttribute('heading-level', '6');
    await mounted.press('Continue');
    expect(mounted.root.querySelector('#error-summary h3')?.ariaLevel).to.equal('6');
    await expect(mounted.element).to.be.accessible();
  });
});

it('the first frame with a heading contains the whole record in its language', async () => {
  const api = createApi(withApplication());
  // A session that arrives after the configuration is late, and the form does not wait for it.
  const send = api.hold('getConfiguration');
  const element = await fixture<HTMLElement>(
    html`<funding-application locale="es" .api=${api}></funding-application>`,
  );
  const root = element.shadowRoot!;
  await waitUntil(() => api.sessionsOpened === 1);
  send(ok(createConfiguration({ locale: 'es' })));
  while (!root.querySelector('h2')) await nextFrame();
  expect(root.querySelector('[part~=reference]')).to.not.equal(null);
  expect(root.querySelector('h2')?.textContent).to.include('solicitud');
});

it('draft="off" turns off storage, which also removes stored answers', async () => {
  const first = await mountWidget();
  first.answer('fundingNeed/amount', '1,000');
  first.element.remove();
  expect(sessionStorage.length).to.equal(1);
  const mounted = await mountAgain(first.api, undefined, { draft: 'off' });
  expect(sessionStorage.length).to.equal(0);
  await mounted.fillUpTo('business');
  expect(mounted.text).to.not.include('Your answers stay in this browser tab');
  mounted.element.remove();
  expect(sessionStorage.length).to.equal(0);
});

describe('the skeleton', () => {
  /** The labels of the default settings in Spanish, which are longer than the English labels. */
  const longestLabels = [
    'Los últimos tres estados de cuenta bancarios',
    'Licencia de conducir u otra identificación con foto',
    'Cheque anulado',
  ];
  const { documents } = createConfiguration();
  const checklist = longestLabels.map((label) => ({ id: label, label, categories: [], count: 1 }));

  for (const width of [320, 360, 480, 1000]) {
    it(`is as high as the first page at ${width} px`, async () => {
      const api = createApi();
      const send = api.hold('getConfiguration');
      const around = await fixture<HTMLElement>(
        html`<div style="inline-size: ${width}px">
          <funding-application locale="es" .api=${api}></funding-application>
        </div>`,
      );
      const root = around.firstElementChild!.shadowRoot!;
      expect(root.querySelector('[aria-busy="true"]')).to.not.equal(null);
      const before = around.offsetHeight;
      send(ok(createConfiguration({ documents: { ...documents, checklist } })));
      await waitUntil(() => root.querySelector('[data-testid="start"]'));
      expect(Math.abs(around.offsetHeight - before)).to.be.lessThan(5);
      expect(root.querySelector('[aria-busy]')).to.equal(null);
    });
  }
});

describe('the slots', () => {
  it('appear above and below each step', async () => {
    const api = createApi();
    const send = api.hold('getConfiguration');
    const element = await fixture<HTMLElement>(
      html`<funding-application .api=${api}>
        <p slot="header">From your bank</p>
        <p slot="help">Ask Ana at desk 4</p>
        <a href="tel:+15125550199">Call us</a>
      </funding-application>`,
    );
    const [header, help, fallback] = [...element.children] as HTMLElement[];
    expect(fallback?.offsetHeight, 'while loading').to.be.greaterThan(0);
    send(ok(createConfiguration()));
    await waitUntil(() => element.shadowRoot?.querySelector('[data-testid="start"]'));
    const start = element.shadowRoot!.querySelector<HTMLElement>('[data-testid="start"]')!;
    const topOf = (node: Element | undefined) => node?.getBoundingClientRect().top ?? Number.NaN;
    expect(topOf(header)).to.be.lessThan(topOf(start));
    expect(topOf(help)).to.be.greaterThan(topOf(start));
    expect(fallback?.offsetHeight).to.equal(0);
    expect(element.shadowRoot!.querySelector<HTMLElement>('.footer')?.offsetHeight).to.equal(0);
  });

  it('show the fallback until the form is loaded', async () => {
    const api = createApi();
    const send = api.hold('getConfiguration');
    const element = await fixture<HTMLElement>(
      html`<funding-application .api=${api}>
        <p slot="loading">One moment</p>
        <a href="tel:+15125550199">Call us</a>
      </funding-application>`,
    );
    const [loading, fallback] = [...element.children] as HTMLElement[];
    expect(loading?.offsetHeight).to.be.greaterThan(0);
    send(fail('network'));
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));
    expect(loading?.offsetHeight).to.equal(0);
    expect(fallback?.offsetHeight).to.be.greaterThan(0);
  });

  it('have the support links of the configuration by default', async () => {
    const support = {
      name: 'Millstone',
      phone: '(512) 555-0199',
      email: 'help@millstone.example',
      url: 'https://millstone.example/help',
    };
    const mounted = await mountWidget({ configuration: ok(createConfiguration({ support })) });
    const links = mounted.findAll<HTMLAnchorElement>('.footer a');
    expect(links.map((link) => [link.getAttribute('href'), link.target, link.rel])).to.deep.equal([
      ['tel:5125550199', '', ''],
      ['mailto:help@millstone.example', '', ''],
      ['https://millstone.example/help', '_blank', 'noopener noreferrer'],
    ]);
    expect(mounted.text).to.include(
      'Questions? Millstone, (512) 555-0199, help@millstone.example, millstone.example/help',
    );
  });
});
