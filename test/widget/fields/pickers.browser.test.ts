// Choosing an industry and a state with keyboard, mouse, autofill, and selects.

import { aTimeout, expect } from '@open-wc/testing';
import { FakeFundingApi } from '../../support/fake-funding-api.ts';
import {
  answer,
  fillUpTo,
  find,
  mountWidget,
  press,
  type Mounted,
} from '../../support/mount-widget.ts';
import { pressKey, typeKeys } from '../../support/type-keys.ts';
import { waitUntil } from '../../support/wait-until.ts';

const industryId = 'business-industry';
const stateId = 'business-address-state';

describe('the industry picker', () => {
  it('shows the synonym that matches', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'plumber');
    const [first] = optionsOf(mounted);
    expect(textOf(first)).to.equal('plumber → Specialty Trade');
    expect(first?.querySelector('.via b')?.textContent).to.equal('plumber');
  });

  it('announces the number of matches', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'exterminator');
    expect(statusOf(mounted, industryId)).to.equal('1 match in the list');
  });

  it('has options that are large enough for touch', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'real');
    expect(optionsOf(mounted)[0]?.getBoundingClientRect().height).to.be.at.least(44);
  });

  it('shows the match in bold', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'real');
    expect(textOf(optionsOf(mounted)[0])).to.equal('Real Estate');
    expect(optionsOf(mounted)[0]?.querySelector('b')?.textContent).to.equal('Real');
  });

  it('offers Services if nothing matches', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'zzz');
    expect(optionsOf(mounted).map(textOf)).to.deep.equal(['No match? Choose Services']);
    await pressKey('ArrowDown');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(inputOf(mounted, industryId).value).to.equal('Services');
  });

  it('selects the first match during typing', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    await typeInto(mounted, industryId, 'food');
    expect(input.getAttribute('aria-expanded')).to.equal('true');
    const active = input.getAttribute('aria-activedescendant') ?? '';
    expect(textOf(mounted.root.getElementById(active))).to.equal('Food & Beverage');
    expect(input.enterKeyHint || input.getAttribute('enterkeyhint')).to.equal('done');
  });

  it('opens with a click without a selected option', async () => {
    const mounted = await mountBusiness();
    inputOf(mounted, industryId).click();
    expect(optionsOf(mounted)).to.have.length(67);
    expect(selectedOf(mounted)).to.deep.equal([]);
  });

  it('refers to its list only while the list is open', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    expect(input.hasAttribute('aria-controls')).to.equal(false);
    await typeInto(mounted, industryId, 'food');
    const list = mounted.root.getElementById(input.getAttribute('aria-controls') ?? '');
    expect(list?.getAttribute('role')).to.equal('listbox');
    await pressKey('Escape');
    expect(input.hasAttribute('aria-controls')).to.equal(false);
  });

  it('selects the second match with the arrow key', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'auto');
    await pressKey('ArrowDown');
    expect(selectedOf(mounted).map(textOf)).to.deep.equal(['Auto Repair']);
  });

  it('offers Services after the matches', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'real estate');
    expect(textOf(optionsOf(mounted).at(-1))).to.equal('No match? Choose Services');
    await pressKey('ArrowUp');
    await pressKey('ArrowUp');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(inputOf(mounted, industryId).value).to.equal('Services');
  });

  it('does not take Services with Enter if nothing matches', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'zzz');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(inputOf(mounted, industryId).value).to.equal('zzz');
    expect(mounted.root.querySelector('#error-summary')).to.equal(null);
  });

  it('selects the last option with ArrowUp', async () => {
    const mounted = await mountBusiness();
    inputOf(mounted, industryId).focus();
    await pressKey('ArrowUp');
    const options = optionsOf(mounted);
    expect(selectedOf(mounted)).to.deep.equal([options.at(-1)]);
    const { top, bottom } = listOf(mounted)!.getBoundingClientRect();
    const last = options.at(-1)!.getBoundingClientRect();
    expect(last.top).to.be.at.least(top);
    expect(last.bottom).to.be.at.most(bottom);
  });

  it('selects no option after the last one', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'roofing');
    await pressKey('ArrowUp');
    expect(selectedOf(mounted)).to.deep.equal([]);
    expect(inputOf(mounted, industryId).hasAttribute('aria-activedescendant')).to.equal(false);
  });

  it('keeps the first match selected when the caret moves', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'food');
    await pressKey('Home');
    expect(selectedOf(mounted).map(textOf)).to.deep.equal(['Food & Beverage']);
  });

  it('takes the first match with Enter', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'resturant');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(inputOf(mounted, industryId).value).to.equal('Food & Beverage');
    expect(mounted.root.querySelector('#error-summary')).to.equal(null);
  });

  it('is still a combobox after it closes', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    await typeInto(mounted, industryId, 'food');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(listOf(mounted)).to.equal(null);
    expect(input.getAttribute('role')).to.equal('combobox');
    expect(input.getAttribute('aria-expanded')).to.equal('false');
  });

  it('submits the form with Enter once its list is closed', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'food');
    await pressKey('Enter');
    await pressKey('Enter');
    await waitUntil(() => mounted.root.querySelector('#error-summary'));
  });

  it('keeps the typed text when Escape closes its list', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'foo');
    await pressKey('Escape');
    await mounted.element.updateComplete;
    expect(listOf(mounted)).to.equal(null);
    expect(inputOf(mounted, industryId).value).to.equal('foo');
  });

  it('takes a name in any case when it loses the focus', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'real estate');
    await leave(mounted);
    expect(inputOf(mounted, industryId).value).to.equal('Real Estate');
  });

  it('takes the synonym of only one industry when it loses the focus', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'bakery');
    await leave(mounted);
    expect(inputOf(mounted, industryId).value).to.equal('Food & Beverage');
  });

  it('announces the industry that replaced a synonym', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'bakery');
    await leave(mounted);
    expect(statusOf(mounted, industryId)).to.equal('Industry: Food & Beverage');
  });

  it('keeps other text when it loses the focus', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'plumb');
    await leave(mounted);
    expect(inputOf(mounted, industryId).value).to.equal('plumb');
  });

  it('marks text that is not chosen when it loses the focus', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'plumb');
    await leave(mounted);
    const input = inputOf(mounted, industryId);
    const mark = mounted.root.getElementById(`${industryId}-unchosen`);
    expect(textOf(mark)).to.equal('Not chosen yet');
    expect(input.getAttribute('aria-describedby')).to.include(`${industryId}-unchosen`);
    expect(statusOf(mounted, industryId)).to.equal('Industry: Not chosen yet');
    await expect(mounted.element).to.be.accessible();
  });

  it('has an error for other text on Continue', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'plumb');
    await leave(mounted);
    await press(mounted, 'Continue');
    expect(mounted.root.querySelector('#business-industry-error')?.textContent).to.include(
      'Choose an industry from the list, or Services if none fits',
    );
    expect(inputOf(mounted, industryId).value).to.equal('plumb');
    expect(mounted.root.getElementById(`${industryId}-unchosen`)).to.equal(null);
  });

  it('takes an option with the mouse', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'roof');
    optionsOf(mounted)[0]?.click();
    await mounted.element.updateComplete;
    expect(inputOf(mounted, industryId).value).to.equal('Roofing');
    expect(mounted.root.activeElement?.id).to.equal(industryId);
  });

  it('ignores the keys of an input method', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'food');
    const input = inputOf(mounted, industryId);
    for (const key of ['ArrowDown', 'Escape', 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, isComposing: true, cancelable: true });
      input.dispatchEvent(event);
      expect(event.defaultPrevented, key).to.equal(false);
    }
    await mounted.element.updateComplete;
    expect(listOf(mounted)).to.not.equal(null);
    expect(selectedOf(mounted).map(textOf)).to.deep.equal(['Food & Beverage']);
  });

  it('keeps all keys when the form renders during typing', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    input.focus();
    for (const letter of 'carpenter') {
      await typeKeys(letter);
      mounted.element.requestUpdate();
    }
    await mounted.element.updateComplete;
    expect(input.value).to.equal('carpenter');
  });

  it('does not render the form during typing', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'ro');
    let renders = 0;
    mounted.element.addController({ hostUpdated: () => (renders += 1) });
    await typeKeys('ofin');
    await waitUntil(() => statusOf(mounted, industryId) === '1 match in the list');
    expect(textOf(optionsOf(mounted)[0])).to.equal('Roofing');
    expect(renders).to.equal(0);
  });

  it('does not move the fields below when its list opens', async () => {
    const mounted = await mountBusiness();
    const topOf = (id: string) => inputOf(mounted, id).getBoundingClientRect().top;
    const below = () => topOf(stateId) - topOf(industryId);
    const before = below();
    await typeInto(mounted, industryId, 'r');
    expect(optionsOf(mounted).length).to.be.greaterThan(1);
    expect(below()).to.be.closeTo(before, 0.01);
  });
});

