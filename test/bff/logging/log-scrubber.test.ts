// The scrubber of log lines: what it replaces, and what it keeps.
import { describe, expect, it } from 'vitest';
import { scrubLine } from '../../../bff/logging/log.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';

describe('scrubLine', () => {
  it.each(readGroupedRows('log-values.txt'))('%s becomes %s', (line, result) => {
    const value = line.slice(line.indexOf(': ') + 2);
    const word = result === 'kept' ? value : result;
    expect(scrubLine(`{"event":"x","text":"${value}"}\n`)).toBe(`{"event":"x","text":"${word}"}\n`);
    expect(scrubLine(`{"text":"before ${value} after"}`)).toBe(`{"text":"before ${word} after"}`);
  });

  it('replaces patterns in names or in text with quotes', () => {
    expect(scrubLine(String.raw`{"471-82-9364":"he said \"82-1734655\""}`)).toBe(
      String.raw`{"[ssn]":"he said \"[ein]\""}`,
    );
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
