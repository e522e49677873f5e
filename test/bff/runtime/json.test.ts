// JSON of strangers: what passes is exactly what the parser says, and each trap is refused.

import { describe, expect, it } from 'vitest';
import { toStrictJson } from '../../../bff/runtime/json.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('strict JSON', () => {
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
  ])('is what the parser says: %s', (text) => {
    expect(toStrictJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['none at all', '{"a":'],
    ['a byte order mark', '\uFEFF{}'],
    ['nothing', ''],
    ['two texts', '{}{}'],
    ['a comma too many', '{"a":1,}'],
    ['33 arrays in one another', nested(33)],
    ['33 objects in one another', nestedObjects(33)],
    ['depth that never ends', '['.repeat(1_000_000)],
    ['depth behind a string that looks like an end', `{"a":"]\\"]","b":${nested(32)}}`],
    ['33 arrays behind siblings', `[${'[],'.repeat(40)}${nested(32)}]`],
    ['more values than anybody sends', `[${'1,'.repeat(500_000)}1]`],
    ['the name of a prototype', '{"__proto__":{"isAdmin":true}}'],
    ['that name deep inside', '{"a":[{"b":{"__proto__":1}}]}'],
    ['that name in other letters', String.raw`{"\u005f_proto__":1}`],
    ['the name constructor', '{"constructor":1}'],
    ['the name constructor deep inside', '{"a":[{"constructor":{"b":1}}]}'],
    ['the name constructor in other letters', String.raw`{"c\u006fnstructor":1}`],
    ['the name prototype', '{"prototype":1}'],
    ['the name prototype in other letters', String.raw`{"a":{"prot\u006ftype":1}}`],
    ['a name twice', '{"a":1,"a":2}'],
    ['a name twice with the same value', '{"a":1,"a":1}'],
    ['a name twice deep inside', '[{"a":{"b":1,"c":2,"b":1}}]'],
    ['a name twice in other letters', String.raw`{"a":1,"\u0061":2}`],
    ['a number beyond all', '1e309'],
    ['such a number deep inside', '{"a":[{"b":-1e999}]}'],
    ['a number that is none', '{"a":NaN}'],
  ])('is not %s', (_name, text) => {
    expect(toStrictJson(text)).toBeUndefined();
  });

  it.each([
    ['40 arrays side by side', `[${'[],'.repeat(40)}{}]`],
    ['40 objects side by side', `[${'{},'.repeat(40)}[]]`],
    ['more blanks than the limit of values', `[1,${' '.repeat(600_000)}2]`],
  ])('may hold %s', (_name, text) => {
    expect(toStrictJson(text)).toEqual(JSON.parse(text));
  });

  it('may hold 500,000 values', () => {
    expect(toStrictJson(`[${'1,'.repeat(499_999)}1]`)).toHaveLength(500_000);
  });

  it('leaves no object with another prototype behind', () => {
    toStrictJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect('polluted' in {}).toBe(false);
  });
});
