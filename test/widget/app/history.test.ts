// Tests for the browser history of a form: entries, Back, and Forward.

import { describe, expect, it } from 'vitest';
import { emptyDraft } from '../../../widget/app/draft.ts';
import { StepHistory, withPlace, type Place } from '../../../widget/app/history.ts';
import {
  createForm,
  type StepId,
  type ValidateStep,
  withBack,
  withStep,
} from '../../../widget/app/navigation.ts';
import { withProblem } from '../../../widget/app/application-status.ts';
import { type FormState, initialState, Store } from '../../../widget/app/store.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import { createFakeHistory, type FakeHistory } from '../../support/fake-history.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';

const filled: FormState = { ...createForm(createConfiguration()), draft: completeDraft };

const validate: ValidateStep = ({ draft }, step) =>
  step === 'business' && !draft['business/name']
    ? [{ path: 'business/name', code: 'required' }]
    : [];

/** A form that records its steps in the history. */
function create(history: FakeHistory, key = 'form', changes: Partial<FormState> = {}) {
  const steps: StepId[] = [];
  const reactions = [
    (...states: Parameters<StepHistory['react']>) => stepHistory.react(...states),
    (...[, { form }]: Parameters<StepHistory['react']>) => {
      if (form && form.step !== steps.at(-1)) steps.push(form.step);
    },
  ];
  const form = { ...filled, ...changes };
  const store = new Store(reactions, { ...initialState, isConnected: true, form });
  const stepHistory: StepHistory = new StepHistory({
    store,
    validate,
    key,
    environment: history.environment,
  });

  function update(change: (form: FormState) => FormState): void {
    store.update((state) => ({ ...state, form: state.form && change(state.form) }));
  }

  return {
    store,
    update,
    /** The steps that were shown after the first one. */
    steps,
    get form() {
      return store.state.form;
    },
    get step() {
      return store.state.form?.step;
    },
    /** Goes to a step, as Continue does after validation. */
    to(...path: readonly StepId[]): void {
      for (const step of path) update((current) => withStep(current, step));
    },
    /** Clears all answers. */
    clear(): void {
      update(({ timesCleared }) => ({
        ...createForm(createConfiguration()),
        timesCleared: timesCleared + 1,
      }));
    },
    /** Back on the page. */
    back(): void {
      update(withBack);
    },
  };
}

/** Returns the mark of each form in a history entry. */
function marksOf(entry: unknown): Readonly<Record<string, unknown>> {
  return (entry as { fundingApplication: { places: Record<string, unknown> } }).fundingApplication
    .places;
}

describe('the history of a form', () => {
  it('leads back and forward through the steps', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner');
    history.go(-1);
    expect(form.step).toBe('business');
    history.go(-1);
    expect(form.step).toBe('funding-need');
    history.go(2);
    expect(form.form).toMatchObject({ step: 'owner', draft: completeDraft });
    expect(history.entries).toHaveLength(3);
  });

  it('goes back in the browser for Back on the page', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner');
    form.back();
    expect(form.steps).toEqual(['business', 'owner', 'business']);
    history.go(-1);
    expect(form.step).toBe('funding-need');
    history.go(2);
    expect(form.step).toBe('owner');
  });

  it('leads back from a change to the review', () => {
    const history = createFakeHistory();
    const form = create(history, 'form', { step: 'review' });
    form.update((current) => ({ ...withStep(current, 'owner'), returnsToReview: true }));
    form.to('review');
    expect(history.entries).toHaveLength(2);
    history.go(1);
    expect(form.form).toMatchObject({ step: 'owner', returnsToReview: true });
    history.go(-1);
    expect(form.form).toMatchObject({ step: 'review', returnsToReview: false });
  });

  it('continues after a reload', () => {
    const history = createFakeHistory();
    create(history).to('business', 'owner');
    const reloaded = create(history, 'form', { step: 'owner', draft: emptyDraft });
    expect(history.entries).toHaveLength(3);
    history.go(-1);
    expect(reloaded.form).toMatchObject({ step: 'business', errors: [] });
  });

  it('keeps the state of the host page', () => {
    const own = { page: 'apply', scroll: [0, 40] };
    const history = createFakeHistory(own);
    create(history).to('business');
    expect(history.entries).toEqual([expect.objectContaining(own), expect.objectContaining(own)]);
  });

  it.each([['a text'], [7], [[1, 2]]])('does not change the entry %j', (first) => {
    const history = createFakeHistory(first);
    const form = create(history);
    form.to('business');
    expect(history.entries).toEqual([first]);
    expect(form.step).toBe('business');
  });

  it.each([
    null,
    { fundingApplication: 'nonsense' },
    {
      fundingApplication: {
        places: { form: { step: 'x', depth: 9, generation: 0, returnsToReview: false } },
      },
    },
  ])('ignores the entry %j', (state) => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business');
    history.push(state);
    history.go(-1);
    history.go(1);
    expect(form.steps).toEqual(['business']);
  });

  it('stores only the place of the form', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business');
    history.go(-1);
    expect(history.entries.map((entry) => marksOf(entry)['form'])).toStrictEqual([
      { step: 'funding-need', returnsToReview: false, depth: 0, generation: 0, from: undefined },
      { step: 'business', returnsToReview: false, depth: 1, generation: 0, from: 'funding-need' },
    ]);
  });

  it('stores only the places of other forms', () => {
    const other = {
      step: 'owner',
      returnsToReview: false,
      depth: 3,
      generation: 0,
      from: 'business',
    };
    const places = { other: { ...other, draft: completeDraft } };
    const history = createFakeHistory({ fundingApplication: { owner: 'other', places } });
    create(history);
    expect(marksOf(history.entries[0])['other']).toStrictEqual(other);
  });

  it('removes its mark when the application is closed', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.store.update((state) => ({ ...state, form: undefined }));
    expect(marksOf(history.entries[0])).toEqual({});
  });

  it('leads forward after a reload of the page on which the answers were cleared', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner');
    form.clear();
    const reloaded = create(history);
    history.go(2);
    expect(reloaded.step).toBe('funding-need');
    expect(history.current).toBe(history.entries[0]);
  });

  it('ignores the browser while the element is not in the document', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business');
    form.store.update((state) => ({ ...state, isConnected: false }));
    history.go(-1);
    expect(form.step).toBe('business');
    expect(history.listeners).toBe(0);
  });
});

