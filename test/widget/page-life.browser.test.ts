// The element and its page: Back and Forward, the connection, and the end of the session.

import { expect, fixture, html } from '@open-wc/testing';
import '../../widget/define.ts';
import { createSession, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { mountAgain, mountWidget, setOnline, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const minute = 60_000;
const first = 'How much funding';
const second = 'Tell us about your business';

async function mountWithHistory(id: string): Promise<Mounted> {
  const mounted = await mountAgain({}, undefined, { id });
  // The history is a separate chunk.
  await waitUntil(() => JSON.stringify(history.state).includes(` ${id}":`));
  return mounted;
}

async function goToBusiness(mounted: Mounted): Promise<void> {
  mounted.answer('fundingNeed/amount', '75,000');
  mounted.answer('fundingNeed/reason', 'Equipment');
  await mounted.press('Continue');
  await mounted.waitForHeading(second);
}

const alertsOf = (mounted: Mounted) => mounted.findAll('.status [role="alert"]');

describe('a form with browser history', () => {
  it('follows Back and Forward between entries of the host page', async () => {
    const address = location.href;
    history.replaceState({ page: 'apply' }, '');
    const pages: unknown[] = [];
    const listen = () => pages.push((history.state as { page?: string } | null)?.page);
    addEventListener('popstate', listen);
    const mounted = await mountWithHistory('one');
    const other = await mountWithHistory('other');
    await goToBusiness(mounted);
    history.back();
    await mounted.waitForHeading(first);
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    expect(mounted.valueAt('fundingNeed/amount')).to.match(/^75,?000$/);
    history.forward();
    await mounted.waitForHeading(second);
    await mounted.press('Back');
    await mounted.waitForHeading(first);
    await waitUntil(() => pages.length === 3);
    removeEventListener('popstate', listen);
    expect(pages).to.deep.equal(['apply', 'apply', 'apply']);
    expect(other.heading).to.include(first);
    expect(location.href).to.equal(address);
  });
});

describe('a form in an idle browser', () => {
  // Without idle callbacks, as in WebKit, a prepared step is never in the document.
  const withIdleCallbacks = 'requestIdleCallback' in globalThis ? it : it.skip;

  withIdleCallbacks('prepares each step without showing it', async () => {
    sessionStorage.clear();
    const prepared: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const box of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        const heading = box instanceof Element && box.querySelector('#step-heading');
        if (heading && !box.isConnected) prepared.push(heading.textContent);
      }
    });
    const element = document.createElement('funding-application');
    element.api = new FakeFundingApi();
    element.settings = { startPage: false };
    const parent = await fixture(html`<div></div>`);
    parent.append(element);
    const root = element.shadowRoot!;
    observer.observe(root, { childList: true });
    await waitUntil(() => prepared.length === 5);
    observer.disconnect();
    expect(prepared[1]).to.include(second);
    expect(root.querySelectorAll('#step-heading')).to.have.lengthOf(1);
    expect(root.querySelector('[name="business/name"]')).to.equal(null);
  });
});

describe('Back and Forward of the browser', () => {
  it('leave the entries alone with history="off"', async () => {
    sessionStorage.clear();
    const before = { page: 'own' };
    history.pushState(before, '');
    const { length } = history;
    const mounted = await mountAgain({}, undefined, { history: 'off' });
    await mounted.fillUpTo('owner');
    await mounted.waitForHeading('Tell us about yourself');
    expect(history.state).to.deep.equal(before);
    expect(history.length).to.equal(length);
  });
});

describe('an element that is removed while Back is in progress', () => {
  it('goes back by one entry only', async () => {
    history.pushState({ page: 'before' }, '');
    history.pushState({ page: 'apply' }, '');
    const mounted = await mountWithHistory('moved');
    await goToBusiness(mounted);
    const page = mounted.element.parentElement!;
    const states: unknown[] = [];
    const listen = () => states.push((history.state as { page?: string } | null)?.page);
    addEventListener('popstate', listen);
    const goBack = () => mounted.find('.back').click();
    goBack();
    mounted.element.remove();
    page.append(mounted.element);
    await mounted.element.updateComplete;
    mounted.root.querySelector<HTMLElement>('.back')?.click();
    await mounted.waitForHeading(first);
    await waitUntil(() => states.length > 0);
    // The browser completes Backs in their order, so a second one would have happened before this Forward.
    history.forward();
    await waitUntil(() => states.length > 1);
    removeEventListener('popstate', listen);
    expect(states).to.deep.equal(['apply', 'apply']);
  });
});

describe('a form that goes offline', () => {
  afterEach(() => setOnline(true));

  it('shows a notice without a layout shift or a focus change', async () => {
    const mounted = await mountWidget();
    const field = mounted.root.querySelector<HTMLInputElement>('[name="fundingNeed/amount"]');
    field?.focus();
    const last = mounted.root.querySelector('.saved .quiet');
    const places = () => [field, last].map((each) => each?.getBoundingClientRect().top);
    const before = places();
    setOnline(false);
    await mounted.element.updateComplete;
    expect(places()).to.deep.equal(before);
    const line = alertsOf(mounted)[0]?.getBoundingClientRect();
    expect(line?.bottom).to.be.at.most(innerHeight);
    expect(line?.height).to.be.greaterThan(20);
    expect(mounted.textsOf('.status [role="alert"]')).to.deep.equal([
      'You’re offline. Your answers are still here, and nothing is sent until you’re back online.',
    ]);
    expect(mounted.root.activeElement).to.equal(field);
    // The notice does not cover the last line at the end of the page (WCAG 2.2, 2.4.11).
    scrollTo(0, document.documentElement.scrollHeight);
    const { bottom } = last!.getBoundingClientRect();
    expect(bottom).to.be.at.most(alertsOf(mounted)[0]!.getBoundingClientRect().top);
    setOnline(true);
    await mounted.element.updateComplete;
    expect(alertsOf(mounted)).to.deep.equal([]);
    expect(mounted.announcement).to.equal('You can continue.');
    expect(mounted.root.activeElement).to.equal(field);
  });
});

describe('a form whose session expires soon', () => {
  it('shows the time, and extends the session with one click', async () => {
    const api = new FakeFundingApi();
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    api.session = ok(createSession({ expiresAt: inMs(5 * minute + 700) }));
    const mounted = await mountWidget(api);
    const field = mounted.root.querySelector<HTMLInputElement>('[name="fundingNeed/amount"]');
    field?.focus();
    await waitUntil(() => alertsOf(mounted).length > 0);
    expect(mounted.text).to.match(/Your session times out at \d/);
    expect(mounted.root.activeElement).to.equal(field);
    api.session = ok(createSession({ expiresAt: inMs(60 * minute) }));
    const stay = mounted.root.querySelector<HTMLElement>('[role="alert"] button');
    // A click does not move the focus from the field. With the keyboard, the focus is on the button.
    const pressed = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
    expect(stay?.dispatchEvent(pressed)).to.equal(false);
    stay?.focus();
    await mounted.press('Give me more time');
    await waitUntil(() => alertsOf(mounted).length === 0);
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    expect(mounted.announcement).to.equal('You can continue.');
  });
});
