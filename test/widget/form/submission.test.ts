// Tests for submitting an application: its request, its key, and the responses of the BFF.

import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { honeypotPath } from '../../../widget/app/draft.ts';
import type { SolveChallenge } from '../../../widget/types.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createDelayed,
  createFilledApp,
  type AppOptions,
  type TestApp,
} from '../../support/create-app.ts';
import { completeDraft } from '../../support/draft.ts';
import {
  acceptedStatus,
  busy,
  createSession,
  fail,
  ok,
  receivedStatus,
  rejectedStatus,
  type FakeFundingApi,
} from '../../support/fake-funding-api.ts';

const tooSoon = busy('too-soon', 3_000);
const challenge = { provider: 'turnstile', siteKey: 'site-key' } as const;
const requiresChallenge = { configuration: ok(createConfiguration({ challenge })) };

/** A complete form that was submitted. From the submission on, the BFF has these responses. */
async function submit(
  responses: Partial<FakeFundingApi> = {},
  options: AppOptions = {},
): Promise<TestApp> {
  const created = await createFilledApp(options);
  Object.assign(created.api, responses);
  await created.submit();
  return created;
}

function keysOf({ submissions }: FakeFundingApi): readonly string[] {
  return submissions.map(({ key }) => key);
}

function bodiesOf({ submissions }: FakeFundingApi): readonly unknown[] {
  return submissions.map(({ body }): unknown => JSON.parse(body));
}

describe('the body of a submission', () => {
  it.each(['C-7', undefined])('contains the campaign of the host page: %s', async (campaignId) => {
    const { api } = await submit({}, { campaignId });
    expect(bodiesOf(api)[0]).toMatchObject(campaignId ? { campaignId } : {});
    expect(api.submissions[0]?.body.includes('campaignId')).toBe(campaignId !== undefined);
  });

  it('contains the consents with the language in which they were read', async () => {
    const bff = { configuration: ok(createConfiguration({ locale: 'es' })) };
    const { api } = await submit({}, { bff });
    expect(bodiesOf(api)[0]).toHaveProperty('consents', [
      { id: 'terms', version: '1', locale: 'es' },
    ]);
  });
});

describe('a filled-in honeypot', () => {
  it('is reported without its text, and emptied for the next submission', async () => {
    const world = await createFilledApp();
    world.app.answer(honeypotPath, 'https://spam.example');
    world.api.application = fail('automation-suspected');
    await world.submit();
    expect(world.api.submissions[0]?.body).not.toContain('spam');
    expect(world.form).toMatchObject({ step: 'review', problem: 'automation-suspected' });
    expect(world.form?.draft).toEqual(completeDraft);
    world.api.application = ok(acceptedStatus);
    await world.submit();
    expect(world.api.proofs).toEqual([{ isHoneypotFilled: true }, { isHoneypotFilled: false }]);
    expect(world.form?.step).toBe('submitted');
  });
});

describe('a required challenge', () => {
  const challenged = (solveChallenge?: SolveChallenge, responses = {}) =>
    submit(responses, { bff: requiresChallenge, solveChallenge });
  let warn: MockInstance;

  beforeEach(() => void (warn = vi.spyOn(console, 'warn').mockReturnValue()));

  afterEach(() => void vi.restoreAllMocks());

  it('is solved for the site key of the BFF', async () => {
    const world = await challenged(async (siteKey) => `token for ${siteKey}`);
    expect(world.api.proofs).toEqual([
      { isHoneypotFilled: false, challengeToken: 'token for site-key' },
    ]);
    expect(world.form?.step).toBe('submitted');
    expect(world.polling.waiting).toBe(0);
  });

  it('prevents the submission if the host page has no "challenge"', async () => {
    const world = await challenged();
    expect(world.form).toMatchObject({ step: 'review', problem: 'challenge-not-offered' });
    await world.submit();
    expect(world.api.submissions).toEqual([]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Set "challenge"'));
  });

  it('is solved again after the BFF rejected its token', async () => {
    let solved = 0;
    const world = await challenged(async () => `token-${(solved += 1)}`, {
      application: fail('challenge-required'),
    });
    world.api.application = ok(acceptedStatus);
    await world.submit();
    expect(world.api.proofs.map((proof) => proof?.challengeToken)).toEqual(['token-1', 'token-2']);
    expect(world.api.submissions[1]).toEqual(world.api.submissions[0]);
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
    const world = await challenged(solveChallenge);
    expect(world.form).toMatchObject({ problem: 'challenge-required', isSubmitting: false });
    expect(world.api.submissions).toEqual([]);
  });

  it('fails after three minutes', async () => {
    const world = await challenged(() => new Promise(() => undefined));
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
  ])('receives the same request again if %s', async (_why, application) => {
    const solveChallenge = async () => 'token';
    const world = await submit({ application }, { bff: requiresChallenge, solveChallenge });
    expect(world.polling.delays.at(-1)).toBe(3_000);
    world.api.application = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.form?.step).toBe('submitted');
    expect(world.api.submissions[1]).toEqual(world.api.submissions[0]);
    expect(world.api.proofs[1]).toEqual(world.api.proofs[0]);
  });

  it('receives at most four requests', async () => {
    const world = await submit({ application: tooSoon });
    for (let time = 0; time < 4; time += 1) await world.polling.tick();
    expect(world.form?.problem).toBe('too-soon');
    expect(world.api.submissions).toHaveLength(4);
    expect(world.polling.waiting).toBe(0);
    expect(world.polling.delays.slice(-3)).toEqual([3_000, 6_000, 12_000]);
  });

  it.each([
    ['more than a minute', busy('too-soon', 60_001)],
    ['the rate limit of an hour', busy('too-many-requests', 30_000)],
  ])('receives no second request for a delay of %s', async (_delay, application) => {
    const world = await submit({ application });
    const { code: problem, retryAfterMs } = application;
    expect(world.form).toMatchObject({ problem, retryAfterMs, isSubmitting: false });
    expect(world.api.submissions).toHaveLength(1);
    expect(world.polling.waiting).toBe(0);
  });
});

