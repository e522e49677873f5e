// Advice below fields: how an amount was read, amounts outside the range, mistyped mail domains, and the place of a ZIP code.

import { expect, nextFrame } from '@open-wc/testing';
import type { FormStepId } from '../../../widget/app/navigation.ts';
import { expectGood } from '../../support/axe.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, type FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import { mountWidget, type Mounted, waitForFormChunk } from '../../support/mount-widget.ts';
import { pressKey, typeKeys } from '../../support/type-keys.ts';
import { waitUntil } from '../../support/wait-until.ts';

const amount = 'fundingNeed-amount';
const withRange = (fundingNeed: { minimum?: number; maximum?: number }) => ({
  configuration: ok(createConfiguration({ fundingNeed })),
});

const control = (mounted: Mounted, id: string) => mounted.find<HTMLInputElement>(`input#${id}`);

describe('an amount', () => {
  for (const [typed, advice] of [
    ['75k', 'That is $75,000'],
    ['1250.50', 'That is $1,251'],
    ['75,50', 'We can’t tell the amount. Enter it in numbers, like 75,000.'],
    ['25.000', 'Did you mean $25,000?'],
    ['$75,000.00', ''],
    ['75000', ''],
  ] as const) {
    it(`typed as ${typed} has the advice “${advice}” when it is left`, async () => {
      const mounted = await focusField('funding-need', amount);
      await typeKeys(typed);
      expect(adviceOf(mounted, amount)).to.equal('');
      await leave(mounted);
      expect(adviceOf(mounted, amount).startsWith(advice)).to.equal(true);
      expect(adviceOf(mounted, amount) === '').to.equal(advice === '');
    });
  }

  it('is described by its advice, in a place that was free before', async () => {
    const mounted = await focusField('funding-need', amount);
    const heightOf = () => mounted.find(`#${amount}-advice`).getBoundingClientRect().height;
    const describedBy = () => control(mounted, amount).getAttribute('aria-describedby');
    expect(describedBy()).to.equal(`${amount}-hint`);
    expect(heightOf()).to.equal(0);
    await typeKeys('75k');
    await leave(mounted);
    expect(describedBy()).to.equal(`${amount}-hint ${amount}-advice`);
    expect(heightOf()).to.be.greaterThan(10);
    control(mounted, amount).focus();
    await typeKeys('5');
    await mounted.element.updateComplete;
    expect(adviceOf(mounted, amount)).to.equal('');
  });

  it('with two meanings is corrected with one press', async () => {
    const mounted = await focusField('funding-need', amount);
    await typeKeys('25.000');
    await leave(mounted);
    await mounted.press('Continue');
    expect(mounted.root.querySelector(`#${amount}-error`)).to.not.equal(null);
    await mounted.press('Yes, use 25,000');
    await nextFrame();
    expect(control(mounted, amount).value).to.equal('25,000');
    expect(mounted.root.activeElement?.id).to.equal(amount);
    expect(adviceOf(mounted, amount)).to.equal('That is $25,000');
    expect(control(mounted, amount).getAttribute('aria-invalid')).to.equal(null);
  });
});

describe('the range of the partner', () => {
  const range = { minimum: 5_000, maximum: 500_000 };

  for (const [limits, hint] of [
    [range, 'From $5,000 to $500,000, in whole dollars'],
    [{ minimum: 5_000 }, 'From $5,000 to $999,999,999, in whole dollars'],
    [{ maximum: 500_000 }, 'From $1 to $500,000, in whole dollars'],
    [{}, 'Whole dollars only'],
  ] as const) {
    it(`${JSON.stringify(limits)} has the hint “${hint}”`, async () => {
      const mounted = await focusField('funding-need', amount, withRange(limits));
      expect(mounted.find(`#${amount}-hint`).textContent).to.equal(hint);
    });
  }

  it('is named when an amount outside of it is left', async () => {
    const mounted = await focusField('funding-need', amount, withRange(range));
    await typeKeys('4999');
    expect(adviceOf(mounted, amount)).to.equal('');
    await leave(mounted);
    expect(adviceOf(mounted, amount)).to.equal('Enter an amount from $5,000 to $500,000');
    await expectGood(mounted);
  });

  it('also applies to a suggested amount', async () => {
    const mounted = await focusField('funding-need', amount, withRange(range));
    await typeKeys('1.500');
    await leave(mounted);
    await mounted.press('Yes, use 1,500');
    expect(adviceOf(mounted, amount)).to.include('Enter an amount from $5,000');
  });

  it('is an error on Continue', async () => {
    const mounted = await focusField('funding-need', amount, withRange(range));
    await typeKeys('1m');
    await leave(mounted);
    await mounted.press('Continue');
    expect(mounted.find(`#${amount}-error`).textContent).to.include(
      'Enter an amount of $500,000 or less',
    );
    expect(adviceOf(mounted, amount)).to.equal('');
  });
});

