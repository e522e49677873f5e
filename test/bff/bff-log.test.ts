// The log events: each has a level and a complete text, and the BFF logs each.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logLevels } from '../../bff/bff-log.ts';
import type { LogTexts } from '../../bff/bff-log-texts.ts';
import { root } from '../../scripts/project.mjs';

type TestEvent =
  | { readonly event: 'opened'; readonly ms: number; readonly error?: unknown }
  | { readonly event: 'closed'; readonly reason: 'idle' | 'full' };

interface TestLevels {
  readonly opened: 'info';
  readonly closed: 'error';
}

const text = { group: 'Requests', when: 'Always.' } as const;
const opened = { ...text, fields: { ms: 'Milliseconds.', error: 'The error.' } };
const reasons = { fields: { reason: { idle: 'no requests', full: 'too many' } } };
const closed = { ...text, action: 'Open it.', ...reasons };

describe('the log events', () => {
  it('are logged by the sources', () => {
    const sources = globSync('bff/**/*.ts', { cwd: root })
      .filter((file) => file !== 'bff/bff-log.ts')
      .map((file) => readFileSync(join(root, file), 'utf8'))
      // Declarations of types do not log.
      .map((source) => source.replaceAll(/readonly event:[^;]*;/g, ''));
    const names = Object.keys(logLevels);

    // `event: 'name'`, `const event = 'name'`, and a choice between two names.
    const isLogged = (name: string) =>
      sources.some((source) => new RegExp(`\\bevent(?::| =)[^,;]*'${name}'`).test(source));
    const unlogged = names.filter((name) => !isLogged(name));

    expect(unlogged).toEqual([]);
  });

  it('do not compile without a text or a field', () => {
    const tables: LogTexts<TestEvent, TestLevels>[] = [
      { opened, closed },
      { opened, closed: { ...closed, fields: { reason: 'Why.' } } },
      // @ts-expect-error The event "closed" has no text.
      { opened },
      // @ts-expect-error The event "opened" has the field "error".
      { opened: { ...text, fields: { ms: 'Milliseconds.' } }, closed },
      // @ts-expect-error The reason "full" has no meaning.
      { opened, closed: { ...closed, fields: { reason: { idle: 'no requests' } } } },
      // @ts-expect-error An operator has to act on an error.
      { opened, closed: { ...text, ...reasons } },
    ];

    expect(tables).toHaveLength(6);
  });
});