describe('the history of two forms', () => {
  it('moves each form by its own entries', () => {
    const history = createFakeHistory();
    const one = create(history, 'one');
    const other = create(history, 'other');
    one.to('business');
    other.to('business', 'owner');
    one.to('owner');
    history.go(-1);
    expect({ one, other }).toMatchObject({ one: { step: 'business' }, other: { step: 'owner' } });
    history.go(-2);
    expect({ one, other }).toMatchObject({
      one: { step: 'business' },
      other: { step: 'funding-need' },
    });
    history.go(3);
    expect({ one, other }).toMatchObject({ one: { step: 'owner' }, other: { step: 'owner' } });
  });

  it('does not move the other form for Back on the page', () => {
    const history = createFakeHistory();
    const one = create(history, 'one');
    const other = create(history, 'other');
    one.to('business');
    other.to('business');
    one.back();
    expect({ one, other }).toMatchObject({
      one: { step: 'funding-need' },
      other: { step: 'business' },
    });
  });
});

describe('the history of two forms, one of which is cleared', () => {
  function createCleared() {
    const history = createFakeHistory();
    const one = create(history, 'one');
    const other = create(history, 'other');
    one.to('business');
    other.to('business');
    one.to('owner');
    one.clear();
    return { history, one, other };
  }

  it('keeps the entries of the other form', () => {
    const { history, other } = createCleared();
    expect(history.current).toBe(history.entries[2]);
    expect(other.step).toBe('business');
    history.go(-1);
    expect(other.step).toBe('funding-need');
  });

  it('leaves out the entries of the cleared answers', () => {
    const { history, one } = createCleared();
    history.go(-1);
    expect(history.current).toBe(history.entries[0]);
    expect(one.step).toBe('funding-need');
    history.go(1);
    expect(one.step).toBe('funding-need');
  });
});

