// Advice below fields: how an amount was read, amounts outside the range, mistyped mail domains, and the place of a ZIP code.

import { expect, nextFrame } from '@open-wc/testing';
import type { FormStepId } from '../../../widget/app/navigation.ts';
import { expectGood } from '../../support/axe.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import {
  answer,
  fillUpTo,
  mountWidget,
  press,
  type Mounted,
  waitForFormChunk,
} from '../../support/mount-widget.ts';
import { pressKey, typeKeys } from '../../support/type-keys.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('an amount', () => {
  for (const [typed, advice] of [
    ['75k', 'That is $75,000'],
    ['1.5 million', 'That is $1,500,000'],
    ['1250.50', 'That is $1,251'],
    ['75,50', 'We can’t tell the amount. Enter it in numbers, like 75,000.'],
    ['$75,000.00', ''],
    ['75000', ''],
  ] as const) {
    it(`typed as ${typed} has the advice “${advice}” when it is left`, async () => {
      const mounted = await focusField('funding-need', 'fundingNeed-amount');
      await typeKeys(typed);
      expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal('');
      await pressKey('Tab');
      await mounted.element.updateComplete;
      expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal(advice);
    });
  }

  it('has no advice while it is typed again', async () => {
    const mounted = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('75k');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    control(mounted, 'fundingNeed-amount').focus();
    await typeKeys('5');
    await mounted.element.updateComplete;
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal('');
  });

  it('with two meanings is corrected with one press', async () => {
    const mounted = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('25.000');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal('Did you mean $25,000?');
    await press(mounted, 'Yes, use 25,000');
    await nextFrame();
    expect(control(mounted, 'fundingNeed-amount').value).to.equal('25,000');
    expect(mounted.root.activeElement?.id).to.equal('fundingNeed-amount');
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal('That is $25,000');
  });

  it('with two meanings stays an error until it is corrected', async () => {
    const mounted = await focusField('funding-need', 'fundingNeed-amount');
    await typeKeys('25.000');
    await pressKey('Tab');
    await press(mounted, 'Continue');
    expect(mounted.root.querySelector('#fundingNeed-amount-error')).to.not.equal(null);
    await press(mounted, 'Yes, use 25,000');
    expect(mounted.root.querySelector('#fundingNeed-amount-error:not(.corrected)')).to.equal(null);
  });

  it('describes its field', async () => {
    const mounted = await focusField('funding-need', 'fundingNeed-amount');
    const describedBy = () =>
      control(mounted, 'fundingNeed-amount').getAttribute('aria-describedby');
    expect(describedBy()).to.equal('fundingNeed-amount-hint');
    await typeKeys('75k');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    expect(describedBy()).to.equal('fundingNeed-amount-hint fundingNeed-amount-advice');
  });

  it('does not move the button that is pressed to leave the field', async () => {
    const mounted = await focusField('funding-need', 'fundingNeed-amount');
    const advice = mounted.root.querySelector('.advice');
    expect(advice?.getBoundingClientRect().height).to.equal(0);
    await typeKeys('75k');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    expect(advice?.getBoundingClientRect().height).to.be.greaterThan(10);
  });
});

describe('the range of the partner', () => {
  const mountWithRange = async (fundingNeed: { minimum?: number; maximum?: number }) => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ fundingNeed }));
    return focusField('funding-need', 'fundingNeed-amount', api);
  };

  for (const [range, hint] of [
    [{ minimum: 5_000, maximum: 500_000 }, 'From $5,000 to $500,000, in whole dollars'],
    [{ minimum: 5_000 }, 'From $5,000 to $999,999,999, in whole dollars'],
    [{ maximum: 500_000 }, 'From $1 to $500,000, in whole dollars'],
    [{}, 'Whole dollars only'],
  ] as const) {
    it(`${JSON.stringify(range)} has the hint “${hint}”`, async () => {
      const mounted = await mountWithRange(range);
      const text = mounted.root.querySelector('#fundingNeed-amount-hint')?.textContent;
      expect(text).to.equal(hint);
    });
  }

  it('is named when an amount outside of it is left', async () => {
    const mounted = await mountWithRange({ minimum: 5_000, maximum: 500_000 });
    await typeKeys('4999');
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal('');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    const advice = 'Enter an amount from $5,000 to $500,000';
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal(advice);
  });

  it('also applies to a suggested amount', async () => {
    const mounted = await mountWithRange({ minimum: 5_000 });
    await typeKeys('1.500');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    await press(mounted, 'Yes, use 1,500');
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.include('Enter an amount from $5,000');
  });

  it('is an error on Continue', async () => {
    const mounted = await mountWithRange({ minimum: 5_000, maximum: 500_000 });
    await typeKeys('1m');
    await pressKey('Tab');
    await press(mounted, 'Continue');
    const error = mounted.root.querySelector('#fundingNeed-amount-error');
    expect(error?.textContent).to.include('Enter an amount of $500,000 or less');
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.equal('');
  });
});

