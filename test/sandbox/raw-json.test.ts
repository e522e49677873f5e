import { describe, expect, it } from 'vitest';
import { sliceTopLevelValue } from '../../sandbox/raw-json.ts';

describe('a value cut out of JSON text', () => {
  it.each([
    ['{"a":1}', '1'],
    ['{ "a" : {"b": [1, 2.50]} , "c":0}', '{"b": [1, 2.50]}'],
    ['{"b":{"a":1},"a":[{"a":2}]}', '[{"a":2}]'],
    ['{"b":"\\"a\\":9,","a":"}\\\\"}', '"}\\\\"'],
    ['{"b":"x\\"}","a":1}', '1'],
    ['{"\\u0061":null}', 'null'],
    ['{"a":1,"a":2}', '2'],
    ['{"a":"é, {["}', '"é, {["'],
  ])('of %s is the text of a', (json, expected) => {
    JSON.parse(json);
    expect(sliceTopLevelValue(json, 'a')).toBe(expected);
  });

  it.each(['{}', '{"b":{"a":1}}', '["a"]', '{"b":"a"}'])('of %s is none', (json) => {
    expect(sliceTopLevelValue(json, 'a')).toBeUndefined();
  });
});