describe('a submission without a session', () => {
  const application = fail('session-missing');

  it('opens a session after the delay that the BFF asks for', async () => {
    const world = await submit({ application, session: busy('too-many-requests', 40_000) });
    expect(world.polling.delays.at(-1)).toBe(40_000);
    world.api.session = ok(createSession());
    world.api.application = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.form?.step).toBe('submitted');
    expect(world.api.submissions[1]).toEqual(world.api.submissions[0]);
  });

  it('fails with the delay of the BFF if the delay is too long', async () => {
    const world = await submit({ application, session: busy('too-many-requests', 300_000) });
    expect(world.form).toMatchObject({ problem: 'too-many-requests', retryAfterMs: 300_000 });
  });

  it('counts as not sent if no session can be opened', async () => {
    const world = await submit({ application, session: fail('network') });
    expect(world.form?.problem).toBe('session-refused');
  });

  it('requests no other session afterwards', async () => {
    const world = await createFilledApp({ bff: { session: fail('network') } });
    world.api.application = application;
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
  /** Each row is what happens between two submissions of the same answers. */
  it.each<[string, Partial<FakeFundingApi>, (world: TestApp) => unknown]>([
    [
      'a rejection',
      { application: ok(receivedStatus), status: ok(rejectedStatus) },
      ({ polling }) => polling.tick(),
    ],
    [
      'the application was closed',
      { application: ok(receivedStatus), status: ok(receivedStatus) },
      ({ startAnother, fillIn }) => startAnother().then(() => fillIn()),
    ],
    [
      'the answers were cleared, if the response was lost',
      { application: fail('network') },
      ({ app, fillIn }) => {
        app.clear();
        return fillIn();
      },
    ],
    [
      'the BFF knows it with other answers',
      { application: fail('idempotency-key-reused') },
      () => undefined,
    ],
  ])('changes after %s', async (_what, responses, act) => {
    const world = await submit(responses);
    await act(world);
    await world.submit();
    expect(keysOf(world.api)).toEqual(['key-1', 'key-2']);
    expect(world.api.submissions[1]?.body).toBe(world.api.submissions[0]?.body);
  });
});

it('the idempotency key changes with the answers after a failure', async () => {
  const world = await submit({ application: fail('internal') });
  world.app.answer('fundingNeed/amount', '80,000');
  await world.submit();
  expect(keysOf(world.api)).toEqual(['key-1', 'key-2']);
});

describe('a submission whose response was lost', () => {
  const createUnanswered = async () => {
    const created = await submit({ application: fail('network') });
    created.app.editStep('funding-need');
    created.app.answer('fundingNeed/amount', '12,345');
    await created.app.continue();
    await created.submit();
    return created;
  };

  it('is repeated before other answers are sent, which stay', async () => {
    const world = await createUnanswered();
    expect(keysOf(world.api)).toEqual(['key-1', 'key-1']);
    expect(world.api.submissions[1]?.body).toBe(world.api.submissions[0]?.body);
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
    const send = world.api.hold('submitApplication');
    const submitting = world.submit();
    send(fail('application-rejected'));
    world.api.application = ok(acceptedStatus);
    await submitting;
    expect(keysOf(world.api).at(-1)).toBe('key-2');
    expect(world.form).toMatchObject({ step: 'submitted', problem: undefined });
  });
});

describe('an application that the BFF has already', () => {
  const exists = { application: fail('application-exists'), status: ok(receivedStatus) };

  it('is shown instead of the answers, with a message until the next step', async () => {
    const world = await submit(exists);
    expect(world.form).toMatchObject({
      step: 'submitted',
      application: receivedStatus,
      problem: 'application-exists',
      record: undefined,
    });
    world.api.status = fail('network');
    await world.polling.tick();
    world.api.status = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.form).toMatchObject({
      application: acceptedStatus,
      problem: 'application-exists',
    });
    world.app.next();
    world.app.back();
    expect(world.form).toMatchObject({ step: 'submitted', problem: undefined });
  });

  it('cannot be shown if its status is unknown', async () => {
    const world = await submit({ ...exists, status: fail('network') });
    expect(world.form).toMatchObject({ step: 'review', problem: 'network' });
  });
});

