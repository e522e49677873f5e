// Tests for submitting an application: its request, its key, and the responses of the BFF.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import type { Failure, FailureCode, Result } from '../../../widget/api/funding-api.ts';
import { honeypotPath } from '../../../widget/app/draft.ts';
import type { SolveChallenge } from '../../../widget/types.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createDelayed, createFilledApp, type AppOptions } from '../../support/create-app.ts';
import { completeDraft } from '../../support/draft.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  ok,
  receivedStatus,
  rejectedStatus,
  type FakeFundingApi,
} from '../../support/fake-funding-api.ts';

const tooSoon = busy('too-soon', 3_000);

function busy(code: FailureCode, retryAfterMs: number): Failure {
  return { ...fail(code), retryAfterMs };
}

function requiresChallenge(api: FakeFundingApi): void {
  const challenge = { provider: 'turnstile', siteKey: 'site-key' } as const;
  api.configuration = ok(createConfiguration({ challenge }));
}

function keysOf({ submissions }: FakeFundingApi): readonly string[] {
  return submissions.map(({ key }) => key);
}

function bodiesOf({ submissions }: FakeFundingApi): readonly unknown[] {
  return submissions.map(({ body }): unknown => JSON.parse(body));
}

describe('the body of a submission', () => {
  it('contains the campaign of the host page', async () => {
    const { api, submit } = await createFilledApp({ campaignId: 'C-7' });
    await submit();
    expect(bodiesOf(api)).toMatchObject([{ campaignId: 'C-7' }]);
  });

  it('omits a campaign that the host page has not set', async () => {
    const { api, submit } = await createFilledApp();
    await submit();
    expect(bodiesOf(api)[0]).not.toHaveProperty('campaignId');
  });

  it('contains the consents with the language in which they were read', async () => {
    const { api, submit } = await createFilledApp({
      prepare: (before) => {
        before.configuration = ok(createConfiguration({ locale: 'es' }));
      },
    });
    await submit();
    const consents = [{ id: 'terms', version: '1', locale: 'es' }];
    expect(bodiesOf(api)).toMatchObject([{ consents }]);
  });
});

describe('an empty honeypot', () => {
  it('is reported as empty', async () => {
    const { api, submit } = await createFilledApp();
    await submit();
    expect(api.proofs).toEqual([{ isHoneypotFilled: false }]);
  });
});

describe('a filled-in honeypot', () => {
  const createTrapped = async () => {
    const created = await createFilledApp();
    created.app.answer(honeypotPath, 'https://spam.example');
    created.api.application = fail('automation-suspected');
    await created.submit();
    return created;
  };

  it('is reported without its text', async () => {
    const { api } = await createTrapped();
    expect(api.proofs).toEqual([{ isHoneypotFilled: true }]);
    expect(api.submissions[0]?.body).not.toContain('spam');
  });

  it('is emptied while every other answer stays', async () => {
    const world = await createTrapped();
    expect(world.form).toMatchObject({ step: 'review', problem: 'automation-suspected' });
    expect(world.form?.draft).toEqual(completeDraft);
  });

  it('does not block the next submission', async () => {
    const world = await createTrapped();
    world.api.application = ok(acceptedStatus);
    await world.submit();
    expect(world.api.proofs[1]).toEqual({ isHoneypotFilled: false });
    expect(world.form?.step).toBe('submitted');
  });
});

