// The focused element is in the window, above the element's own notices and beside the host page's fixed header and footer (WCAG 2.2,
// 2.4.11).

import { setViewport } from '@web/test-runner-commands';
import { expect, nextFrame } from '@open-wc/testing';
import { mountWidget, setOnline, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

// The driver of WebKit has no command for the size of the window.
const resize = /Chrome|Firefox/.test(navigator.userAgent) ? setViewport : undefined;

/** A window of 1280 × 1024 px at 400% zoom. */
const zoomed = { width: 320, height: 256 };

for (const [name, isOffline, header, footer] of [
  ['under a notice of the element', true, 0, 0],
  ['under a fixed header of the host page', false, 60, 0],
  ['under a fixed footer of the host page', false, 0, 60],
] as const) {
  describe(`at 400% zoom, the focus is not ${name}`, () => {
    let mounted: Mounted;

    before(() => resize?.(zoomed));
    after(() => resize?.({ width: 800, height: 600 }));

    beforeEach(async () => {
      mounted = await mountWidget();
      await mounted.fillUpTo('business');
      mounted.element.style.setProperty('--funding-sticky-top', `${header}px`);
      mounted.element.style.setProperty('--funding-sticky-bottom', `${footer}px`);
      if (isOffline) setOnline(false);
      await mounted.element.updateComplete;
    });

    afterEach(() => setOnline(true));

    it('on the error summary after Continue', async () => {
      mounted.find('button[type=submit]').focus();
      await mounted.press('Continue');
      expect(mounted.root.activeElement?.id).to.equal('error-summary');
      const { top } = mounted.find('#error-summary').getBoundingClientRect();
      expect(top).to.be.within(header, lowestOf(mounted, footer) - 24);
    });

    it('on a field that the error summary links to', async () => {
      await mounted.press('Continue');
      for (const link of mounted.root.querySelectorAll<HTMLElement>('#error-summary a')) {
        link.focus();
        await expectVisible(mounted, header, footer);
        link.click();
        await waitUntil(() => mounted.root.activeElement?.matches('input, select'));
        await expectVisible(mounted, header, footer);
      }
    });

    it('on a field that receives the focus in the same frame as the error summary', async () => {
      await mounted.press('Continue');
      expect(mounted.root.activeElement?.id).to.equal('error-summary');
      fieldsOf(mounted).at(-1)!.focus();
      await expectVisible(mounted, header, footer);
    });

    it('on the fields in both directions', async () => {
      const fields = fieldsOf(mounted);
      expect(fields.length).to.be.greaterThan(8);
      for (const field of [...fields, ...fields.toReversed()]) {
        field.focus();
        await expectVisible(mounted, header, footer);
      }
    });
  });
}

function fieldsOf({ root }: Mounted): readonly HTMLElement[] {
  const fields = [...root.querySelectorAll<HTMLElement>('form :is(input, select)')];
  return fields.filter(({ tabIndex }) => tabIndex >= 0);
}

/** The lowest edge of a visible element. */
function lowestOf({ root }: Mounted, footer: number): number {
  const notice = root.querySelector('.status .notice')?.getBoundingClientRect();
  return Math.min(notice?.top ?? innerHeight, innerHeight) - footer;
}

async function expectVisible(mounted: Mounted, header: number, footer: number): Promise<void> {
  // Engines scroll with one of the next frames.
  await nextFrame();
  await nextFrame();
  const focused = mounted.root.activeElement!;
  const { top, bottom } = focused.getBoundingClientRect();
  const name = focused.id || focused.textContent?.trim();
  expect(top, `${name} under the upper edge`).to.be.at.least(header);
  expect(bottom, `${name} under the lower edge`).to.be.at.most(lowestOf(mounted, footer));
}
