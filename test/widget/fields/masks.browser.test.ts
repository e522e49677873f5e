// Masks: typing, pasting, and deleting in formatted inputs.

import { expect } from '@open-wc/testing';
import type { FormStepId } from '../../../widget/app/navigation.ts';
import {
  fillUpTo,
  mountWidget,
  type Mounted,
  waitForFormChunk,
} from '../../support/mount-widget.ts';
import { pressKey, typeKeys } from '../../support/type-keys.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface Field {
  readonly mounted: Mounted;
  readonly input: HTMLInputElement;
}

describe('an amount', () => {
  it('gets commas during typing', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250000');
    expect(input.value).to.equal('1,250,000');
  });

  it('may be typed with commas and a dollar sign', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('$75,000');
    expect(input.value).to.equal('75,000');
  });

  it('keeps its cents during typing', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250.50');
    expect(input.value).to.equal('1,250.50');
  });

  it('is rounded to dollars when it loses the focus', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250.50');
    await pressKey('Tab');
    expect(input.value).to.equal('1,251');
  });

  it('keeps a comma that may be a decimal comma', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1,5');
    expect(input.value).to.equal('1,5');
  });

  for (const typed of ['75,50', '25.000']) {
    it(`keeps ${typed} as typed`, async () => {
      const { input } = await focusField('funding-need', 'fundingNeed-amount');
      await typeKeys(typed);
      await pressKey('Tab');
      expect(input.value).to.equal(typed);
    });

    it(`has an error for ${typed} on Continue`, async () => {
      const { mounted } = await focusField('funding-need', 'fundingNeed-amount');
      await typeKeys(typed);
      await pressKey('Enter');
      await mounted.element.updateComplete;
      expect(mounted.root.querySelector('#fundingNeed-amount-error')?.textContent).to.include(
        'Enter the amount in numbers, like 75,000',
      );
    });
  }

  for (const [typed, shown] of [
    ['75k', '75,000'],
    ['75K', '75,000'],
    ['1.5 million', '1,500,000'],
    ['1,5 millones', '1,500,000'],
    ['75 mil', '75,000'],
    ['$75,000.00', '75,000'],
    ['75,000 dollars', '75,000'],
  ] as const) {
    it(`typed as ${typed} is ${shown} when it loses the focus`, async () => {
      const { input } = await focusField('funding-need', 'fundingNeed-amount');
      await typeKeys(typed);
      await pressKey('Tab');
      expect(input.value).to.equal(shown);
    });
  }

  it('keeps the caret after a typed letter', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1.5m');
    input.setSelectionRange(3, 3);
    await typeKeys('5');
    expect(input.value).to.equal('1.55m');
    expect(input.selectionStart).to.equal(4);
  });

  it('gets its commas again when its letters are deleted', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('75k');
    await pressKey('Backspace');
    await typeKeys('000');
    expect(input.value).to.equal('75,000');
  });

  it('loses the digit before a comma with Backspace', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250000');
    input.setSelectionRange(2, 2);
    await pressKey('Backspace');
    expect(input.value).to.equal('250,000');
    expect(input.selectionStart).to.equal(0);
  });

  it('keeps the caret after the typed digit', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('250000');
    input.setSelectionRange(1, 1);
    await typeKeys('9');
    expect(input.value).to.equal('2,950,000');
    expect(input.selectionStart).to.equal(3);
  });

  it('is formatted when autofill or a script changes it', async () => {
    const { input, mounted } = await focusField('funding-need', 'fundingNeed-amount');
    input.blur();
    input.value = '$48000.99';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await mounted.element.updateComplete;
    expect(input.value).to.equal('48,001');
  });

  it('has one change event when it loses the focus', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    let changes = 0;
    input.addEventListener('change', () => (changes += 1));
    await typeKeys('75000');
    await pressKey('Tab');
    expect(changes).to.equal(1);
  });
});

describe('an amount that is typed before the masks are loaded', () => {
  /** Types as soon as the step is rendered, before its masks are requested. */
  async function typeEarly(act: (input: HTMLInputElement) => void): Promise<Field> {
    const handleStep = ({ target }: Event) => {
      const root = target instanceof Element ? target.shadowRoot : null;
      const input = root?.querySelector<HTMLInputElement>('#fundingNeed-amount');
      if (!input) return;
      input.focus();
      input.value = '75000';
      input.setSelectionRange(2, 2);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      act(input);
    };
    document.addEventListener('funding-step', handleStep, { once: true });
    const mounted = await mountWidget();
    await waitForFormChunk();
    const input = mounted.root.querySelector<HTMLInputElement>('#fundingNeed-amount');
    if (!input) throw new Error('The amount is missing');
    return { mounted, input };
  }

  const leave = (input: HTMLInputElement) => {
    input.dispatchEvent(new Event('change', { bubbles: true }));
    input.blur();
  };

  it('is formatted when they are loaded', async () => {
    const { mounted, input } = await typeEarly(leave);
    expect(input.value).to.equal('75,000');
    mounted.element.requestUpdate();
    await mounted.element.updateComplete;
    expect(input.value).to.equal('75,000');
  });

  it('keeps its caret while the field has the focus', async () => {
    const { input } = await typeEarly(() => undefined);
    expect(input.value).to.equal('75000');
    expect(input.selectionStart).to.equal(2);
  });

  it('is formatted with the next key', async () => {
    const { input } = await typeEarly(() => undefined);
    await typeKeys('9');
    expect(input.value).to.equal('759,000');
    expect(input.selectionStart).to.equal(3);
  });

  it('is formatted when Continue waits for them', async () => {
    const { mounted } = await typeEarly((input) => {
      input.dispatchEvent(new Event('change', { bubbles: true }));
      input.form?.requestSubmit();
    });
    await mounted.element.updateComplete;
    expect(mounted.root.querySelector<HTMLInputElement>('#fundingNeed-amount')?.value).to.equal(
      '75,000',
    );
  });
});

