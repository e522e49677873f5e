// The sections of CHANGELOG.md are those of the release procedure in docs/contribute/versions.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/project.mjs';

const heading = /^## (\d+\.\d+\.\d+) \((unreleased|\d{4}-\d\d-\d\d)\)$/;

/** Only the first section may be unreleased. The newest released one has the version of package.json. */
function listProblems(changelog: string, version: string): readonly string[] {
  const sections = (changelog.match(/^## .+$/gm) ?? []).map((line) => {
    const [, number, day] = heading.exec(line) ?? [];
    return { line, number, day };
  });
  const released = sections.filter(({ day }, index) => index > 0 || day !== 'unreleased');
  return [
    ...(sections.length === 0 ? ['The changelog has no section.'] : []),
    ...sections.filter(({ number }) => !number).map(({ line }) => `"${line}" is unreadable.`),
    ...released
      .filter(({ day }) => day === 'unreleased')
      .map(({ line }) => `"${line}" is not the first section.`),
    ...(released[0]?.number && released[0].number !== version
      ? [`package.json has ${version}, and the newest released section is ${released[0].number}.`]
      : []),
  ];
}

it('the changelog has a section for the version of package.json once it is released', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  expect(listProblems(changelog, project.version)).toEqual([]);
});

it.each([
  ['## 0.2.0 (unreleased)\n', []],
  ['## 0.3.0 (unreleased)\n## 0.2.0 (2026-12-01)\n## 0.1.0 (2026-11-01)\n', []],
  ['', ['The changelog has no section.']],
  ['## 0.2.0\n', ['"## 0.2.0" is unreadable.']],
  [
    '## 0.1.0 (2026-11-01)\n',
    ['package.json has 0.2.0, and the newest released section is 0.1.0.'],
  ],
  [
    '## 0.2.0 (2026-12-01)\n## 0.1.0 (unreleased)\n',
    ['"## 0.1.0 (unreleased)" is not the first section.'],
  ],
])('%j has these problems in 0.2.0: %j', (changelog, problems) => {
  expect(listProblems(changelog, '0.2.0')).toEqual(problems);
});
