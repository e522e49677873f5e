// What may be shown first: never a step that is not loaded, nor one in another language.

import { describe, expect, it } from 'vitest';
import type { Language } from '../../widget/language.ts';
import { LateSteps } from '../../widget/late-steps.ts';

function createLateSteps(
  language: Partial<Language>,
  onParts: () => void = () => undefined,
): LateSteps {
  const host = {
    shadowRoot: null,
    requestUpdate: () => undefined,
    addController: () => undefined,
    removeController: () => undefined,
    updateComplete: Promise.resolve(true),
  };
  // No more than these is looked at before a step is shown.
  const known = { isShown: false, isPending: false, ...language } as Language;
  return new LateSteps(host, known, onParts);
}

describe('what comes with the steps after the submission', () => {
  it('is added once, however often it is asked for meanwhile', async () => {
    let added = 0;
    const late = createLateSteps({
      addLate: async () => {
        added += 1;
      },
    });
    await Promise.all([late.loadAfter(), late.loadAfter()]);
    await late.loadAfter();
    expect(added).toBe(1);
  });

  it('is asked for again where it could not be added', async () => {
    let asked = 0;
    const late = createLateSteps({
      addLate: async () => {
        asked += 1;
        if (asked === 1) throw new TypeError('Failed to fetch');
      },
    });
    await late.loadAfter();
    expect([late.hasFailed, late.after]).toEqual([true, undefined]);
    await late.loadAfter();
    expect([asked, late.hasFailed, late.canShow('submitted')]).toEqual([2, false, true]);
  });

  it('hands over the parts of the flow once, with its sentences and before it is drawn', async () => {
    const heard: string[] = [];
    const late = createLateSteps({ addLate: async () => void heard.push('sentences') }, () =>
      heard.push('parts'),
    );
    await Promise.all([late.loadAfter().then(() => heard.push('drawn')), late.loadAfter()]);
    expect(heard).toEqual(['sentences', 'parts', 'drawn']);
  });

  it('is fetched on the review, on each later step and at the end, and on none before', () => {
    const steps = ['start', 'identity', 'review', 'submitted', 'offers', undefined] as const;
    const fetched = steps.filter((step) => {
      let hasBegun = false;
      const late = createLateSteps({});
      late.loadAfter = async () => {
        hasBegun = true;
      };
      late.prepare(step);
      return hasBegun;
    });
    expect(fetched).toEqual(['review', 'submitted', 'offers', undefined]);
  });
});

describe('the first that is shown', () => {
  it('may be one of the first pages at once, and a later step once it is loaded', async () => {
    const late = createLateSteps({});
    expect([late.canShow('start'), late.canShow('funding-need')]).toEqual([true, true]);
    expect(late.canShow('business')).toBe(false);
    await late.loadFurther();
    expect([late.canShow('business'), late.canShow('submitted')]).toEqual([true, false]);
  });

  it('is nothing while its language is loaded', () => {
    expect(createLateSteps({ isPending: true }).canShow('start')).toBe(false);
  });

  it('is what there is where a step cannot be loaded, also while another is loaded', async () => {
    const late = createLateSteps({ addLate: () => Promise.reject(new TypeError('Failed')) });
    await late.loadAfter();
    expect(late.canShow('offers')).toBe(true);
    await late.loadFurther();
    expect(late.hasFailed).toBe(true);
  });

  it('is followed by whatever comes', () => {
    expect(createLateSteps({ isShown: true }).canShow('offers')).toBe(true);
  });
});
