// Every block of a screen ends at one of two edges, in columns of all widths.

import { expect } from '@open-wc/testing';
import { formSteps } from '../../widget/app/navigation.ts';
import { FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { createConfiguration } from '../support/configuration.ts';
import {
  fillUpTo,
  goTo,
  mountAfter,
  mountAgain,
  mountWidget,
  press,
  type Mounted,
} from '../support/mount-widget.ts';

const widths = [320, 400, 768, 896, 1_280, 1_600];

/** Columns whose blocks stand below each other. Blocks in a row, in a card, or in a notice end earlier. */
const columns = '.main, .rail, .body, .group, form, section.field, .body ul, .body ol';

describe('the blocks of a screen end at one or two edges', () => {
  it('on the start page', async () => {
    sessionStorage.clear();
    await expectAligned(await mountAgain(createApi(), {}));
  });

  for (const step of formSteps) {
    it(`on the step ${step}`, async () => {
      const mounted = await mountWidget(createApi());
      await fillUpTo(mounted, step);
      await expectAligned(mounted);
      await press(mounted, step === 'review' ? 'Submit application' : 'Continue');
      await expectAligned(mounted);
    });
  }

  it('on a form that was restored', async () => {
    const first = await mountWidget(createApi());
    await fillUpTo(first, 'owner');
    first.element.remove();
    await expectAligned(await mountAgain(createApi()));
  });

  it('on the record', async () => {
    await expectAligned(await mountAfter(createApi()));
  });

  for (const step of ['documents', 'bank', 'offers'] as const) {
    it(`on the step ${step}`, async () => {
      const mounted = await mountAfter(createApi());
      await goTo(mounted, step);
      await expectAligned(mounted);
    });
  }
});

function createApi(): FakeFundingApi {
  const api = new FakeFundingApi();
  const support = { name: 'Millstone', phone: '512-555-0199', email: 'help@millstone.example' };
  api.configuration = ok(createConfiguration({ support, environment: 'sandbox' }));
  return api;
}

async function expectAligned({ element, root }: Mounted): Promise<void> {
  const page = element.parentElement!;
  for (const width of widths) {
    page.style.width = `${width}px`;
    await element.updateComplete;
    const { left } = element.getBoundingClientRect();
    const blocks = [...root.querySelectorAll<HTMLElement>(columns)]
      .flatMap((column) => [...column.children])
      .filter((block) => block instanceof HTMLElement && isBlock(block));
    const edges = new Map<number, string>();
    for (const block of blocks) {
      const edge = Math.round(block.getBoundingClientRect().right - left);
      const known = [...edges.keys()].some((other) => Math.abs(other - edge) <= 1);
      if (!known)
        edges.set(
          edge,
          `${block.localName}.${block.className} ${block.textContent?.trim().slice(0, 30)}`,
        );
    }
    const shown = [...edges].map(([edge, block]) => `${width}: ${edge} ${block}`);
    expect(shown.length, shown.join('\n')).to.be.at.most(2);
  }
}

function isBlock(block: HTMLElement): boolean {
  const { display, position, float } = getComputedStyle(block);
  const isInFlow = position !== 'absolute' && float === 'none';
  const isControl = block.matches('button, a, span, legend');
  return (
    isInFlow &&
    !isControl &&
    !display.startsWith('inline') &&
    display !== 'none' &&
    block.checkVisibility()
  );
}