describe('the history of a slow browser', () => {
  function createSlow(...path: readonly StepId[]) {
    const history = createFakeHistory();
    const form = create(history);
    form.to(...path);
    history.isSlow = true;
    return { history, form };
  }

  it('goes back twice for Back twice on the page', () => {
    const { history, form } = createSlow('business', 'owner');
    form.back();
    form.back();
    history.arrive();
    history.arrive();
    expect(form.step).toBe('funding-need');
    expect(history.entries).toHaveLength(3);
    history.go(1);
    expect(form.step).toBe('business');
    history.go(-1);
    expect(form.step).toBe('funding-need');
  });

  it('leads forward after Back and Continue', () => {
    const { history, form } = createSlow('business', 'owner');
    form.back();
    form.to('owner');
    history.arrive();
    expect(form.steps).toEqual(['business', 'owner', 'business', 'owner']);
    history.go(-1);
    expect(form.step).toBe('business');
  });

  it('begins again in the first entry after clearing', () => {
    const { history, form } = createSlow('business', 'owner');
    form.clear();
    history.arrive();
    history.arrive();
    expect(marksOf(history.current)['form']).toMatchObject({ step: 'funding-need' });
    expect(history.current).toBe(history.entries[0]);
  });

  it('begins again in the first entry after clearing during Back', () => {
    const { history, form } = createSlow('business', 'owner');
    form.back();
    form.clear();
    history.arrive();
    history.arrive();
    expect(marksOf(history.current)['form']).toMatchObject({ step: 'funding-need' });
    expect(history.current).toBe(history.entries[0]);
    expect(form.step).toBe('funding-need');
  });

  it('begins another application before it has left the entries of the closed one', () => {
    const { history, form } = createSlow('business', 'owner');
    form.store.update((state) => ({ ...state, form: undefined }));
    form.store.update((state) => ({ ...state, form: filled }));
    history.arrive();
    history.arrive();
    expect(history.current).toBe(history.entries[0]);
    expect(marksOf(history.current)['form']).toMatchObject({ step: 'funding-need' });
    expect(form.step).toBe('funding-need');
  });

  it('handles a Back that the browser ignores', () => {
    const { history, form } = createSlow('business', 'owner');
    form.back();
    history.wait();
    expect(marksOf(history.entries[2])['form']).toMatchObject({ step: 'business', depth: 2 });
    history.go(-2);
    expect(form.step).toBe('funding-need');
  });

  it('stays on the page if the browser has dropped the entry below', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business');
    history.dropBelow();
    form.back();
    expect(history.entries).toHaveLength(1);
    expect(marksOf(history.current)['form']).toMatchObject({ step: 'funding-need' });
  });

  it('handles a Back to an entry of the host page', () => {
    const history = createFakeHistory();
    const form = create(history);
    history.push({ page: 'own' });
    form.to('business');
    form.back();
    form.to('owner');
    history.go(-2);
    expect(form.step).toBe('funding-need');
    history.go(2);
    expect(form.step).toBe('owner');
  });
});

describe('withPlace', () => {
  const place = (step: StepId): Place => ({ step, returnsToReview: false });

  it('shows an incomplete step before the place on the way forward', () => {
    const form = { ...filled, draft: { ...completeDraft, 'business/name': '' } };
    expect(withPlace(form, place('identity'), true, validate)).toMatchObject({
      step: 'business',
      errors: [{ path: 'business/name', code: 'required' }],
    });
  });

  it('shows the place on the way back', () => {
    const form: FormState = { ...filled, step: 'owner', draft: emptyDraft };
    expect(withPlace(form, place('business'), false, validate)).toMatchObject({
      step: 'business',
      errors: [],
    });
  });

  it.each(['start', 'funding-need', 'review'] as const)(
    'shows the record instead of "%s" after the submission',
    (step) => {
      const form: FormState = {
        ...filled,
        step: 'offers',
        application: acceptedStatus,
        hasStartPage: true,
      };
      expect(withPlace(form, place(step), false, validate)).toMatchObject({
        step: 'submitted',
        problem: 'already-sent',
        application: acceptedStatus,
      });
    },
  );

  it('shows any step after the submission', () => {
    const form: FormState = { ...filled, step: 'offers', application: acceptedStatus };
    expect(withPlace(form, place('documents'), false, validate).step).toBe('documents');
  });

  it('shows the review instead of the record of a rejected application', () => {
    expect(withPlace(filled, place('submitted'), true, validate).step).toBe('review');
  });

  it('shows the first incomplete step instead of the record after the answers are gone', () => {
    const form = { ...filled, draft: emptyDraft };
    expect(withPlace(form, place('submitted'), false, validate)).toMatchObject({
      step: 'business',
      errors: [],
    });
  });

  it('shows the first step if there is no start page', () => {
    expect(withPlace(filled, place('start'), false, validate).step).toBe('funding-need');
  });

  it('returns the same form during the submission', () => {
    const form: FormState = { ...filled, step: 'review', isSubmitting: true };
    expect(withPlace(form, place('owner'), false, validate)).toBe(form);
  });
});

/** The step of each entry of the form. */
function stepsOf({ entries }: FakeHistory): readonly unknown[] {
  return entries.map((entry) => (marksOf(entry)['form'] as { step: StepId } | undefined)?.step);
}

