// The form: focus, errors, fields.

import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  answer,
  fillForm,
  headingOf,
  mountWidget,
  press,
  textOf,
  type Mounted,
} from '../support/mount-widget.ts';

const focused = ({ root }: Mounted) => root.activeElement;

describe('the steps', () => {
  it('do not take the focus when the page is opened', async () => {
    const mounted = await mountWidget();
    expect(focused(mounted)).to.equal(null);
  });

  it('give the focus to their heading and say where the applicant is', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', '75,000');
    answer(mounted, 'fundingNeed/reason', 'Equipment');
    await press(mounted, 'Continue');
    expect(headingOf(mounted)).to.equal('Tell us about your business');
    expect(focused(mounted)?.id).to.equal('step-heading');
    expect(textOf(mounted)).to.include('Step 2 of 6 · Your business');
  });

  it('count one less where no bank can be connected', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ bankConnection: 'off' }));
    expect(textOf(await mountWidget(api))).to.include('Step 1 of 5');
  });

  it('tell the host page which one is shown, and nothing else', async () => {
    const mounted = await mountWidget();
    const seen: unknown[] = [];
    mounted.element.addEventListener('funding-step', (event) => seen.push(event.step));
    await fillForm(mounted);
    expect(seen).to.deep.equal(['business', 'owner', 'review']);
  });

  it('keep every answer on the way back', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    await press(mounted, 'Back');
    await press(mounted, 'Back');
    const name = mounted.root.querySelector<HTMLInputElement>('#business-name');
    expect(name?.value).to.equal('Rosa’s Bakery LLC');
  });
});

describe('errors', () => {
  it('are listed above the step in the words of the fields, and each link leads to its field', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', '1');
    answer(mounted, 'fundingNeed/reason', 'Equipment');
    await press(mounted, 'Continue');
    await press(mounted, 'Continue');
    expect(focused(mounted)?.id).to.equal('error-summary');

    const links = [...mounted.root.querySelectorAll<HTMLAnchorElement>('#error-summary a')];
    const inline = [...mounted.root.querySelectorAll('.field > .error > span')].map((error) =>
      error.textContent?.replace('Error:', '').trim(),
    );
    expect(links.map((link) => link.textContent?.trim())).to.deep.equal(inline);
    expect(links.length).to.equal(10);
    for (const link of links) {
      link.click();
      await mounted.element.updateComplete;
      await aTimeout(0);
      const field = focused(mounted);
      expect(field?.matches('input, select'), link.textContent ?? '').to.equal(true);
      expect(field?.getAttribute('aria-invalid')).to.equal('true');
      expect(field?.closest('.field.wrong')).to.not.equal(null);
    }
  });

  it('leave a field while it is typed right, and keep what was typed wrong', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', 'a lot');
    await press(mounted, 'Continue');
    const amount = mounted.root.querySelector<HTMLInputElement>('#fundingNeed-amount');
    expect(amount?.value).to.equal('a lot');
    expect(mounted.root.querySelectorAll('.error').length).to.equal(2);
    answer(mounted, 'fundingNeed/amount', '75,000');
    await mounted.element.updateComplete;
    expect(mounted.root.querySelectorAll('.error').length).to.equal(1);
  });
});

