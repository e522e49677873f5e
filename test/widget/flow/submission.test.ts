// What goes with an application, and what is waited for: the honeypot, the challenge, and a BFF that says "not yet".

import { beforeEach, describe, expect, it } from 'vitest';
import { Submission, type SubmissionOutcome } from '../../../widget/flow/submission.ts';
import type { SolveChallenge } from '../../../widget/types.ts';
import { honeypotPath } from '../../../widget/app/draft.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';
import { createManualPolling, type ManualPolling } from '../../support/manual-polling.ts';

const asking = createConfiguration({ challenge: { provider: 'turnstile', siteKey: 'site-key' } });
const tooSoon = { ...fail('too-soon'), retryAfterMs: 3_000 };

describe('a submission', () => {
  let api: FakeFundingApi;
  let polling: ManualPolling;
  let solver: SolveChallenge | undefined;
  let campaignId: string | undefined;

  beforeEach(() => {
    api = new FakeFundingApi();
    polling = createManualPolling();
    solver = undefined;
    campaignId = undefined;
  });

  function file(configuration = createConfiguration(), changes: object = {}) {
    let lastKey = 0;
    const submission = new Submission({
      api,
      polling: polling.environment,
      createKey: () => `key-${(lastKey += 1)}`,
      findChallengeSolver: () => solver,
      campaignId: () => campaignId,
    });
    return submission.file({ ...completeDraft, ...changes }, configuration);
  }

  it('says nothing of an empty honeypot, and that one is filled in', async () => {
    await file();
    await file(createConfiguration(), { [honeypotPath]: 'https://spam.example' });
    expect(api.proofs).toEqual([{ isHoneypotFilled: false }, { isHoneypotFilled: true }]);
    expect(api.submissions[1]!.body).toBe(api.submissions[0]!.body);
  });

  it('says which campaign the host page is part of, where it is part of one', async () => {
    await file();
    campaignId = 'C-7';
    await file();
    const bodies = api.submissions.map(({ body }): unknown => JSON.parse(body));
    expect(bodies[0]).not.toHaveProperty('campaignId');
    expect(bodies[1]).toMatchObject({ campaignId: 'C-7' });
  });

  it('goes along with the token that the host page got for the site key', async () => {
    solver = async (siteKey) => `token for ${siteKey}`;
    expect((await file(asking)).kind).toBe('filed');
    expect(api.proofs).toEqual([{ isHoneypotFilled: false, challengeToken: 'token for site-key' }]);
    expect(polling.waiting).toBe(0);
  });

  it('is not sent by a page without a challenge where one is asked for', async () => {
    expect(await file(asking)).toMatchObject({ kind: 'failed', problem: 'challenge-not-offered' });
    expect(api.submissions).toEqual([]);
  });

  it.each<[string, SolveChallenge]>([
    ['is given up', async () => Promise.reject(new Error('closed'))],
    [
      'throws',
      () => {
        throw new Error('no provider');
      },
    ],
    ['gives an empty token', async () => ''],
    ['gives no text', async () => 7 as unknown as string],
  ])('is not sent when the challenge %s', async (_what, solve) => {
    solver = solve;
    expect(await file(asking)).toMatchObject({ kind: 'failed', problem: 'challenge-required' });
    expect(api.submissions).toEqual([]);
  });

  it('does not wait for ever for a challenge that never ends', async () => {
    solver = () => new Promise(() => undefined);
    const outcome = file(asking);
    await polling.settle();
    expect(polling.delays).toEqual([180_000]);
    await polling.tick();
    expect(await outcome).toMatchObject({ kind: 'failed', problem: 'challenge-required' });
  });

  it.each([
    ['too soon', tooSoon],
    ['too busy', { ...fail('too-busy'), retryAfterMs: 3_000 }],
  ])('that comes %s is sent again as it was, once the BFF will take it', async (_what, refusal) => {
    solver = async () => 'token';
    api.application = refusal;
    const outcome = file(asking);
    await polling.settle();
    expect(polling.waiting).toBe(1);
    api.application = ok(acceptedStatus);
    await polling.tick();
    expect((await outcome).kind).toBe('filed');
    expect(polling.delays.at(-1)).toBe(3_000);
    expect(api.submissions[1]).toEqual(api.submissions[0]);
    expect(api.proofs[1]).toEqual(api.proofs[0]);
  });

  it('is given up when the BFF never takes it', async () => {
    api.application = tooSoon;
    const outcome = file();
    for (let time = 0; time < 4; time += 1) await polling.tick();
    expect(await outcome).toMatchObject({ kind: 'failed', problem: 'too-soon' });
    expect([api.submissions.length, polling.waiting]).toEqual([4, 0]);
  });

  it('that has no session waits until one may begin, and is then sent as it was', async () => {
    api.application = fail('session-missing');
    api.session = { ...fail('too-many-requests'), retryAfterMs: 40_000 };
    const outcome = file();
    await polling.settle();
    expect(polling.delays).toEqual([40_000]);
    api.session = ok(createSession());
    api.application = ok(acceptedStatus);
    await polling.tick();
    expect((await outcome).kind).toBe('filed');
    expect(api.submissions[1]).toEqual(api.submissions[0]);
  });

  it('says how long no session may begin, where that is too long to wait for', async () => {
    api.application = fail('session-missing');
    api.session = { ...fail('too-many-requests'), retryAfterMs: 300_000 };
    expect(await file()).toMatchObject({
      kind: 'failed',
      problem: 'too-many-requests',
      retryAfterMs: 300_000,
    });
  });

  it('that was refused for want of a session is not taken for one that may have arrived', async () => {
    api.application = fail('session-missing');
    api.session = fail('network');
    expect(await file()).toMatchObject({ kind: 'failed', problem: 'session-refused' });
  });

  it.each([
    ['more than a minute', { ...tooSoon, retryAfterMs: 60_001 }],
    ['nobody knows how long', fail('too-busy')],
    ['an hour’s limit', { ...fail('too-many-requests'), retryAfterMs: 30_000 }],
  ])('does not wait: %s', async (_what, refusal) => {
    api.application = refusal;
    const outcome: SubmissionOutcome = await file();
    const { code: problem, retryAfterMs } = refusal;
    expect(outcome).toEqual({ kind: 'failed', problem, errors: [], retryAfterMs });
    expect([api.submissions.length, polling.waiting]).toEqual([1, 0]);
  });
});
