// The net under the log: what it takes out, and what it must leave.
import { describe, expect, it } from 'vitest';
import { scrubLine } from '../../../bff/logging/log.ts';

describe('scrubLine', () => {
  it.each([
    ['a Social Security number', '471-82-9364', '[ssn]'],
    ['one with blanks', '471 82 9364', '[ssn]'],
    ['one without anything', '471829364', '[9 digits]'],
    ['an employer number', '82-1734655', '[ein]'],
    ['a date of birth', '1971-08-23', '[date]'],
    ['a phone number', '(207) 555-9183', '[phone]'],
    ['one as machines write it', '+1 207-555-9183', '[phone]'],
    ['an e-mail address', 'zorayda@quillmark.example', '[email]'],
    ['a bearer token', 'Bearer 00Dxx0000001gPL!AR8AQJ', '[token]'],
    ['a session id', '00Dxx0000001gPL!AR8AQJX.Dq', '[token]'],
    ['a sealed session', 'Fe26.2*1*0cc5*Vj-a_b*170000*9f*xyz~2', '[seal]'],
    ['long Base64', `${'QUJD'.repeat(60)}==`, '[base64]'],
  ])('takes %s out', (_what, value, word) => {
    expect(scrubLine(`{"event":"x","text":"${value}"}\n`)).toBe(`{"event":"x","text":"${word}"}\n`);
    expect(scrubLine(`{"text":"before ${value} after"}`)).toBe(`{"text":"before ${word} after"}`);
  });

  it('takes them out of names too, and of text with quotes in it', () => {
    expect(scrubLine(String.raw`{"471-82-9364":"he said \"82-1734655\""}`)).toBe(
      String.raw`{"[ssn]":"he said \"[ein]\""}`,
    );
  });

  it.each([
    ['an id', '0199c0de-0000-4000-8000-123456789012'],
    ['an id whose groups look like an employer number', '0199c0de-1234-4567-8912-345678901234'],
    ['the time of the line', '2026-11-21T23:06:40.123Z'],
    ['a place in the code', 'applications.ts:123456789:12'],
    ['an error code', 'ERR_HTTP2_INVALID_STREAM'],
    ['an address of the network', '192.168.100.200'],
    ['a hash', 'a'.repeat(64)],
  ])('leaves %s', (_what, value) => {
    expect(scrubLine(`{"text":"${value}"}`)).toBe(`{"text":"${value}"}`);
  });

  it.each([
    ['of many e-mail addresses', 'zorayda@quillmark.example '.repeat(200)],
    ['that a search would look through again and again', 'a'.repeat(8_000_000)],
    ['of nothing but escapes', String.raw`\"`.repeat(1_000_000)],
  ])('leaves the length of a long text %s', (_what, text) => {
    expect(scrubLine(`{"text":"${text}","event":"x"}`)).toBe(
      `{"text":"[${text.length} characters]","event":"x"}`,
    );
  });

  it('looks through a text of 4,094 characters, and no longer one', () => {
    const text = `${'x '.repeat(2_042)}82-1734655`;
    expect(scrubLine(`{"text":"${text}"}`)).toMatch(/x \[ein\]"}$/);
    expect(scrubLine(`{"text":"${text} "}`)).toBe('{"text":"[4095 characters]"}');
  });

  it('takes the longest e-mail address out whole (RFC 5321, 4.5.3.1)', () => {
    const domain = `${'b.'.repeat(123)}example`;
    expect(scrubLine(`{"text":"of ${'a'.repeat(64)}@${domain}"}`)).toBe('{"text":"of [email]"}');
  });

  it('leaves numbers alone, so that the line stays JSON', () => {
    expect(scrubLine('{"bytes":104857600,"durationMs":471829364}')).toBe(
      '{"bytes":104857600,"durationMs":471829364}',
    );
  });
});
