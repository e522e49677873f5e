// The offers step: figures, comparison, choice, and offers that arrive later.

import { expect, nextFrame } from '@open-wc/testing';
import type { Offer, Offers } from '../../shared/api/offers.ts';
import { mountOffers as mountOffersWith, type Mounted } from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';
import { findPricesWithoutApr } from '../support/prices.ts';

const oddText = 'Line one\r\nline  two \t<b>not bold</b> &amp; 🙂\n\nالعربية “quoted” ';
const three = [
  createOffer({ id: 'a', product: 'Line of credit', aprLow: 30, aprHigh: 35 }),
  createOffer({ id: 'b', aprLow: null, aprHigh: null, disclosures: oddText }),
  createOffer({ id: 'c', aprHigh: 20, feeHigh: null, paymentFrequency: 'Monthly' }),
];
const trackingUrl = 'https://lender.example/follow/1';

const mountOffers = (offers: readonly Offer[], changes: Partial<Offers> = {}): Promise<Mounted> =>
  mountOffersWith(decided(offers, changes), 'You have');

function titlesOf({ root }: Mounted): string[] {
  const titles = [...root.querySelectorAll('[part~=offer] h3, .comparison thead th')];
  return titles.filter(isVisible).map((title) => title.textContent?.trim() ?? '');
}

/** The hidden cards are in the document for the printed page. */
function isVisible(element: Element): boolean {
  return element.checkVisibility();
}

function sortBy({ element, root }: Mounted, order: string): Promise<boolean> {
  const select = root.querySelector<HTMLSelectElement>('#offers-order')!;
  select.focus();
  select.value = order;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  return element.updateComplete;
}

describe('every price', () => {
  it('is grouped with its APR', async () => {
    const mounted = await mountOffers(three);
    expect(findPricesWithoutApr(mounted.root)).to.deep.equal([]);
    await mounted.press('Compare in a table');
    expect(findPricesWithoutApr(mounted.root)).to.deep.equal([]);
    const labels = mounted.textsOf('tbody th');
    expect(labels.slice(0, 3)).to.deep.equal([
      'Amount',
      'Estimated APR range',
      'Cost of borrowing (interest plus fees)',
    ]);
  });

  it('is as large as its APR', async () => {
    const { root } = await mountOffers([createOffer()]);
    const sizes = [...root.querySelectorAll('.headline dd')].map(
      (dd) => getComputedStyle(dd).fontSize,
    );
    expect(new Set(sizes).size).to.equal(1);
  });
});

describe('the figures of an offer', () => {
  for (const width of [280, 358]) {
    it(`are on one line each, ${width} px wide`, async () => {
      const { element, root } = await mountOffers([
        createOffer({
          aprLow: 117.45,
          aprHigh: 119.04,
          amount: 250_000,
          totalInterest: 115_080,
          totalCost: null,
        }),
        createOffer({ id: 'b', aprHigh: null }),
      ]);
      element.parentElement!.style.inlineSize = `${width}px`;
      for (const figure of root.querySelectorAll('[part~=offer]:first-child .headline dd')) {
        const range = document.createRange();
        range.selectNodeContents(figure);
        expect(range.getClientRects().length, figure.textContent).to.equal(1);
      }
      const cards = [...root.querySelectorAll('[part~=offer]')];
      expect(cards.filter((card) => card.scrollWidth > card.clientWidth)).to.deep.equal([]);
    });
  }
});

describe('disclosures', () => {
  it('are the lender’s own text, unchanged, and folded in the table', async () => {
    const mounted = await mountOffers(three);
    const read = () =>
      mounted
        .findAll('.disclosures')
        .filter(isVisible)
        .map((p) => p.textContent);
    const disclosureTexts = three.map(({ disclosures }) => disclosures);
    expect(read()).to.deep.equal(disclosureTexts);
    expect(mounted.root.querySelector('.disclosures *')).to.equal(null);
    await mounted.press('Compare in a table');
    expect(read()).to.deep.equal([]);
    const summaries = mounted.findAll('.comparison summary');
    for (const summary of summaries) summary.click();
    expect(summaries.length).to.equal(three.length);
    expect(read()).to.deep.equal(disclosureTexts);
  });
});

