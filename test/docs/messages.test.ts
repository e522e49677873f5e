// The messages that docs/troubleshoot.md and docs/embed quote in bold are those of the code. A reader searches the pages for them.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = ['docs/troubleshoot.md', ...globSync('docs/embed/*.md', { cwd: root })].map((file) =>
  readFileSync(join(root, file), 'utf8'),
);
const sources = globSync(['bff/**/*.ts', 'widget/**/*.{ts,json}'], { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const messages = [...pages.join('\n').matchAll(/\*\*`([^`]+)`\*\*/g)].map(([, message = '']) =>
  // warn-developer.ts adds the name of the element.
  message.replaceAll(/\s+/g, ' ').replace('<funding-application>: ', ''),
);

it('quotes messages', () => {
  expect(messages.length).toBeGreaterThan(40);
});

it.each(messages)('%s', (message) => {
  expect(sources.includes(message)).toBe(true);
});