describe('the industry picker in Spanish', () => {
  it('finds industries by their Spanish synonyms', async () => {
    const mounted = await mountBusiness();
    mounted.element.setAttribute('locale', 'es');
    await waitUntil(() =>
      mounted.root.querySelector('[lang="es"] h2')?.textContent?.includes('su'),
    );
    await import('../../../widget/fields/industry-words-es.ts');
    await aTimeout(0);
    await typeInto(mounted, industryId, 'panaderi');
    expect(textOf(optionsOf(mounted)[0])).to.equal('panadería → Alimentos y bebidas');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(inputOf(mounted, industryId).value).to.equal('Alimentos y bebidas');
    mounted.element.setAttribute('locale', 'en');
    await waitUntil(() => inputOf(mounted, industryId).value === 'Food & Beverage');
  });
});

describe('the state picker', () => {
  it('takes a code when it loses the focus', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, stateId, 'tx');
    await leave(mounted);
    expect(inputOf(mounted, stateId).value).to.equal('Texas (TX)');
  });

  it('offers nothing if no state matches', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, stateId, 'ontario');
    expect(statusOf(mounted, stateId)).to.equal('No matching state');
    await pressKey('ArrowDown');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(inputOf(mounted, stateId).value).to.equal('ontario');
  });

  for (const filled of ['CA', 'California']) {
    it(`takes “${filled}” from autofill without opening its list`, async () => {
      const mounted = await mountBusiness();
      inputOf(mounted, 'business-name').focus();
      const input = inputOf(mounted, stateId);
      input.value = filled;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
      await mounted.element.updateComplete;
      expect(inputOf(mounted, stateId).value).to.equal('California (CA)');
      expect(listOf(mounted)).to.equal(null);
    });
  }

  it('accepts the name of a state', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner', { 'business/address/state': 'texas' });
    expect(mounted.root.querySelector('h2')?.textContent).to.include('about you');
  });
});

