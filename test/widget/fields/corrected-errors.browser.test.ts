// Corrections of answers: the message in the field, and the entry in the error summary.

import { emulateMedia, sendMouse, setViewport } from '@web/test-runner-commands';
import { expect, nextFrame } from '@open-wc/testing';
import { type Mounted, mountWidget } from '../../support/mount-widget.ts';
import { typeKeys } from '../../support/type-keys.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('a corrected error', () => {
  it('hides the summary if it was the last one', async () => {
    const mounted = await mountWithErrors();
    correctReason(mounted);
    mounted.answer('fundingNeed/amount', '75,000');
    await waitUntil(() => mounted.find('#error-summary').getBoundingClientRect().height === 0);
  });

  it('keeps the space of the summary while its field has the focus', async () => {
    const mounted = await mountWithErrors();
    const heightOf = () => mounted.find('#error-summary').getBoundingClientRect().height;
    const before = heightOf();
    mounted.find('#fundingNeed-reason').focus();
    correctReason(mounted);
    await settleTransitions(mounted);
    expect(visibleEntriesOf(mounted)).to.deep.equal(['Enter the amount you need']);
    expect(heightOf()).to.equal(before);
    mounted.find('#fundingNeed-amount').focus();
    await waitUntil(() => heightOf() < before);
  });

  it('is announced with the number of problems that are left', async () => {
    const mounted = await mountWithErrors();
    correctReason(mounted);
    await mounted.element.updateComplete;
    expect(mounted.announcement).to.equal('Corrected. 1 problem is left on this step.');
    mounted.answer('fundingNeed/amount', '75,000');
    await mounted.element.updateComplete;
    expect(mounted.announcement).to.include('Nothing is left to fix on this step.');
  });

  it('no longer describes its control', async () => {
    const mounted = await mountWithErrors();
    correctReason(mounted);
    await mounted.element.updateComplete;
    const reason = mounted.find('#fundingNeed-reason');
    expect(reason.getAttribute('aria-invalid')).to.equal(null);
    expect(reason.getAttribute('aria-describedby')).to.equal(null);
  });

  it('hides its message', async () => {
    const mounted = await mountWithErrors();
    correctReason(mounted);
    const message = mounted.find(reasonError);
    await waitUntil(() => !message.checkVisibility({ visibilityProperty: true }));
  });

  it('keeps its space while its field has the focus', async () => {
    const mounted = await mountWithErrors();
    mounted.find('#fundingNeed-reason').focus();
    const before = spaceAbove(mounted, '#fundingNeed-reason');
    correctReason(mounted);
    await settleTransitions(mounted);
    expect(spaceAbove(mounted, '#fundingNeed-reason')).to.equal(before);
  });

  it('closes its space when the focus leaves the field', async () => {
    const mounted = await mountWidget();
    const before = spaceAbove(mounted, '#fundingNeed-reason');
    await mounted.press('Continue');
    mounted.find('#fundingNeed-reason').focus();
    correctReason(mounted);
    await mounted.element.updateComplete;
    mounted.find('#fundingNeed-amount').focus();
    await waitUntil(() => spaceAbove(mounted, '#fundingNeed-reason') === before);
  });

  it('keeps its space closed when the field gets the focus again', async () => {
    const mounted = await mountWidget();
    const before = spaceAbove(mounted, '#fundingNeed-reason');
    await mounted.press('Continue');
    correctReason(mounted);
    await settleTransitions(mounted);
    mounted.find('#fundingNeed-reason').focus();
    await settleTransitions(mounted);
    expect(spaceAbove(mounted, '#fundingNeed-reason')).to.equal(before);
  });

  // Only Chromium's driver emulates the preference.
  const inChromium = navigator.userAgent.includes('Chrome') ? it : it.skip;
  inChromium(
    'closes its space without a transition if the visitor prefers reduced motion',
    async () => {
      await emulateMedia({ reducedMotion: 'reduce' });
      const mounted = await mountWithErrors();
      correctReason(mounted);
      await mounted.element.updateComplete;
      const { transitionDuration } = getComputedStyle(mounted.find(reasonError));
      await emulateMedia({ reducedMotion: 'no-preference' });
      expect(transitionDuration).to.equal('0s');
    },
  );

  it('of a date closes its space when the focus leaves the whole date', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('identity');
    const before = spaceAbove(mounted, '#owner-birthDate-day');
    mounted.answer('owner/birthDate/month', '2');
    mounted.answer('owner/birthDate/day', '31');
    mounted.answer('owner/birthDate/year', '1980');
    await mounted.press('Continue');
    mounted.find('#owner-birthDate-day').focus();
    mounted.answer('owner/birthDate/day', '15');
    mounted.find('#owner-birthDate-year').focus();
    await settleTransitions(mounted);
    expect(spaceAbove(mounted, '#owner-birthDate-day')).to.be.greaterThan(before);
    mounted.find('#owner-birthDate-year').blur();
    await waitUntil(() => spaceAbove(mounted, '#owner-birthDate-day') === before);
  });

  it('of a checkbox closes its space', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('review');
    const before = spaceAbove(mounted, '#consents-terms');
    await mounted.press('Submit application');
    expect(spaceAbove(mounted, '#consents-terms')).to.be.greaterThan(before);
    mounted.answer('consents/terms', 'yes');
    await waitUntil(() => spaceAbove(mounted, '#consents-terms') === before);
  });
});