describe('a mistyped mail domain', () => {
  const typeEmail = async (email: string) => {
    const mounted = await focusField('owner', 'owner-email');
    await import('../../../widget/form/email-domains.ts');
    await typeKeys(email);
    await pressKey('Tab');
    await nextFrame();
    await mounted.element.updateComplete;
    return mounted;
  };

  it('is corrected with one press', async () => {
    const mounted = await typeEmail('ana@gmial.com');
    expect(adviceOf(mounted, 'owner-email')).to.equal('Did you mean ana@gmail.com?');
    await press(mounted, 'Yes, use ana@gmail.com');
    await nextFrame();
    expect(control(mounted, 'owner-email').value).to.equal('ana@gmail.com');
    expect(mounted.root.activeElement?.id).to.equal('owner-email');
    expect(adviceOf(mounted, 'owner-email')).to.equal('');
  });

  it('stays when the applicant says so', async () => {
    const mounted = await typeEmail('ana@gmial.com');
    await press(mounted, 'No, keep what I entered');
    expect(control(mounted, 'owner-email').value).to.equal('ana@gmial.com');
    expect(adviceOf(mounted, 'owner-email')).to.equal('');
  });

  it('never prevents Continue', async () => {
    const mounted = await typeEmail('ana@gmial.com');
    for (const [path, value] of [
      ['owner/firstName', 'Ana'],
      ['owner/lastName', 'Ruiz'],
      ['owner/phone', '5125550134'],
      ['owner/homeSameAsBusiness', 'yes'],
    ] as const)
      answer(mounted, path, value);
    await press(mounted, 'Continue');
    expect(mounted.root.querySelector('h2')?.textContent).to.include('Confirm your identity');
  });
});

