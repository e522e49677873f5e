// Tests for the draft in the browser's storage: its content, when it is stored, and when it is erased.

import { describe, expect, it } from 'vitest';
import { Autosave, createDraftStore, toStoredDraft } from '../../../widget/app/autosave.ts';
import { honeypotPath } from '../../../widget/app/draft.ts';
import {
  createForm,
  withAnswer,
  withStep,
  type StoredDraft,
} from '../../../widget/app/navigation.ts';
import { type FormState, initialState, Store } from '../../../widget/app/store.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';
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
  const timers = createManualPolling();
  const store: Store = new Store([(before, after) => autosave.react(before, after)], {
    ...initialState,
    form,
  });
  const autosave = new Autosave({
    store,
    draftStore: hasStorage ? draftStore : undefined,
    timers: timers.environment,
  });

  function setConnected(isConnected: boolean): void {
    store.update((state) => ({ ...state, isConnected }));
  }

  function update(change: (form: FormState) => FormState): void {
    store.update((state) => ({ ...state, form: state.form && change(state.form) }));
  }

  setConnected(true);
  return {
    storage,
    store,
    timers,
    setConnected,
    update,
    type: (name: string) => update((current) => withAnswer(current, 'business/name', name)),
    close: () => store.update((state) => ({ ...state, form: undefined })),
    read: () => draftStore.read(),
    readName: () => draftStore.read()?.answers['business/name'],
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

  it('stores that Continue returns to the review', () => {
    expect(toStoredDraft({ ...form, returnsToReview: true }).returnsToReview).toBe(true);
  });

  it('stores that the application was submitted', () => {
    expect(toStoredDraft({ ...form, application: acceptedStatus }).isSubmitted).toBe(true);
  });

  it('keeps the omitted answers of an earlier page', () => {
    const restored = {
      step: 'owner',
      omitted: ['owner/ssn'],
      reached: 'owner',
      isSeen: false,
    } as const;
    expect(toStoredDraft({ ...form, restored }).omitted).toEqual(['owner/ssn']);
  });
});

describe('createDraftStore', () => {
  it('keeps a draft without answers only after the submission', () => {
    const storage = createMemoryStorage();
    const store = createDraftStore(() => storage, key);
    const empty = { ...stored, answers: {}, omitted: [] };
    store.write(empty);
    expect(storage.length).toBe(0);
    store.write({ ...empty, isSubmitted: true });
    expect(store.read()).toMatchObject({ answers: {}, isSubmitted: true });
  });

  it('returns the draft until it is erased', () => {
    const storage = createMemoryStorage();
    const store = createDraftStore(() => storage, key);
    expect(store.write(stored)).toBe(true);
    expect(store.read()).toEqual(stored);
    store.erase();
    expect(store.read()).toBeUndefined();
    expect(storage.length).toBe(0);
  });

  it('stores nothing for an empty draft', () => {
    const storage = createMemoryStorage();
    const store = createDraftStore(() => storage, key);
    store.write(stored);
    store.write({ ...stored, answers: { 'business/name': '' }, omitted: [] });
    expect(storage.length).toBe(0);
  });

  it('separates forms', () => {
    const storage = createMemoryStorage();
    createDraftStore(() => storage, key).write(stored);
    expect(createDraftStore(() => storage, 'another').read()).toBeUndefined();
  });

  it.each([
    ['that is not JSON', '{'],
    ['that is no object', '7'],
    ['of another version', JSON.stringify({ version: 2, ...stored })],
    ['without a valid step', JSON.stringify({ version: 1, ...stored, step: 'offers' })],
    ['without answers', JSON.stringify({ version: 1, ...stored, answers: null })],
  ])('ignores a text %s', (_what, text) => {
    const storage = createMemoryStorage();
    storage.setItem(key, text);
    expect(createDraftStore(() => storage, key).read()).toBeUndefined();
  });

  it('reads only answers that it would store', () => {
    const storage = createMemoryStorage();
    const answers = { ...stored.answers, 'owner/ssn': '219-09-9999', 'owner/phone': 7 };
    storage.setItem(key, JSON.stringify({ version: 1, ...stored, answers }));
    expect(createDraftStore(() => storage, key).read()?.answers).toEqual(stored.answers);
  });

  it('does not throw if the browser refuses storage', () => {
    const store = createDraftStore(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }, key);
    expect(store.read()).toBeUndefined();
    expect(store.write(stored)).toBe(false);
    expect(() => store.erase()).not.toThrow();
  });

  it('returns false if the storage is full', () => {
    const storage = createMemoryStorage();
    storage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    expect(createDraftStore(() => storage, key).write(stored)).toBe(false);
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

  it('stores a new step at once', () => {
    const { type, update, read } = create();
    type('Ros');
    update((current) => withStep(current, 'business'));
    expect(read()).toMatchObject({ step: 'business', answers: { 'business/name': 'Ros' } });
  });

  it('stores typed answers when the page is hidden', async () => {
    const { timers, type, readName } = create();
    type('Ros');
    await timers.setHidden(true);
    expect(readName()).toBe('Ros');
    expect(timers.waiting).toBe(0);
  });

  it('stores typed answers when the element is removed', () => {
    const { setConnected, timers, type, readName } = create();
    type('Ros');
    setConnected(false);
    expect(readName()).toBe('Ros');
    expect(timers).toMatchObject({ waiting: 0, listeners: 0 });
  });

  it('erases the draft when the application is closed', async () => {
    const { storage, timers, type, close } = create();
    type('Ros');
    close();
    await timers.tick();
    expect(storage.length).toBe(0);
  });

  it('erases the answers when the application is accepted', () => {
    const { read, type, update } = create();
    type('Ros');
    update((current) => ({ ...current, draft: {}, application: acceptedStatus }));
    expect(read()).toMatchObject({ answers: {}, isSubmitted: true });
  });

  it('does nothing without storage', () => {
    const { store, timers, type } = create({ hasStorage: false });
    type('Ros');
    expect(store.state.savesDraft).toBe(false);
    expect(timers).toMatchObject({ waiting: 0, listeners: 0 });
  });

  it('reports whether the draft is stored', () => {
    const { storage, store, update } = create();
    const { setItem } = storage;
    storage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    const answered = withAnswer(form, 'business/name', 'Ros');
    update(() => withStep(answered, 'business'));
    expect(store.state.savesDraft).toBe(false);
    storage.setItem = setItem;
    update(() => withStep(answered, 'owner'));
    expect(store.state.savesDraft).toBe(true);
  });
});
