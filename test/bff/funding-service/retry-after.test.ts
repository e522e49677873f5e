import { afterEach, describe, expect, it, vi } from 'vitest';
import { toRetryAfterMs } from '../../../bff/funding-service/transport.ts';

const now = Date.parse('2026-05-04T10:00:00Z');

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('toRetryAfterMs', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['no wait', '0', 0],
    ['blanks around it', ' 7 ', 7_000],
    ['an HTTP date', 'Mon, 04 May 2026 10:00:30 GMT', 30_000],
    ['a date of the old form', 'Monday, 04-May-26 10:01:00 GMT', 60_000],
    ['a date gone by', 'Mon, 04 May 2026 09:00:00 GMT', 0],
    ['more than an hour', '3601', 3_600_000],
    ['a number beyond all measure', '9'.repeat(400), 3_600_000],
    ['a date tomorrow', 'Tue, 05 May 2026 10:00:00 GMT', 3_600_000],
    ['nothing', undefined, undefined],
    ['an empty text', '', undefined],
    ['words', 'soon', undefined],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['an ISO date', '2026-05-04', undefined],
    ['words without end', 'Mon, '.repeat(60_000), undefined],
  ])('reads %s', (_name, value, expected) => {
    expect(toRetryAfterMs(value, now)).toBe(expected);
  });

  it('reads a date without a zone as GMT, wherever we are', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(new Date(now).getHours()).toBe(19);
    expect(toRetryAfterMs('Mon May  4 10:02:00 2026', now)).toBe(120_000);
  });
});
