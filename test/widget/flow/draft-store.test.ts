// What stays in the browser of an application that is not sent yet, and what never does.

import { describe, expect, it } from 'vitest';
import { createDraftStore, toKeptDraft, type KeptDraft } from '../../../widget/flow/draft-store.ts';
import { honeypotPath } from '../../../widget/app/draft.ts';
import { createFlowState, type FlowState } from '../../../widget/flow/state.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import { createMemoryStorage } from '../../support/memory-storage.ts';

const key = 'a form';
const kept: KeptDraft = {
  step: 'owner',
  returnsToReview: true,
  answers: { 'business/name': 'Rosa’s', 'owner/email': 'rosa@' },
  omitted: ['business/taxId'],
  isSent: false,
};

function formWith(changes: Partial<FlowState>): FlowState {
  return { ...createFlowState(createConfiguration()), ...changes };
}

describe('what may be kept', () => {
  const secrets = [
    'business/taxId',
    'owner/ssn',
    'owner/birthDate/month',
    'owner/birthDate/day',
    'owner/birthDate/year',
    'consents/terms',
    'signature/name',
  ];

  it('is every answer but the secret ones, the consents and the signature; of these it is kept that they were given', () => {
    const { answers, omitted } = toKeptDraft(formWith({ draft: completeDraft }));
    const expected = Object.entries(completeDraft).filter(([path]) => !secrets.includes(path));
    expect(answers).toEqual(Object.fromEntries(expected));
    expect(omitted.toSorted()).toEqual(secrets.toSorted());
  });

  it('is nothing that nobody has thought about, and nothing of the honeypot', () => {
    const draft = { 'owner/mothersName': 'Inés', [honeypotPath]: 'https://spam.example' };
    const { answers, omitted } = toKeptDraft(formWith({ draft }));
    expect([answers, omitted]).toEqual([{}, ['owner/mothersName']]);
  });

  it('is kept as typed, however wrong', () => {
    const draft = { 'fundingNeed/amount': 'a lot', 'owner/email': '' };
    expect(toKeptDraft(formWith({ draft })).answers).toEqual(draft);
  });

  it.each([
    ['start', 'funding-need'],
    ['identity', 'identity'],
    ['documents', 'review'],
  ] as const)('brings somebody from %s back to %s', (step, to) => {
    expect(toKeptDraft(formWith({ step })).step).toBe(to);
  });

  it('tells whether Continue leads straight back to the review', () => {
    expect(toKeptDraft(formWith({ returnsToReview: true })).returnsToReview).toBe(true);
  });

  it('still tells of what an earlier page had not kept', () => {
    const restored = { step: 'owner', omitted: ['owner/ssn'] } as const;
    expect(toKeptDraft(formWith({ restored })).omitted).toEqual(['owner/ssn']);
  });
});

describe('the store', () => {
  it('gives back what was written', () => {
    const storage = createMemoryStorage();
    const store = createDraftStore(() => storage, key);
    expect(store.write(kept)).toBe(true);
    expect(store.read()).toEqual(kept);
    store.erase();
    expect([store.read(), storage.length]).toEqual([undefined, 0]);
  });

  it('keeps nothing of a form in which nothing stands', () => {
    const storage = createMemoryStorage();
    const store = createDraftStore(() => storage, key);
    store.write(kept);
    store.write({ ...kept, answers: { 'business/name': '' }, omitted: [] });
    expect(storage.length).toBe(0);
  });

  it('keeps forms apart', () => {
    const storage = createMemoryStorage();
    createDraftStore(() => storage, key).write(kept);
    expect(createDraftStore(() => storage, 'another').read()).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '7'],
    ['of another version', JSON.stringify({ version: 2, ...kept })],
    ['without a step', JSON.stringify({ version: 1, ...kept, step: 'offers' })],
    ['without answers', JSON.stringify({ version: 1, ...kept, answers: null })],
  ])('takes what is %s for nothing', (_what, text) => {
    const storage = createMemoryStorage();
    storage.setItem(key, text);
    expect(createDraftStore(() => storage, key).read()).toBeUndefined();
  });

  it('takes up only what it would have written', () => {
    const storage = createMemoryStorage();
    const answers = { ...kept.answers, 'owner/ssn': '219-09-9999', 'owner/phone': 7 };
    storage.setItem(key, JSON.stringify({ version: 1, ...kept, answers }));
    expect(createDraftStore(() => storage, key).read()?.answers).toEqual(kept.answers);
  });

  it('is quietly of no use where the browser refuses storage', () => {
    const store = createDraftStore(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }, key);
    expect([store.read(), store.write(kept), store.erase()]).toEqual([undefined, false, undefined]);
  });

  it('says so when the storage is full', () => {
    const storage = createMemoryStorage();
    storage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    expect(createDraftStore(() => storage, key).write(kept)).toBe(false);
  });
});
