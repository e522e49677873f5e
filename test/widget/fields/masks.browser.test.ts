// Typing, pasting and deleting where separators come and go.

import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { FormStepId } from '../../../widget/app/steps.ts';
import { fillUpTo, mountWidget, type Mounted } from '../../support/mount-widget.ts';
import { pressKey, typeKeys } from '../../support/type-keys.ts';

interface Field {
  readonly mounted: Mounted;
  readonly input: HTMLInputElement;
}

describe('an amount', () => {
  it('gets its separators while it is typed', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250000');
    expect(input.value).to.equal('1,250,000');
  });

  it('may be typed with its own separators and a dollar sign', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('$75,000');
    expect(input.value).to.equal('75,000');
  });

  it('keeps its cents until it is left, so that they do not become dollars', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250.50');
    expect(input.value).to.equal('1,250.50');
    await pressKey('Tab');
    expect(input.value).to.equal('1,250');
  });

  it('leaves a comma alone that may be a decimal one', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1,5');
    expect(input.value).to.equal('1,5');
  });

  for (const typed of ['75k', '25.000']) {
    it(`keeps ${typed}, and says on Continue what is wrong`, async () => {
      const { input, mounted } = await focusField('funding-need', 'fundingNeed-amount');
      await typeKeys(typed);
      await pressKey('Enter');
      await mounted.element.updateComplete;
      expect(input.value).to.equal(typed);
      expect(mounted.root.querySelector('#fundingNeed-amount-error')?.textContent).to.include(
        'Enter the amount in numbers, like 75,000',
      );
    });
  }

  it('deletes the digit before a separator, and keeps the caret with the digits', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('1250000');
    input.setSelectionRange(2, 2);
    await pressKey('Backspace');
    expect(input.value).to.equal('250,000');
    expect(input.selectionStart).to.equal(0);
    input.setSelectionRange(1, 1);
    await typeKeys('9');
    expect(input.value).to.equal('2,950,000');
    expect(input.selectionStart).to.equal(3);
  });

  it('is formatted when autofill or a script has put it there', async () => {
    const { input, mounted } = await focusField('funding-need', 'fundingNeed-amount');
    input.blur();
    input.value = '$48000.99';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await mounted.element.updateComplete;
    expect(input.value).to.equal('48,000');
  });

  it('settles when it is left, although the separators were not typed', async () => {
    const { input } = await focusField('funding-need', 'fundingNeed-amount');
    let settled = 0;
    input.addEventListener('change', () => (settled += 1));
    await typeKeys('75000');
    await pressKey('Tab');
    expect(settled).to.equal(1);
  });
});

describe('a pasted amount', () => {
  for (const [pasted, shown] of [
    ['$1,250,000.00', '1,250,000'],
    [' 48 000 ', '48,000'],
    ['1.250.000', '1.250.000'],
    ['about 75', 'about 75'],
  ] as const) {
    it(`“${pasted}” reads “${shown}”`, async () => {
      const { input } = await focusField('funding-need', 'fundingNeed-amount');
      paste(input, pasted);
      expect(input.value).to.equal(shown);
    });
  }
});

describe('numbers of nine digits', () => {
  it('get their dashes, and lose one digit with one Backspace', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    await typeKeys('2190');
    expect(input.value).to.equal('219-0');
    await pressKey('Backspace');
    expect(input.value).to.equal('219');
    await typeKeys('-09 9999');
    expect(input.value).to.equal('219-09-9999');
    input.setSelectionRange(4, 4);
    await pressKey('Delete');
    expect(input.value).to.equal('219-99-999');
    expect(input.selectionStart).to.equal(4);
  });

  it('are left as typed when they hold more than they can', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    await typeKeys('21909999912');
    expect(input.value).to.equal('219-09-999912');
  });

  it('are taken from the clipboard with any separator', async () => {
    const { input } = await focusField('identity', 'owner-ssn');
    paste(input, ' 123.45 6789');
    expect(input.value).to.equal('123-45-6789');
  });
});

describe('the other numbers', () => {
  it('ZIP codes and EINs get their dash', async () => {
    const { input, mounted } = await focusField('business', 'business-address-zip');
    await typeKeys('787011234');
    expect(input.value).to.equal('78701-1234');
    const ein = await focus(mounted, 'business-taxId');
    await typeKeys('123456789');
    expect(ein.value).to.equal('12-3456789');
  });

  it('a phone number is left alone until it is left', async () => {
    const { input } = await focusField('owner', 'owner-phone');
    await typeKeys('1 512.5550134');
    expect(input.value).to.equal('1 512.5550134');
    await pressKey('Tab');
    expect(input.value).to.equal('(512) 555-0134');
  });

  it('a percentage may carry its sign', async () => {
    const { input } = await focusField('identity', 'owner-ownershipPercent');
    await typeKeys('60 %');
    expect(input.value).to.equal('60');
  });
});

async function focusField(step: FormStepId, id: string): Promise<Field> {
  const mounted = await mountWidget();
  await fillUpTo(mounted, step);
  await import('../../../widget/fields/masks.ts');
  await nextFrame();
  return { mounted, input: await focus(mounted, id) };
}

async function focus({ root }: Mounted, id: string): Promise<HTMLInputElement> {
  const input = root.querySelector<HTMLInputElement>(`input#${id}`);
  if (!input) throw new Error(`There is no field ${id}`);
  input.focus();
  await waitUntil(() => root.activeElement === input);
  return input;
}

/** As a browser pastes: asks before, then puts the text in, then tells. */
function paste(input: HTMLInputElement, text: string): void {
  const options = { inputType: 'insertFromPaste', data: text, bubbles: true, cancelable: true };
  if (!input.dispatchEvent(new InputEvent('beforeinput', options))) return;
  input.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
  input.dispatchEvent(new InputEvent('input', options));
}
