// Sending bank reports to the BFF.

import { beforeEach, describe, expect, it } from 'vitest';
import { withoutAttachments } from '../../../widget/app/attachments.ts';
import { emptyBank } from '../../../widget/app/store.ts';
import { createBank } from '../../../widget/bank/bank.ts';
import { createFeature } from '../../support/create-feature.ts';
import { acceptedStatus, fail, ok } from '../../support/fake-funding-api.ts';
import { english, spanish } from '../../support/messages.ts';

const busy = { ...fail('too-busy'), retryAfterMs: 10_000 };
const delivered = { status: 'delivered', delayed: false } as const;

type Rig = ReturnType<typeof createFeature<ReturnType<typeof createBank>>>;

let rig: Rig;

beforeEach(() => {
  rig = createFeature(createBank);
});

describe('a bank report', () => {
  it('is sent to the BFF', async () => {
    expect(await rig.feature.send('report')).toEqual(ok(delivered));
    expect(rig.api.reports).toEqual(['report']);
    expect(rig.store.state.bank).toEqual({ ...emptyBank, report: delivered });
  });

  it('closes the demonstration bank when it arrives', async () => {
    rig.store.merge('bank', { demonstration: 'open' });
    await rig.feature.send('report');
    expect(rig.store.state.bank.demonstration).toBe('closed');
  });

  it('is not sent before the form has loaded', async () => {
    rig.close();
    expect(await rig.feature.send('report')).toMatchObject({ code: 'application-missing' });
    expect(rig.api.reports).toEqual([]);
  });

  it('shows why it failed', async () => {
    rig.api.assetReport = { ...fail('too-many-requests'), retryAfterMs: 120_000 };
    expect(await rig.feature.send('report')).toMatchObject({ code: 'too-many-requests' });
    expect(rig.store.state.bank).toMatchObject({
      isSending: false,
      problem: 'too-many-requests',
      retryAfterMs: 120_000,
    });
  });

  it('is sent again while the BFF is busy', async () => {
    rig.api.assetReport = busy;
    const sending = rig.feature.send('report');
    await rig.polling.settle();
    expect(rig.store.state.bank).toMatchObject({ isSending: true, problem: undefined });
    rig.api.assetReport = ok(delivered);
    await rig.polling.tick();
    expect(await sending).toEqual(ok(delivered));
    expect(rig.polling.delays).toEqual([10_000]);
    expect(rig.store.state.bank.isSending).toBe(false);
  });

  it('waits for the report before it', async () => {
    rig.api.assetReport = busy;
    const sending = [rig.feature.send('first'), rig.feature.send('second')];
    await rig.polling.settle();
    expect(rig.api.reports).toEqual(['first']);
    rig.api.assetReport = ok(delivered);
    await rig.polling.tick();
    await Promise.all(sending);
    expect(rig.api.reports).toEqual(['first', 'first', 'second']);
  });
});

describe('a waiting bank report', () => {
  const endings: readonly (readonly [string, () => void])[] = [
    ['closed', () => rig.close()],
    [
      'rejected',
      () => {
        rig.store.update(withoutAttachments);
        rig.mergeForm({ step: 'review', application: undefined });
      },
    ],
    [
      'replaced',
      () => {
        rig.store.update(withoutAttachments);
        rig.mergeForm({ application: { ...acceptedStatus, reference: 'second' } });
      },
    ],
  ];

  it.each(endings)('is dropped when the application is %s', async (_name, end) => {
    rig.api.assetReport = busy;
    const first = rig.feature.send('first');
    const second = rig.feature.send('second');
    await rig.polling.settle();
    end();
    expect(await first).toMatchObject({ code: 'too-busy' });
    expect(await second).toMatchObject({ code: 'application-missing' });
    expect(rig.api.reports).toEqual(['first']);
    expect(rig.polling.waiting).toBe(0);
    expect(rig.store.state.bank).toEqual(emptyBank);
  });

  it('is sent when its application is submitted during the delay', async () => {
    rig.mergeForm({ step: 'review', application: undefined });
    rig.api.assetReport = busy;
    const sending = rig.feature.send('report');
    await rig.polling.settle();
    rig.mergeForm({ step: 'submitted', application: acceptedStatus });
    rig.api.assetReport = ok(delivered);
    await rig.polling.tick();
    expect(await sending).toEqual(ok(delivered));
    expect(rig.store.state.bank.report).toEqual(delivered);
  });
});

describe('the next report', () => {
  it('is sent after an application was replaced', async () => {
    rig.api.assetReport = busy;
    void rig.feature.send('first');
    await rig.polling.settle();
    rig.mergeForm({ application: { ...acceptedStatus, reference: 'second' } });
    rig.api.assetReport = ok(delivered);
    expect(await rig.feature.send('second')).toEqual(ok(delivered));
  });
});

describe.each([
  ['en', english],
  ['es', spanish],
])('the text about sharing (%s)', (_locale, messages) => {
  it('names no period, which the host page’s aggregator chooses', () => {
    expect(messages['bank.share.text']).not.toMatch(/\d/);
  });

  it('names the period of the demonstration report', () => {
    expect(messages['bank.demonstration.text']).toContain('90');
  });
});