describe('a required challenge', () => {
  beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue(undefined));

  afterEach(() => void vi.restoreAllMocks());

  it('is solved for the site key of the BFF', async () => {
    const world = await createFilledApp({
      prepare: requiresChallenge,
      solveChallenge: async (siteKey) => `token for ${siteKey}`,
    });
    await world.submit();
    expect(world.api.proofs).toEqual([
      { isHoneypotFilled: false, challengeToken: 'token for site-key' },
    ]);
    expect(world.form?.step).toBe('submitted');
  });

  it('leaves no timer after its solution', async () => {
    const { polling, submit } = await createFilledApp({
      prepare: requiresChallenge,
      solveChallenge: async () => 'token',
    });
    await submit();
    expect(polling.waiting).toBe(0);
  });

  it('prevents the submission if the host page has no "challenge"', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const world = await createFilledApp({ prepare: requiresChallenge });
    await world.submit();
    expect(world.form).toMatchObject({ step: 'review', problem: 'challenge-not-offered' });
    expect(world.api.submissions).toEqual([]);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('Set "challenge"'));
  });

  it.each<[string, SolveChallenge]>([
    ['rejects', async () => Promise.reject(new Error('closed'))],
    [
      'throws',
      () => {
        throw new Error('no provider');
      },
    ],
    ['resolves to an empty token', async () => ''],
    ['resolves to a number', async () => 7 as unknown as string],
  ])('prevents the submission if "challenge" %s', async (_how, solveChallenge) => {
    const world = await createFilledApp({ prepare: requiresChallenge, solveChallenge });
    await world.submit();
    expect(world.form).toMatchObject({ problem: 'challenge-required', isSubmitting: false });
    expect(world.api.submissions).toEqual([]);
  });

  it('fails after three minutes', async () => {
    const world = await createFilledApp({
      prepare: requiresChallenge,
      solveChallenge: () => new Promise(() => undefined),
    });
    await world.submit();
    expect(world.polling.delays.at(-1)).toBe(180_000);
    expect(world.form?.isSubmitting).toBe(true);
    await world.polling.tick();
    expect(world.form).toMatchObject({ problem: 'challenge-required', isSubmitting: false });
  });
});

describe('a BFF that asks for a delay', () => {
  it.each([
    ['the submission comes too soon', tooSoon],
    ['it is at capacity', busy('too-busy', 3_000)],
  ])('receives the same request again if %s', async (_why, failure) => {
    const world = await createFilledApp({
      prepare: requiresChallenge,
      solveChallenge: async () => 'token',
    });
    world.api.application = failure;
    await world.submit();
    expect(world.polling.delays.at(-1)).toBe(3_000);
    world.api.application = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.form?.step).toBe('submitted');
    expect(world.api.submissions[1]).toEqual(world.api.submissions[0]);
    expect(world.api.proofs[1]).toEqual(world.api.proofs[0]);
  });

  it('receives at most four requests', async () => {
    const world = await createFilledApp();
    world.api.application = tooSoon;
    await world.submit();
    for (let time = 0; time < 4; time += 1) await world.polling.tick();
    expect(world.form?.problem).toBe('too-soon');
    expect(world.api.submissions).toHaveLength(4);
    expect(world.polling.waiting).toBe(0);
    expect(world.polling.delays.slice(-3)).toEqual([3_000, 6_000, 12_000]);
  });

  it.each([
    ['more than a minute', busy('too-soon', 60_001)],
    ['the rate limit of an hour', busy('too-many-requests', 30_000)],
  ])('receives no second request for a delay of %s', async (_delay, failure) => {
    const world = await createFilledApp();
    world.api.application = failure;
    await world.submit();
    const { code: problem, retryAfterMs } = failure;
    expect(world.form).toMatchObject({ problem, isSubmitting: false });
    expect(world.form?.retryAfterMs).toBe(retryAfterMs);
    expect(world.api.submissions).toHaveLength(1);
    expect(world.polling.waiting).toBe(0);
  });
});

describe('a submission without a session', () => {
  const createWithout = async (session: Failure) => {
    const created = await createFilledApp();
    created.api.application = fail('session-missing');
    created.api.session = session;
    await created.submit();
    return created;
  };

  it('opens a session after the delay that the BFF asks for', async () => {
    const world = await createWithout(busy('too-many-requests', 40_000));
    expect(world.polling.delays.at(-1)).toBe(40_000);
    world.api.session = ok(createSession());
    world.api.application = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.form?.step).toBe('submitted');
    expect(world.api.submissions[1]).toEqual(world.api.submissions[0]);
  });

  it('fails with the delay of the BFF if the delay is too long', async () => {
    const world = await createWithout(busy('too-many-requests', 300_000));
    expect(world.form).toMatchObject({ problem: 'too-many-requests', retryAfterMs: 300_000 });
  });

  it('counts as not sent if no session can be opened', async () => {
    const world = await createWithout(fail('network'));
    expect(world.form?.problem).toBe('session-refused');
  });

  it('requests no other session afterwards', async () => {
    const world = await createFilledApp({
      prepare: (api) => {
        api.session = fail('network');
      },
    });
    world.api.application = fail('session-missing');
    world.api.openSession = async () => {
      world.api.application = ok(acceptedStatus);
      return ok(createSession());
    };
    await world.submit();
    expect(world.form?.step).toBe('submitted');
    expect(world.polling.waiting).toBe(0);
  });
});