describe('a slow press on Continue', () => {
  // In a scrolled page, scroll anchoring would keep the button in place. WebKit has none.
  const size = /Chrome|Firefox/.test(navigator.userAgent) ? setViewport : undefined;
  before(() => size?.({ width: 800, height: 3000 }));
  after(() => size?.({ width: 800, height: 600 }));
  afterEach(() => sendMouse({ type: 'move', position: [0, 0] }));

  it('continues although it takes the focus from the corrected field', async () => {
    const mounted = await mountWithErrors();
    correctReason(mounted);
    mounted.find('#fundingNeed-amount').focus();
    await typeKeys('75000');
    await settleTransitions(mounted);
    await pressSlowly(mounted);
    await mounted.waitForText('Step 2 of 5');
  });

  it('continues although it corrects the last error', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('owner', { 'business/industry': '' });
    expect(visibleEntriesOf(mounted)).to.deep.equal(['Choose your industry']);
    mounted.find('#business-industry').focus();
    await typeKeys('plumber');
    await waitUntil(() => mounted.find('[role=listbox] b').textContent === 'plumber');
    await pressSlowly(mounted);
    await mounted.waitForText('Step 3 of 5');
  });
});

describe('the focus', () => {
  it('moves from a hidden summary to the heading', async () => {
    const mounted = await mountWithErrors();
    expect(mounted.root.activeElement?.id).to.equal('error-summary');
    correctReason(mounted);
    mounted.answer('fundingNeed/amount', '75,000');
    await mounted.element.updateComplete;
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
  });

  it('moves from a hidden entry of the summary to the heading', async () => {
    const mounted = await mountWithErrors();
    mounted.find('#error-summary a').focus();
    mounted.answer('fundingNeed/amount', '75,000');
    await mounted.element.updateComplete;
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
  });
});

const reasonError = '#fundingNeed-reason-error';

/** Shows the first step with an error in both fields. */
async function mountWithErrors(): Promise<Mounted> {
  const mounted = await mountWidget();
  await mounted.press('Continue');
  return mounted;
}

function correctReason(mounted: Mounted): void {
  mounted.answer('fundingNeed/reason', 'Equipment');
}

/** Between the top of a control's field and the control. */
function spaceAbove(mounted: Mounted, selector: string): number {
  const control = mounted.find(selector);
  const group = control.closest('fieldset') ?? control.closest('.field');
  const top = (each: Element | null) => each?.getBoundingClientRect().top ?? 0;
  return Math.round(top(control) - top(group));
}

function visibleEntriesOf({ root }: Mounted): readonly (string | undefined)[] {
  return [...root.querySelectorAll('#error-summary a')]
    .filter((entry) => entry.checkVisibility({ visibilityProperty: true }))
    .map(({ textContent }) => textContent?.trim());
}

async function settleTransitions({ element, root }: Mounted): Promise<void> {
  await element.updateComplete;
  await nextFrame();
  const finite = root.getAnimations().filter(isShort);
  await Promise.allSettled(finite.map(({ finished }) => finished));
}

/** Excludes transitions that never start because of their delay. */
function isShort({ effect }: Animation): boolean {
  return Number(effect?.getComputedTiming().endTime) < 1_000;
}

/** Holds the button for longer than all transitions, as an unsteady hand does. */
async function pressSlowly(mounted: Mounted): Promise<void> {
  const button = mounted.find('button[type=submit]');
  button.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = button.getBoundingClientRect();
  const position: [number, number] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  await sendMouse({ type: 'move', position });
  await sendMouse({ type: 'down' });
  await settleTransitions(mounted);
  await sendMouse({ type: 'up' });
}