describe('a ZIP code', () => {
  const zip = 'business-address-zip';
  const cityOf = (mounted: Mounted) => control(mounted, 'business-address-city').value;
  const stateOf = (mounted: Mounted) => control(mounted, 'business-address-state').value;

  const mountBusiness = (place: { city: string; state: string } | null = austin) => {
    const api = new FakeFundingApi();
    api.place = ok({ place });
    return focusField('business', zip, api);
  };

  it('fills in city and state', async () => {
    const mounted = await mountBusiness();
    await typeKeys('78701');
    await waitUntil(() => cityOf(mounted) === 'Austin');
    expect(stateOf(mounted)).to.equal('Texas (TX)');
    expect(mounted.api.requestedZips).to.deep.equal(['78701']);
    expect(adviceOf(mounted, zip)).to.include('Filled in from the ZIP code: Austin, Texas.');
  });

  it('never replaces what the applicant has typed', async () => {
    const mounted = await mountBusiness();
    answer(mounted, 'business/address/city', 'West Lake Hills');
    await typeKeys('78701');
    await waitUntil(() => stateOf(mounted) === 'Texas (TX)');
    expect(cityOf(mounted)).to.equal('West Lake Hills');
    expect(mounted.api.requestedZips).to.deep.equal([]);
  });

  it('replaces what an earlier ZIP code has filled in', async () => {
    const mounted = await mountBusiness();
    await typeKeys('78701');
    await waitUntil(() => cityOf(mounted) === 'Austin');
    mounted.api.place = ok({ place: { city: 'Pittsburgh', state: 'PA' } });
    control(mounted, zip).select();
    await typeKeys('15222');
    await waitUntil(() => cityOf(mounted) === 'Pittsburgh');
    expect(stateOf(mounted)).to.equal('Pennsylvania (PA)');
  });

  it('removes the city of an earlier ZIP code if its own is not known', async () => {
    const mounted = await mountBusiness();
    await typeKeys('78701');
    await waitUntil(() => cityOf(mounted) === 'Austin');
    mounted.api.place = fail('network');
    control(mounted, zip).select();
    await typeKeys('15222');
    await waitUntil(() => cityOf(mounted) === '');
    expect(stateOf(mounted)).to.equal('Pennsylvania (PA)');
  });

  it('fills in the state without a BFF that knows cities', async () => {
    const mounted = await mountBusiness(null);
    await typeKeys('00901');
    await waitUntil(() => stateOf(mounted) === 'Puerto Rico (PR)');
    expect(cityOf(mounted)).to.equal('');
  });

  it('of another state has a hint', async () => {
    const mounted = await mountBusiness();
    answer(mounted, 'business/address/state', 'PA');
    await typeKeys('78701');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    expect(adviceOf(mounted, zip)).to.equal(
      'This ZIP code is in Texas. Check the ZIP code and the state.',
    );
  });

  it('selects the city that it fills in while the field has the focus', async () => {
    const mounted = await mountBusiness();
    await typeKeys('78701');
    await pressKey('Tab');
    await waitUntil(() => cityOf(mounted) === 'Austin');
    await typeKeys('Waco');
    expect(cityOf(mounted)).to.equal('Waco');
  });

  it('of a browser’s autofill changes nothing that the browser has filled in', async () => {
    const mounted = await mountBusiness();
    control(mounted, zip).blur();
    for (const [path, value] of [
      ['business/address/zip', '78701'],
      ['business/address/city', 'Rollingwood'],
      ['business/address/state', 'TX'],
    ] as const)
      answer(mounted, path, value);
    await nextFrame();
    await nextFrame();
    await mounted.element.updateComplete;
    expect(cityOf(mounted)).to.equal('Rollingwood');
    expect(mounted.api.requestedZips).to.deep.equal([]);
  });
});

describe('advice', () => {
  it('has no violation below an amount', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ fundingNeed: { minimum: 5_000 } }));
    const mounted = await focusField('funding-need', 'fundingNeed-amount', api);
    await typeKeys('1k');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    expect(adviceOf(mounted, 'fundingNeed-amount')).to.not.equal('');
    await expectGood(mounted);
  });

  it('has no violation below an address', async () => {
    const mounted = await focusField('business', 'business-address-zip');
    answer(mounted, 'business/address/state', 'PA');
    await typeKeys('78701');
    await pressKey('Tab');
    await mounted.element.updateComplete;
    expect(adviceOf(mounted, 'business-address-zip')).to.not.equal('');
    await expectGood(mounted);
  });

  it('has no violation below an email address', async () => {
    const mounted = await focusField('owner', 'owner-email');
    await typeKeys('ana@gmial.com');
    await pressKey('Tab');
    await waitUntil(() => adviceOf(mounted, 'owner-email') !== '');
    answer(mounted, 'owner/homeSameAsBusiness', 'no');
    await mounted.element.updateComplete;
    await expectGood(mounted);
  });
});

const austin = { city: 'Austin', state: 'TX' };

async function focusField(
  step: FormStepId,
  id: string,
  api = new FakeFundingApi(),
): Promise<Mounted> {
  const mounted = await mountWidget(api);
  // The addresses of the other steps are not looked up.
  await fillUpTo(mounted, step);
  api.requestedZips.length = 0;
  await waitForFormChunk();
  const input = control(mounted, id);
  input.focus();
  await waitUntil(() => mounted.root.activeElement === input);
  return mounted;
}

function control({ root }: Mounted, id: string): HTMLInputElement {
  const input = root.querySelector<HTMLInputElement>(`input#${id}`);
  if (!input) throw new Error(`Field ${id} is missing`);
  return input;
}

function adviceOf({ root }: Mounted, id: string): string {
  const region = root.querySelector(`output#${id}-advice`);
  if (!region) throw new Error(`Field ${id} has no place for advice`);
  return region.textContent?.trim() ?? '';
}