describe('the idempotency key', () => {
  it('changes after a rejection, even for the same answers', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    world.api.status = ok(rejectedStatus);
    await world.submit();
    await world.polling.tick();
    expect(world.form).toMatchObject({ step: 'review', problem: 'application-rejected' });
    await world.submit();
    expect(keysOf(world.api)).toEqual(['key-1', 'key-2']);
  });

  it('changes after the application was closed, even for the same answers', async () => {
    const { api, fillIn, startAnother, submit } = await createFilledApp();
    api.application = ok(receivedStatus);
    api.status = ok(receivedStatus);
    await submit();
    await startAnother();
    await fillIn();
    await submit();
    expect(keysOf(api)).toEqual(['key-1', 'key-2']);
    expect(api.submissions[1]?.body).toBe(api.submissions[0]?.body);
  });

  it('changes after a lost response if the answers were cleared', async () => {
    const { api, app, fillIn, submit } = await createFilledApp();
    api.application = fail('network');
    await submit();
    app.clear();
    await fillIn();
    await submit();
    expect(keysOf(api)).toEqual(['key-1', 'key-2']);
  });

  it('changes if the BFF knows it with other answers', async () => {
    const { api, submit } = await createFilledApp();
    api.application = fail('idempotency-key-reused');
    await submit();
    await submit();
    expect(keysOf(api)).toEqual(['key-1', 'key-2']);
  });
});

describe('a submission whose response was lost', () => {
  const createUnanswered = async () => {
    const created = await createFilledApp();
    created.api.application = fail('network');
    await created.submit();
    created.app.editStep('funding-need');
    created.app.answer('fundingNeed/amount', '12,345');
    await created.app.continue();
    await created.submit();
    return created;
  };

  it('is repeated before other answers are sent', async () => {
    const { api } = await createUnanswered();
    expect(keysOf(api)).toEqual(['key-1', 'key-1']);
    expect(api.submissions[1]?.body).toBe(api.submissions[0]?.body);
  });

  it('keeps other answers while its outcome is unknown', async () => {
    const world = await createUnanswered();
    expect(world.form?.problem).toBe('submit-unanswered');
    expect(world.form?.draft['fundingNeed/amount']).toBe('12,345');
  });

  it('counts as an earlier application when other answers are sent', async () => {
    const world = await createUnanswered();
    world.api.application = ok(acceptedStatus);
    await world.submit();
    expect(world.form).toMatchObject({ step: 'submitted', problem: 'application-exists' });
    expect(new Set(keysOf(world.api))).toEqual(new Set(['key-1']));
  });

  it('does not prevent other answers if the BFF has rejected it', async () => {
    const world = await createUnanswered();
    const { submitApplication } = world.api;
    world.api.submitApplication = async (body, key, proof) => {
      const response = await submitApplication(body, key, proof);
      return key === 'key-1' ? fail('application-rejected') : response;
    };
    world.api.application = ok(acceptedStatus);
    await world.submit();
    expect(keysOf(world.api).at(-1)).toBe('key-2');
    expect(world.form).toMatchObject({ step: 'submitted', problem: undefined });
  });
});

describe('an application that the BFF has already', () => {
  const createExisting = async () => {
    const created = await createFilledApp();
    created.api.application = fail('application-exists');
    created.api.status = ok(receivedStatus);
    await created.submit();
    return created;
  };

  it('is shown instead of the answers', async () => {
    const world = await createExisting();
    expect(world.form).toMatchObject({
      step: 'submitted',
      application: receivedStatus,
      problem: 'application-exists',
      record: undefined,
    });
  });

  it('keeps its message during status requests', async () => {
    const world = await createExisting();
    world.api.status = fail('network');
    await world.polling.tick();
    world.api.status = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.form).toMatchObject({
      application: acceptedStatus,
      problem: 'application-exists',
    });
  });

  it('loses its message with the next step', async () => {
    const world = await createExisting();
    world.app.next();
    world.app.back();
    expect(world.form).toMatchObject({ step: 'submitted', problem: undefined });
  });

  it('cannot be shown if its status is unknown', async () => {
    const world = await createFilledApp();
    world.api.application = fail('application-exists');
    world.api.status = fail('network');
    await world.submit();
    expect(world.form).toMatchObject({ step: 'review', problem: 'network' });
  });
});

