// The attributes of every field for autofill, touch keyboards, and screen readers, and the behavior of single fields.

import { expect } from '@open-wc/testing';
import { handleEnterKey } from '../../../widget/fields/field.ts';
import { formSteps } from '../../../widget/app/navigation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import fieldRows from '../../fixtures/fields.json' with { type: 'json' };
import { ok } from '../../support/fake-funding-api.ts';
import { mountWidget, type Mounted } from '../../support/mount-widget.ts';

describe('the fields of a step', () => {
  for (const step of formSteps) {
    it(`${step} have their labels and attributes, in one form`, async () => {
      const mounted = await mountWidget();
      await mounted.fillUpTo(step);
      const fields = fieldsOf(mounted);
      expect(fields.map(toRow)).to.deep.equal(fieldRows[step]);
      expect(new Set(fields.map(({ form }) => form))).to.deep.equal(
        new Set([mounted.root.querySelector('form')]),
      );
      expect(fields.filter(({ id }) => id === '')).to.deep.equal([]);
    });
  }
});

describe('the home address', () => {
  async function mountOwner(changes: Readonly<Record<string, string>> = {}) {
    const mounted = await mountWidget();
    await mounted.fillUpTo('owner', changes);
    return {
      mounted,
      async choose(value: 'yes' | 'no'): Promise<void> {
        mounted.answer('owner/homeSameAsBusiness', value);
        await mounted.element.updateComplete;
      },
      listAsked: () => fieldsOf(mounted).filter(({ name }) => name.startsWith('owner/homeAddress')),
    };
  }

  it('is asked only when it differs, and keeps its answers while it is hidden', async () => {
    const { mounted, choose, listAsked } = await mountOwner();
    expect(listAsked()).to.deep.equal([]);
    await choose('no');
    expect(listAsked().map(toRow)).to.deep.equal(fieldRows.homeAddress);
    mounted.answer('owner/homeAddress/street', '7 Elm St');
    await choose('yes');
    expect(listAsked()).to.deep.equal([]);
    await choose('no');
    expect(listAsked()[0]?.value).to.equal('7 Elm St');
  });

  it('names the business address in its question, which does not move', async () => {
    const { mounted, choose } = await mountOwner({ 'business/address/suite': 'Suite 4' });
    expect(mounted.find('#owner-homeSameAsBusiness-hint').textContent?.trim()).to.equal(
      '100 Main St, Suite 4, Austin, Texas 78701-1234',
    );
    const top = () => mounted.find('#owner-homeSameAsBusiness').getBoundingClientRect().top;
    const before = top();
    await choose('yes');
    expect(top()).to.equal(before);
  });

  it('has an error until the question is answered, and none of a hidden field', async () => {
    const { mounted, choose } = await mountOwner();
    const errors = () => mounted.textsOf('#error-summary li:not(.corrected) a');
    await mounted.press('Continue');
    expect(errors().join(' ')).to.include('Choose whether your home address is the same');
    await choose('no');
    await mounted.press('Continue');
    expect(errors()).to.include('Enter the street address');
    await choose('yes');
    expect(errors().join(' ')).to.not.match(/street address|home address/);
  });
});

describe('the Enter key', () => {
  const pressEnter = (input: HTMLInputElement, isTouch: boolean) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', cancelable: true });
    input.addEventListener('keydown', (pressed) => handleEnterKey(pressed, () => isTouch), {
      once: true,
    });
    input.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it('focuses the next field on a touch keyboard, and submits the form otherwise', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('business');
    const [name, last] = ['#business-name', '#business-employees'].map((selector) =>
      mounted.find<HTMLInputElement>(selector),
    );
    expect(pressEnter(last!, true)).to.equal(false);
    expect(pressEnter(name!, false)).to.equal(false);
    name!.focus();
    expect(pressEnter(name!, true)).to.equal(true);
    expect(mounted.root.activeElement?.id).to.equal('business-type');
  });
});

