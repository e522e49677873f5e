// Tests for the draft in the browser's storage: its content, when it is stored, and when it is erased.

import { describe, expect, it } from 'vitest';
import { Autosave, createDraftStore, toStoredDraft } from '../../../widget/app/autosave.ts';
import { honeypotPath } from '../../../widget/app/draft.ts';
import {
  createForm,
  withAnswer,
  withStep,
  type StepId,
  type StoredDraft,
} from '../../../widget/app/navigation.ts';
import { type FormState, initialState } from '../../../widget/app/store.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createFeature } from '../../support/create-feature.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';
import { createMemoryStorage } from '../../support/memory-storage.ts';

const key = 'form';
const form = createForm(createConfiguration());
const stored: StoredDraft = {
  step: 'owner',
  returnsToReview: true,
  answers: { 'business/name': 'Rosa’s', 'owner/email': 'rosa@' },
  omitted: ['business/taxId'],
  isSubmitted: false,
};

/** A form on the page that is autosaved. */
function create({ hasStorage = true } = {}) {
  const storage = createMemoryStorage();
  const draftStore = createDraftStore(() => storage, key);
  const { polling: timers, store } = createFeature(
    (environment) =>
      new Autosave({
        store: environment.store,
        draftStore: hasStorage ? draftStore : undefined,
        timers: environment.polling,
      }),
    { ...initialState, form },
  );

  function setConnected(isConnected: boolean): void {
    store.update((state) => ({ ...state, isConnected }));
  }

  setConnected(true);
  return {
    storage,
    store,
    timers,
    setConnected,
    type: (name: string) =>
      store.updateForm((current) => withAnswer(current, 'business/name', name)),
    showStep: (step: StepId) => store.updateForm((current) => withStep(current, step)),
    read: () => draftStore.read(),
    readName: () => draftStore.read()?.answers['business/name'],
  };
}

/** The store of drafts in this storage. */
function openStore(storage: Storage = createMemoryStorage()) {
  return { storage, store: createDraftStore(() => storage, key) };
}

function refuse(name: string) {
  return (): never => {
    throw new DOMException('The browser refuses.', name);
  };
}

describe('toStoredDraft', () => {
  it('contains no secrets, consents, or signature', () => {
    const secrets = [
      'business/taxId',
      'owner/ssn',
      'owner/birthDate/month',
      'owner/birthDate/day',
      'owner/birthDate/year',
      'consents/terms',
      'signature/name',
    ];
    const { answers, omitted } = toStoredDraft({ ...form, draft: completeDraft });
    const others = Object.entries(completeDraft).filter(([path]) => !secrets.includes(path));
    expect(answers).toEqual(Object.fromEntries(others));
    expect(omitted.toSorted()).toEqual(secrets.toSorted());
  });

  it('omits answers that are not listed', () => {
    const { answers, omitted } = toStoredDraft({ ...form, draft: { 'owner/mothersName': 'Inés' } });
    expect(answers).toEqual({});
    expect(omitted).toEqual(['owner/mothersName']);
  });

  it('ignores the honeypot', () => {
    const draft = { [honeypotPath]: 'https://spam.example' };
    expect(toStoredDraft({ ...form, draft })).toMatchObject({ answers: {}, omitted: [] });
  });

  it('contains invalid answers as typed', () => {
    const draft = { 'fundingNeed/amount': 'a lot', 'owner/email': '' };
    expect(toStoredDraft({ ...form, draft }).answers).toEqual(draft);
  });

  it.each([
    ['start', 'funding-need'],
    ['identity', 'identity'],
    ['documents', 'review'],
  ] as const)('stores the step "%s" as "%s"', (step, expected) => {
    expect(toStoredDraft({ ...form, step }).step).toBe(expected);
  });

  it.each<[string, Partial<FormState>, Partial<StoredDraft>]>([
    ['that Continue returns to the review', { returnsToReview: true }, { returnsToReview: true }],
    ['that the application was submitted', { application: acceptedStatus }, { isSubmitted: true }],
    [
      'the omitted answers of an earlier page',
      { restored: { step: 'owner', omitted: ['owner/ssn'], reached: 'owner', isSeen: false } },
      { omitted: ['owner/ssn'] },
    ],
  ])('stores %s', (_what, changes, expected) => {
    expect(toStoredDraft({ ...form, ...changes })).toMatchObject(expected);
  });
});

