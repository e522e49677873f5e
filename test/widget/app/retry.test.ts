// Tests for repeated requests while the BFF is busy.

import { expect, it } from 'vitest';
import type { Failure, FailureCode } from '../../../widget/api/funding-api.ts';
import { createRetry } from '../../../widget/app/retry.ts';
import { fail, ok } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

const busy = (code: FailureCode, retryAfterMs: number): Failure => ({
  ...fail(code),
  retryAfterMs,
});
const repeat = (failure: Failure): Failure[] => Array.from({ length: 9 }, () => failure);

/** Sends one request whose attempts have these responses, and then arrive. */
function send(failures: Failure[]) {
  const polling = createManualPolling();
  const abort = new AbortController();
  const reasons: FailureCode[] = [];
  let sent = 0;
  const sending = createRetry(polling.environment)(
    async () => {
      sent += 1;
      return failures.shift() ?? ok('arrived');
    },
    { signal: abort.signal, onWait: (code) => reasons.push(code) },
  );
  return { abort, polling, reasons, sending, readSent: () => sent };
}

it.each<[string, Failure[], number[], FailureCode | undefined]>([
  [
    'doubles the delay of the BFF with each attempt',
    [busy('too-busy', 10_000), busy('too-many-requests', 2_000), busy('too-busy', 1_000)],
    [10_000, 4_000, 4_000],
    undefined,
  ],
  [
    'continues while the BFF cannot scan a file',
    [busy('inspection-unavailable', 10_000), busy('inspection-unavailable', 10_000)],
    [10_000, 20_000],
    undefined,
  ],
  ['waits 5 s if the BFF sends no delay', [fail('too-busy')], [5_000], undefined],
  [
    'sends at most six times',
    repeat(busy('too-many-requests', 2_000)),
    [2_000, 4_000, 8_000, 16_000, 32_000],
    'too-many-requests',
  ],
  [
    'waits at most a minute between attempts',
    repeat(busy('too-busy', 20_000)),
    [20_000, 40_000, 60_000, 60_000, 60_000],
    'too-busy',
  ],
  ['does not retry document-unsafe', [fail('document-unsafe')], [], 'document-unsafe'],
  [
    'does not retry document-not-checked',
    [fail('document-not-checked')],
    [],
    'document-not-checked',
  ],
  [
    'does not retry if the delay is a minute',
    [busy('too-many-requests', 60_000)],
    [],
    'too-many-requests',
  ],
])('%s', async (_rule, failures, delays, code) => {
  const waitedFor = failures.slice(0, delays.length).map((failure) => failure.code);
  const { polling, reasons, sending, readSent } = send(failures);
  await polling.settle();
  for (let tick = 0; tick < delays.length; tick += 1) await polling.tick();
  expect(await sending).toMatchObject(code ? { ok: false, code } : ok('arrived'));
  expect(polling.delays).toEqual(delays);
  expect(readSent()).toBe(delays.length + 1);
  expect(reasons).toEqual(waitedFor);
  expect(polling.waiting).toBe(0);
});

it('stops when it is aborted during a delay', async () => {
  const { abort, polling, sending, readSent } = send([busy('too-busy', 10_000)]);
  await polling.settle();
  abort.abort();
  expect(await sending).toMatchObject({ ok: false });
  expect(readSent()).toBe(1);
  expect(polling.waiting).toBe(0);
});
