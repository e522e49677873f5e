// An upload whose application is erased or rejected meanwhile.

import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import type { Browser } from '../../support/applicant.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { createManualTime } from '../../support/manual-time.ts';

const smallPdf = createTextPdf('small');
const steps = ['beginAttachment', 'addChunk', 'completeAttachment'] as const;
const lost = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;

describe.each(steps)('an upload whose application ends before %s', (step) => {
  let bff: TestBff;
  let browser: Browser;
  let store: Store;
  let end: (reference: string) => Promise<unknown>;

  afterEach(() => bff.close());

  it('fails if the application was erased', async () => {
    const reference = await applyAnd((id) => store.erase(id));
    expect(isProblem(await browser.upload(smallPdf), 'application-missing')).toBe(true);
    for (const { id, state } of await store.listAttachments(reference, 'document')) {
      expect([state, await store.readChunk(id, 0)]).toEqual(['erased', undefined]);
    }
  });

  it('fails if the application was rejected', async () => {
    await applyAnd(async () => {
      const claim = await store.claimDue('application', 1_000);
      if (!claim || claim.kind === 'unreadable') throw new Error('The application is not due');
      const errors = [{ pointer: '/business/name', code: 'rejected' }] as const;
      await store.recordResult(claim, { state: 'rejected', errors });
    });
    const answer = await browser.upload(smallPdf);
    expect(isProblem(answer, 'application-rejected')).toBe(true);
    expect(answer.json.errors).toEqual([{ pointer: '/business/name', code: 'rejected' }]);
  });

  /** Submits an application that is not accepted yet. It ends while its first document arrives. */
  async function applyAnd(ending: (reference: string) => Promise<unknown>): Promise<string> {
    const time = createManualTime();
    store = await openStore('file::memory:', { clock: time.clock });
    const original = store[step] as (...given: unknown[]) => Promise<unknown>;
    bff = await startBff({
      time,
      store: {
        ...store,
        [step]: async (...given: unknown[]) => {
          await end(reference);
          return original(...given);
        },
      },
    });
    bff.faults.push({ path: '/creditapp', result: lost });
    browser = bff.openBrowser();
    const reference: string = (await browser.apply()).json.reference;
    await bff.delivery.stop();
    time.advance(60_000);
    end = ending;
    return reference;
  }
});
