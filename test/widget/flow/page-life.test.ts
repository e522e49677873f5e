// The page around the form: offline and back, a session that ends, and the browser's Back and Forward.

import { describe, expect, it } from 'vitest';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { createFlow, createLoadedFlow, fill } from '../../support/create-flow.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus, createSession, fail, ok } from '../../support/fake-funding-api.ts';
import { createFakePage } from '../../support/fake-page.ts';
import { begin, minute, toTime } from '../../support/watched-session.ts';

const received = { ...acceptedStatus, status: 'received' as const };

describe('a form that is offline', () => {
  it('sends nothing, keeps everything and says so at once', async () => {
    const { api, flow, page } = await createLoadedFlow();
    fill(flow);
    page.connection.setOffline(true);
    await flow.submit();
    expect(flow.state).toMatchObject({ step: 'review', problem: 'offline', draft: completeDraft });
    expect([api.submissions, flow.state?.isSubmitting]).toEqual([[], false]);
  });

  it('says first what is wrong', async () => {
    const { flow, page } = await createLoadedFlow();
    fill(flow);
    flow.answer('signature/name', '');
    page.connection.setOffline(true);
    await flow.submit();
    expect(flow.state).toMatchObject({ problem: undefined, errors: [{ path: 'signature/name' }] });
  });

  it('is sent when it is pressed once more, since the browser may be wrong', async () => {
    const { api, flow, page } = await createLoadedFlow();
    fill(flow);
    page.connection.setOffline(true);
    await flow.submit();
    await flow.submit();
    expect([api.submissions.length, flow.state?.step]).toEqual([1, 'submitted']);
  });

  it('is sent under the same key once it is back', async () => {
    const { api, flow, page } = await createLoadedFlow();
    fill(flow);
    page.connection.setOffline(true);
    await flow.submit();
    page.connection.setOffline(false);
    await flow.submit();
    expect(api.submissions.map(({ key }) => key)).toEqual(['key-1']);
  });

  it('asks at once for what it waits for when it is back, and not because it is gone', async () => {
    const { api, flow, page, polling } = await createLoadedFlow((before) => {
      before.application = ok(received);
      before.status = ok(received);
    });
    fill(flow);
    await flow.submit();
    api.status = ok(acceptedStatus);
    page.connection.setOffline(true);
    await polling.settle();
    expect(flow.state?.application?.status).toBe('received');
    page.connection.setOffline(false);
    await polling.settle();
    expect([flow.state?.application?.status, polling.waiting]).toEqual(['accepted', 0]);
  });

  it('comes by itself when it could not be loaded', async () => {
    const { api, flow, page, polling } = createFlow((before) => {
      before.configuration = fail('network');
    });
    page.connection.setOffline(true);
    await flow.load();
    expect([flow.state, flow.loading.problem]).toEqual([undefined, 'network']);
    api.configuration = (await createLoadedFlow()).api.configuration;
    page.connection.setOffline(false);
    await polling.settle();
    expect([flow.state?.step, flow.loading.problem]).toEqual(['funding-need', undefined]);
  });
});