describe('an entry whose step cannot be shown', () => {
  const send = (form: FormState): FormState => ({
    ...withStep(form, 'submitted'),
    application: acceptedStatus,
  });

  it('leads from the record to the page before the form', () => {
    const history = createFakeHistory();
    history.push(null);
    const form = create(history);
    form.to('business', 'owner');
    form.update(send);
    history.go(-1);
    expect(form.form).toMatchObject({ step: 'submitted', problem: 'already-sent' });
    expect(history.current).toBe(history.entries[1]);
    history.go(-1);
    expect(history.current).toBeNull();
  });

  it('leads forward to no step of a sent application', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner');
    form.update(send);
    history.go(-1);
    history.go(1);
    expect(form.step).toBe('submitted');
    expect(history.current).toBe(history.entries[0]);
    expect(stepsOf(history)).toEqual(['submitted', 'business', 'owner', 'submitted']);
  });

  it('leads back through the steps after the submission', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business');
    form.update(send);
    form.to('documents');
    history.go(-1);
    expect(form.form).toMatchObject({ step: 'submitted', problem: undefined });
    history.go(1);
    expect(form.step).toBe('documents');
  });

  it('leads back to the review of a rejected application', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'review');
    form.update(send);
    form.to('documents');
    form.update((current) => ({ ...withStep(current, 'review'), application: undefined }));
    history.go(-1);
    expect(form.step).toBe('review');
    expect(history.current).toBe(history.entries[2]);
    history.go(-1);
    expect(form.step).toBe('business');
  });

  it('leads back to the entry of an incomplete step after the session ended', () => {
    const history = createFakeHistory();
    const before = create(history);
    before.to('business', 'owner', 'review');
    before.update(send);
    before.to('documents');
    // The page is loaded again, and there is neither a session nor a draft.
    before.store.update((state) => ({ ...state, isConnected: false }));
    const form = create(history, 'form', { draft: emptyDraft });
    history.go(-1);
    expect(form.steps).toEqual(['business']);
    expect(history.current).toBe(history.entries[1]);
  });

  it('leads forward to an incomplete step at most', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner');
    history.go(-1);
    form.update((current) => ({ ...current, draft: emptyDraft }));
    history.go(1);
    expect(form.form).toMatchObject({ step: 'business', errors: [{ path: 'business/name' }] });
    expect(history.current).toBe(history.entries[1]);
    expect(stepsOf(history)).toEqual(['funding-need', 'business', 'owner']);
  });

  it('leads several entries forward to the entry of an incomplete step', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner', 'identity');
    history.go(-3);
    form.update((current) => ({ ...current, draft: emptyDraft }));
    history.go(3);
    expect(form.step).toBe('business');
    expect(history.current).toBe(history.entries[1]);
  });

  it('leads forward to an incomplete step that has no entry', () => {
    const history = createFakeHistory();
    const form = create(history, 'form', { step: 'review' });
    form.update((current) => ({ ...withStep(current, 'owner'), returnsToReview: true }));
    history.go(-1);
    form.update((current) => ({ ...current, draft: emptyDraft }));
    history.go(1);
    expect(form.step).toBe('business');
    expect(stepsOf(history)).toEqual(['review', 'business']);
  });

  it('stays on a submission that then fails, with its problem', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner', 'identity', 'review');
    form.update((current) => ({ ...current, isSubmitting: true }));
    history.go(-1);
    form.update((current) => withProblem(current, 'network'));
    expect(form.form).toMatchObject({ step: 'review', problem: 'network' });
    history.go(-1);
    expect(form.form).toMatchObject({ step: 'owner', problem: undefined });
  });

  it('stays where it is during the submission', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'review');
    form.update((current) => ({ ...current, isSubmitting: true }));
    history.go(-1);
    expect(form.step).toBe('review');
    form.update((current) => ({ ...send(current), isSubmitting: false }));
    expect(stepsOf(history)).toEqual(['funding-need', 'review', 'submitted']);
  });
});

describe('the history of a form that is not always there', () => {
  it('leads back to the start page that was left before the history was loaded', () => {
    const history = createFakeHistory();
    const form = create(history, 'form', { hasStartPage: true });
    expect(stepsOf(history)).toEqual(['start', 'funding-need']);
    history.go(-1);
    expect(form.step).toBe('start');
  });

  function remove({ store }: ReturnType<typeof create>, isConnected = false): void {
    store.update((state) => ({ ...state, isConnected }));
  }

  it('shows the step of the entry in which the element is added again', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business', 'owner');
    remove(form);
    history.push({ page: 'help' });
    history.go(-2);
    remove(form, true);
    expect(form.step).toBe('business');
  });

  it('marks an entry of the host page in which the element is added again', () => {
    const history = createFakeHistory();
    const form = create(history);
    form.to('business');
    remove(form);
    history.push({ page: 'apply' });
    remove(form, true);
    expect(form.step).toBe('business');
    expect(history.current).toMatchObject({ page: 'apply' });
    form.to('owner');
    history.go(-1);
    expect(form.step).toBe('business');
  });
});
