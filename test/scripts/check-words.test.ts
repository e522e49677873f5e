// Tests that the glossary check finds replaced words and ignores standard terms.
import { describe, expect, it } from 'vitest';
import { findWords, isChecked } from '../../scripts/check-words.mjs';

describe('findWords', () => {
  it.each([
    ['bff/a.ts', '// Retries until the operator mends it.', 'mend'],
    ['bff/a.ts', 'const mendedRows = 1;', 'mend'],
    ['docs/a.md', 'The journal is a file.', 'journal'],
    ['bff/store/a.ts', 'function readChild() {}', 'Child'],
    ['bff/store/a.ts', "query('select * from child')", 'child'],
    ['bff/a.ts', '// What is kept stays.', '// What'],
    ['bff/a.ts', '/** Whatever it is. */', 'Whatever'],
    ['bff/routes/a.ts', 'const sealedName = 1;', 'seal'],
    ['bff/a.ts', '// Every gate refuses it.', 'gate'],
    ['bff/a.ts', '// the colour of money', 'colour'],
    ['bff/a.ts', 'const isTrapFilled = true;', 'isTrap'],
  ])('finds the old word in %s: %s', (path, line, word) => {
    expect(findWords(path, line).map((found) => found.word)).toContain(word);
  });

  it.each([
    ['bff/a.ts', "import { spawn } from 'node:child_process';"],
    ['bff/store/a.ts', "import { spawn } from 'node:child_process';"],
    ['bff/store/sqlite.ts', 'pragma journal_mode = wal;'],
    ['bff/middleware/session.ts', '// The cookie is sealed.'],
    ['bff/a.ts', '// The origin gate refuses it.'],
    ['bff/a.ts', '// An API gateway in front.'],
    ['docs/a.md', 'We recommend a proxy.'],
  ])('accepts the standard term in %s: %s', (path, line) => {
    expect(findWords(path, line)).toEqual([]);
  });

  it('names the line', () => {
    expect(findWords('bff/a.ts', 'const a = 1;\n// mended')[0]?.line).toBe(2);
  });
});

describe('isChecked', () => {
  it.each(['bff/app.ts', 'widget/index.ts', 'docs/operate/alarms.md', 'README.md'])(
    'includes %s',
    (path) => {
      expect(isChecked(path)).toBe(true);
    },
  );

  it.each(['CHANGELOG.md', 'docs/images/themes.png'])('excludes %s', (path) => {
    expect(isChecked(path)).toBe(false);
  });
});