describe('the fields', () => {
  it('are native, named, labelled, in one form and one root', async () => {
    const mounted = await mountWidget();
    for (let step = 0; step < 3; step += 1) {
      const form = mounted.root.querySelector('form');
      for (const field of mounted.root.querySelectorAll<HTMLInputElement>('input, select')) {
        expect(field.getRootNode()).to.equal(mounted.root);
        expect(field.form).to.equal(form);
        expect(field.name, field.id).to.not.equal('');
        expect(field.labels?.length, field.name).to.equal(1);
        if (field.type !== 'checkbox' && field.type !== 'radio') {
          expect(field.getAttribute('autocomplete'), field.name).to.not.equal(null);
        }
      }
      await advance(mounted, step);
    }
  });

  it('tell autofill what they hold', async () => {
    const mounted = await mountWidget();
    const tokens = new Map<string, string>();
    for (let step = 0; step < 3; step += 1) {
      for (const field of mounted.root.querySelectorAll<HTMLInputElement>('[autocomplete]')) {
        tokens.set(field.name, field.getAttribute('autocomplete') ?? '');
      }
      await advance(mounted, step);
    }
    const wanted = {
      'business/name': 'organization',
      'business/address/street': 'section-business address-line1',
      'business/address/city': 'section-business address-level2',
      'business/address/state': 'section-business address-level1',
      'business/address/zip': 'section-business postal-code',
      'owner/firstName': 'given-name',
      'owner/lastName': 'family-name',
      'owner/email': 'email',
      'owner/phone': 'tel',
      'owner/homeAddress/street': 'section-home address-line1',
      'owner/homeAddress/zip': 'section-home postal-code',
      'owner/birthDate/month': 'bday-month',
      'owner/birthDate/day': 'bday-day',
      'owner/birthDate/year': 'bday-year',
      'owner/ssn': 'off',
      'business/taxId': 'off',
    };
    for (const [name, token] of Object.entries(wanted))
      expect(tokens.get(name), name).to.equal(token);
  });

  it('hide a Social Security number once it is left, and show it on demand', async () => {
    const mounted = await mountWidget();
    await advance(mounted, 0);
    await advance(mounted, 1);
    const security = () => {
      const input = mounted.root.querySelector('#owner-ssn');
      return input ? getComputedStyle(input).getPropertyValue('-webkit-text-security') : '';
    };
    answer(mounted, 'owner/ssn', '219-09-9999');
    expect(security()).to.equal('disc');
    mounted.root.querySelector<HTMLInputElement>('#owner-ssn')?.focus();
    expect(security()).to.equal('none');
    mounted.root.querySelector<HTMLInputElement>('#owner-ssn')?.blur();
    await press(mounted, 'Show Social Security');
    expect(security()).to.equal('none');
  });

  it('pick an industry with the keyboard alone', async () => {
    const mounted = await mountWidget();
    await advance(mounted, 0);
    const input = mounted.root.querySelector<HTMLInputElement>('#business-industry');
    if (!input) throw new Error('There is no industry field');
    input.focus();
    input.value = 'food';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await mounted.element.updateComplete;
    expect(input.getAttribute('aria-expanded')).to.equal('true');
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    const active = input.getAttribute('aria-activedescendant') ?? '';
    expect(mounted.root.getElementById(active)?.textContent?.trim()).to.equal('Food & Beverage');
    input.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
    await mounted.element.updateComplete;
    expect(input.value).to.equal('Food & Beverage');
    expect(mounted.root.querySelector('[role="listbox"]')).to.equal(null);
    expect(input.getAttribute('role')).to.equal('combobox');
    expect(input.getAttribute('aria-expanded')).to.equal('false');
  });
});

describe('the element', () => {
  it('takes what was set before it was connected, and survives being moved', async () => {
    const api = new FakeFundingApi();
    const element = document.createElement('funding-application');
    element.api = api;
    document.body.append(element);
    await waitUntil(() => element.shadowRoot?.querySelector('#fundingNeed-amount'));
    const other = document.createElement('div');
    document.body.append(other);
    other.append(element);
    await element.updateComplete;
    expect(api.sessionsOpened).to.equal(1);
    other.remove();
  });

  it('marks as optional what the partner does not require', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ requiredFields: ['taxId'] }));
    const mounted = await mountWidget(api);
    await advance(mounted, 0);
    const labelOf = (id: string) => mounted.root.querySelector(`label[for="${id}"]`)?.textContent;
    expect(labelOf('business-taxId')).to.not.include('(optional)');
    expect(labelOf('business-employees')).to.include('(optional)');
  });

  it('drops the errors of fields that are no longer asked for', async () => {
    const mounted = await mountWidget();
    await advance(mounted, 0);
    await advance(mounted, 1);
    await press(mounted, 'Continue');
    const summary = () => mounted.root.querySelector('#error-summary')?.textContent ?? '';
    expect(summary()).to.include('Enter the street address');
    answer(mounted, 'owner/homeSameAsBusiness', 'yes');
    await mounted.element.updateComplete;
    expect(summary()).to.not.include('Enter the street address');
  });
});

describe('two applications on one page', () => {
  it('do not disturb each other', async () => {
    const [one, other] = [await mountWidget(), await mountWidget()];
    answer(one, 'fundingNeed/amount', '10,000');
    answer(other, 'fundingNeed/amount', '20,000');
    await press(one, 'Continue');
    expect(one.root.querySelectorAll('.error').length).to.equal(1);
    expect(other.root.querySelectorAll('.error').length).to.equal(0);
    const amount = other.root.querySelector<HTMLInputElement>('#fundingNeed-amount');
    expect(amount?.value).to.equal('20,000');
  });
});

/** Fills in the step that is shown, by its number, and goes on. */
async function advance(mounted: Mounted, step: number): Promise<void> {
  const { completeDraft } = await import('../support/draft.ts');
  const part = ['fundingNeed', 'business', 'owner'][step] ?? '';
  for (const [path, value] of Object.entries(completeDraft)) {
    if (!path.startsWith(`${part}/`)) continue;
    answer(mounted, path, value);
  }
  await press(mounted, 'Continue');
}