it('the details of an offer are folded until the applicant opens them', async () => {
  const mounted = await mountOffers(three);
  const details = mounted.find('#offer-2-details');
  const button = mounted.find('[aria-controls="offer-2-details"]');
  const nameOf = () => button.textContent?.replaceAll(/\s+/g, ' ').trim();
  expect(nameOf()).to.equal('Details Offer 2: Term loan');
  expect(isVisible(details)).to.equal(false);
  expect(button.getAttribute('aria-expanded')).to.equal('false');
  button.click();
  await mounted.element.updateComplete;
  expect(isVisible(details)).to.equal(true);
  expect(button.getAttribute('aria-expanded')).to.equal('true');
});

describe('the cost bars', () => {
  const cheap = { totalInterest: 10_000, feeLow: 0, feeHigh: 0, totalCost: 210_000 };
  const expensive = { totalInterest: 1000, feeLow: 500, feeHigh: 1000, totalCost: 11_000 };
  const offers = [
    createOffer({ id: 'cheap and large', amount: 200_000, ...cheap }),
    createOffer({ id: 'expensive and small', amount: 10_000, ...expensive }),
    createOffer({ id: 'unclear', totalInterest: null }),
  ];

  it('are longer for the more expensive dollar, and explained in words', async () => {
    const { root } = await mountOffers(offers);
    const ends = [...root.querySelectorAll('.bar')].map((bar) =>
      [...bar.querySelectorAll('path')].map((path) => path.getAttribute('d')?.split('H')[1]),
    );
    expect(ends).to.deep.equal([
      ['25.00', '25.00'],
      ['100.00', '75.00'],
    ]);
    const labels = [...root.querySelectorAll('.cost > p')].map((p) => p.textContent?.trim());
    expect(labels).to.deep.equal([
      'You repay $1.05 per $1 borrowed',
      'You repay $1.15–$1.20 per $1 borrowed',
      'We can’t compare the cost of this offer. Ask the lender for the missing figures.',
    ]);
  });

  it('have one explanation, in the first card', async () => {
    const { root } = await mountOffers(offers);
    const [button, ...others] = root.querySelectorAll('[aria-controls="offers-explained"]');
    expect(others).to.deep.equal([]);
    expect(button?.closest('[part~=offer]')).to.equal(root.querySelector('[part~=offer]'));
  });
});

describe('the cards', () => {
  it('stand side by side on a wide page, with their parts on one line', async () => {
    const { element, root } = await mountOffers(three);
    element.parentElement!.style.inlineSize = '1200px';
    const tops = (selector: string) =>
      new Set([...root.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().top));
    expect(tops('[part~=offer]').size).to.equal(1);
    expect(tops('[part~=offer] .choose').size).to.equal(1);
  });
});

