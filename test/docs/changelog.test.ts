// The sections of CHANGELOG.md are those of the release procedure in CONTRIBUTING.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/project.mjs';

const released = /^(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/;

/** Returns the problems of a changelog. Before the first release, it has one section, which is not released. */
function listProblems(changelog: string, version: string): readonly string[] {
  const headings = Array.from(changelog.matchAll(/^## (.+)$/gm), ([, heading]) => heading!);
  const versions = headings[0] === 'Unreleased' ? headings.slice(1) : headings;
  const unreadable = versions.filter((heading) => !released.test(heading));
  const [newest] = versions.map((heading) => released.exec(heading)?.[1]);
  return [
    ...unreadable.map((heading) => `"${heading}" is not a version with a day.`),
    ...(headings.length === 0 ? ['The changelog has no section.'] : []),
    ...(newest !== undefined && newest !== version
      ? [`package.json has ${version}, and the newest released section is ${newest}.`]
      : []),
  ];
}

it('the changelog has a section for the version of package.json once it is released', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  expect(listProblems(changelog, project.version)).toEqual([]);
});

it.each([
  ['## Unreleased\n', []],
  ['## 0.2.0 (2026-12-01)\n', []],
  ['## Unreleased\n## 0.2.0 (2026-12-01)\n## 0.1.0 (2026-11-01)\n', []],
  ['', ['The changelog has no section.']],
  ['## 0.2.0\n', ['"0.2.0" is not a version with a day.']],
  [
    '## 0.1.0 (2026-11-01)\n',
    ['package.json has 0.2.0, and the newest released section is 0.1.0.'],
  ],
  ['## 0.2.0 (2026-12-01)\n## Unreleased\n', ['"Unreleased" is not a version with a day.']],
])('%j has these problems in 0.2.0: %j', (changelog, problems) => {
  expect(listProblems(changelog, '0.2.0')).toEqual(problems);
});
