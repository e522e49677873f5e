// The API of the element: properties, methods, attributes, and slots.

import { expect, fixture, html, nextFrame, waitUntil } from '@open-wc/testing';
import type { Configuration } from '../../shared/api/configuration.ts';
import { createConfiguration } from '../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  FakeFundingApi,
  ok,
} from '../support/fake-funding-api.ts';
import {
  answer,
  choosePdfs,
  fillForm,
  goTo,
  headingOf,
  mountAfter,
  mountWidget,
  press,
  textOf,
  waitForHeading,
  type Mounted,
} from '../support/mount-widget.ts';

function valueOf({ root }: Mounted, path: string): string | undefined {
  return root.querySelector<HTMLInputElement>(`[name="${path}"]`)?.value;
}

beforeEach(() => sessionStorage.clear());

describe('a prefill', () => {
  it('fills empty fields only', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', '1,000');
    mounted.element.prefill = {
      fundingNeed: { amount: 75_000, reason: 'Equipment' },
      business: { name: 'Rosa’s Bakery LLC' },
    };
    await mounted.element.updateComplete;
    expect(valueOf(mounted, 'fundingNeed/amount')).to.equal('1,000');
    await press(mounted, 'Continue');
    expect(valueOf(mounted, 'business/name')).to.equal('Rosa’s Bakery LLC');
  });

  it('is stored without secrets', async () => {
    const mounted = await mountWidget();
    mounted.element.prefill = { owner: { firstName: 'Rosa', ssn: '219-09-9999' } };
    await mounted.element.updateComplete;
    answer(mounted, 'fundingNeed/amount', '1,000');
    const stored = JSON.stringify({ ...sessionStorage });
    expect(stored).to.include('Rosa');
    expect(stored.replaceAll(/\D/g, '')).to.not.include('219099999');
  });

  it('is cleared when the applicant finishes', async () => {
    const api = new FakeFundingApi();
    const mounted = await mountAfter(api);
    mounted.element.prefill = { fundingNeed: { amount: 75_000 } };
    await mounted.element.updateComplete;
    await mounted.element.finish();
    api.session = ok(createSession());
    await press(mounted, 'Start another application');
    await waitForHeading(mounted, 'How much funding');
    expect(valueOf(mounted, 'fundingNeed/amount')).to.equal('');
  });
});

describe('the methods', () => {
  it('go back only to steps that the applicant can reach', async () => {
    const mounted = await mountWidget();
    expect(mounted.element.goTo('review')).to.equal(false);
    await fillForm(mounted);
    expect(mounted.element.goTo('submitted')).to.equal(false);
    expect(mounted.element.goTo('business')).to.equal(true);
    await waitForHeading(mounted, 'Tell us about your business');
    await press(mounted, 'Continue');
    expect(headingOf(mounted)).to.equal('Review your answers and sign');
  });

  it('clear the answers', async () => {
    const mounted = await mountWidget();
    const { element } = mounted;
    element.prefill = { fundingNeed: { amount: 75_000 } };
    await element.updateComplete;
    answer(mounted, 'fundingNeed/amount', '1,000');
    expect(element.reset({ keepPrefill: true })).to.equal(true);
    await element.updateComplete;
    expect(valueOf(mounted, 'fundingNeed/amount')).to.equal('75,000');
    expect(element.reset()).to.equal(true);
    await element.updateComplete;
    expect(valueOf(mounted, 'fundingNeed/amount')).to.equal('');
    expect((await mountAfter()).element.reset()).to.equal(false);
  });

  it('end the session or reject with a code', async () => {
    const api = new FakeFundingApi();
    const mounted = await mountAfter(api);
    await goTo(mounted, 'documents');
    await choosePdfs(mounted, 'march.pdf');
    api.ended = fail('network');
    const failure = await mounted.element.finish().catch((error: unknown) => error);
    expect(failure).to.include({ name: 'FundingError', code: 'network' });
    api.ended = ok(undefined);
    await mounted.element.finish();
    expect(headingOf(mounted)).to.equal('Your application is closed on this device');
  });

  it('send no bank report of a closed application to the next one', async () => {
    const mounted = await mountWidget();
    const { api, element } = mounted;
    // It waits until the steps after the submission are loaded.
    const sending = element.submitAssetReport({}).catch((error: unknown) => error);
    await element.finish();
    await waitForHeading(mounted, 'Your application is closed on this device');
    await press(mounted, 'Start another application');
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
    const api = new FakeFundingApi();
    const element = document.createElement('funding-application');
    element.api = api;
    document.body.append(element);
    element.remove();
    await element.updateComplete;
    document.body.append(element);
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));
    element.remove();
  });
});

