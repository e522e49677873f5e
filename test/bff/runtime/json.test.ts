// Strict parsing of request bodies.

import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../../bff/runtime/json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('parseStrictJson', () => {
  it.each([
    '{}',
    'null',
    '"text"',
    '-1.5E+3',
    ' {"a": [1, {"b": null}], "c": true}\n',
    '{"a":"} ] , : \\" \\\\","b":"\\\\\\""}',
    '{"a:b":":::","{[":"[[["}',
    '{"":1," ":2}',
    '{"a":{"x":1},"b":{"x":1}}',
    '["__proto__","constructor"]',
    '{"a":"prototype","Constructor":1,"__proto":2}',
    '{"\\u0061":1,"b":"\\ud83d\\ude00"}',
    String(Number.MAX_VALUE),
    nested(32),
    nestedObjects(32),
  ])('returns the same as JSON.parse for %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['incomplete JSON', '{"a":'],
    ['a byte order mark', '\uFEFF{}'],
    ['no text', ''],
    ['two values', '{}{}'],
    ['a trailing comma', '{"a":1,}'],
    ['33 nested arrays', nested(33)],
    ['33 nested objects', nestedObjects(33)],
    ['a million nested arrays', '['.repeat(1_000_000)],
    ['33 levels after a string with brackets', `{"a":"]\\"]","b":${nested(32)}}`],
    ['33 levels after siblings', `[${'[],'.repeat(40)}${nested(32)}]`],
    ['500,001 values', `[${'1,'.repeat(500_000)}1]`],
    ['the name __proto__', '{"__proto__":{"isAdmin":true}}'],
    ['a nested __proto__', '{"a":[{"b":{"__proto__":1}}]}'],
    ['an escaped __proto__', String.raw`{"\u005f_proto__":1}`],
    ['the name constructor', '{"constructor":1}'],
    ['a nested constructor', '{"a":[{"constructor":{"b":1}}]}'],
    ['an escaped constructor', String.raw`{"c\u006fnstructor":1}`],
    ['the name prototype', '{"prototype":1}'],
    ['an escaped prototype', String.raw`{"a":{"prot\u006ftype":1}}`],
    ['a duplicate name', '{"a":1,"a":2}'],
    ['a duplicate name with the same value', '{"a":1,"a":1}'],
    ['a nested duplicate name', '[{"a":{"b":1,"c":2,"b":1}}]'],
    ['an escaped duplicate name', String.raw`{"a":1,"\u0061":2}`],
    ['a number out of range', '1e309'],
    ['a nested number out of range', '{"a":[{"b":-1e999}]}'],
    ['NaN', '{"a":NaN}'],
  ])('rejects %s', (_name, text) => {
    expect(parse(text)).toBeUndefined();
  });

  it.each([
    ['40 sibling arrays', `[${'[],'.repeat(40)}{}]`],
    ['40 sibling objects', `[${'{},'.repeat(40)}[]]`],
    ['600,000 spaces', `[1,${' '.repeat(600_000)}2]`],
  ])('accepts %s', (_name, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
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
