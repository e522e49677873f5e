import { describe, expect, it } from 'vitest';
import { decodeStrictBase64 } from '../../sandbox/base64.ts';

describe('strict Base64', () => {
  it.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foobar', 'Zm9vYmFy'],
  ])('decodes the test vector of “%s” (RFC 4648 section 10)', (plain, text) => {
    expect(Buffer.from(decodeStrictBase64(text)!).toString()).toBe(plain);
  });

  it('decodes every byte', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(decodeStrictBase64(all.toString('base64'))).toEqual(all);
  });

  it.each([
    ['no padding', 'Zg'],
    ['too little padding', 'Zg='],
    ['too much padding', 'Zm8=='],
    ['padding only', '===='],
    ['padding of three', 'Z==='],
    ['padding in the middle', 'Zg==Zg=='],
    ['a length of one more', 'Zm9vY'],
    ['a line break', 'Zm9v\nYmFy'],
    ['a line break that fills a quantum', 'Zm9v\r\n\r\n'],
    ['a space', 'Zm9v YmF'],
    ['the URL alphabet', 'Zm-_'],
    ['a letter of another alphabet', 'Zm9é'],
    ['spare bits before ==', 'Zh=='],
    ['spare bits before =', 'Zm9='],
    ['a data URL', 'data:text/plain;base64,Zm9v'],
  ])('refuses %s', (_, text) => {
    expect(decodeStrictBase64(text)).toBeUndefined();
  });
});