describe('the session of a form', () => {
  it('is watched from its beginning, also when that comes late', async () => {
    const { flow } = await createLoadedFlow();
    expect(flow.life.session.endsAt).toBe(Date.parse('2026-11-20T16:00:00.000Z'));
    const {
      api,
      polling,
      flow: late,
    } = await createLoadedFlow((before) => {
      before.session = fail('network');
    });
    expect(late.life.session.endsAt).toBeUndefined();
    api.session = ok(createSession());
    await polling.tick();
    expect(late.life.session.endsAt).toBe(Date.parse('2026-11-20T16:00:00.000Z'));
  });

  it('is known anew once the application is filed, and with what is given to it', async () => {
    const { api, flow, polling } = await createLoadedFlow((before) => {
      before.session = fail('network');
    });
    const latestMs = begin + sessionLifetime.maxSeconds * 1000;
    fill(flow);
    api.session = ok(createSession({ expiresAt: toTime(latestMs) }));
    await flow.submit();
    await polling.settle();
    expect(flow.life.session.endsAt).toBe(latestMs);
    const earlierMs = latestMs - 60 * minute;
    api.session = ok(createSession({ expiresAt: toTime(earlierMs), application: acceptedStatus }));
    flow.next();
    await polling.tick();
    expect(flow.life.session.endsAt).toBe(earlierMs);
  });

  it('is kept alive by typing, and said to have ended until the next step', async () => {
    let now = new Date('2026-11-20T15:00:00.000Z');
    const { api, flow, page } = await createLoadedFlow(undefined, { now: () => now });
    now = new Date('2026-11-20T15:55:00.000Z');
    await page.timers.tick();
    expect(flow.life.session.notice).toBe('ends');
    api.session = fail('session-missing');
    flow.answer('fundingNeed/amount', '75,000');
    await page.timers.settle();
    expect(flow.life.session.notice).toBe('ended');
    fill(flow);
    expect(flow.life.session.notice).toBeUndefined();
  });

  it('is forgotten when it was ended', async () => {
    const { flow, page } = await createLoadedFlow();
    await flow.end.end(flow.parts!.documents);
    expect([flow.life.session.endsAt, page.timers.waiting]).toEqual([undefined, 0]);
  });
});

describe('a form with browser history', () => {
  const createWithHistory = () => createLoadedFlow(undefined, {}, createFakePage(true));

  it('goes back to the step before with the answers kept, and forward again', async () => {
    const { flow, page } = await createWithHistory();
    fill(flow);
    page.history.go(-2);
    expect([flow.state?.step, flow.state?.draft]).toEqual(['owner', completeDraft]);
    page.history.go(-2);
    expect(flow.state?.step).toBe('funding-need');
    page.history.go(4);
    expect(flow.state?.step).toBe('review');
  });

  it('shows the record after the submission, and never sends again', async () => {
    const { api, flow, page } = await createWithHistory();
    fill(flow);
    await flow.submit();
    page.history.go(-1);
    expect(flow.state).toMatchObject({ step: 'submitted', problem: 'already-sent' });
    flow.continue();
    page.history.go(-3);
    expect([flow.state?.step, api.submissions.length]).toEqual(['submitted', 1]);
  });

  it('begins anew in the entry that is there when the answers are cleared', async () => {
    const { flow, page } = await createWithHistory();
    fill(flow);
    flow.clear();
    expect([flow.state?.step, page.history.entries.length]).toEqual(['funding-need', 5]);
    page.history.go(-1);
    expect(flow.state).toMatchObject({ step: 'identity', draft: {} });
    page.history.go(-1);
    page.history.go(1);
    expect(flow.state).toMatchObject({ step: 'funding-need', errors: [{}, {}] });
  });

  it('puts nothing that was given into any entry, and no mark into the last one once it is finished', async () => {
    const { flow, page } = await createWithHistory();
    fill(flow);
    await flow.submit();
    const given = Object.values(completeDraft).filter((value) => value.length > 4);
    const find = () =>
      given.filter((value) => JSON.stringify(page.history.entries).includes(value));
    expect([find(), given.length > 9]).toEqual([[], true]);
    await flow.end.end(flow.parts!.documents);
    expect(page.history.entries.at(-1)).toEqual({
      fundingApplication: { owner: 'form', places: {} },
    });
    expect(find()).toEqual([]);
  });

  it('touches nothing where the page does not wish it', async () => {
    const { flow, page } = await createLoadedFlow();
    fill(flow);
    expect([page.history.entries, page.history.listeners]).toEqual([[null], 0]);
  });

  it('leaves no listener and no timer of any kind behind when the element goes', async () => {
    const { flow, page, polling } = await createWithHistory();
    flow.hostDisconnected();
    expect([
      page.history.listeners,
      page.connection.listeners,
      page.timers.listeners,
      page.timers.waiting,
      polling.listeners,
    ]).toEqual([0, 0, 0, 0, 0]);
  });
});