describe('the second step', () => {
  it('does not move to the side for the bars of errors', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('business');
    await import('../../../widget/fields/masks.ts');
    const places = () =>
      [...mounted.root.querySelectorAll('form :is(label, legend, input, select)')].map((part) => {
        const { left, width } = part.getBoundingClientRect();
        return [left, width];
      });
    const before = places();
    await mounted.press('Continue');
    expect(mounted.root.querySelectorAll('[aria-invalid="true"]').length).to.be.greaterThan(5);
    expect(places()).to.deep.equal(before);
  });

  it('shows the age of the business on a line that was free before', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('business');
    const read = () => mounted.find('output.meaning').textContent;
    const below = () => mounted.find('#business-employees').getBoundingClientRect().top;
    const before = below();
    mounted.answer('business/foundedMonth', 'March');
    expect(read()).to.equal('');
    mounted.answer('business/foundedYear', String(new Date().getUTCFullYear() - 9));
    await mounted.element.updateComplete;
    expect(read()).to.match(/^\d years?( and \d+ months?)? in business$/);
    expect(below()).to.equal(before);
  });

  it('marks optional fields', async () => {
    const configuration = ok(createConfiguration({ requiredFields: ['taxId'] }));
    const mounted = await mountWidget({ configuration });
    await mounted.fillUpTo('business');
    const labelOf = (id: string) => mounted.find(`label[for="business-${id}"]`).textContent;
    expect(labelOf('taxId')).to.not.include('(optional)');
    expect(labelOf('employees')).to.include('(optional)');
  });

  it('has the same space below each control', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('business');
    const bottom = (part: Element | null) => Math.round(part?.getBoundingClientRect().bottom ?? 0);
    const fields = mounted.findAll('.group > .field.single');
    const below = fields.map((field) => bottom(field) - bottom(field.lastElementChild));
    expect(below).to.deep.equal(fields.map(() => 0));
    expect(fields.length).to.be.greaterThan(5);
  });
});

describe('a secret field', () => {
  it('shows dots unless it has the focus, or after a press on Show', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('identity');
    const input = mounted.find('#owner-ssn');
    const isDotted = () =>
      getComputedStyle(input).getPropertyValue('-webkit-text-security') === 'disc';
    mounted.answer('owner/ssn', '219-09-9999');
    expect(isDotted()).to.equal(true);
    input.focus();
    expect(isDotted()).to.equal(false);
    input.blur();
    expect(isDotted()).to.equal(true);
    const button = mounted.find('[aria-controls="owner-ssn"]');
    const nameOf = () => button.textContent?.replaceAll(/\s+/g, ' ').trim();
    expect(nameOf()).to.equal('Show Social Security number (SSN)');
    button.click();
    await mounted.element.updateComplete;
    expect(isDotted()).to.equal(false);
    expect(nameOf()).to.equal('Hide Social Security number (SSN)');
    expect(button.hasAttribute('aria-pressed')).to.equal(false);
  });

  it('says that it is optional if the partner does not require it', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('identity');
    expect(mounted.find('#owner-ssn-hint').textContent).to.include('You can leave this blank');
    const describedBy = mounted.find('#owner-ssn').getAttribute('aria-describedby');
    expect(describedBy).to.equal('owner-ssn-hint');
  });
});

function fieldsOf({ root }: Mounted): readonly (HTMLInputElement | HTMLSelectElement)[] {
  const fields = root.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select');
  // The box about the draft is no field of the application.
  return [...fields].filter(
    (field) => !field.closest('.honeypot') && field.id !== 'keep-on-device',
  );
}

function toRow(field: HTMLInputElement | HTMLSelectElement): string {
  const label = [...(field.labels ?? [])].map(({ textContent }) => textContent?.trim()).join();
  const type = field instanceof HTMLSelectElement ? 'select' : field.type;
  const hints = ['inputmode', 'autocomplete', 'enterkeyhint', 'autocapitalize'].map(
    (name) => field.getAttribute(name) ?? '-',
  );
  return `${field.name}: ${[label.replaceAll(/\s+/g, ' '), type, ...hints].join(' | ')}`;
}
