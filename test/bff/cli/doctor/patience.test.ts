// The doctor's patience with the limits of the BFF: how long it waits, how often it asks, and what it then says.

import { beforeEach, describe, expect, it } from 'vitest';
import { hint, ok, wrong } from '../../../../bff/cli/doctor/finding.ts';
import { createPatience, type Patience } from '../../../../bff/cli/doctor/patience.ts';
import type { Arrived, Lost } from '../../../../bff/cli/doctor/visit.ts';

const request = { method: 'GET', url: 'https://apply.partner.example/v1/session', headers: {} };
const found = wrong('session', 'The BFF does not know its own cookie.', 'Pass Cookie on.');

describe('createPatience', () => {
  let answers: (Arrived | Lost)[];
  let waits: number[];
  let patience: Patience;

  beforeEach(() => {
    answers = [];
    waits = [];
    patience = createPatience({
      visit: async () => answers.shift() ?? toAnswer(200),
      startTimer: (ms, end) => {
        waits.push(ms);
        setImmediate(end);
        return () => undefined;
      },
      onWait: () => undefined,
    });
  });

  it.each([
    ['too-many-requests', 429],
    ['too-busy', 503],
  ])('asks again after %s, when the time is over that the BFF has said', async (code, status) => {
    answers = [toAnswer(status, code, '12')];
    expect(await patience.visit(request)).toMatchObject({ status: 200 });
    expect(waits).toEqual([12_000]);
    expect(patience.excuse(found)).toBe(found);
  });

  it('asks three times, and then has a hint in the place of a fault, once', async () => {
    answers = [toAnswer(429, 'too-many-requests', '1'), toAnswer(503, 'too-busy', '1')];
    answers.push(toAnswer(503, 'too-busy', '1'));
    expect(await patience.visit(request)).toMatchObject({ status: 503 });
    expect(waits).toEqual([1_000, 1_000]);
    expect(patience.excuse(found)).toEqual(
      hint(
        'session',
        'The limits of the BFF are reached (too-busy), so this could not be tried.',
        'Run it again in a few minutes, with --origin for one page alone.',
      ),
    );
    expect(patience.excuse(found)).toBe(found);
  });

  it('leaves what is well as it is, also when a part of it was refused', async () => {
    answers = [toAnswer(429, 'too-many-requests', '3600')];
    await patience.visit(request);
    const well = ok('answers', 'They reach the page.');
    expect(patience.excuse(well)).toBe(well);
  });

  it.each([['61'], ['3600'], [undefined], ['soon']])(
    'does not wait where the BFF says %s',
    async (seconds) => {
      answers = [toAnswer(429, 'too-many-requests', seconds)];
      expect(await patience.visit(request)).toMatchObject({ status: 429 });
      expect(waits).toEqual([]);
      expect(patience.excuse(found).result).toBe('hint');
    },
  );

  it('waits five minutes in all', async () => {
    for (let times = 0; times < 6; times += 1) {
      answers = [toAnswer(429, 'too-many-requests', '60')];
      await patience.visit(request);
    }
    expect(waits).toEqual(Array.from({ length: 5 }, () => 60_000));
    expect(patience.excuse(found).result).toBe('hint');
  });

  it("hands on at once what is no limit of the BFF's", async () => {
    const others = [
      toAnswer(429, 'too-soon', '4'),
      toAnswer(503, 'storage-unavailable', '5'),
      { ...toAnswer(429, 'too-many-requests', '4'), headers: new Headers({ 'retry-after': '4' }) },
      { kind: 'lost', code: 'ECONNRESET' } as const,
    ];
    for (const other of others) {
      answers = [other];
      expect(await patience.visit(request)).toBe(other);
    }
    expect(waits).toEqual([]);
    expect(patience.excuse(found)).toBe(found);
  });
});

function toAnswer(status: number, code?: string, seconds?: string): Arrived {
  const headers = new Headers({ 'content-type': 'application/problem+json' });
  if (seconds !== undefined) headers.set('retry-after', seconds);
  const bytes = Buffer.from(JSON.stringify({ code }));
  return { kind: 'arrived', status, headers, bytes, certificateEndsAt: undefined };
}