describe('every picker', () => {
  it('has an arrow that opens its list', async () => {
    const mounted = await mountBusiness();
    for (const id of [industryId, stateId]) {
      const input = inputOf(mounted, id);
      const arrow = input.closest('.combobox')?.querySelector('svg');
      expect(arrow?.getAttribute('aria-hidden')).to.equal('true');
      arrow?.scrollIntoView({ block: 'center' });
      const { left, right, top, bottom } = arrow!.getBoundingClientRect();
      const met = mounted.root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      expect(met?.id).to.equal(id);
    }
  });
});

describe('on a touch screen', () => {
  const { matchMedia } = window;

  beforeEach(() => {
    window.matchMedia = (query) => {
      const list = matchMedia.call(window, query);
      return query === '(pointer: coarse)'
        ? new Proxy(list, { get: (_list, key) => key === 'matches' || Reflect.get(list, key) })
        : list;
    };
  });

  afterEach(() => {
    window.matchMedia = matchMedia;
  });

  it('the industry is a combobox without autocorrection', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    expect(input.getAttribute('role')).to.equal('combobox');
    expect(input.getAttribute('autocorrect')).to.equal('off');
    expect(input.getAttribute('autocapitalize')).to.equal('none');
    expect(Number.parseFloat(getComputedStyle(input).fontSize)).to.be.at.least(16);
  });

  it('the state is a native select', async () => {
    const mounted = await mountBusiness();
    expect(mounted.root.querySelector(`select#${stateId}`)).to.not.equal(null);
  });

  it('an option is taken with a tap', async () => {
    const mounted = await mountBusiness();
    await waitForSynonyms(mounted);
    await typeInto(mounted, industryId, 'food truck');
    const option = optionsOf(mounted)[0]!;
    for (const type of ['pointerdown', 'pointerup'])
      option.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true }));
    expect(listOf(mounted)).to.not.equal(null);
    option.click();
    await mounted.element.updateComplete;
    expect(inputOf(mounted, industryId).value).to.equal('Food & Beverage');
  });

  it('a tap beside the fields closes the list', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'plumb');
    find(mounted, 'h2').dispatchEvent(
      new PointerEvent('pointerup', { bubbles: true, composed: true }),
    );
    await mounted.element.updateComplete;
    expect(listOf(mounted)).to.equal(null);
    expect(inputOf(mounted, industryId).value).to.equal('plumb');
    expect(mounted.root.activeElement).to.equal(null);
  });

  it('the input moves up until its list fits', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    input.scrollIntoView({ block: 'end' });
    await typeInto(mounted, industryId, 'a');
    const { bottom } = input.getBoundingClientRect();
    expect(bottom + 190).to.be.at.most(innerHeight);
  });

  it('the end of the list does not scroll the page', async () => {
    const mounted = await mountBusiness();
    inputOf(mounted, industryId).click();
    expect(getComputedStyle(listOf(mounted)!).overscrollBehaviorY).to.equal('contain');
  });

  it('the open list is accessible', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'food');
    await expect(mounted.element).to.be.accessible();
  });
});