describe('the comparison of offers', () => {
  it('has the same figures in the table as on the cards', async () => {
    const mounted = await mountOffers(three);
    const onCards = mounted
      .findAll('[part~=offer]')
      .map((card) => [...card.querySelectorAll('dd')].map((dd) => dd.textContent?.trim()));
    const titles = titlesOf(mounted);
    await mounted.press('Compare in a table');
    const rows = [...mounted.root.querySelectorAll('tbody tr:nth-child(2)')].slice(
      0,
      onCards[0]?.length,
    );
    const inTable = onCards.map((_card, column) =>
      rows.map((row) => row.querySelectorAll('td')[column]?.textContent?.trim()),
    );
    expect(inTable).to.deep.equal(onCards);
    expect(titlesOf(mounted)).to.deep.equal(titles);
    await expect(mounted.element).to.be.accessible();
  });

  it('needs two offers', async () => {
    const { root } = await mountOffers([createOffer()]);
    expect(root.querySelector('.tools')).to.equal(null);
  });

  it('shows two offers and the edge of the next one on a phone', async () => {
    const mounted = await mountOffers(three);
    mounted.element.parentElement!.style.inlineSize = '358px';
    await mounted.press('Compare in a table');
    const end = mounted.find('.scroller').getBoundingClientRect().right;
    const [, second, third] = mounted.findAll('thead th').map((th) => th.getBoundingClientRect());
    expect(second?.right).to.be.lessThan(end);
    expect(third?.left).to.be.lessThan(end - 20);
    expect(third?.right).to.be.greaterThan(end);
  });

  for (const width of [280, 320, 1200]) {
    it(`scrolls inside the table only, ${width} px wide`, async () => {
      const mounted = await mountOffers([
        ...three,
        ...three.map((one) => ({ ...one, id: `${one.id}2` })),
      ]);
      const { element, root } = mounted;
      element.parentElement!.style.inlineSize = `${width}px`;
      const isWide = () =>
        [element.scrollWidth, root.querySelector('.frame')!.scrollWidth].some((one) => one > width);
      const cards = [...root.querySelectorAll('[part~=offer]')];
      expect(cards.filter((card) => card.scrollWidth > card.clientWidth)).to.deep.equal([]);
      expect(isWide()).to.equal(false);
      await mounted.press('Compare in a table');
      const scroller = root.querySelector<HTMLElement>('.scroller')!;
      expect(isWide()).to.equal(false);
      expect(scroller.scrollWidth).to.be.greaterThan(scroller.clientWidth);
      const label = root.querySelector('tbody th span')!;
      const before = label.getBoundingClientRect().left;
      scroller.scrollLeft = 100;
      expect(label.getBoundingClientRect().left).to.be.closeTo(before, 1);
      scroller.focus();
      expect(root.activeElement).to.equal(scroller);
    });
  }
});

describe('sorting', () => {
  it('puts offers without a figure last, which is announced', async () => {
    const mounted = await mountOffers(three);
    await sortBy(mounted, 'apr');
    expect(titlesOf(mounted)).to.deep.equal([
      'Offer 3: Term loan',
      'Offer 1: Line of credit',
      'Offer 2: Term loan',
    ]);
    const announcement = mounted.find('.tools [role="status"]').textContent;
    expect(announcement).to.include('Sorted: Highest APR in the range, lowest first.');
    expect(announcement).to.include('this figure is missing or unclear: 1.');
    expect(mounted.root.activeElement?.id).to.equal('offers-order');
    await mounted.press('Compare in a table');
    expect(titlesOf(mounted)[0]).to.equal('Offer 3: Term loan');
    await sortBy(mounted, 'arrival');
    expect(titlesOf(mounted)[0]).to.equal('Offer 1: Line of credit');
  });
});

