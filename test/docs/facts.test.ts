// Messages, alarms, limits, and tables in the documents are those of the code. The counterpart of the tables of docs/embed is the
// reference, which is generated from the code.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alarmCodes } from '../../bff/store/alarms.ts';
import { root } from '../../scripts/project.mjs';
import release from '../../scripts/release/package.json' with { type: 'json' };

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const reference = read('docs/reference/element.md');
const events = read('docs/embed/events.md');
const theme = read('docs/embed/theme.md');

// In bold, because a reader searches the pages for them.
it('troubleshoot.md and docs/embed quote messages of the code', () => {
  const pages = ['docs/troubleshoot.md', ...globSync('docs/embed/*.md', { cwd: root })];
  const messages = [
    ...pages
      .map(read)
      .join('\n')
      .matchAll(/\*\*`([^`]+)`\*\*/g),
  ].map(([, message = '']) =>
    // warn-developer.ts adds the name of the element.
    message.replaceAll(/\s+/g, ' ').replace('<funding-application>: ', ''),
  );
  const sources = globSync(['bff/**/*.ts', 'widget/**/*.{ts,json}'], { cwd: root }).map(read);
  expect(messages.length).toBeGreaterThan(40);
  expect(messages.filter((message) => !sources.some((text) => text.includes(message)))).toEqual([]);
});

it('each alarm has a runbook, under a heading that alerts can link to', () => {
  const [, ...runbooks] = read('docs/operate/alarms.md').split(/^## /m);
  const hasRunbook = (code: string) =>
    runbooks.some(
      (text) =>
        text.split('\n\n')[1]?.includes(`\`${code}\``) && /^1\. |Follow its steps\./m.test(text),
    );
  expect(alarmCodes.filter((code) => !hasRunbook(code))).toEqual([]);
});

it('versions.md has the limits of the build', () => {
  const documented = [...read('docs/embed/versions.md').matchAll(/: ([\d.]+) KB\.$/gm)];
  const limits = documented.map(([, size]) => `${size} KiB`);
  expect(limits).toEqual(release['size-limit'].map(({ limit }) => limit));
});

describe('events.md', () => {
  const inCode = readSection(reference, 'Events').split(/^### /m).slice(1);

  it('lists each event with its fields', () => {
    const rows = toRows(readSection(events, 'All events')).map(([event, , fields = '']) =>
      [event, ...readNames(fields)].join(' '),
    );
    const ofReference = inCode.map((text) =>
      [text.split('\n')[0], ...matchAll(text, /^- `(\w+)` \(/gm)].join(' '),
    );
    expect(ofReference.length).toBeGreaterThan(8);
    expect(rows.toSorted()).toEqual(ofReference.toSorted());
  });

  it('lists each step in order', () => {
    const [, list = ''] = /^type StepId =\n?([^;]+);/m.exec(reference) ?? [];
    const [, steps = ''] = /^- Steps are ([^]+?)\.$/m.exec(events) ?? [];
    expect(readNames(steps)).toEqual(matchAll(list, /'([\w-]+)'/g));
    expect(readNames(steps).length).toBeGreaterThan(8);
  });

  it('names the events that can be canceled', () => {
    const cancelable = inCode.filter((text) => text.includes('preventDefault()'));
    expect(cancelable.map((text) => text.split('`')[1])).toEqual(['funding-offer-chosen']);
    expect(events).toContain('Only `funding-offer-chosen` can be canceled.');
  });
});

it.each(['Custom properties', 'Parts'])('theme.md lists all %s', (section) => {
  const rows = toRows(readSection(theme, section)).map(([name]) => name);
  const inCode = matchAll(readSection(reference, section), /^- (`[\w-]+`): /gm);
  expect(inCode.length).toBeGreaterThan(15);
  expect(rows.toSorted()).toEqual(inCode.toSorted());
});

/** The text below a heading of the second level. */
function readSection(page: string, title: string): string {
  const [, text = ''] = page.split(new RegExp(`^## ${title}$`, 'm'));
  return text.split(/^## /m)[0]!;
}

/** The cells of each row that begins with a name in code. */
function toRows(section: string): string[][] {
  return [...section.matchAll(/^\| (`[^|]+) \|(.*)\|$/gm)].map(([, first = '', others = '']) =>
    [first, ...others.split('|')].map((cell) => cell.trim()),
  );
}

function readNames(text: string): string[] {
  return matchAll(text, /`([\w-]+)`/g);
}

/** The first group of each match. */
function matchAll(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, group]) => group!);
}
