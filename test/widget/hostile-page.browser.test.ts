// Host pages that change built-in prototypes, load the script twice, or have no doctype.

import { expect } from '@open-wc/testing';
import { apiResponseHeaders, contractVersion } from '../../shared/api/paths.ts';
import { createFundingApi } from '../../widget/api/funding-api.ts';
import { createConfiguration } from '../support/configuration.ts';
import { withApplication } from '../support/fake-funding-api.ts';
import { createApi, Mounted, mountWidget } from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('a page that adds properties to built-in prototypes', () => {
  const prototypes = [Object.prototype, Array.prototype, String.prototype];

  beforeEach(() => {
    for (const prototype of prototypes) Reflect.set(prototype, 'addedByThePage', () => 'added');
  });

  afterEach(() => {
    for (const prototype of prototypes) Reflect.deleteProperty(prototype, 'addedByThePage');
  });

  it('does not change how responses are read', async () => {
    const { fetch } = window;
    const headers = { [apiResponseHeaders.contractVersion]: contractVersion };
    window.fetch = async () => Response.json(createConfiguration(), { headers });
    const result = await createFundingApi('https://bff.example').getConfiguration();
    window.fetch = fetch;

    expect(result).to.have.property('ok', true);
  });

  it('does not change what is sent', async () => {
    const mounted = await mountWidget();
    await mounted.apply();

    const [submission] = mounted.api.submissions;
    expect(submission?.body).to.include('"Rosa’s Bakery LLC"');
    expect(submission?.body).to.not.include('addedByThePage');
  });
});

describe('a page that loads the script twice', () => {
  it('keeps the first element class', async () => {
    const first = customElements.get('funding-application');
    const again: string = '/built-widget/funding-application.js?again';
    await import(again);

    expect(customElements.get('funding-application')).to.equal(first);
    expect((await mountWidget()).root.querySelector('form')).to.not.equal(null);
  });
});

describe('a page without a doctype', () => {
  it('does not change the color or the size of the text in the table of offers', async () => {
    const script = new URL('/built-widget/funding-application.js', location.href);
    // In quirks mode, tables do not inherit these from their parents.
    const page = `<body style="color: white; background: black; color-scheme: dark"><script type="module" src="${script.href}"></script>`;
    const url = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
    const frame = document.createElement('iframe');
    frame.src = url;
    frame.style.inlineSize = '60rem';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    const inside = frame.contentDocument!;
    expect(inside.compatMode).to.equal('BackCompat');

    const offers = decided([createOffer(), createOffer({ id: 'b' })]);
    const api = createApi({ offers, ...withApplication() });
    const element = inside.createElement('funding-application');
    Object.assign(element, { api });
    inside.body.append(element);
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));
    const mounted = new Mounted(element, api);
    await mounted.goTo('offers');
    await mounted.waitForHeading('You have 2 offers');
    await mounted.press('Compare in a table');

    const styleOf = (found: Element) => {
      const { color, fontSize, lineHeight } = frame.contentWindow!.getComputedStyle(found);
      return { color, fontSize, lineHeight };
    };
    expect(styleOf(mounted.find('.comparison'))).to.deep.equal(styleOf(element));
    frame.remove();
    URL.revokeObjectURL(url);
  });
});
