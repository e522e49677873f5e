// Choosing an industry and a state with keyboard, mouse, autofill, and selects.

import { aTimeout, expect } from '@open-wc/testing';
import { mountWidget, setTouch, type Mounted } from '../../support/mount-widget.ts';
import { pressKey, typeKeys } from '../../support/type-keys.ts';
import { waitUntil } from '../../support/wait-until.ts';

const industryId = 'business-industry';
const stateId = 'business-address-state';

const inputOf = (mounted: Mounted, id: string) => mounted.find<HTMLInputElement>(`input#${id}`);

describe('the keys of the industry picker', () => {
  /** Each row: the typed text, the keys after it, and then what the picker shows. */
  const rows: readonly (readonly [string, string, readonly string[], Partial<Shown>])[] = [
    ['select the first match', 'food', [], { selected: 'Food & Beverage', isOpen: true }],
    ['select the second match', 'auto', ['ArrowDown'], { selected: 'Auto Repair' }],
    ['select no option after the last one', 'roofing', ['ArrowUp'], { selected: undefined }],
    ['keep the selected match at the caret', 'food', ['Home'], { selected: 'Food & Beverage' }],
    ['take Services if nothing matches', 'zzz', ['ArrowDown', 'Enter'], { value: 'Services' }],
    [
      'take Services after the matches',
      'real estate',
      ['ArrowUp', 'ArrowUp', 'Enter'],
      { value: 'Services' },
    ],
    ['take nothing if nothing matches', 'zzz', ['Enter'], { value: 'zzz', isOpen: true }],
    ['keep the text on Escape', 'foo', ['Escape'], { value: 'foo', isOpen: false }],
    ['take a name in any case on Tab', 'real estate', ['Tab'], { value: 'Real Estate' }],
    [
      'take a synonym of one industry on Tab, which is announced',
      'bakery',
      ['Tab'],
      { value: 'Food & Beverage', status: 'Industry: Food & Beverage' },
    ],
    [
      'keep other text on Tab',
      'plumb',
      ['Tab'],
      { value: 'plumb', status: 'Industry: Not chosen yet' },
    ],
  ];

  for (const [rule, typed, keys, expected] of rows) {
    it(`${rule}: ${[typed, ...keys].join(', ')}`, async () => {
      const mounted = await mountBusiness();
      await typeInto(mounted, industryId, typed);
      for (const key of keys) await pressKey(key);
      await mounted.element.updateComplete;
      expect(readPicker(mounted, industryId)).to.deep.include(expected);
      expect(mounted.root.querySelector('#error-summary')).to.equal(null);
    });
  }

  it('submit the form once the list is closed', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'food');
    await pressKey('Enter');
    await pressKey('Enter');
    await waitUntil(() => mounted.root.querySelector('#error-summary'));
  });

  it('select the last option, which is scrolled into view', async () => {
    const mounted = await mountBusiness();
    inputOf(mounted, industryId).focus();
    await pressKey('ArrowUp');
    const last = optionsOf(mounted).at(-1)!;
    expect(last.getAttribute('aria-selected')).to.equal('true');
    const { top, bottom } = listOf(mounted)!.getBoundingClientRect();
    expect(last.getBoundingClientRect().top).to.be.at.least(top);
    expect(last.getBoundingClientRect().bottom).to.be.at.most(bottom);
  });

  it('of an input method are ignored', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'food');
    for (const key of ['ArrowDown', 'Escape', 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, isComposing: true, cancelable: true });
      inputOf(mounted, industryId).dispatchEvent(event);
      expect(event.defaultPrevented, key).to.equal(false);
    }
    await mounted.element.updateComplete;
    expect(readPicker(mounted, industryId)).to.include({ selected: 'Food & Beverage' });
  });

  it('all arrive when the form renders during typing', async () => {
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
});

