// Tests that the references are what the code says: those that `npm run docs` writes, and the events.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { applicationStates, attachmentStates } from '../../bff/store/store.ts';
import { root } from '../../scripts/project.mjs';
import { fillParts, type JsonSchema } from '../../scripts/references/markdown.ts';
import { references } from '../../scripts/references.ts';
import { webhookEventSchema, webhookEventTypes } from '../../shared/api/webhook-event.ts';
import { parseBlocks } from '../support/code-blocks.ts';

it.each(references)('$path is up to date (if not, run "npm run docs")', async (reference) => {
  const committed = readFileSync(join(root, reference.path), 'utf8');
  expect(committed).toBe(await reference.toText());
});

it('a page keeps its sentences around a generated part', async () => {
  const page = 'Before.\n\n<!-- generated: list -->\n\n- old\n\n<!-- end -->\n\nAfter.\n';
  expect(await fillParts(page, { list: ['- new', undefined] })).toBe(page.replace('old', 'new'));
});

it.each([
  ['the page lacks', '# Page\n', { list: ['- a'] }],
  ['the code lacks', '<!-- generated: list -->\n<!-- end -->\n', {}],
])('a part that %s is an error', (_, page, parts) => {
  expect(() => fillParts(page, parts)).toThrow('has no part list');
});

it('commands.md lists each state', () => {
  const [, section = ''] = readReference('commands.md').split('\n## States\n');
  const listed = [...section.matchAll(/^- `(\w+)`:/gm)].map(([, state]) => state);
  expect(new Set(listed)).toEqual(
    new Set(['receiving', ...applicationStates, ...attachmentStates]),
  );
});

const eventsPage = readReference('events.md');

it('events.md has a valid example of each type', () => {
  const sections = eventsPage.split(/^## /m).slice(2);
  expect(sections.map((section) => section.split('\n')[0])).toEqual([...webhookEventTypes]);
  for (const [index, section] of sections.entries()) {
    const [block] = parseBlocks('events.md', section);
    const example: unknown = JSON.parse(block!.text);
    // The schema removes properties that it does not know.
    expect(webhookEventSchema.parse(example)).toEqual(example);
    expect(example).toMatchObject({ type: webhookEventTypes[index] });
  }
});

it('events.md lists each property', () => {
  const schema = z.toJSONSchema(webhookEventSchema, { unrepresentable: 'any' }) as JsonSchema;
  const listed = [...eventsPage.matchAll(/^- `([\w.]+)`:/gm)].map(([, path]) => path);
  expect(listed).toEqual(listLeaves(schema, ''));
});

function listLeaves({ properties = {} }: JsonSchema, path: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = listLeaves(property, `${path}${name}.`);
    const isDocumented = inner.length === 0 || name === 'attachment';
    return [...(isDocumented ? [path + name] : []), ...inner];
  });
}

function readReference(name: string): string {
  return readFileSync(join(root, 'docs/reference', name), 'utf8');
}
