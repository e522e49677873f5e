// The form: focus, errors, and the way from step to step.

import { expect } from '@open-wc/testing';
import { requirableFields } from '../../shared/application/lists.ts';
import { formSteps } from '../../widget/app/navigation.ts';
import { createConfiguration } from '../support/configuration.ts';
import { acceptedStatus, createSession, ok } from '../support/fake-funding-api.ts';
import { createApi, mountWidget } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the focus', () => {
  it('stays outside of the form when the page is opened, then moves to each heading', async () => {
    const mounted = await mountWidget();
    expect(mounted.root.activeElement).to.equal(null);
    await mounted.fillUpTo('business');
    expect(mounted.heading).to.equal('Tell us about your business');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    expect(mounted.text).to.include('Step 2 of 5 · Your business');
  });

  for (const [status, text] of [
    ['accepted', 'Reference number'],
    ['rejected', 'you sent earlier'],
  ] as const) {
    it(`stays when a late session has an application (${status})`, async () => {
      const api = createApi();
      const respond = api.hold('openSession');
      const mounted = await mountWidget(api);
      respond(ok(createSession({ application: { ...acceptedStatus, status } })));
      await mounted.waitForText(text);
      await mounted.element.updateComplete;
      expect(mounted.root.activeElement).to.equal(null);
    });
  }
});

describe('Continue without answers', () => {
  // All fields that a partner can require.
  const requiredFields = [...requirableFields];
  const configuration = ok(createConfiguration({ requiredFields }));

  for (const step of formSteps) {
    it(`moves the focus to an error summary with links to the fields (${step})`, async () => {
      const mounted = await mountWidget({ configuration });
      const { root } = mounted;
      await mounted.fillUpTo(step);
      await mounted.press(step === 'review' ? 'Submit application' : 'Continue');
      expect(root.activeElement?.id).to.equal('error-summary');
      const links = [...root.querySelectorAll<HTMLAnchorElement>('#error-summary a')];
      expect(links.length).to.be.greaterThan(1);
      // Screen readers read the links with the focused summary.
      const description = root.activeElement?.getAttribute('aria-describedby') ?? '';
      expect([...root.querySelectorAll(`#${description} a`)]).to.deep.equal(links);
      // WebKit drops the role of a list without markers.
      expect(getComputedStyle(mounted.find('#error-summary ul')).listStyleType).to.not.equal(
        'none',
      );
      const errors = [...root.querySelectorAll('[part~=error] > span')];
      const inline = errors.map((error) => error.textContent?.replace('Error:', '').trim());
      expect(links.map(({ textContent }) => textContent?.trim())).to.deep.equal(inline);
      for (const link of links) {
        link.click();
        await waitUntil(() => root.activeElement?.matches('input, select'));
        const field = root.activeElement!;
        // ARIA does not allow the attribute on a radio button. Its group has the description.
        const isRadio = field.matches('[type=radio]');
        expect(field.getAttribute('aria-invalid')).to.equal(isRadio ? null : 'true');
        const owner = isRadio ? field.closest('fieldset')! : field;
        const described = (owner.getAttribute('aria-describedby') ?? '').split(' ');
        const own = described.map((id) => root.querySelector(`#${id}`)?.textContent ?? '');
        expect(own.join(' ')).to.include(link.textContent?.trim());
        link.focus();
      }
    });
  }
});

describe('an answer', () => {
  it('stays on the way back, also after a double-click', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('owner');
    for (const detail of [1, 2]) {
      const click = new MouseEvent('click', { detail, bubbles: true });
      mounted.find('[part~="back"], .back').dispatchEvent(click);
      await mounted.element.updateComplete;
    }
    expect(mounted.heading).to.equal('Tell us about your business');
    expect(mounted.find('#business-name')).to.have.property('value', 'Rosa’s Bakery LLC');
  });

  it('that is invalid after a change from the review has an error until it is corrected', async () => {
    const mounted = await mountWidget();
    await mounted.fillForm();
    expect(mounted.text).to.not.include('Check this answer');
    await mounted.press('Change');
    mounted.answer('fundingNeed/amount', 'abc');
    await mounted.press('Back');
    const wrong = mounted.findAll('dl .error');
    expect(
      wrong.map((line) => line.closest('div')?.querySelector('dt')?.textContent),
    ).to.deep.equal(['Amount you need']);
    await expect(mounted.element).to.be.accessible();
    await mounted.press('Change');
    mounted.answer('fundingNeed/amount', '80,000');
    await mounted.press('Continue');
    expect(mounted.text).to.not.include('Check this answer');
  });
});
