import { beforeEach, describe, expect, it } from 'vitest';
import type { Failure, FailureCode, Result } from '../../../widget/api/funding-api.ts';
import { createRetry } from '../../../widget/app/retry.ts';
import { fail, ok } from '../../support/fake-funding-api.ts';
import { createManualPolling, type ManualPolling } from '../../support/manual-polling.ts';

describe('createRetry', () => {
  let polling: ManualPolling;
  let responses: Failure[];
  let sent: number;
  let waits: number;
  let reasons: FailureCode[];

  beforeEach(() => {
    polling = createManualPolling();
    responses = [];
    sent = 0;
    waits = 0;
    reasons = [];
  });

  it('doubles the delay of the BFF with each attempt', async () => {
    responses = [
      busy('too-busy', 10_000),
      busy('too-many-requests', 2_000),
      busy('too-busy', 1_000),
    ];
    const sending = send();
    await polling.settle();
    for (let tick = 0; tick < 3; tick += 1) await polling.tick();
    expect(await sending).toEqual(ok('arrived'));
    expect(polling.delays).toEqual([10_000, 4_000, 4_000]);
    expect(sent).toBe(4);
    expect(waits).toBe(3);
  });

  it('retries while the BFF cannot scan a file', async () => {
    responses = [busy('inspection-unavailable', 10_000), busy('inspection-unavailable', 10_000)];
    const sending = send();
    await polling.settle();
    for (let tick = 0; tick < 2; tick += 1) await polling.tick();
    expect(await sending).toEqual(ok('arrived'));
    expect(polling.delays).toEqual([10_000, 20_000]);
    expect(reasons).toEqual(['inspection-unavailable', 'inspection-unavailable']);
  });

  it.each(['document-unsafe', 'document-not-checked'] as const)(
    'does not retry %s',
    async (code) => {
      responses = [fail(code)];
      expect(await send()).toMatchObject({ ok: false, code });
      expect(sent).toBe(1);
      expect(polling.delays).toEqual([]);
    },
  );

  it('waits 5 s if the BFF sends no delay', async () => {
    responses = [fail('too-busy')];
    const sending = send();
    await polling.settle();
    await polling.tick();
    expect((await sending).ok).toBe(true);
    expect(polling.delays).toEqual([5_000]);
  });

  it('sends at most six times', async () => {
    responses = Array.from({ length: 9 }, () => busy('too-many-requests', 2_000));
    const sending = send();
    await polling.settle();
    for (let tick = 0; tick < 9; tick += 1) await polling.tick();
    expect(await sending).toMatchObject({ ok: false, code: 'too-many-requests' });
    expect(sent).toBe(6);
    expect(polling.waiting).toBe(0);
    expect(polling.delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
  });

  it('waits at most a minute between attempts', async () => {
    responses = Array.from({ length: 9 }, () => busy('too-busy', 20_000));
    const sending = send();
    await polling.settle();
    for (let tick = 0; tick < 9; tick += 1) await polling.tick();
    await sending;
    expect(polling.delays).toEqual([20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  it('does not retry if the delay is a minute', async () => {
    responses = [busy('too-many-requests', 60_000)];
    expect(await send()).toMatchObject({ ok: false, code: 'too-many-requests' });
    expect(sent).toBe(1);
    expect(waits).toBe(0);
  });

  it('stops when it is aborted during a delay', async () => {
    responses = [busy('too-busy', 10_000)];
    const abort = new AbortController();
    const sending = send(abort.signal);
    await polling.settle();
    abort.abort();
    expect(await sending).toMatchObject({ ok: false });
    expect(sent).toBe(1);
    expect(polling.waiting).toBe(0);
  });

  function busy(code: FailureCode, retryAfterMs: number): Failure {
    return { ...fail(code), retryAfterMs };
  }

  function send(signal: AbortSignal = new AbortController().signal): Promise<Result<string>> {
    return createRetry(polling.environment)(
      async () => {
        sent += 1;
        return responses.shift() ?? ok('arrived');
      },
      {
        signal,
        onWait(code) {
          waits += 1;
          reasons.push(code);
        },
      },
    );
  }
});
