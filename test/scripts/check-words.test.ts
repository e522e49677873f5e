// Tests that the glossary check finds replaced words and ignores standard terms.
import { describe, expect, it } from 'vitest';
import { findWords, isChecked } from '../../scripts/check-words.mjs';

describe('findWords', () => {
  it.each([
    ['docs/a.md', 'The journal is a file.', 'journal'],
    ['bff/a.ts', 'const mendedRows = 1;', 'mend'],
    ['bff/a.ts', '// What is kept stays.', '// What'],
    ['bff/store/a.ts', 'function readChild() {}', 'Child'],
    ['bff/routes/a.ts', 'const sealedName = 1;', 'seal'],
    ['bff/a.ts', '// Every gate refuses it.', 'gate'],
  ])('finds the old word in %s: %s', (path, line, word) => {
    expect(findWords(path, `\n${line}`)).toContainEqual(expect.objectContaining({ line: 2, word }));
  });

  it.each([
    ['bff/store/a.ts', "import { spawn } from 'node:child_process';"],
    ['test/a.ts', 'const child = spawn();'],
    ['bff/middleware/session.ts', '// The cookie is sealed.'],
    ['bff/a.ts', '// The origin gate refuses it.'],
    ['docs/a.md', 'We recommend a proxy.'],
  ])('accepts the standard term in %s: %s', (path, line) => {
    expect(findWords(path, line)).toEqual([]);
  });
});

it.each([
  ['widget/index.ts', true],
  ['docs/operate/alarms.md', true],
  ['docs/package-lock.json', false],
  ['docs/images/themes.png', false],
])('isChecked(%j) is %j', (path, expected) => {
  expect(isChecked(path)).toBe(expected);
});