describe('with simple controls', () => {
  it('both pickers are native selects', async () => {
    const mounted = await mountWidget(new FakeFundingApi(), {
      startPage: false,
      simpleControls: true,
    });
    await fillUpTo(mounted, 'business');
    const select = (id: string) => mounted.root.querySelector<HTMLSelectElement>(`select#${id}`);
    expect(select(industryId)?.options.length).to.equal(68);
    expect(select(stateId)?.autocomplete).to.equal('section-business address-level1');
    answer(mounted, 'business/address/state', 'TX');
    await mounted.element.updateComplete;
    expect(select(stateId)?.selectedOptions[0]?.text).to.equal('Texas (TX)');
  });
});

async function mountBusiness(): Promise<Mounted> {
  const mounted = await mountWidget();
  await fillUpTo(mounted, 'business');
  return mounted;
}

/** Waits until the synonyms are loaded. */
async function waitForSynonyms(mounted: Mounted): Promise<void> {
  await import('../../../widget/fields/industry-words-en.ts');
  await aTimeout(0);
  await mounted.element.updateComplete;
}

async function typeInto(mounted: Mounted, id: string, text: string): Promise<void> {
  inputOf(mounted, id).focus();
  await typeKeys(text);
  await waitUntil(() => inputOf(mounted, id).value === text);
  await mounted.element.updateComplete;
}

async function leave(mounted: Mounted): Promise<void> {
  await pressKey('Tab');
  await mounted.element.updateComplete;
}

function inputOf({ root }: Mounted, id: string): HTMLInputElement {
  const input = root.querySelector<HTMLInputElement>(`input#${id}`);
  if (!input) throw new Error(`Field ${id} is missing`);
  return input;
}

function listOf({ root }: Mounted): Element | null {
  return root.querySelector('[role="listbox"]');
}

function optionsOf({ root }: Mounted): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[role="option"]')];
}

function selectedOf({ root }: Mounted): readonly Element[] {
  return [...root.querySelectorAll('[role="option"][aria-selected="true"]')];
}

function textOf(element: Element | null | undefined): string {
  return element?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
}

function statusOf(mounted: Mounted, id: string): string {
  const picker = inputOf(mounted, id).closest('.combobox');
  return textOf(picker?.querySelector('[role="status"]'));
}
