// The scrubber of log lines: what it replaces, and what it keeps.
import { describe, expect, it } from 'vitest';
import { scrubLine } from '../../../bff/logging/log.ts';

describe('scrubLine', () => {
  it.each([
    ['a Social Security number', '471-82-9364', '[ssn]'],
    ['a Social Security number with spaces', '471 82 9364', '[ssn]'],
    ['a Social Security number without separators', '471829364', '[9 digits]'],
    ['an EIN', '82-1734655', '[ein]'],
    ['a date of birth', '1971-08-23', '[date]'],
    ['a phone number', '(207) 555-9183', '[phone]'],
    ['an international phone number', '+1 207-555-9183', '[phone]'],
    ['an e-mail address', 'zorayda@quillmark.example', '[email]'],
    ['a bearer token', 'Bearer 00Dxx0000001gPL!AR8AQJ', '[token]'],
    ['a Salesforce session ID', '00Dxx0000001gPL!AR8AQJX.Dq', '[token]'],
    ['a sealed session', 'Fe26.2*1*0cc5*Vj-a_b*170000*9f*xyz~2', '[session]'],
    ['long Base64', `${'QUJD'.repeat(60)}==`, '[base64]'],
  ])('replaces %s', (_name, value, word) => {
    expect(scrubLine(`{"event":"x","text":"${value}"}\n`)).toBe(`{"event":"x","text":"${word}"}\n`);
    expect(scrubLine(`{"text":"before ${value} after"}`)).toBe(`{"text":"before ${word} after"}`);
  });

  it('replaces patterns in names or in text with quotes', () => {
    expect(scrubLine(String.raw`{"471-82-9364":"he said \"82-1734655\""}`)).toBe(
      String.raw`{"[ssn]":"he said \"[ein]\""}`,
    );
  });

  it.each([
    ['an id', '0199c0de-0000-4000-8000-123456789012'],
    ['an id whose groups look like an EIN', '0199c0de-1234-4567-8912-345678901234'],
    ['the time of the line', '2026-11-21T23:06:40.123Z'],
    ['a code position', 'applications.ts:123456789:12'],
    ['an error code', 'ERR_HTTP2_INVALID_STREAM'],
    ['an IP address', '192.168.100.200'],
    ['a hash', 'a'.repeat(64)],
  ])('keeps %s', (_name, value) => {
    expect(scrubLine(`{"text":"${value}"}`)).toBe(`{"text":"${value}"}`);
  });

  it.each([
    ['many e-mail addresses', 'zorayda@quillmark.example '.repeat(200)],
    ['text that makes a search slow', 'a'.repeat(40_000_000)],
    ['escapes only', String.raw`\"`.repeat(20_000_000)],
    ['many escapes', String.raw`a\\\n\"`.repeat(1_000_000)],
  ])('replaces a long string by its length: %s', (_name, text) => {
    expect(scrubLine(`{"text":"${text}","event":"x"}`)).toBe(
      `{"text":"[${text.length} characters]","event":"x"}`,
    );
  });

  it('searches strings of up to 4,094 characters', () => {
    const text = `${'x '.repeat(2_042)}82-1734655`;
    expect(scrubLine(`{"text":"${text}"}`)).toMatch(/x \[ein\]"}$/);
    expect(scrubLine(`{"text":"${text} "}`)).toBe('{"text":"[4095 characters]"}');
  });

  it('replaces the longest e-mail address (RFC 5321, 4.5.3.1)', () => {
    const domain = `${'b.'.repeat(123)}example`;
    expect(scrubLine(`{"text":"of ${'a'.repeat(64)}@${domain}"}`)).toBe('{"text":"of [email]"}');
  });

  it('keeps numbers, so that the line stays JSON', () => {
    expect(scrubLine('{"bytes":104857600,"durationMs":471829364}')).toBe(
      '{"bytes":104857600,"durationMs":471829364}',
    );
  });
});