describe('a submission while the browser is offline', () => {
  const createOffline = async () => {
    const created = await createFilledApp();
    created.connection.setOffline(true);
    return created;
  };

  it.each(['still offline, because the browser may be wrong', 'online'])(
    'is sent at the second press: %s',
    async (when) => {
      const world = await createOffline();
      await world.submit();
      expect(world.form).toMatchObject({ step: 'review', problem: 'offline', isSubmitting: false });
      expect(world.form?.draft).toEqual(completeDraft);
      expect(world.api.submissions).toEqual([]);
      if (when === 'online') world.connection.setOffline(false);
      await world.submit();
      expect(keysOf(world.api)).toEqual(['key-1']);
      expect(world.form?.step).toBe('submitted');
    },
  );

  it('shows errors of fields first', async () => {
    const world = await createOffline();
    world.app.answer('signature/name', '');
    await world.submit();
    expect(world.form).toMatchObject({ problem: undefined, errors: [{ path: 'signature/name' }] });
  });
});

it('a submission locks the form, and ignores another one', async () => {
  const world = await createFilledApp();
  const send = world.api.hold('submitApplication');
  await world.submit();
  await world.submit();
  world.app.editStep('funding-need');
  world.app.back();
  expect(world.form?.step).toBe('review');
  send(ok(acceptedStatus));
  await world.settle();
  expect(world.api.submissions).toHaveLength(1);
  expect(world.form?.step).toBe('submitted');
});

describe('an application that is closed during its submission', () => {
  it('is not sent after its challenge is solved', async () => {
    const solution = createDelayed<string>();
    const world = await submit({}, { bff: requiresChallenge, solveChallenge: solution.request });
    await world.startAnother();
    solution.send('token');
    await world.settle();
    expect(world.api.submissions).toEqual([]);
  });

  it('is not sent again after a delay', async () => {
    const world = await submit({ application: tooSoon });
    await world.startAnother();
    await world.polling.tick();
    expect(world.api.submissions).toHaveLength(1);
  });

  it('is not sent in another session', async () => {
    const world = await createFilledApp();
    const send = world.api.hold('submitApplication');
    await world.submit();
    await world.app.close();
    const { sessionsOpened } = world.api;
    send(fail('session-missing'));
    await world.settle();
    expect(world.api.sessionsOpened).toBe(sessionsOpened);
  });

  it('is not repeated by the next application if its response is lost', async () => {
    const world = await createFilledApp();
    const send = world.api.hold('submitApplication');
    await world.submit();
    await world.startAnother();
    send(fail('network'));
    await world.settle();
    await world.fillIn({ 'business/name': 'Another business' });
    await world.submit();
    expect(bodiesOf(world.api)[1]).toMatchObject({ business: { name: 'Another business' } });
    expect(world.api.submissions).toHaveLength(2);
    expect(world.form).toMatchObject({ step: 'submitted', problem: undefined });
  });
});

it('changed consents are requested in the language of the form, and checked again', async () => {
  const world = await submit({ application: fail('consent-required') }, { getLocale: () => 'es' });
  expect(world.api.requestedLocales).toEqual(['es', 'es']);
  expect(world.form).toMatchObject({ step: 'review', problem: 'consent-required' });
  await world.submit();
  expect(world.api.submissions).toHaveLength(1);
  expect(world.form?.errors).toEqual([{ path: 'consents/terms', code: 'required' }]);
});