describe('createDraftStore', () => {
  it('keeps a draft without answers only after the submission', () => {
    const { storage, store } = openStore();
    store.write(stored);
    const empty = { ...stored, answers: { 'business/name': '' }, omitted: [] };
    store.write(empty);
    expect(storage.length).toBe(0);
    store.write({ ...empty, isSubmitted: true });
    expect(store.read()).toMatchObject({ isSubmitted: true });
  });

  it('returns the draft of the same form until it is erased', () => {
    const { storage, store } = openStore();
    expect(store.write(stored)).toBe(true);
    expect(store.read()).toEqual(stored);
    expect(createDraftStore(() => storage, 'another').read()).toBeUndefined();
    store.erase();
    expect(store.read()).toBeUndefined();
    expect(storage.length).toBe(0);
  });

  it.each([
    ['that is not JSON', '{'],
    ['that is no object', '7'],
    ['of another version', JSON.stringify({ version: 2, ...stored })],
    ['without a valid step', JSON.stringify({ version: 1, ...stored, step: 'offers' })],
    ['without answers', JSON.stringify({ version: 1, ...stored, answers: null })],
  ])('ignores a text %s', (_what, text) => {
    const { storage, store } = openStore();
    storage.setItem(key, text);
    expect(store.read()).toBeUndefined();
  });

  it('reads only answers that it would store', () => {
    const { storage, store } = openStore();
    const answers = { ...stored.answers, 'owner/ssn': '219-09-9999', 'owner/phone': 7 };
    storage.setItem(key, JSON.stringify({ version: 1, ...stored, answers }));
    expect(store.read()?.answers).toEqual(stored.answers);
  });

  it('does not throw if the browser refuses storage', () => {
    const store = createDraftStore(refuse('SecurityError'), key);
    expect(store.read()).toBeUndefined();
    expect(store.write(stored)).toBe(false);
    expect(() => store.erase()).not.toThrow();
  });
});

describe('Autosave', () => {
  it('stores typed answers together after a delay', async () => {
    const { timers, type, readName } = create();
    for (const name of ['R', 'Ro', 'Ros']) type(name);
    expect(readName()).toBeUndefined();
    expect(timers.delays).toEqual([250]);
    await timers.tick();
    expect(readName()).toBe('Ros');
    expect(timers.waiting).toBe(0);
  });

  it.each<[string, (world: ReturnType<typeof create>) => unknown]>([
    ['the step changes', ({ showStep }) => showStep('business')],
    ['the page is hidden', ({ timers }) => timers.setHidden(true)],
    ['the element is removed', ({ setConnected }) => setConnected(false)],
  ])('stores typed answers at once when %s', (_when, act) => {
    const world = create();
    world.type('Ros');
    void act(world);
    expect(world.readName()).toBe('Ros');
    expect(world.timers.waiting).toBe(0);
  });

  it('has no listener after the element is removed', () => {
    const { setConnected, timers } = create();
    setConnected(false);
    expect(timers.listeners).toBe(0);
  });

  it('stores nothing of a closed application', async () => {
    const { storage, store, timers, type } = create();
    type('Ros');
    store.update((state) => ({ ...state, form: undefined }));
    await timers.tick();
    expect(storage.length).toBe(0);
  });

  it('does nothing without storage', () => {
    const { store, timers, type } = create({ hasStorage: false });
    type('Ros');
    expect(store.state.savesDraft).toBe(false);
    expect(timers).toMatchObject({ waiting: 0, listeners: 0 });
  });

  it('reports whether the draft is stored', () => {
    const { storage, store, showStep, type } = create();
    const { setItem } = storage;
    storage.setItem = refuse('QuotaExceededError');
    type('Ros');
    showStep('business');
    expect(store.state.savesDraft).toBe(false);
    storage.setItem = setItem;
    showStep('owner');
    expect(store.state.savesDraft).toBe(true);
  });
});
