// Files for which the BFF has no place just now.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Failure, FailureCode, Upload } from '../../../widget/api/api.ts';
import { createPatientUpload } from '../../../widget/flow/patient-upload.ts';
import { fail, FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling, type ManualPolling } from '../../support/manual-polling.ts';

describe('an upload', () => {
  let api: FakeFundingApi;
  let polling: ManualPolling;
  let answers: Failure[];
  let shares: number[];

  beforeEach(() => {
    api = new FakeFundingApi();
    polling = createManualPolling();
    shares = [];
    answers = [];
    const arrive = api.handleUpload;
    api.handleUpload = async (upload, number) => answers.shift() ?? arrive(upload, number);
  });

  it('that has no place is sent again when the BFF says so', async () => {
    answers = [busy('too-busy', 10_000), busy('too-many-requests', 2_000)];
    const sending = send();
    await polling.settle();
    await polling.tick();
    await polling.tick();
    expect(await sending).toMatchObject({ ok: true });
    expect(polling.pauses).toEqual([10_000, 2_000]);
    expect(api.uploads).toHaveLength(3);
    expect(shares).toEqual([0, 0]);
  });

  it('is sent again after a while where the BFF does not say when', async () => {
    answers = [fail('too-busy')];
    const sending = send();
    await polling.settle();
    await polling.tick();
    expect([(await sending).ok, polling.pauses]).toEqual([true, [5_000]]);
  });

  it('is sent six times at most', async () => {
    answers = Array.from({ length: 9 }, () => busy('too-busy', 1_000));
    const sending = send();
    await polling.settle();
    for (let tick = 0; tick < 9; tick += 1) await polling.tick();
    expect(await sending).toMatchObject({ ok: false, code: 'too-busy' });
    expect([api.uploads.length, polling.waiting]).toEqual([6, 0]);
  });

  it('is not waited for where that would take a minute or more', async () => {
    answers = [busy('too-many-requests', 60_000)];
    expect(await send()).toMatchObject({ ok: false, code: 'too-many-requests' });
    expect(api.uploads).toHaveLength(1);
  });

  it('is not sent again when it was refused for what it is', async () => {
    answers = [fail('document-unsafe')];
    expect(await send()).toMatchObject({ ok: false, code: 'document-unsafe' });
    expect([api.uploads.length, polling.pauses]).toEqual([1, []]);
  });

  it('is not sent again once it is cancelled while it waits', async () => {
    answers = [busy('too-busy', 10_000)];
    const abort = new AbortController();
    const sending = send(abort.signal);
    await polling.settle();
    abort.abort();
    expect(await sending).toMatchObject({ ok: false });
    expect([api.uploads.length, polling.waiting]).toEqual([1, 0]);
  });

  function busy(code: FailureCode, retryAfterMs: number): Failure {
    return { ...fail(code), retryAfterMs };
  }

  function send(signal: AbortSignal = new AbortController().signal) {
    const upload: Upload = {
      file: new File(['a'], 'a.pdf'),
      category: 'other',
      signal,
      onProgress: (share) => shares.push(share),
    };
    return createPatientUpload(api, polling.environment)(upload);
  }
});
