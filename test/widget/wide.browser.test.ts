// A wide container: the list of steps beside the form, its summaries, and its place on the page.

import { setViewport } from '@web/test-runner-commands';
import { expect } from '@open-wc/testing';
import { expectGood } from '../support/axe.ts';
import { createConfiguration } from '../support/configuration.ts';
import { completeDraft } from '../support/draft.ts';
import { ok } from '../support/fake-funding-api.ts';
import { mountAfter, mountAgain, mountWidget, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

// The driver of WebKit has no command for the size of the window.
const resize = /Chrome|Firefox/.test(navigator.userAgent) ? setViewport : undefined;
const support = { name: 'Millstone', phone: '512-555-0199', email: 'help@millstone.example' };
const configuration = ok(createConfiguration({ support }));

/** The width of the element counts, not the width of the window. */
async function mountWide(widthPx = 1_000): Promise<Mounted> {
  return widen(await mountWidget({ configuration }), widthPx);
}

async function widen(mounted: Mounted, widthPx = 1_000): Promise<Mounted> {
  mounted.element.parentElement!.style.width = `${widthPx}px`;
  await waitUntil(() => mounted.root.querySelector('.steps nav') ?? !isForm(mounted));
  return mounted;
}

const isForm = ({ root }: Mounted) => root.querySelector('form') !== null;
const isShown = (mounted: Mounted, selector: string) =>
  mounted.find(selector).checkVisibility({ visibilityProperty: true });
const boxOf = (mounted: Mounted, selector: string) =>
  mounted.find(selector).getBoundingClientRect();
const listOf = (mounted: Mounted) => mounted.find('.steps').innerText.replaceAll(/\s+/g, ' ');

describe('the help line', () => {
  for (const widthPx of [1_000, 400]) {
    it(`stays in its place when the rest of the form loads, at ${widthPx} px`, async () => {
      let roomAtFirst: number | undefined;
      const measure = ({ target }: Event) => {
        const { shadowRoot } = target as Element;
        (target as Element).parentElement!.style.width = `${widthPx}px`;
        expect(shadowRoot!.querySelector('.saved label')).to.equal(null);
        roomAtFirst = roomAboveHelp(shadowRoot!);
      };
      addEventListener('funding-step', measure, { once: true });
      const { root } = await mountWidget({ configuration });
      await waitUntil(() => root.querySelector('.saved label'));
      expect(roomAboveHelp(root)).to.be.closeTo(roomAtFirst!, 12);
    });
  }

  const roomAboveHelp = (root: ShadowRoot) => {
    const topOf = (selector: string) => root.querySelector(selector)!.getBoundingClientRect().top;
    return topOf('.footer') - topOf('.saved');
  };
});

describe('the list of steps', () => {
  it('is next to a wide form, in place of the line of progress', async () => {
    const mounted = await mountWide();
    expect(isShown(mounted, '.steps nav')).to.equal(true);
    const { left, right } = boxOf(mounted, '.rail');
    expect(left).to.be.greaterThan(boxOf(mounted, '.main').right);
    expect(right).to.be.at.most(mounted.element.getBoundingClientRect().right);
    expect(isShown(mounted, '[part~=progress]')).to.equal(false);
    const heading = mounted.find('#step-heading');
    expect(heading.getAttribute('aria-describedby')).to.equal('step-progress');
    const order = mounted.find('form').compareDocumentPosition(mounted.find('.steps'));
    expect(order, 'order of the Tab key').to.equal(Node.DOCUMENT_POSITION_FOLLOWING);
    mounted.element.dir = 'rtl';
    expect(boxOf(mounted, '.rail').right).to.be.lessThan(boxOf(mounted, '.main').left);
  });

  it('is hidden in a narrow column of a wide page', async () => {
    await resize?.({ width: 1_600, height: 900 });
    const mounted = await mountWide(400);
    expect(isShown(mounted, '.steps')).to.equal(false);
    expect(isShown(mounted, '[part~=progress]')).to.equal(true);
    expect(boxOf(mounted, '.saved').top).to.be.greaterThan(boxOf(mounted, 'form').bottom);
    await resize?.({ width: 800, height: 600 });
  });

  it('names the current step', async () => {
    const mounted = await mountWide();
    await mounted.fillUpTo('owner');
    const current = mounted.findAll('.steps [aria-current="step"]');
    expect(current.map(({ textContent }) => textContent)).to.have.length(1);
    expect(current[0]?.textContent).to.include('About you');
  });

  it('has the height of its list before the list is loaded', async () => {
    const mounted = await mountWide();
    const before = boxOf(mounted, '.saved').top;
    mounted.find('.steps nav').hidden = true;
    expect(boxOf(mounted, '.saved').top).to.equal(before);
  });

  it('stays in the window while the form scrolls', async () => {
    const mounted = await mountWide();
    await mounted.fillUpTo('business');
    mounted.find('button[type=submit]').scrollIntoView({ block: 'end' });
    const { top, bottom } = boxOf(mounted, '.rail');
    expect(top).to.be.at.least(0);
    expect(bottom).to.be.at.most(innerHeight);
    scrollTo(0, 0);
  });
});

describe('the summary of a step', () => {
  it('contains the answers, also after a return to an earlier step', async () => {
    const mounted = await mountWide();
    await mounted.fillUpTo('identity');
    expect(listOf(mounted)).to.include('$75,000');
    await mounted.press('Funding need');
    for (const text of [completeDraft['business/name'], 'Rosa Núñez'])
      expect(listOf(mounted)).to.include(text);
  });

  it('contains no secret', async () => {
    const mounted = await mountWide();
    await mounted.fillForm();
    const list = listOf(mounted);
    expect(list).to.include('Answers hidden here');
    const secrets = ['business/taxId', 'owner/ssn', 'owner/creditScore', 'owner/birthDate/year'];
    const digitsOf = (text: string) => text.replaceAll(/\D/g, '');
    for (const path of secrets) {
      const typed = completeDraft[path] ?? '';
      expect(typed).to.not.equal('');
      expect(list).to.not.include(typed);
      if (digitsOf(typed).length > 4)
        expect(digitsOf(list)).to.not.include(digitsOf(typed).slice(-4));
    }
  });

  it('is missing for steps that the applicant has not seen', async () => {
    const mounted = await mountWide();
    mounted.element.prefill = { business: { name: 'Prefilled LLC' } };
    await mounted.element.updateComplete;
    expect(listOf(mounted)).to.not.include('Prefilled');
  });
});

describe('a click on a step', () => {
  it('never leads past a step with errors', async () => {
    const mounted = await mountWide();
    await mounted.fillUpTo('identity');
    await mounted.press('Funding need');
    mounted.answer('fundingNeed/amount', '');
    await mounted.press('Identity and credit');
    expect(mounted.heading).to.equal('How much funding do you need?');
    await waitUntil(() => mounted.root.querySelector('#error-summary'));
  });
});

describe('the wide start page', () => {
  it('has the preparation beside the facts', async () => {
    sessionStorage.clear();
    const mounted = await widen(await mountAgain({}, {}));
    expect(boxOf(mounted, '.preparation').left).to.be.greaterThan(boxOf(mounted, '.facts').right);
    await expectGood(mounted);
  });
});

describe('after the submission, the list of steps', () => {
  it('contains the state of each', async () => {
    const mounted = await widen(await mountAfter());
    await mounted.goTo('documents');
    expect(listOf(mounted)).to.include('Application sent');
    expect(listOf(mounted)).to.include('Documents Not started');
    await expectGood(mounted);
  });

  it('leads to another step', async () => {
    const mounted = await widen(await mountAfter());
    await mounted.goTo('documents');
    await mounted.press('Bank connection');
    await mounted.waitForHeading('Connect your bank account');
  });

  it('leaves the width to the offers', async () => {
    const mounted = await widen(await mountAfter());
    await mounted.goTo('offers');
    expect(mounted.root.querySelector('.steps nav')).to.equal(null);
  });
});

describe('the wide page after closing', () => {
  it('has its text below the heading', async () => {
    const mounted = await widen(await mountAfter());
    await mounted.element.finish();
    await mounted.waitForHeading('Your application is closed on this device');
    expect(boxOf(mounted, '.body').left).to.equal(boxOf(mounted, 'h2').left);
    expect(boxOf(mounted, '.body').top).to.be.above(boxOf(mounted, 'h2').bottom);
  });
});