describe('a pasted amount', () => {
  for (const [pasted, shown] of [
    ['$1,250,000.00', '1,250,000'],
    [' 48 000 ', '48,000'],
    ['1.250.000', '1.250.000'],
    ['about 75', 'about 75'],
  ] as const) {
    it(`“${pasted}” becomes “${shown}”`, async () => {
      const { input } = await focusField('funding-need', 'fundingNeed-amount');
      paste(input, pasted);
      expect(input.value).to.equal(shown);
    });
  }
});

describe('a formatted amount', () => {
  /** Dispatches the event of a shortcut with Control: the drivers can't press two keys. */
  const pressControl = (input: HTMLInputElement, key: string, shiftKey = false) =>
    input.dispatchEvent(
      new KeyboardEvent('keydown', {
        key,
        keyCode: key.toUpperCase().charCodeAt(0),
        ctrlKey: true,
        shiftKey,
        bubbles: true,
        cancelable: true,
      }),
    );
  const undo = (input: HTMLInputElement) => pressControl(input, 'z');

  it('is undone key by key', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250');
    undo(input);
    expect(input.value).to.equal('125');
    undo(input);
    expect(input.value).to.equal('12');
  });

  it('is redone', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250');
    undo(input);
    undo(input);
    pressControl(input, 'Z', true);
    expect(input.value).to.equal('125');
    pressControl(input, 'y');
    expect(input.value).to.equal('1,250');
  });

  it('is undone in the answers of the form', async () => {
    const { input, mounted } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250');
    undo(input);
    mounted.element.requestUpdate();
    await mounted.element.updateComplete;
    expect(input.value).to.equal('125');
  });

  it('of an input method is formatted when it is complete', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    const init = { inputType: 'insertCompositionText', bubbles: true };
    for (const value of ['1', '12', '125', '1250']) {
      input.dispatchEvent(new InputEvent('beforeinput', init));
      input.value = value;
      input.dispatchEvent(new InputEvent('input', init));
      expect(input.value).to.equal(value);
    }
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    expect(input.value).to.equal('1,250');
  });

  it('keeps its digits when a selection is replaced', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250000');
    input.setSelectionRange(2, 5);
    await typeKeys('9');
    expect(input.value).to.equal('19,000');
    expect(input.selectionStart).to.equal(2);
  });
});

describe('an SSN', () => {
  it('gets dashes during typing', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    await typeKeys('2190');
    expect(input.value).to.equal('219-0');
  });

  it('loses the last dash together with its digit', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    await typeKeys('2190');
    await pressKey('Backspace');
    expect(input.value).to.equal('219');
  });

  it('may be typed with separators', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    await typeKeys('219-09 9999');
    expect(input.value).to.equal('219-09-9999');
  });

  it('loses the digit after the caret with Delete', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    await typeKeys('219099999');
    input.setSelectionRange(4, 4);
    await pressKey('Delete');
    expect(input.value).to.equal('219-99-999');
    expect(input.selectionStart).to.equal(4);
  });

  it('keeps digits that are too many', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    await typeKeys('21909999912');
    expect(input.value).to.equal('219-09-999912');
  });

  it('may be pasted with any separators', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    paste(input, ' 123.45 6789');
    expect(input.value).to.equal('123-45-6789');
  });
});

describe('other numbers', () => {
  it('a ZIP code gets its dash', async () => {
    const { input } = await focusField('business', 'business-address-zip');
    await typeKeys('787011234');
    expect(input.value).to.equal('78701-1234');
  });

  it('an EIN gets its dash', async () => {
    const { input } = await focusField('business', 'business-taxId');
    await typeKeys('123456789');
    expect(input.value).to.equal('12-3456789');
  });

  it('a phone number stays as typed during typing', async () => {
    const { input } = await focusField('owner', 'owner-phone');
    await typeKeys('1 512.5550134');
    expect(input.value).to.equal('1 512.5550134');
  });

  it('a phone number is formatted when it loses the focus', async () => {
    const { input } = await focusField('owner', 'owner-phone');
    await typeKeys('1 512.5550134');
    await pressKey('Tab');
    expect(input.value).to.equal('(512) 555-0134');
  });

  it('a percentage may be typed with a percent sign', async () => {
    const { input } = await focusField('identity', 'owner-ownershipPercent');
    await typeKeys('60 %');
    expect(input.value).to.equal('60');
  });
});

async function focusField(step: FormStepId, id: string): Promise<Field> {
  const mounted = await mountWidget();
  await fillUpTo(mounted, step);
  await waitForFormChunk();
  return { mounted, input: await focus(mounted, id) };
}

async function focus({ root }: Mounted, id: string): Promise<HTMLInputElement> {
  const input = root.querySelector<HTMLInputElement>(`input#${id}`);
  if (!input) throw new Error(`Field ${id} is missing`);
  input.focus();
  await waitUntil(() => root.activeElement === input);
  return input;
}

/** Dispatches the events of a paste in a browser. */
function paste(input: HTMLInputElement, text: string): void {
  const options = { inputType: 'insertFromPaste', data: text, bubbles: true, cancelable: true };
  if (!input.dispatchEvent(new InputEvent('beforeinput', options))) return;
  input.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
  input.dispatchEvent(new InputEvent('input', options));
}
