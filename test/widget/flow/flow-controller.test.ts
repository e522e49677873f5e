// The controller between form and BFF: keys, following an application, and leaving nothing behind.

import { describe, expect, it } from 'vitest';
import { honeypotPath } from '../../../widget/app/draft.ts';
import { createLoadedFlow, fill } from '../../support/create-flow.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus, createSession, fail, ok } from '../../support/fake-funding-api.ts';

const received = ok({ ...acceptedStatus, status: 'received' as const });
const rejected = ok({ ...acceptedStatus, status: 'rejected' as const, errors: [] });

describe('an application with the honeypot filled in', () => {
  it('keeps everything but what stood in the honeypot, and may be sent again', async () => {
    const { api, flow } = await createLoadedFlow();
    fill(flow);
    flow.answer(honeypotPath, 'https://spam.example');
    api.application = fail('automation-suspected');
    await flow.submit();
    expect(flow.state).toMatchObject({ step: 'review', problem: 'automation-suspected' });
    expect(flow.state?.draft).toEqual(completeDraft);
    api.application = ok(acceptedStatus);
    await flow.submit();
    expect(api.proofs).toEqual([{ isHoneypotFilled: true }, { isHoneypotFilled: false }]);
    expect(flow.state?.step).toBe('submitted');
  });
});

describe('an application on its way', () => {
  it('is asked about no sooner than the BFF wants', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = received;
    api.status = { ...fail('too-many-requests'), retryAfterMs: 45_000 };
    fill(flow);
    await flow.submit();
    await polling.tick();
    expect(polling.delays).toEqual([3_000, 45_000]);
  });

  it('is followed until it is decided', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = received;
    api.status = received;
    fill(flow);
    await flow.submit();
    expect([flow.state?.step, polling.waiting]).toEqual(['submitted', 1]);
    await polling.tick();
    expect(flow.state?.application?.status).toBe('received');
    api.status = ok(acceptedStatus);
    await polling.tick();
    expect([flow.state?.application?.status, polling.waiting]).toEqual(['accepted', 0]);
  });

  it('gets another key after it was refused later, even with the same answers', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = received;
    api.status = rejected;
    fill(flow);
    await flow.submit();
    await polling.tick();
    expect(flow.state).toMatchObject({ step: 'review', problem: 'application-rejected' });
    await flow.submit();
    expect(api.submissions.map(({ key }) => key)).toEqual(['key-1', 'key-2']);
  });

  it('is forgotten once the session was ended: nothing is asked, and what follows is another one', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = received;
    api.status = received;
    fill(flow);
    await flow.submit();
    await flow.end.end(flow.parts!.documents);
    expect([flow.state, flow.parts, polling.waiting]).toEqual([undefined, undefined, 0]);
    await flow.load();
    fill(flow);
    await flow.submit();
    expect(api.submissions.map(({ key }) => key)).toEqual(['key-1', 'key-2']);
    expect(api.submissions[1]?.body).toBe(api.submissions[0]?.body);
  });

  it('that is refused when its answers are gone begins anew, and says so', async () => {
    const { polling, flow } = await createLoadedFlow((api) => {
      api.session = ok(createSession({ application: { ...acceptedStatus, status: 'received' } }));
      api.status = rejected;
    });
    await polling.tick();
    expect(flow.state).toMatchObject({ step: 'funding-need', problem: 'rejected-earlier' });
  });

  it('that is refused takes along what was given to it, and says so', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = received;
    api.status = rejected;
    api.assetReport = ok({ status: 'received', delayed: false });
    fill(flow);
    await flow.submit();
    await flow.submitAssetReport({ report: {} });
    await polling.tick();
    expect(flow.state?.problem).toBe('rejected-with-documents');
    expect(flow.parts?.bank.status).toBeUndefined();
    expect(flow.parts?.documents.sent).toEqual([]);
  });

  it('whose answer was lost is settled before other answers are sent', async () => {
    const { api, flow } = await createLoadedFlow();
    fill(flow);
    api.application = fail('network');
    await flow.submit();
    flow.change('funding-need');
    flow.answer('fundingNeed/amount', '12,345');
    flow.continue();
    await flow.submit();
    expect(flow.state?.problem).toBe('submit-unanswered');
    api.application = ok(acceptedStatus);
    await flow.submit();
    expect(flow.state).toMatchObject({ step: 'submitted', problem: 'application-exists' });
    expect(new Set(api.submissions.map(({ key }) => key))).toEqual(new Set(['key-1']));
    expect(new Set(api.submissions.map(({ body }) => body)).size).toBe(1);
  });

  it('that was filed before says so for as long as its step is shown, whatever is heard meanwhile', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = fail('application-exists');
    api.status = received;
    fill(flow);
    await flow.submit();
    await polling.tick();
    expect(flow.state).toMatchObject({ step: 'submitted', problem: 'application-exists' });
    api.status = fail('network');
    await polling.tick();
    api.status = ok(acceptedStatus);
    await polling.tick();
    expect(flow.state?.problem).toBe('application-exists');
    flow.next();
    flow.back();
    expect(flow.state).toMatchObject({ step: 'submitted', problem: undefined });
  });

  it('says for as long that it was sent already, and of a check that failed only until the next', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = received;
    api.status = received;
    fill(flow);
    await flow.submit();
    flow.obey((state) => ({ ...state, problem: 'already-sent' }));
    await polling.tick();
    expect(flow.state?.problem).toBe('already-sent');
    flow.obey((state) => ({ ...state, problem: 'network' }));
    await polling.tick();
    expect(flow.state?.problem).toBeUndefined();
  });

  it('is asked about once when two presses wish it', async () => {
    const { api, flow } = await createLoadedFlow();
    fill(flow);
    await flow.submit();
    let asked = 0;
    api.getApplication = async () => {
      asked += 1;
      return received;
    };
    await Promise.all([flow.watch.check(), flow.watch.check()]);
    expect([asked, flow.watch.isChecking]).toEqual([1, false]);
  });

  it('keeps its checking time when a check fails', async () => {
    const { api, flow } = await createLoadedFlow();
    api.application = received;
    fill(flow);
    await flow.submit();
    flow.watch.checkedAt = undefined;
    api.status = fail('network');
    await flow.watch.check();
    expect(flow.watch.checkedAt).toBeUndefined();
  });
});

