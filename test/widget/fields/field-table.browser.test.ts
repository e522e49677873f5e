// The attributes of every field for autofill, touch keyboards, and screen readers, and the behavior of single fields.

import { expect } from '@open-wc/testing';
import { handleEnterKey } from '../../../widget/fields/field.ts';
import { formSteps, type FormStepId } from '../../../widget/app/navigation.ts';
import { answer, fillUpTo, mountWidget, type Mounted } from '../../support/mount-widget.ts';

/** name: label | type | inputmode | autocomplete | enterkeyhint | autocapitalize */
const tables: Readonly<Record<FormStepId, string>> = {
  'funding-need': `
    fundingNeed/amount: Amount you need | text | numeric | off | next | -
    fundingNeed/reason: What will you use it for? | select | - | off | - | -`,
  business: `
    business/name: Legal name of the business | text | - | organization | next | words
    business/type: Type of business | select | - | off | - | -
    business/industry: Industry | text | - | off | next | none
    business/taxId: Employer Identification Number (EIN) (optional) | text | numeric | off | next | -
    business/address/street: Street address | text | - | section-business address-line1 | next | words
    business/address/suite: Apartment, suite, or unit (optional) | text | - | section-business address-line2 | next | words
    business/address/zip: ZIP code | text | numeric | section-business postal-code | next | -
    business/address/city: City | text | - | section-business address-level2 | next | words
    business/address/state: State | text | - | section-business address-level1 | next | characters
    business/annualRevenue: Annual revenue | text | numeric | off | next | -
    business/foundedMonth: Month | text | - | off | next | words
    business/foundedDay: Day | text | numeric | off | next | -
    business/foundedYear: Year | text | numeric | off | next | -
    business/employees: Number of employees (optional) | text | numeric | off | go | -`,
  owner: `
    owner/firstName: First name | text | - | given-name | next | words
    owner/lastName: Last name | text | - | family-name | next | words
    owner/email: Email address | email | email | email | next | -
    owner/phone: Phone number | tel | tel | tel | next | -
    owner/homeSameAsBusiness: Yes | radio | - | - | - | -
    owner/homeSameAsBusiness: No | radio | - | - | - | -`,
  identity: `
    owner/birthDate/month: Month | text | - | bday-month | next | words
    owner/birthDate/day: Day | text | numeric | bday-day | next | -
    owner/birthDate/year: Year | text | numeric | bday-year | next | -
    owner/ssn: Social Security number (SSN) (optional) | text | numeric | off | next | -
    owner/creditScore: Your credit score | select | - | off | - | -
    owner/ownershipPercent: Your ownership percentage (optional) | text | numeric | off | next | -
    owner/otherManagers: Yes | radio | - | - | - | -
    owner/otherManagers: No | radio | - | - | - | -`,
  review: `
    consents/terms: I agree to the terms | checkbox | - | - | - | -
    consents/contact: You may call me (optional) | checkbox | - | - | - | -
    signature/name: Type your full name to sign | text | - | name | go | words`,
};

const homeAddress = `
    owner/homeAddress/street: Street address | text | - | section-home address-line1 | next | words
    owner/homeAddress/suite: Apartment, suite, or unit (optional) | text | - | section-home address-line2 | next | words
    owner/homeAddress/zip: ZIP code | text | numeric | section-home postal-code | next | -
    owner/homeAddress/city: City | text | - | section-home address-level2 | next | words
    owner/homeAddress/state: State | text | - | section-home address-level1 | next | characters`;

describe('the fields of a step', () => {
  for (const step of formSteps) {
    it(`${step} have their labels and attributes`, async () => {
      const mounted = await mountWidget();
      await fillUpTo(mounted, step);
      const rows = fieldsOf(mounted).map(toRow).join('\n');
      expect(rows).to.equal(toLines(tables[step]));
    });

    it(`${step} are in one form and one shadow root`, async () => {
      const mounted = await mountWidget();
      await fillUpTo(mounted, step);
      const fields = fieldsOf(mounted);
      expect(new Set(fields.map((field) => field.getRootNode()))).to.deep.equal(
        new Set([mounted.root]),
      );
      expect(new Set(fields.map(({ form }) => form))).to.deep.equal(
        new Set([mounted.root.querySelector('form')]),
      );
      expect(fields.filter(({ id }) => id === '')).to.deep.equal([]);
    });
  }
});

