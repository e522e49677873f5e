import { describe, expect, it } from 'vitest';
import { icons } from '../../../widget/fields/icons.ts';
import { laterIcons } from '../../../widget/fields/later-icons.ts';

describe('the icons', () => {
  it('have one template, which the first icon of a page parses', () => {
    const all = [...Object.values(icons), ...Object.values(laterIcons)];

    expect(new Set(all.map(({ strings }) => strings)).size).toBe(1);
    expect(all.map(({ values }) => values)).toEqual(all.map(() => [expect.any(String)]));
  });
});
