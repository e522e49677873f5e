// The tables of docs/embed list exactly what the code has. Their counterpart is the reference, which is generated from the code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../docs');
const reference = readFileSync(join(docs, 'reference/element.md'), 'utf8');
const events = readFileSync(join(docs, 'embed/events.md'), 'utf8');
const theme = readFileSync(join(docs, 'embed/theme.md'), 'utf8');

describe('events.md', () => {
  it('lists each event with its fields', () => {
    const rows = toRows(readSection(events, 'All events')).map(([event, , fields = '']) => [
      event,
      readNames(fields),
    ]);
    const inCode = readSection(reference, 'Events')
      .split(/^### /m)
      .slice(1)
      .map((text) => [
        text.split('\n')[0],
        [...text.matchAll(/^- `(\w+)` \(/gm)].map(([, name]) => name),
      ]);
    expect(inCode.length).toBeGreaterThan(8);
    expect(sort(rows)).toEqual(sort(inCode));
  });

  it('lists each step in order', () => {
    const [, list = ''] = /^type StepId =\n?([^;]+);/m.exec(reference) ?? [];
    const [, steps = ''] = /^- Steps are ([^]+?)\.$/m.exec(events) ?? [];
    const inCode = [...list.matchAll(/'([\w-]+)'/g)].map(([, step]) => step);
    expect(inCode.length).toBeGreaterThan(8);
    expect(readNames(steps)).toEqual(inCode);
  });

  it('names the events that can be canceled', () => {
    const cancelable = readSection(reference, 'Events')
      .split(/^### /m)
      .filter((text) => text.includes('preventDefault()'))
      .map((text) => text.split('`')[1]);
    expect(cancelable).toEqual(['funding-offer-chosen']);
    expect(events).toContain('Only `funding-offer-chosen` can be canceled.');
  });
});

describe('theme.md', () => {
  it.each(['Custom properties', 'Parts'])('lists all %s', (section) => {
    const rows = toRows(readSection(theme, section)).map(([name]) => name);
    const inCode = [...readSection(reference, section).matchAll(/^- (`[\w-]+`): /gm)].map(
      ([, name]) => name,
    );
    expect(inCode.length).toBeGreaterThan(15);
    expect(rows.toSorted()).toEqual(inCode.toSorted());
  });
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
  return [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
}

function sort<Row>(rows: readonly (readonly Row[])[]): (readonly Row[])[] {
  return rows.toSorted(([a], [b]) => String(a).localeCompare(String(b)));
}
