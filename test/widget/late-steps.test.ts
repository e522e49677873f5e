// What may be shown first: never a step that is not loaded, nor one in another language.

import { describe, expect, it } from 'vitest';
import type { Language } from '../../widget/language.ts';
import { LateSteps } from '../../widget/late-steps.ts';

function createLateSteps(language: Partial<Language>): LateSteps {
  const host = {
    shadowRoot: null,
    requestUpdate: () => undefined,
    addController: () => undefined,
    removeController: () => undefined,
    updateComplete: Promise.resolve(true),
  };
  // No more than these is looked at before a step is shown.
  return new LateSteps(host, { isShown: false, isPending: false, ...language } as Language);
}

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

  it('is what there is where a step cannot be loaded', () => {
    const late = createLateSteps({});
    late.hasFailed = true;
    expect(late.canShow('offers')).toBe(true);
  });

  it('is followed by whatever comes', () => {
    expect(createLateSteps({ isShown: true }).canShow('offers')).toBe(true);
  });
});