describe('documents that are being passed on', () => {
  it('are followed while their step is shown', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    fill(flow);
    await flow.submit();
    const given = { number: 1, name: 'a.pdf', category: 'other', bytes: 1 };
    const document = { ...given, delayed: false };
    const stands = (status: 'received' | 'delivered') =>
      ok(createSession({ application: acceptedStatus, documents: [{ ...document, status }] }));
    api.session = stands('received');
    flow.next();
    await polling.tick();
    expect([flow.parts?.documents.sent[0]?.status, polling.waiting]).toEqual(['received', 1]);
    api.session = stands('delivered');
    await polling.tick();
    expect([flow.parts?.documents.sent[0]?.status, polling.waiting]).toEqual(['delivered', 0]);
  });

  it.each([
    ['is over', fail('session-missing')],
    [
      'is that of another application',
      ok(createSession({ application: { ...acceptedStatus, reference: 'another' } })),
    ],
    ['is that of none', ok(createSession())],
  ])('are followed no longer when the session %s, and that is said', async (_how, session) => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.session = ok(createSession({ application: acceptedStatus }));
    });
    flow.next();
    api.session = session;
    await polling.tick();
    expect(flow.state).toMatchObject({ step: 'documents', problem: 'session-missing' });
    expect([flow.parts?.documents.sent, polling.waiting]).toEqual([[], 0]);
    expect(api.sessionsOpened).toBe(1);
  });

  it('are followed on after an answer that was lost', async () => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.session = ok(createSession({ application: acceptedStatus }));
    });
    flow.next();
    api.session = fail('network');
    await polling.tick();
    expect([flow.state?.problem, polling.waiting]).toEqual([undefined, 1]);
  });

  it('of a refused application are no part of the next one', async () => {
    const { flow } = await createLoadedFlow((api) => {
      const given = { number: 1, category: 'other', bytes: 1 };
      const document = { ...given, delayed: false } as const;
      api.session = ok(
        createSession({
          application: { ...acceptedStatus, status: 'rejected', errors: [] },
          documents: [{ ...document, status: 'rejected' }],
          assetReport: { status: 'rejected', delayed: false },
          contact: null,
        }),
      );
    });
    expect(flow.parts).toMatchObject({
      documents: { sent: [] },
      bank: { status: undefined },
      contact: { state: 'idle', problem: undefined },
    });
  });
});

describe('a wish to be contacted', () => {
  it('is followed while the offers are shown, also after a reload', async () => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.session = ok(
        createSession({ application: acceptedStatus, contact: { status: 'received' } }),
      );
      before.offers = fail('service-refused');
    });
    flow.showLater('offers');
    await polling.settle();
    await polling.tick();
    expect([flow.parts?.contact.state, polling.waiting]).toEqual(['received', 1]);
    api.session = ok(
      createSession({ application: acceptedStatus, contact: { status: 'enabled' } }),
    );
    await polling.tick();
    expect([flow.parts?.contact.state, polling.waiting]).toEqual(['enabled', 0]);
  });

  it('is followed from the moment it is given', async () => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.session = ok(createSession({ application: acceptedStatus }));
      before.offers = fail('service-refused');
      before.contact = ok({ contact: 'received' });
    });
    flow.showLater('offers');
    await polling.settle();
    flow.parts?.contact.consent(true);
    await flow.parts?.contact.enable({ id: 'contact', version: '2' });
    expect([flow.parts?.contact.state, polling.waiting]).toEqual(['received', 1]);
    api.session = ok(
      createSession({ application: acceptedStatus, contact: { status: 'enabled' } }),
    );
    await polling.tick();
    expect(flow.parts?.contact).toMatchObject({ state: 'enabled', problem: undefined });
    expect(polling.waiting).toBe(0);
  });
});

describe('an element that is gone', () => {
  it('leaves no timer and no listener behind', async () => {
    const { api, polling, flow } = await createLoadedFlow();
    api.application = received;
    api.status = received;
    fill(flow);
    await flow.submit();
    flow.showLater('offers');
    flow.hostDisconnected();
    await polling.settle();
    expect([polling.waiting, polling.listeners]).toEqual([0, 0]);
    flow.hostConnected();
    await polling.settle();
    expect(polling.waiting).toBeGreaterThan(0);
  });
});
