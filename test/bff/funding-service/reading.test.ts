import { describe, expect, it } from 'vitest';
import {
  isHtml,
  parseJson,
  readBoolean,
  readNumber,
  readObject,
  readText,
} from '../../../bff/funding-service/responses.ts';
import { createResponse } from '../../support/scripted-transport.ts';

describe('readNumber', () => {
  it.each<[unknown, number | null]>([
    [12.5, 12.5],
    [0, 0],
    [-3, -3],
    ['12.5', 12.5],
    [' 12 ', 12],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['1.2E5', 120_000],
    ['$1,250.00', 1250],
    ['1,250,000', 1_250_000],
    ['-$40', -40],
    ['9.5%', 9.5],
    ['9.5 %', 9.5],
    ['12,5', null],
    ['1,25', null],
    ['', null],
    [' ', null],
    ['n/a', null],
    ['1e999', null],
    ['0x10', null],
    ['Infinity', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
    [undefined, null],
    [true, null],
    [[5], null],
    [{}, null],
  ])('reads %j as %j', (value, expected) => {
    expect(readNumber(value)).toBe(expected);
  });
});

describe('readNumber, given a long text', () => {
  it.each([
    ['digits', '1'.repeat(200_000)],
    ['blanks within', `1${' '.repeat(300_000)}1`],
    ['thousands', `1${',111'.repeat(100_000)}`],
  ])('takes %s for no figure, without looking through them', (_name, text) => {
    expect(readNumber(text)).toBeNull();
  });
});

describe('readBoolean', () => {
  it.each<[unknown, boolean | undefined]>([
    [true, true],
    [false, false],
    ['true', true],
    ['True', true],
    [' FALSE ', false],
    ['yes', undefined],
    ['', undefined],
    [1, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(readBoolean(value)).toBe(expected);
  });
});

describe('readText', () => {
  it.each<[unknown, string | undefined]>([
    ['a', 'a'],
    [' a ', 'a'],
    [17, '17'],
    ['', undefined],
    ['  ', undefined],
    [null, undefined],
    [undefined, undefined],
    [Number.NaN, undefined],
    [true, undefined],
    [{}, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(readText(value)).toBe(expected);
  });
});

describe('parseJson', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF{"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['"words"', 'words'],
    ['[1]', [1]],
    ['', undefined],
    ['{"a":', undefined],
    ['<html></html>', undefined],
  ])('parses %j', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });
});

describe('readObject', () => {
  it.each([[null], [undefined], ['a'], [1], [[]]])('takes %j for no object', (value) => {
    expect(readObject(value)).toBeUndefined();
  });
});

describe('isHtml', () => {
  it('knows a page by its content type or its first character', () => {
    expect(isHtml(createResponse(200, '<p>'))).toBe(true);
    expect(isHtml(createResponse(200, ' <!doctype html>', { 'content-type': 'text/plain' }))).toBe(
      true,
    );
    expect(isHtml(createResponse(200, {}))).toBe(false);
  });
});
