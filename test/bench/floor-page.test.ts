import { describe, expect, it } from 'vitest';
import { createFloorPage } from '../../bench/peers/floor-page.ts';

describe('createFloorPage', () => {
  const html = createFloorPage();
  const count = (pattern: RegExp) => html.match(pattern)?.length;

  it('asks for 27 answers, a file, and its category', () => {
    expect(count(/ required/g)).toBe(27 + 2);
  });

  it('has 12 fields in its second step', () => {
    expect(html.split('<fieldset')[2]?.match(/ required/g)).toHaveLength(12);
  });

  it('offers every industry of the element', () => {
    expect(/<datalist.*<\/datalist>/.exec(html)?.[0].match(/<option/g)).toHaveLength(67);
  });

  it('offers every category of a document', () => {
    expect(/<select id="category".*?<\/select>/.exec(html)?.[0].match(/<option/g)).toHaveLength(
      40 + 1,
    );
  });
});
