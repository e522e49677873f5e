// Tests for repeated requests while the BFF is busy.

import { expect, it } from 'vitest';
import type { Failure, FailureCode } from '../../../widget/api/funding-api.ts';
import { createRetry } from '../../../widget/app/retry.ts';
import { fail, ok } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

const busy = (code: FailureCode, seconds: number): Failure => ({
  ...fail(code),
  retryAfterMs: seconds * 1000,
});
const tooBusy = (seconds: number) => busy('too-busy', seconds);
const limited = (seconds: number) => busy('too-many-requests', seconds);
const unscanned = busy('inspection-unavailable', 10);
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

/** Each row: the failures of the first attempts, and the delays after them in seconds. */
it.each<[string, Failure[], number[]]>([
  ['doubles the delay of the BFF', [tooBusy(10), limited(2), tooBusy(1)], [10, 4, 4]],
  ['continues while the BFF cannot scan a file', [unscanned, unscanned], [10, 20]],
  ['waits 5 s if the BFF sends no delay', [fail('too-busy')], [5]],
  ['sends at most six times', repeat(limited(2)), [2, 4, 8, 16, 32]],
  ['waits at most a minute between attempts', repeat(tooBusy(20)), [20, 40, 60, 60, 60]],
  ['does not retry document-unsafe', [fail('document-unsafe')], []],
  ['does not retry document-not-checked', [fail('document-not-checked')], []],
  ['does not retry if the delay is a minute', [limited(60)], []],
])('%s', async (_rule, failures, delays) => {
  const code = failures[delays.length]?.code;
  const waitedFor = failures.slice(0, delays.length).map((failure) => failure.code);
  const { polling, reasons, sending, readSent } = send(failures);
  await polling.settle();
  for (let tick = 0; tick < delays.length; tick += 1) await polling.tick();
  expect(await sending).toMatchObject(code ? { ok: false, code } : ok('arrived'));
  expect(polling.delays).toEqual(delays.map((seconds) => seconds * 1000));
  expect(readSent()).toBe(delays.length + 1);
  expect(reasons).toEqual(waitedFor);
  expect(polling.waiting).toBe(0);
});

it('stops when it is aborted during a delay', async () => {
  const { abort, polling, sending, readSent } = send([tooBusy(10)]);
  await polling.settle();
  abort.abort();
  expect(await sending).toMatchObject({ ok: false });
  expect(readSent()).toBe(1);
  expect(polling.waiting).toBe(0);
});