describe('heading-level', () => {
  const cases = [
    { value: undefined, levels: ['2', '3'] },
    { value: 4, levels: ['4', '5'] },
    { value: 6, levels: ['6'] },
    { value: 9, levels: ['6'] },
    { value: -3, levels: ['1', '2'] },
  ];
  for (const { value, levels } of cases) {
    it(`${value} gives the headings the levels ${levels.join(' and ')}`, async () => {
      const { element, root } = await mountAfter();
      element.headingLevel = value;
      await element.updateComplete;
      const found = [...root.querySelectorAll('h2, h3')].map(({ ariaLevel }) => ariaLevel);
      expect(new Set(found)).to.deep.equal(new Set(levels));
    });
  }

  it('reaches the error summary', async () => {
    const mounted = await mountWidget();
    mounted.element.setAttribute('heading-level', '3');
    await press(mounted, 'Continue');
    expect(mounted.root.querySelector('#error-summary h3')?.ariaLevel).to.equal('4');
  });

  it('has no accessibility violation at 6', async () => {
    const mounted = await mountWidget();
    mounted.element.setAttribute('heading-level', '6');
    await press(mounted, 'Continue');
    await expect(mounted.element).to.be.accessible();
  });
});

describe('the first frame with a heading', () => {
  it('contains the whole record of a submitted application', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ locale: 'es' }));
    api.session = ok(createSession({ application: acceptedStatus }));
    const element = await fixture<HTMLElement>(
      html`<funding-application locale="es" .api=${api}></funding-application>`,
    );
    const root = element.shadowRoot!;
    while (!root.querySelector('h2')) await nextFrame();
    expect(root.querySelector('.reference')).to.not.equal(null);
    expect(root.querySelector('h2')?.textContent).to.include('solicitud');
  });
});

describe('the attributes', () => {
  it('turn off storage, which also removes stored answers', async () => {
    const first = await mountWidget();
    answer(first, 'fundingNeed/amount', '1,000');
    first.element.remove();
    expect(sessionStorage.length).to.equal(1);
    const api = new FakeFundingApi();
    const element = await fixture<HTMLElement>(
      html`<funding-application draft="off" .api=${api}></funding-application>`,
    );
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));
    expect(sessionStorage.length).to.equal(0);
  });
});

/** Creates a BFF that returns its configuration when the test calls `respond`. */
function createSlowApi(): { readonly api: FakeFundingApi; readonly respond: () => void } {
  const api = new FakeFundingApi();
  let respond = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    respond = resolve;
  });
  api.getConfiguration = () => requested.then(() => api.configuration);
  return { api, respond };
}

function withDocuments(labels: readonly string[]): Configuration {
  const { documents } = createConfiguration();
  const checklist = labels.map((label) => ({ id: label, label, categories: [], count: 1 }));
  return createConfiguration({ locales: ['en', 'es'], documents: { ...documents, checklist } });
}

/** The labels of the default settings in Spanish, which are longer than the English labels. */
const longestLabels = [
  'Los últimos tres estados de cuenta bancarios',
  'Licencia de conducir u otra identificación con foto',
  'Cheque anulado',
];

describe('the skeleton', () => {
  for (const width of [320, 360, 480, 1000]) {
    it(`is as high as the first page at ${width} px`, async () => {
      const { api, respond } = createSlowApi();
      api.configuration = ok(withDocuments(longestLabels));
      const around = await fixture<HTMLElement>(
        html`<div style="inline-size: ${width}px">
          <funding-application locale="es" .api=${api}></funding-application>
        </div>`,
      );
      const root = around.firstElementChild!.shadowRoot!;
      expect(root.querySelector('[aria-busy="true"]')).to.not.equal(null);
      const before = around.offsetHeight;
      respond();
      await waitUntil(() => root.querySelector('[data-testid="start"]'));
      expect(Math.abs(around.offsetHeight - before)).to.be.lessThan(5);
      expect(root.querySelector('[aria-busy]')).to.equal(null);
    });
  }
});

