// Masks: typing, pasting, and deleting in formatted inputs. masks.test.ts has the formats.

import { expect } from '@open-wc/testing';
import type { FormStepId } from '../../../widget/app/navigation.ts';
import { mountWidget, type Mounted, waitForFormChunk } from '../../support/mount-widget.ts';
import { pressKey, typeKeys } from '../../support/type-keys.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface Field {
  readonly mounted: Mounted;
  readonly input: HTMLInputElement;
}

/** A text to type, a key, or the place of the caret or the selection. */
type Action = string | number | readonly [start: number, end: number];

const keys = new Set(['Tab', 'Backspace', 'Delete', 'Enter']);
const steps: Readonly<Record<string, FormStepId>> = {
  'fundingNeed-amount': 'funding-need',
  'owner-ssn': 'identity',
  'owner-ownershipPercent': 'identity',
  'owner-phone': 'owner',
  'business-taxId': 'business',
  'business-address-zip': 'business',
};
const amount = 'fundingNeed-amount';
const ssn = 'owner-ssn';

const findInput = (mounted: Mounted, id: string) => mounted.find<HTMLInputElement>(`input#${id}`);

describe('a formatted field', () => {
  const rows: readonly (readonly [string, string, readonly Action[], string, number?])[] = [
    ['gets commas during typing', amount, ['1250000'], '1,250,000'],
    ['is read when it loses the focus', amount, ['1.5 million', 'Tab'], '1,500,000'],
    ['keeps the caret after a typed letter', amount, ['1.5m', 3, '5'], '1.55m', 4],
    ['gets its commas without letters', amount, ['75k', 'Backspace', '000'], '75,000'],
    ['loses the digit before a comma', amount, ['1250000', 2, 'Backspace'], '250,000', 0],
    ['keeps the caret after a typed digit', amount, ['250000', 1, '9'], '2,950,000', 3],
    ['keeps its other digits for a selection', amount, ['1250000', [2, 5], '9'], '19,000', 2],
    ['gets dashes during typing', ssn, ['2190'], '219-0'],
    ['loses the last dash together with its digit', ssn, ['2190', 'Backspace'], '219'],
    ['loses the digit after the caret', ssn, ['219099999', 4, 'Delete'], '219-99-999', 4],
    ['gets the dash of a ZIP code', 'business-address-zip', ['787011234'], '78701-1234'],
    ['gets the dash of an EIN', 'business-taxId', ['123456789'], '12-3456789'],
    ['keeps a phone number during typing', 'owner-phone', ['1 512.5550134'], '1 512.5550134'],
    ['formats a phone number', 'owner-phone', ['1 512.5550134', 'Tab'], '(512) 555-0134'],
    ['may be typed with a percent sign', 'owner-ownershipPercent', ['60 %'], '60'],
  ];

  for (const [rule, id, actions, shown, caret] of rows) {
    it(`${rule} (${id}: ${actions.join(', ')})`, async () => {
      const { input } = await focusField(id);
      await operate(input, actions);
      expect(input.value).to.equal(shown);
      if (caret !== undefined) expect(input.selectionStart).to.equal(caret);
    });
  }

  for (const [id, pasted, shown] of [
    [amount, '$1,250,000.00', '1,250,000'],
    [ssn, ' 123.45 6789', '123-45-6789'],
  ] as const) {
    it(`shows the pasted “${pasted}” as “${shown}” (${id})`, async () => {
      const { input } = await focusField(id);
      paste(input, pasted);
      expect(input.value).to.equal(shown);
    });
  }
});

describe('an amount', () => {
  it('is formatted when autofill or a script changes it', async () => {
    const { input, mounted } = await focusField(amount);
    input.blur();
    input.value = '$48000.99';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await mounted.element.updateComplete;
    expect(input.value).to.equal('48,001');
  });

  it('has one change event when it loses the focus', async () => {
    const { input } = await focusField(amount);
    let changes = 0;
    input.addEventListener('change', () => (changes += 1));
    await operate(input, ['75000', 'Tab']);
    expect(changes).to.equal(1);
  });

  it('of an input method is formatted when it is complete', async () => {
    const { input } = await focusField(amount);
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

  it('is undone key by key in the answers of the form, then redone', async () => {
    const { input, mounted } = await focusField(amount);
    /** Dispatches the event of a shortcut with Control: the drivers can't press two keys. */
    const pressControl = async (key: string, shown: string, shiftKey = false) => {
      const keyCode = key.toUpperCase().charCodeAt(0);
      const init = { key, keyCode, ctrlKey: true, shiftKey, bubbles: true, cancelable: true };
      input.dispatchEvent(new KeyboardEvent('keydown', init));
      mounted.element.requestUpdate();
      await mounted.element.updateComplete;
      expect(input.value).to.equal(shown);
    };
    await typeKeys('1250');
    await pressControl('z', '125');
    await pressControl('z', '12');
    await pressControl('Z', '125', true);
    await pressControl('y', '1,250');
  });
});

describe('an amount that is typed before the masks are loaded', () => {
  /** Types as soon as the step is rendered, before its masks are requested. */
  async function typeEarly(act: (input: HTMLInputElement) => void = () => undefined) {
    const handleStep = ({ target }: Event) => {
      const root = target instanceof Element ? target.shadowRoot : null;
      const input = root?.querySelector<HTMLInputElement>(`#${amount}`);
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
    return { mounted, input: findInput(mounted, amount) };
  }

  const change = (input: HTMLInputElement) =>
    input.dispatchEvent(new Event('change', { bubbles: true }));

  it('is formatted when they are loaded', async () => {
    const { mounted, input } = await typeEarly((typed) => {
      change(typed);
      typed.blur();
    });
    expect(input.value).to.equal('75,000');
    mounted.element.requestUpdate();
    await mounted.element.updateComplete;
    expect(input.value).to.equal('75,000');
  });

  it('is formatted with the next key while the field has the focus', async () => {
    const { input } = await typeEarly();
    expect(input.value).to.equal('75000');
    expect(input.selectionStart).to.equal(2);
    await typeKeys('9');
    expect(input.value).to.equal('759,000');
    expect(input.selectionStart).to.equal(3);
  });

  it('is formatted when Continue waits for them', async () => {
    const { mounted } = await typeEarly((input) => {
      change(input);
      input.form?.requestSubmit();
    });
    await mounted.element.updateComplete;
    expect(findInput(mounted, amount).value).to.equal('75,000');
  });
});

async function focusField(id: string): Promise<Field> {
  const mounted = await mountWidget();
  await mounted.fillUpTo(steps[id]!);
  await waitForFormChunk();
  const input = findInput(mounted, id);
  input.focus();
  await waitUntil(() => mounted.root.activeElement === input);
  return { mounted, input };
}

async function operate(input: HTMLInputElement, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    if (typeof action === 'number') input.setSelectionRange(action, action);
    else if (typeof action !== 'string') input.setSelectionRange(...action);
    else if (keys.has(action)) await pressKey(action);
    else await typeKeys(action);
  }
}

/** Dispatches the events of a paste in a browser. */
function paste(input: HTMLInputElement, text: string): void {
  const options = { inputType: 'insertFromPaste', data: text, bubbles: true, cancelable: true };
  if (!input.dispatchEvent(new InputEvent('beforeinput', options))) return;
  input.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
  input.dispatchEvent(new InputEvent('input', options));
}