describe('a mistyped mail domain', () => {
  const typeEmail = async () => {
    const mounted = await focusField('owner', 'owner-email');
    await import('../../../widget/form/email-domains.ts');
    await typeKeys('ana@gmial.com');
    await pressKey('Tab');
    await waitUntil(() => adviceOf(mounted, 'owner-email') !== '');
    return mounted;
  };

  it('is corrected with one press', async () => {
    const mounted = await typeEmail();
    expect(adviceOf(mounted, 'owner-email')).to.equal('Did you mean ana@gmail.com?');
    await expectGood(mounted);
    await mounted.press('Yes, use ana@gmail.com');
    await nextFrame();
    expect(control(mounted, 'owner-email').value).to.equal('ana@gmail.com');
    expect(mounted.root.activeElement?.id).to.equal('owner-email');
    expect(adviceOf(mounted, 'owner-email')).to.equal('');
  });

  it('stays when the applicant says so', async () => {
    const mounted = await typeEmail();
    await mounted.press('No, keep what I entered');
    expect(control(mounted, 'owner-email').value).to.equal('ana@gmial.com');
    expect(adviceOf(mounted, 'owner-email')).to.equal('');
  });

  it('never prevents Continue', async () => {
    const mounted = await typeEmail();
    answerAll(mounted, {
      'owner/firstName': 'Ana',
      'owner/lastName': 'Ruiz',
      'owner/phone': '5125550134',
      'owner/homeSameAsBusiness': 'yes',
    });
    await mounted.press('Continue');
    expect(mounted.find('h2').textContent).to.include('Confirm your identity');
  });
});

describe('a ZIP code', () => {
  const zip = 'business-address-zip';
  const cityOf = (mounted: Mounted) => control(mounted, 'business-address-city').value;
  const stateOf = (mounted: Mounted) => control(mounted, 'business-address-state').value;
  const mountZip = (place: { city: string; state: string } | null = austin) =>
    focusField('business', zip, { place: ok({ place }) });

  /** Austin was filled in. The BFF responds to the next ZIP code with this place. */
  const mountAustin = async (place: FakeFundingApi['place']) => {
    const mounted = await mountZip();
    await typeKeys('78701');
    await waitUntil(() => cityOf(mounted) === 'Austin');
    mounted.api.place = place;
    control(mounted, zip).select();
    await typeKeys('15222');
    return mounted;
  };

  it('fills in city and state', async () => {
    const mounted = await mountZip();
    await typeKeys('78701');
    await waitUntil(() => cityOf(mounted) === 'Austin');
    expect(stateOf(mounted)).to.equal('Texas (TX)');
    expect(mounted.api.requestedZips).to.deep.equal(['78701']);
    expect(adviceOf(mounted, zip)).to.include('Filled in from the ZIP code: Austin, Texas.');
  });

  it('never replaces what the applicant has typed', async () => {
    const mounted = await mountZip();
    mounted.answer('business/address/city', 'West Lake Hills');
    await typeKeys('78701');
    await waitUntil(() => stateOf(mounted) === 'Texas (TX)');
    expect(cityOf(mounted)).to.equal('West Lake Hills');
    expect(mounted.api.requestedZips).to.deep.equal([]);
  });

  for (const [what, place, city] of [
    ['replaces', ok({ place: { city: 'Pittsburgh', state: 'PA' } }), 'Pittsburgh'],
    ['removes, if its own city is not known,', fail('network'), ''],
  ] as const) {
    it(`${what} what an earlier ZIP code has filled in`, async () => {
      const mounted = await mountAustin(place);
      await waitUntil(() => cityOf(mounted) === city);
      expect(stateOf(mounted)).to.equal('Pennsylvania (PA)');
    });
  }

  it('fills in the state without a BFF that knows cities', async () => {
    const mounted = await mountZip(null);
    await typeKeys('00901');
    await waitUntil(() => stateOf(mounted) === 'Puerto Rico (PR)');
    expect(cityOf(mounted)).to.equal('');
  });

  it('of another state has a hint', async () => {
    const mounted = await mountZip();
    mounted.answer('business/address/state', 'PA');
    await typeKeys('78701');
    await leave(mounted);
    expect(adviceOf(mounted, zip)).to.equal(
      'This ZIP code is in Texas. Check the ZIP code and the state.',
    );
    await expectGood(mounted);
  });

  it('selects the city that it fills in while the field has the focus', async () => {
    const mounted = await mountZip();
    await typeKeys('78701');
    await pressKey('Tab');
    await waitUntil(() => cityOf(mounted) === 'Austin');
    await typeKeys('Waco');
    expect(cityOf(mounted)).to.equal('Waco');
  });

  it('of a browser’s autofill changes nothing that the browser has filled in', async () => {
    const mounted = await mountZip();
    control(mounted, zip).blur();
    answerAll(mounted, {
      'business/address/zip': '78701',
      'business/address/city': 'Rollingwood',
      'business/address/state': 'TX',
    });
    await nextFrame();
    await nextFrame();
    await mounted.element.updateComplete;
    expect(cityOf(mounted)).to.equal('Rollingwood');
    expect(mounted.api.requestedZips).to.deep.equal([]);
  });
});

const austin = { city: 'Austin', state: 'TX' };

async function focusField(
  step: FormStepId,
  id: string,
  bff: Partial<FakeFundingApi> = {},
): Promise<Mounted> {
  const mounted = await mountWidget(bff);
  // The addresses of the other steps are not looked up.
  await mounted.fillUpTo(step);
  mounted.api.requestedZips.length = 0;
  await waitForFormChunk();
  const input = control(mounted, id);
  input.focus();
  await waitUntil(() => mounted.root.activeElement === input);
  return mounted;
}

async function leave({ element }: Mounted): Promise<void> {
  await pressKey('Tab');
  await element.updateComplete;
}

function answerAll(mounted: Mounted, answers: Readonly<Record<string, string>>): void {
  for (const [path, value] of Object.entries(answers)) mounted.answer(path, value);
}

function adviceOf(mounted: Mounted, id: string): string {
  return mounted.find(`output#${id}-advice`).textContent?.trim() ?? '';
}
