// A bank report on its way to the BFF.

import { beforeEach, describe, expect, it } from 'vitest';
import { BankConnection } from '../../../widget/flow/bank-connection.ts';
import { createLoadedFlow, fill } from '../../support/create-flow.ts';
import { acceptedStatus, fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import { createManualPolling, type ManualPolling } from '../../support/manual-polling.ts';

describe('a bank report', () => {
  let api: FakeFundingApi;
  let polling: ManualPolling;
  let bank: BankConnection;

  beforeEach(() => {
    api = new FakeFundingApi();
    api.assetReport = { ...fail('too-busy'), retryAfterMs: 10_000 };
    polling = createManualPolling();
    const ignore = () => undefined;
    bank = new BankConnection({
      api,
      polling: polling.environment,
      onChange: ignore,
      onGiven: ignore,
    });
  });

  it('that finds no place is sent again by itself, and is being sent meanwhile', async () => {
    const sending = bank.send('a');
    await polling.settle();
    expect([bank.isSending, bank.problem]).toEqual([true, undefined]);
    api.assetReport = ok({ status: 'delivered', delayed: false });
    await polling.tick();
    expect(await sending).toMatchObject({ ok: true });
    expect([api.reports, polling.delays]).toEqual([['a', 'a'], [10_000]]);
    expect([bank.isSending, bank.status?.status]).toEqual([false, 'delivered']);
  });

  it('is not given to the application that comes after its own', async () => {
    const first = bank.send('first');
    const second = bank.send('second');
    await polling.settle();
    bank.stop();
    expect(await first).toMatchObject({ ok: false, code: 'too-busy' });
    expect(await second).toMatchObject({ ok: false, code: 'application-missing' });
    expect([api.reports, polling.waiting, bank.isSending]).toEqual([['first'], 0, false]);
  });
});

describe('a bank report that waits', () => {
  async function refuse({ api, flow }: Flow): Promise<void> {
    api.status = ok({ ...acceptedStatus, status: 'rejected', errors: [] });
    await flow.watch.check();
  }

  async function endSession({ flow }: Flow): Promise<void> {
    await flow.end.end(flow.parts!.documents);
  }

  it.each([
    ['its application is refused', refuse],
    ['the session is ended', endSession],
  ])('is given up when %s', async (_name, finish) => {
    const created = await createLoadedFlow((api) => {
      api.application = ok({ ...acceptedStatus, status: 'received' });
      api.assetReport = { ...fail('too-busy'), retryAfterMs: 10_000 };
    });
    const { api, polling, flow } = created;
    fill(flow);
    await flow.submit();
    const sending = flow.submitAssetReport({ report: {} });
    await polling.settle();
    await finish(created);
    expect(await sending).toMatchObject({ ok: false, code: 'too-busy' });
    await polling.tick();
    expect(api.reports).toHaveLength(1);
  });
});

type Flow = Awaited<ReturnType<typeof createLoadedFlow>>;