describe('the start page', () => {
  it('lists each document of the settings', async () => {
    const api = new FakeFundingApi();
    const labels = ['Lease, if you rent', 'Voided check'];
    api.configuration = ok(withDocuments(labels));
    const { root } = await mountWidget(api, {});
    await waitUntil(() => root.querySelector('[data-testid="start"]'));
    const items = [...root.querySelectorAll('.points .points > li')];
    expect(items.map((item) => item.textContent)).to.deep.equal(labels);
  });

  it('shows the credit check notice of the settings', async () => {
    const notice = await mountStartPage('Checking your offers does not affect your credit score.');
    expect(notice?.textContent).to.equal('Checking your offers does not affect your credit score.');
    expect(notice?.lang).to.equal('en');
  });

  it('has no paragraph without a credit check notice', async () => {
    expect(await mountStartPage('')).to.equal(null);
    expect(await mountStartPage(undefined)).to.equal(null);
  });

  /** Resolves to the paragraph below the facts. */
  async function mountStartPage(creditCheckNotice: string | undefined) {
    const api = new FakeFundingApi();
    api.configuration = ok({ ...createConfiguration(), creditCheckNotice });
    const { root } = await mountWidget(api, {});
    await waitUntil(() => root.querySelector('[data-testid="start"]'));
    return root.querySelector<HTMLElement>('.group > p');
  }
});

describe('the slots', () => {
  it('appear above and below each step', async () => {
    const { api, respond } = createSlowApi();
    const element = await fixture<HTMLElement>(
      html`<funding-application .api=${api}>
        <p slot="header">From your bank</p>
        <p slot="help">Ask Ana at desk 4</p>
        <a href="tel:+15125550199">Call us</a>
      </funding-application>`,
    );
    const [header, help, fallback] = [...element.children] as HTMLElement[];
    expect(fallback?.offsetHeight, 'while loading').to.be.greaterThan(0);
    respond();
    await waitUntil(() => element.shadowRoot?.querySelector('[data-testid="start"]'));
    const start = element.shadowRoot!.querySelector<HTMLElement>('[data-testid="start"]')!;
    const topOf = (node: Element | undefined) => node?.getBoundingClientRect().top ?? Number.NaN;
    expect(topOf(header)).to.be.lessThan(topOf(start));
    expect(topOf(help)).to.be.greaterThan(topOf(start));
    expect(fallback?.offsetHeight).to.equal(0);
    expect(element.shadowRoot!.querySelector<HTMLElement>('.footer')?.offsetHeight).to.equal(0);
  });

  it('show the fallback until the form is loaded', async () => {
    const { api, respond } = createSlowApi();
    api.configuration = fail('network');
    const element = await fixture<HTMLElement>(
      html`<funding-application .api=${api}>
        <p slot="loading">One moment</p>
        <a href="tel:+15125550199">Call us</a>
      </funding-application>`,
    );
    const [loading, fallback] = [...element.children] as HTMLElement[];
    expect(loading?.offsetHeight).to.be.greaterThan(0);
    respond();
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));
    expect(loading?.offsetHeight).to.equal(0);
    expect(fallback?.offsetHeight).to.be.greaterThan(0);
  });

  it('open the support page beside the form', async () => {
    const api = new FakeFundingApi();
    const support = { phone: '(512) 555-0199', url: 'https://millstone.example/help' };
    api.configuration = ok(createConfiguration({ support }));
    const { root } = await mountWidget(api);
    const [phone, page] = [...root.querySelectorAll<HTMLAnchorElement>('.footer a')];
    expect(page?.target).to.equal('_blank');
    expect(page?.rel).to.include('noopener');
    expect(phone?.target).to.equal('');
  });

  it('have the support links of the configuration by default', async () => {
    const api = new FakeFundingApi();
    const support = {
      name: 'Millstone',
      phone: '(512) 555-0199',
      email: 'help@millstone.example',
      url: 'https://millstone.example/help',
    };
    api.configuration = ok(createConfiguration({ support }));
    const mounted = await mountWidget(api);
    const links = [...mounted.root.querySelectorAll('.footer a')];
    expect(links.map((link) => link.getAttribute('href'))).to.deep.equal([
      'tel:5125550199',
      'mailto:help@millstone.example',
      'https://millstone.example/help',
    ]);
    expect(textOf(mounted)).to.include(
      'Questions? Millstone, (512) 555-0199, help@millstone.example, millstone.example/help',
    );
  });
});
