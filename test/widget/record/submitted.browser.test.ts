// The page after the submission: its reference, its check mark, what happens next, and the next action.

import { expect, fixtureSync } from '@open-wc/testing';
import { html, nothing, render } from 'lit';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import type { Configuration } from '../../../shared/api/configuration.ts';
import type { StepContext } from '../../../widget/app/feature.ts';
import { type AppState, emptyOffers } from '../../../widget/app/store.ts';
import { renderFinish } from '../../../widget/record/finish.ts';
import { createRecord } from '../../../widget/record/record.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
  createStepContext,
} from '../../support/create-feature.ts';
import {
  acceptedStatus,
  deliveredDocument,
  fail,
  ok,
  receivedStatus,
  withApplication,
} from '../../support/fake-funding-api.ts';
import { mountAfter, type Mounted, mountWidget } from '../../support/mount-widget.ts';
import { createDecision, createOffer, decided } from '../../support/offers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const short = 'X5X-26H';
const now = new Date(2026, 10, 20, 15, 4);

async function mountStatus(changes: Partial<ApplicationStatus> = {}): Promise<Mounted> {
  const mounted = await mountWidget(withApplication({ ...acceptedStatus, ...changes }));
  await mounted.waitForRecord();
  return mounted;
}

/** Replaces the clipboard of the browser until the end of the test. */
function stubClipboard(writeText: (text: string) => Promise<void>): void {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
}

afterEach(() => {
  // The clipboard of the browser is on the prototype.
  Reflect.deleteProperty(navigator, 'clipboard');
});

describe('the heading after the submission', () => {
  for (const [status, title, hasMark] of [
    ['accepted', 'Your application is with the lender', true],
    ['received', 'We received your application', false],
    ['confirming', 'We received your application', false],
  ] as const) {
    it(`says “${title}” when it is ${status}`, async () => {
      const mounted = await mountStatus({ status });
      expect(mounted.heading).to.equal(title);
      expect(mounted.root.querySelector('.mark') !== null).to.equal(hasMark);
      expect(mounted.root.querySelector('.body .pulse') !== null).to.equal(!hasMark);
    });
  }
});

describe('the check mark', () => {
  const isDrawing = ({ root }: Mounted) => root.querySelector('.mark')?.matches('.drawing');

  it('is drawn once', async () => {
    const mounted = await mountWidget();
    await mounted.apply();
    await waitUntil(() => mounted.root.querySelector('.mark'));
    expect(isDrawing(mounted)).to.equal(true);
    mounted.find('.mark path').dispatchEvent(new Event('animationend', { bubbles: true }));
    await mounted.element.updateComplete;
    expect(isDrawing(mounted)).to.equal(false);
    await mounted.goTo('documents');
    await mounted.goTo('submitted');
    await waitUntil(() => mounted.root.querySelector('.mark'));
    expect(isDrawing(mounted)).to.equal(false);
  });

  it('is not drawn for an application of an earlier page', async () => {
    const mounted = await mountStatus();
    await waitUntil(() => mounted.root.querySelector('.mark'));
    expect(isDrawing(mounted)).to.equal(false);
  });

  it('follows when the lender has the application', async () => {
    const received = ok(receivedStatus);
    const mounted = await mountWidget({ application: received, status: received });
    await mounted.apply();
    expect(mounted.root.querySelector('.mark')).to.equal(null);
    mounted.api.status = ok(acceptedStatus);
    await mounted.press('Check again');
    await waitUntil(() => isDrawing(mounted));
  });
});

describe('the reference', () => {
  it('is short, with the long one folded', async () => {
    const mounted = await mountAfter();
    expect(mounted.find('[part~=reference]').textContent).to.equal(short);
    const long = mounted.find('[data-testid=reference]');
    expect(long.textContent).to.equal(acceptedStatus.reference);
    expect(long.checkVisibility()).to.equal(false);
    await mounted.press('Full reference');
    expect(long.checkVisibility()).to.equal(true);
  });

  it('is in the margin of each printed page', async () => {
    const mounted = await mountAfter();
    const margin = mounted.find('.print-reference');
    expect(margin.textContent?.trim()).to.equal(`Reference number ${short}`);
    expect(margin.checkVisibility()).to.equal(false);
    await mounted.goTo('offers');
    expect(mounted.find('.print-reference').textContent).to.include(short);
  });

  it('is shown unchanged if it is not a UUID', async () => {
    const mounted = await mountStatus({ reference: 'partner-4711' });
    expect(mounted.find('[data-testid=reference]').textContent).to.equal('partner-4711');
    expect(mounted.text).to.not.include('Full reference');
  });

  it('is copied, and the copy is announced', async () => {
    const copied: string[] = [];
    stubClipboard(async (text) => void copied.push(text));
    const mounted = await mountAfter();
    await mounted.press('Copy');
    await waitUntil(() => toCopyStatus(mounted) === 'Copied');
    expect(copied).to.deep.equal([short]);
    await expect(mounted.element).to.be.accessible();
    await mounted.goTo('documents');
    await mounted.goTo('submitted');
    expect(toCopyStatus(mounted)).to.equal('');
  });

  it('is selected if the browser refuses to copy', async () => {
    stubClipboard(() => Promise.reject(new DOMException('refused', 'NotAllowedError')));
    const mounted = await mountAfter();
    await mounted.press('Copy');
    await waitUntil(() => toCopyStatus(mounted)?.includes('The number is selected'));
    expect(String(getSelection())).to.equal(short);
  });

  function toCopyStatus({ root }: Mounted): string | undefined {
    return root.querySelector('.numbers [role=status]')?.textContent?.trim();
  }
});