describe('the list of industries', () => {
  it('shows the synonym or the name that matches, in bold', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'plumber');
    const [synonym] = optionsOf(mounted);
    expect(textOf(synonym)).to.equal('plumber → Specialty Trade');
    expect(synonym?.querySelector('b')?.textContent).to.equal('plumber');
    inputOf(mounted, industryId).select();
    await typeInto(mounted, industryId, 'real');
    const options = optionsOf(mounted);
    expect(textOf(options[0])).to.equal('Real Estate');
    expect(options[0]?.querySelector('b')?.textContent).to.equal('Real');
    expect(options[0]?.getBoundingClientRect().height).to.be.at.least(44);
    expect(textOf(options.at(-1))).to.equal('No match? Choose Services');
  });

  it('opens with a click without a selected option', async () => {
    const mounted = await mountBusiness();
    inputOf(mounted, industryId).click();
    expect(optionsOf(mounted)).to.have.length(67);
    expect(readPicker(mounted, industryId).selected).to.equal(undefined);
  });

  it('belongs to a combobox, which refers to it while it is open', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    const attributesOf = () =>
      ['role', 'aria-expanded', 'aria-controls'].map((name) => input.getAttribute(name));
    expect(attributesOf()).to.deep.equal(['combobox', 'false', null]);
    await typeInto(mounted, industryId, 'food');
    expect(input.getAttribute('enterkeyhint')).to.equal('done');
    expect(attributesOf()).to.deep.equal(['combobox', 'true', listOf(mounted)?.id]);
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(listOf(mounted)).to.equal(null);
    expect(attributesOf()).to.deep.equal(['combobox', 'false', null]);
  });

  it('offers an option for the mouse', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'roof');
    optionsOf(mounted)[0]?.click();
    await mounted.element.updateComplete;
    expect(readPicker(mounted, industryId)).to.include({ value: 'Roofing', isOpen: false });
    expect(mounted.root.activeElement?.id).to.equal(industryId);
  });

  it('does not render the form during typing', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'ro');
    let renders = 0;
    mounted.element.addController({ hostUpdated: () => (renders += 1) });
    await typeKeys('ofin');
    await waitUntil(() => readPicker(mounted, industryId).status === '1 match in the list');
    expect(textOf(optionsOf(mounted)[0])).to.equal('Roofing');
    expect(renders).to.equal(0);
  });

  it('does not move the fields below', async () => {
    const mounted = await mountBusiness();
    const topOf = (id: string) => inputOf(mounted, id).getBoundingClientRect().top;
    const below = () => topOf(stateId) - topOf(industryId);
    const before = below();
    await typeInto(mounted, industryId, 'r');
    expect(optionsOf(mounted).length).to.be.greaterThan(1);
    expect(below()).to.be.closeTo(before, 0.01);
  });

  it('finds and shows industries in Spanish', async () => {
    const mounted = await mountBusiness();
    mounted.element.setAttribute('locale', 'es');
    await waitUntil(() => mounted.find('h2').textContent?.includes('su negocio'));
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

describe('text that is not chosen', () => {
  it('is marked until Continue shows an error', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'plumb');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    const markId = `${industryId}-unchosen`;
    const input = inputOf(mounted, industryId);
    expect(textOf(mounted.root.getElementById(markId))).to.equal('Not chosen yet');
    expect(input.getAttribute('aria-describedby')).to.include(markId);
    await expect(mounted.element).to.be.accessible();
    await mounted.press('Continue');
    expect(mounted.find(`#${industryId}-error`).textContent).to.include(
      'Choose an industry from the list, or Services if none fits',
    );
    expect(input.value).to.equal('plumb');
    expect(mounted.root.getElementById(markId)).to.equal(null);
  });
});

describe('the state picker', () => {
  it('offers nothing if no state matches', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, stateId, 'ontario');
    expect(readPicker(mounted, stateId).status).to.equal('No matching state');
    await pressKey('ArrowDown');
    await pressKey('Enter');
    await mounted.element.updateComplete;
    expect(inputOf(mounted, stateId).value).to.equal('ontario');
  });

  it('takes a name from autofill without opening its list', async () => {
    const mounted = await mountBusiness();
    inputOf(mounted, 'business-name').focus();
    mounted.answer('business/address/state', 'California');
    await mounted.element.updateComplete;
    expect(readPicker(mounted, stateId)).to.include({ value: 'California (CA)', isOpen: false });
  });
});

