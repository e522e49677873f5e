// Strict parsing of request bodies.

import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../../bff/runtime/json.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('parseStrictJson', () => {
  it.each([
    ...readGroupedRows('strict-json.txt'),
    [' {"a": [1, {"b": null}], "c": true}\n', 'read'],
    ['', 'refused'],
    ['\uFEFF{}', 'refused'],
  ])('%s is %s', (text, expected) => {
    expect(parse(text)).toEqual(expected === 'read' ? JSON.parse(text) : undefined);
  });

  it.each([
    ['32 nested objects', nestedObjects(32)],
    ['40 sibling arrays', `[${'[],'.repeat(40)}{}]`],
    ['40 sibling objects', `[${'{},'.repeat(40)}[]]`],
    ['600,000 spaces', `[1,${' '.repeat(600_000)}2]`],
  ])('accepts %s', (_name, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['33 nested objects', nestedObjects(33)],
    ['a million nested arrays', '['.repeat(1_000_000)],
    ['33 levels after a string with brackets', `{"a":"]\\"]","b":${nested(32)}}`],
    ['33 levels after siblings', `[${'[],'.repeat(40)}${nested(32)}]`],
    ['500,001 values', `[${'1,'.repeat(500_000)}1]`],
  ])('rejects %s', (_name, text) => {
    expect(parse(text)).toBeUndefined();
  });

  it('accepts 500,000 values', () => {
    expect(parse(`[${'1,'.repeat(499_999)}1]`)).toHaveLength(500_000);
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(parseStrictJson(Buffer.from('"\xE9"', 'latin1'))).toBeUndefined();
  });

  it('changes no prototype', () => {
    parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect('polluted' in {}).toBe(false);
  });
});