describe('a submission while the browser is offline', () => {
  const createOffline = async (options: AppOptions = {}) => {
    const created = await createFilledApp(options);
    created.connection.setOffline(true);
    return created;
  };

  it('sends nothing at the first press', async () => {
    const world = await createOffline();
    await world.submit();
    expect(world.form).toMatchObject({
      step: 'review',
      problem: 'offline',
      draft: completeDraft,
      isSubmitting: false,
    });
    expect(world.api.submissions).toEqual([]);
  });

  it('shows errors of fields first', async () => {
    const world = await createOffline();
    world.app.answer('signature/name', '');
    await world.submit();
    expect(world.form).toMatchObject({ problem: undefined, errors: [{ path: 'signature/name' }] });
  });

  it('sends the request at the second press, because the browser may be wrong', async () => {
    const world = await createOffline();
    await world.submit();
    await world.submit();
    expect(world.api.submissions).toHaveLength(1);
    expect(world.form?.step).toBe('submitted');
  });

  it('uses the first key when the browser is online again', async () => {
    const world = await createOffline();
    await world.submit();
    world.connection.setOffline(false);
    await world.submit();
    expect(keysOf(world.api)).toEqual(['key-1']);
  });
});

describe('a submission during another one', () => {
  it('is ignored', async () => {
    const world = await createFilledApp();
    const response = createDelayed<Result<ApplicationStatus>>();
    let requests = 0;
    world.api.submitApplication = async () => {
      requests += 1;
      return response.request();
    };
    await world.submit();
    await world.submit();
    response.send(ok(acceptedStatus));
    await world.settle();
    expect(requests).toBe(1);
    expect(world.form?.step).toBe('submitted');
  });
});

describe('an application that is closed during its submission', () => {
  const solveLater = createDelayed<string>();

  it('is not sent after its challenge is solved', async () => {
    const world = await createFilledApp({
      prepare: requiresChallenge,
      solveChallenge: solveLater.request,
    });
    await world.submit();
    await world.startAnother();
    solveLater.send('token');
    await world.settle();
    expect(world.api.submissions).toEqual([]);
  });

  it('is not sent again after a delay', async () => {
    const world = await createFilledApp();
    world.api.application = tooSoon;
    await world.submit();
    await world.startAnother();
    await world.polling.tick();
    expect(world.api.submissions).toHaveLength(1);
  });

  it('is not sent in another session', async () => {
    const world = await createFilledApp();
    const response = createDelayed<Result<ApplicationStatus>>();
    world.api.submitApplication = response.request;
    await world.submit();
    await world.app.close();
    const { sessionsOpened } = world.api;
    response.send(fail('session-missing'));
    await world.settle();
    expect(world.api.sessionsOpened).toBe(sessionsOpened);
  });

  it('is not repeated by the next application if its response is lost', async () => {
    const world = await createFilledApp();
    const { submitApplication } = world.api;
    const response = createDelayed<Result<ApplicationStatus>>();
    world.api.submitApplication = response.request;
    await world.submit();
    await world.startAnother();
    response.send(fail('network'));
    await world.settle();
    world.api.submitApplication = submitApplication;
    await world.fillIn({ 'business/name': 'Another business' });
    await world.submit();
    expect(bodiesOf(world.api)).toMatchObject([{ business: { name: 'Another business' } }]);
    expect(world.form).toMatchObject({ step: 'submitted', problem: undefined });
  });
});

describe('changed consents', () => {
  it('are requested again in the language of the form', async () => {
    const world = await createFilledApp({ getLocale: () => 'es' });
    world.api.application = fail('consent-required');
    await world.submit();
    expect(world.api.requestedLocales).toEqual(['es', 'es']);
    expect(world.form).toMatchObject({ step: 'review', problem: 'consent-required' });
  });

  it('are checked before the next submission', async () => {
    const world = await createFilledApp();
    world.api.application = fail('consent-required');
    await world.submit();
    await world.submit();
    expect(world.api.submissions).toHaveLength(1);
    expect(world.form?.errors).toEqual([{ path: 'consents/terms', code: 'required' }]);
  });
});