describe('every picker', () => {
  it('has an arrow that opens its list', async () => {
    const mounted = await mountBusiness();
    for (const id of [industryId, stateId]) {
      const arrow = inputOf(mounted, id).parentElement?.querySelector('svg');
      expect(arrow?.getAttribute('aria-hidden')).to.equal('true');
      arrow?.scrollIntoView({ block: 'center' });
      const { left, right, top, bottom } = arrow!.getBoundingClientRect();
      const met = mounted.root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      expect(met?.id).to.equal(id);
    }
  });

  it('is a native select with simple controls', async () => {
    const mounted = await mountWidget({}, { startPage: false, simpleControls: true });
    await mounted.fillUpTo('business');
    const select = (id: string) => mounted.root.querySelector<HTMLSelectElement>(`select#${id}`);
    expect(select(industryId)?.options.length).to.equal(68);
    expect(select(stateId)?.autocomplete).to.equal('section-business address-level1');
    mounted.answer('business/address/state', 'TX');
    await mounted.element.updateComplete;
    expect(select(stateId)?.selectedOptions[0]?.text).to.equal('Texas (TX)');
  });
});

describe('on a touch screen', () => {
  beforeEach(() => setTouch(true));

  afterEach(() => setTouch(false));

  it('the state is a select, and the industry a combobox without autocorrection', async () => {
    const mounted = await mountBusiness();
    expect(mounted.root.querySelector(`select#${stateId}`)).to.not.equal(null);
    const input = inputOf(mounted, industryId);
    expect(input.getAttribute('role')).to.equal('combobox');
    expect(input.getAttribute('autocorrect')).to.equal('off');
    expect(input.getAttribute('autocapitalize')).to.equal('none');
    expect(Number.parseFloat(getComputedStyle(input).fontSize)).to.be.at.least(16);
  });

  it('an option is taken with a tap', async () => {
    const mounted = await mountBusiness();
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
    const tap = new PointerEvent('pointerup', { bubbles: true, composed: true });
    mounted.find('h2').dispatchEvent(tap);
    await mounted.element.updateComplete;
    expect(readPicker(mounted, industryId)).to.include({ value: 'plumb', isOpen: false });
    expect(mounted.root.activeElement).to.equal(null);
  });

  it('the input moves up until its list fits', async () => {
    const mounted = await mountBusiness();
    const input = inputOf(mounted, industryId);
    input.scrollIntoView({ block: 'end' });
    await typeInto(mounted, industryId, 'a');
    expect(input.getBoundingClientRect().bottom + 190).to.be.at.most(innerHeight);
  });

  it('the end of the accessible list does not scroll the page', async () => {
    const mounted = await mountBusiness();
    await typeInto(mounted, industryId, 'food');
    expect(getComputedStyle(listOf(mounted)!).overscrollBehaviorY).to.equal('contain');
    await expect(mounted.element).to.be.accessible();
  });
});

interface Shown {
  readonly value: string;
  readonly status: string;
  readonly isOpen: boolean;
  /** The text of the option that the input names as its active one. */
  readonly selected: string | undefined;
}

/** Reads the picker as an applicant or a screen reader does. */
function readPicker(mounted: Mounted, id: string): Shown {
  const input = inputOf(mounted, id);
  const active = mounted.root.getElementById(input.getAttribute('aria-activedescendant') ?? '');
  const selected = mounted.root.querySelector('[role="option"][aria-selected="true"]');
  expect(active).to.equal(selected);
  return {
    value: input.value,
    status: textOf(input.parentElement?.querySelector('[role="status"]')),
    isOpen: listOf(mounted) !== null,
    selected: selected ? textOf(selected) : undefined,
  };
}

/** The second step, after the synonyms of industries are loaded. */
async function mountBusiness(): Promise<Mounted> {
  const mounted = await mountWidget();
  await mounted.fillUpTo('business');
  await import('../../../widget/fields/industry-words-en.ts');
  await aTimeout(0);
  await mounted.element.updateComplete;
  return mounted;
}

async function typeInto(mounted: Mounted, id: string, text: string): Promise<void> {
  inputOf(mounted, id).focus();
  await typeKeys(text);
  await waitUntil(() => inputOf(mounted, id).value === text);
  await mounted.element.updateComplete;
}

function listOf({ root }: Mounted): Element | null {
  return root.querySelector('[role="listbox"]');
}

function optionsOf({ root }: Mounted): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[role="option"]')];
}

function textOf(element: Element | null | undefined): string {
  return element?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
}
