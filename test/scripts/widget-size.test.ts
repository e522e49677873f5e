import { describe, expect, it } from 'vitest';
import { findExcess, findFirstLoad, summarize } from '../../scripts/widget-size.mjs';

const entry = { fileName: 'entry.js', imports: ['shared.js'] };
const chunks = [
  entry,
  { fileName: 'shared.js', imports: ['deep.js'] },
  { fileName: 'deep.js', imports: ['shared.js'] },
  { fileName: 'lazy.js', imports: ['shared.js'] },
];

describe('the size of the widget', () => {
  it('takes for the first load what the entry imports statically, however deep', () => {
    expect([...findFirstLoad(entry, chunks)]).toEqual(['entry.js', 'shared.js', 'deep.js']);
  });

  it('sums JavaScript only', () => {
    const files = [
      { file: 'entry.js', gzip: 10 },
      { file: 'lazy.js', gzip: 5 },
      { file: 'picture.svg', gzip: 100 },
    ];

    expect(summarize(files, new Set(['entry.js']))).toEqual({
      allGzipBytes: 15,
      firstLoadGzipBytes: 10,
    });
  });

  it('names each limit that is passed, and none that is just kept', () => {
    const budget = { allGzipBytes: 15, firstLoadGzipBytes: 9 };

    expect(findExcess({ allGzipBytes: 15, firstLoadGzipBytes: 10 }, budget)).toEqual([
      'first load is 10 bytes gzip, the limit 9',
    ]);
  });
});
