// The table of log events: each event has a complete entry, and each entry has an event that the BFF logs.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LogTable, logTable } from '../../bff/bff-log.ts';
import { root } from '../../scripts/project.mjs';

type TestEvent =
  | { readonly event: 'opened'; readonly ms: number; readonly error?: unknown }
  | { readonly event: 'closed'; readonly reason: 'idle' | 'full' };

const text = { group: 'Requests', level: 'info', when: 'Always.' } as const;
const opened = { ...text, fields: { ms: 'Milliseconds.', error: 'The error.' } };
const closed = { ...text, fields: { reason: { idle: 'no requests', full: 'too many' } } };

describe('the table of log events', () => {
  it('has only events that the sources log', () => {
    const sources = globSync('bff/**/*.ts', { cwd: root })
      .filter((file) => file !== 'bff/bff-log.ts')
      .map((file) => readFileSync(join(root, file), 'utf8'))
      // Declarations of types do not log.
      .map((source) => source.replaceAll(/readonly event:[^;]*;/g, ''));
    const names = Object.keys(logTable);

    // `event: 'name'`, `const event = 'name'`, and a choice between two names.
    const isLogged = (name: string) =>
      sources.some((source) => new RegExp(`\\bevent(?::| =)[^,;]*'${name}'`).test(source));
    const unlogged = names.filter((name) => !isLogged(name));

    expect(unlogged).toEqual([]);
  });

  it('does not compile without an entry or a field', () => {
    const tables: LogTable<TestEvent>[] = [
      { opened, closed },
      { opened, closed: { ...closed, fields: { reason: 'Why.' } } },
      // @ts-expect-error The event "closed" has no entry.
      { opened },
      // @ts-expect-error The event "opened" has the field "error".
      { opened: { ...text, fields: { ms: 'Milliseconds.' } }, closed },
      // @ts-expect-error The reason "full" has no meaning.
      { opened, closed: { ...text, fields: { reason: { idle: 'no requests' } } } },
      // @ts-expect-error An operator has to act on an error.
      { opened, closed: { ...closed, level: 'error' } },
    ];

    expect(tables).toHaveLength(6);
  });
});