describe('choosing an offer', () => {
  /** Clicks the button of the offer at this index. Returns whether the browser would have followed its link. */
  async function choose({ element, root }: Mounted, index: number): Promise<boolean> {
    let isFollowed = false;
    const stay = (event: Event) => {
      isFollowed = !event.defaultPrevented;
      event.preventDefault();
    };
    document.addEventListener('click', stay, { once: true });
    root.querySelectorAll<HTMLElement>('.choose .button')[index]?.click();
    await element.updateComplete;
    return isFollowed;
  }

  it('opens the lender’s site in a new tab', async () => {
    const mounted = await mountOffers(three, { trackingUrl });
    const link = mounted.find('.choose a') as HTMLAnchorElement;
    expect(link).to.include({ href: trackingUrl, target: '_blank', rel: 'noopener noreferrer' });
    expect(link.textContent).to.include('Continue on the lender’s site');
    expect(await choose(mounted, 0)).to.equal(true);
    const status = mounted.find('.choose [role="status"]').textContent;
    expect(status).to.include('continue on the lender’s site');
  });

  it('dispatches an event for each choice, and marks the last chosen offer', async () => {
    const mounted = await mountOffers(three, { trackingUrl });
    const events: unknown[] = [];
    mounted.element.addEventListener('funding-offer-chosen', (event) => {
      events.push([event.offerId, event.position, event.trackingUrl]);
    });
    await choose(mounted, 1);
    await choose(mounted, 0);
    expect(events).to.deep.equal([
      ['b', 2, trackingUrl],
      ['a', 1, trackingUrl],
    ]);
    await mounted.press('Check now');
    const marked = mounted
      .findAll('[part~=offer]')
      .map((card) => card.textContent?.includes('You chose this offer'));
    expect(marked).to.deep.equal([true, false, false]);
  });

  it('only fires the event if the host page prevents its default', async () => {
    const mounted = await mountOffers(three, { trackingUrl });
    let eventCount = 0;
    mounted.element.addEventListener('funding-offer-chosen', (event) => {
      eventCount += 1;
      event.preventDefault();
    });
    expect(await choose(mounted, 0)).to.equal(false);
    const pressButton = (button: number) =>
      mounted
        .find('.choose a')
        .dispatchEvent(new MouseEvent('auxclick', { button, cancelable: true }));
    // The middle button opens a tab. The right button only opens a menu.
    expect(pressButton(1)).to.equal(false);
    expect(pressButton(2)).to.equal(true);
    expect(eventCount).to.equal(2);
    expect(mounted.root.querySelector('[part~=offer]')?.textContent).to.include(
      'You chose this offer',
    );
  });

  it('explains how to accept an offer without a link', async () => {
    const mounted = await mountOffers(three);
    expect(mounted.root.querySelector('.choose a')).to.equal(null);
    await choose(mounted, 0);
    const status = mounted.root.querySelector('.choose [role="status"]')?.textContent;
    expect(status).to.include('You haven’t accepted it yet');
    expect(status).to.include('your reference number, X5X-26H');
    expect(status).to.include('512-555-0199');
  });

  it('does not link to a javascript: URL', async () => {
    const { root } = await mountOffers(three, { trackingUrl: 'javascript:alert(1)' });
    expect(root.querySelector('a[href^="javascript"]')).to.equal(null);
  });
});

describe('an offer that arrives later', () => {
  for (const view of ['cards', 'table'] as const) {
    it(`does not change the focus, selection, or order (${view})`, async () => {
      const first = three.slice(0, 2);
      const mounted = await mountOffers(first, { trackingUrl });
      const { root, api } = mounted;
      if (view === 'table') await mounted.press('Compare in a table');
      for (const summary of root.querySelectorAll<HTMLElement>('.comparison summary'))
        summary.click();
      const link = root.querySelectorAll<HTMLElement>('.choose a')[1]!;
      link.focus();
      // WebKit scrolls to the focus with the next frame.
      await nextFrame();
      await nextFrame();
      const texts = () => [...root.querySelectorAll('.disclosures')].slice(0, 2);
      const text = texts()[0]!.lastChild!;
      const placesOf = () => texts().map((one) => one.getBoundingClientRect().toJSON());
      const places = placesOf();
      const selection = getSelection()!;
      selection.setBaseAndExtent(text, 2, text, 8);
      expect(selection.toString()).to.equal('rst li');
      api.offers = decided([...first, createOffer({ id: 'c' })], { trackingUrl });
      await mounted.press('Check now');
      await mounted.waitForHeading('You have 3 offers');
      expect(root.activeElement).to.equal(link);
      expect(selection.toString()).to.equal('rst li');
      expect(placesOf()).to.deep.equal(places);
      expect(root.querySelector('#announcement')?.textContent).to.include('3 offers');
    });
  }
});