describe('what happens next', () => {
  it('begins with the time at which the lender received it', () => {
    const acceptedAt = new Date(2026, 10, 20, 15, 3).toISOString();
    const receivedAt = new Date(2026, 10, 20, 14, 0).toISOString();
    const { lines } = renderWith({ acceptedAt, receivedAt });
    expect(lines[0])
      .to.include('Today, 3:03 PM')
      .and.include('We sent your application to the lender.');
  });

  it('has the date for paper', () => {
    const { container } = renderWith({ acceptedAt: new Date(2026, 10, 19, 23, 59).toISOString() });
    const [onScreen, onPaper] = container.querySelectorAll('.next strong span');
    expect(onScreen?.textContent).to.equal('Yesterday, 11:59 PM');
    expect(onPaper?.textContent).to.match(/^November 19, 2026 at 11:59/);
  });

  it('names the day of an older application', () => {
    const { lines } = renderWith({ receivedAt: new Date(2026, 10, 18, 9, 30).toISOString() });
    expect(lines[0]).to.match(/November 18, 2026 at 9:30.*We received your application/);
  });

  const acceptedAt = new Date(2026, 10, 20, 13, 0).toISOString();
  for (const [title, expectedDecision, changes, label] of [
    ['no time by default', undefined, { acceptedAt }, 'After that'],
    [
      'days',
      { within: 2, unit: 'business-days' },
      { acceptedAt },
      'Usually within 2 business days',
    ],
    [
      'one hour',
      { within: 1, unit: 'hours' },
      { acceptedAt: now.toISOString() },
      'Usually within 1 hour',
    ],
    ['no hours that have passed', { within: 2, unit: 'hours' }, { acceptedAt }, 'After that'],
    ['no time before the lender has it', { within: 4, unit: 'hours' }, {}, 'After that'],
  ] as const) {
    it(`names ${title}`, () => {
      const { lines } = renderWith(changes, {}, expectedDecision && { expectedDecision });
      expect(lines[2]?.startsWith(label)).to.equal(true);
    });
  }

  it('ends with the decision', () => {
    const response = createDecision([createOffer()]);
    const { lines } = renderWith({}, { offers: { ...emptyOffers, response } });
    expect(lines[2]).to.match(/^The lender has decided.*You have 1 offer/);
  });
});

describe('the next action', () => {
  const toPrimary = (mounted: Mounted) => mounted.textsOf('.body button.button:not(.secondary)');

  it('leads to the documents first', async () => {
    expect(toPrimary(await mountAfter())).to.deep.equal(['Continue to documents']);
  });

  it('leads to the offers after a document was sent', async () => {
    const mounted = await mountAfter({}, [deliveredDocument]);
    expect(toPrimary(mounted)).to.deep.equal(['Check for offers']);
    mounted.api.offers = decided([createOffer()]);
    await mounted.press('Check for offers');
    await waitUntil(() => mounted.heading === 'You have 1 offer');
    await mounted.goTo('submitted');
    expect(toPrimary(mounted)).to.deep.equal(['See my offers']);
  });

  it('is to close the application after a refusal', async () => {
    const mounted = await mountAfter();
    mounted.api.offers = decided([]);
    await mounted.goTo('offers');
    await waitUntil(() => mounted.heading === 'No offers right now');
    await mounted.goTo('submitted');
    expect(toPrimary(mounted)).to.deep.equal(['Close my application on this device']);
  });

  it('is to close an application that the BFF no longer has', async () => {
    const mounted = await mountStatus({ status: 'received' });
    mounted.api.status = fail('application-missing');
    await mounted.press('Check again');
    await mounted.waitForText('We can’t show your application here anymore');
    expect(toPrimary(mounted)).to.deep.equal(['Close my application on this device']);
    expect(mounted.text)
      .to.not.include('Check again')
      .and.not.include('sending it to the lender')
      .and.not.include('Add your documents');
    await expect(mounted.element).to.be.accessible();
  });
});

/** Renders the page at a fixed time. `lines` are the texts of what happens next. */
function renderWith(
  application: Partial<ApplicationStatus>,
  changes: Partial<AppState> = {},
  configuration: Partial<Configuration> = {},
) {
  const form = createAcceptedForm({
    application: { ...acceptedStatus, ...application },
    configuration: createConfiguration(configuration),
  });
  const state = createAcceptedState({ form, ...changes });
  const context: StepContext = createStepContext(state, { now: () => now });
  const container = fixtureSync<HTMLElement>(html`<div></div>`);
  const view = createFeature(createRecord, state).feature.steps?.submitted;
  render(html`${view?.render(context) ?? nothing} ${renderFinish(context)}`, container);
  const lines = [...container.querySelectorAll('.next > li')].map((line) =>
    (line.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
  );
  return { container, lines };
}