describe('the home address', () => {
  const sameAsBusiness = 'owner/homeSameAsBusiness';

  it('is asked only when it differs', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner');
    const asked = () =>
      fieldsOf(mounted)
        .filter(({ name }) => name.startsWith('owner/homeAddress'))
        .map(toRow)
        .join('\n');
    expect(asked()).to.equal('');
    answer(mounted, sameAsBusiness, 'yes');
    await mounted.element.updateComplete;
    expect(asked()).to.equal('');
    answer(mounted, sameAsBusiness, 'no');
    await mounted.element.updateComplete;
    expect(asked()).to.equal(toLines(homeAddress));
  });

  it('names the business address in its question', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner', { 'business/address/suite': 'Suite 4' });
    expect(
      mounted.root.querySelector('#owner-homeSameAsBusiness-hint')?.textContent?.trim(),
    ).to.equal('100 Main St, Suite 4, Austin, Texas 78701-1234');
  });

  it('has an error until the question is answered', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner');
    mounted.root.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
    await mounted.element.updateComplete;
    const error = () =>
      mounted.root.querySelector('#owner-homeSameAsBusiness-error:not(.corrected)');
    expect(error()?.textContent).to.include('Choose whether your home address is the same');
    answer(mounted, sameAsBusiness, 'yes');
    await mounted.element.updateComplete;
    expect(error()).to.equal(null);
  });

  it('keeps its answers while it is hidden', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner');
    answer(mounted, sameAsBusiness, 'no');
    await mounted.element.updateComplete;
    answer(mounted, 'owner/homeAddress/street', '7 Elm St');
    answer(mounted, sameAsBusiness, 'yes');
    await mounted.element.updateComplete;
    expect(mounted.root.querySelector('#owner-homeAddress-street')).to.equal(null);
    answer(mounted, sameAsBusiness, 'no');
    await mounted.element.updateComplete;
    const street = mounted.root.querySelector<HTMLInputElement>('#owner-homeAddress-street');
    expect(street?.value).to.equal('7 Elm St');
  });

  it('does not move its question when it is hidden', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner');
    const top = () =>
      mounted.root.querySelector('#owner-homeSameAsBusiness')?.getBoundingClientRect().top;
    const before = top();
    answer(mounted, sameAsBusiness, 'yes');
    await mounted.element.updateComplete;
    expect(top()).to.equal(before);
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

  const mountBusiness = async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'business');
    const find = (id: string) => mounted.root.querySelector<HTMLInputElement>(`#${id}`)!;
    return { mounted, find };
  };

  it('of a touch keyboard focuses the next field', async () => {
    const { mounted, find } = await mountBusiness();
    find('business-name').focus();
    expect(pressEnter(find('business-name'), true)).to.equal(true);
    expect(mounted.root.activeElement?.id).to.equal('business-type');
  });

  it('of a touch keyboard submits the form in the last field', async () => {
    const { find } = await mountBusiness();
    expect(pressEnter(find('business-employees'), true)).to.equal(false);
  });

  it('of other keyboards submits the form', async () => {
    const { find } = await mountBusiness();
    expect(pressEnter(find('business-name'), false)).to.equal(false);
  });
});

describe('a field with an error', () => {
  it('does not move to the side for its bar', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'business');
    await import('../../../widget/fields/masks.ts');
    const places = () =>
      [...mounted.root.querySelectorAll('.field :is(label, legend, .control, .framed)')].map(
        (part) => {
          const { left, width } = part.getBoundingClientRect();
          return [left, width];
        },
      );
    const before = places();
    mounted.root.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
    await mounted.element.updateComplete;
    expect(mounted.root.querySelectorAll('.field.wrong').length).to.be.greaterThan(5);
    expect(places()).to.deep.equal(before);
  });
});

describe('the founding date', () => {
  it('is shown as an age on a line that was free before', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'business');
    const output = () => mounted.root.querySelector('.meaning');
    const below = () =>
      mounted.root.querySelector('#business-employees')?.getBoundingClientRect().top;
    const before = below();
    answer(mounted, 'business/foundedMonth', 'March');
    expect(output()?.textContent).to.equal('');
    answer(mounted, 'business/foundedYear', String(new Date().getUTCFullYear() - 9));
    await mounted.element.updateComplete;
    expect(output()?.textContent).to.match(/^\d years?( and \d+ months?)? in business$/);
    expect(below()).to.equal(before);
  });
});

describe('a secret field', () => {
  const ssn = ({ root }: Mounted) => root.querySelector<HTMLInputElement>('#owner-ssn');
  const isDotted = (mounted: Mounted) => {
    const input = ssn(mounted);
    return input && getComputedStyle(input).getPropertyValue('-webkit-text-security') === 'disc';
  };
  const button = ({ root }: Mounted) =>
    root.querySelector<HTMLButtonElement>('[aria-controls="owner-ssn"]');

  it('shows dots unless it has the focus', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'identity');
    answer(mounted, 'owner/ssn', '219-09-9999');
    expect(isDotted(mounted)).to.equal(true);
    ssn(mounted)?.focus();
    expect(isDotted(mounted)).to.equal(false);
    ssn(mounted)?.blur();
    expect(isDotted(mounted)).to.equal(true);
  });

  it('is readable after a press on Show', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'identity');
    const nameOf = () => button(mounted)?.textContent?.replaceAll(/\s+/g, ' ').trim();
    expect(nameOf()).to.equal('Show Social Security number (SSN)');
    button(mounted)?.click();
    await mounted.element.updateComplete;
    expect(isDotted(mounted)).to.equal(false);
    expect(nameOf()).to.equal('Hide Social Security number (SSN)');
    expect(button(mounted)?.hasAttribute('aria-pressed')).to.equal(false);
  });

  it('says that it is optional if the partner does not require it', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'identity');
    const hint = mounted.root.querySelector('#owner-ssn-hint');
    expect(hint?.textContent).to.include('You can leave this blank');
    expect(ssn(mounted)?.getAttribute('aria-describedby')).to.equal('owner-ssn-hint');
  });
});

function fieldsOf({ root }: Mounted): readonly (HTMLInputElement | HTMLSelectElement)[] {
  const fields = root.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select');
  // The box about the draft is no field of the application.
  return [...fields].filter(
    (field) => !field.closest('.honeypot') && field.id !== 'keep-on-device',
  );
}

function toLines(table: string): string {
  return table.trim().replaceAll(/\n\s+/g, '\n');
}

function toRow(field: HTMLInputElement | HTMLSelectElement): string {
  const label = [...(field.labels ?? [])].map(({ textContent }) => textContent?.trim()).join();
  const type = field instanceof HTMLSelectElement ? 'select' : field.type;
  const hints = ['inputmode', 'autocomplete', 'enterkeyhint', 'autocapitalize'].map(
    (name) => field.getAttribute(name) ?? '-',
  );
  return `${field.name}: ${[label.replaceAll(/\s+/g, ' '), type, ...hints].join(' | ')}`;
}
