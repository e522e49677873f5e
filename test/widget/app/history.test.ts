// Tests for the browser history of a form: entries, Back, and Forward.

import { describe, expect, it } from 'vitest';
import { emptyDraft } from '../../../widget/app/draft.ts';
import { StepHistory, withPlace } from '../../../widget/app/history.ts';
import {
  createForm,
  type StepId,
  type ValidateStep,
  withBack,
  withStep,
} from '../../../widget/app/navigation.ts';
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

  return {
    store,
    update: (change: (form: FormState) => FormState) => store.updateForm(change),
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
      for (const step of path) store.updateForm((current) => withStep(current, step));
    },
    /** The review leads to a step that the applicant changes. */
    edit(step: StepId): void {
      store.updateForm((current) => ({ ...withStep(current, step), returnsToReview: true }));
    },
    send(): void {
      store.updateForm((current) => ({
        ...withStep(current, 'submitted'),
        isSubmitting: false,
        application: acceptedStatus,
      }));
    },
    /** Removes all answers, without a change of the step. */
    empty(): void {
      store.updateForm((current) => ({ ...current, draft: emptyDraft }));
    },
    /** Clears all answers, as the applicant does. */
    clear(): void {
      store.updateForm(({ timesCleared }) => ({
        ...createForm(createConfiguration()),
        timesCleared: timesCleared + 1,
      }));
    },
    /** Back on the page. */
    back(): void {
      store.updateForm(withBack);
    },
    setConnected(isConnected: boolean): void {
      store.update((state) => ({ ...state, isConnected }));
    },
  };
}

/** A form that has gone through these steps. */
function open(...path: readonly StepId[]) {
  const history = createFakeHistory();
  const form = create(history);
  form.to(...path);
  return { history, form };
}

/** Returns the mark of each form in a history entry. */
function marksOf(entry: unknown): Readonly<Record<string, unknown>> {
  return (entry as { fundingApplication: { places: Record<string, unknown> } }).fundingApplication
    .places;
}

/** The step of each entry of the form. */
function stepsOf({ entries }: FakeHistory): readonly unknown[] {
  return entries.map((entry) => (marksOf(entry)['form'] as { step: StepId } | undefined)?.step);
}

function positionOf({ entries, current }: FakeHistory): number {
  return entries.indexOf(current);
}

describe('the history of a form', () => {
  it('goes back in the browser for Back on the page', () => {
    const { history, form } = open('business', 'owner');
    form.back();
    expect(form.steps).toEqual(['business', 'owner', 'business']);
    history.go(-1);
    expect(form.step).toBe('funding-need');
    history.go(2);
    expect(form.step).toBe('owner');
    expect(history.entries).toHaveLength(3);
  });

  it('leads back from a change to the review', () => {
    const history = createFakeHistory();
    const form = create(history, 'form', { step: 'review' });
    form.edit('owner');
    form.to('review');
    expect(history.entries).toHaveLength(2);
    history.go(1);
    expect(form.form).toMatchObject({ step: 'owner', returnsToReview: true });
    history.go(-1);
    expect(form.form).toMatchObject({ step: 'review', returnsToReview: false });
  });

  it('continues after a reload', () => {
    const { history } = open('business', 'owner');
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

  const unknownPlace = { step: 'x', depth: 9, generation: 0, returnsToReview: false };

  it.each([
    null,
    { fundingApplication: 'nonsense' },
    { fundingApplication: { places: { form: unknownPlace } } },
  ])('ignores the entry %j', (state) => {
    const { history, form } = open('business');
    history.push(state);
    history.go(-1);
    history.go(1);
    expect(form.steps).toEqual(['business']);
  });

  it('stores only the place of the form', () => {
    const { history } = open('business');
    history.go(-1);
    expect(history.entries.map((entry) => marksOf(entry)['form'])).toStrictEqual([
      { step: 'funding-need', returnsToReview: false, depth: 0, generation: 0, from: undefined },
      { step: 'business', returnsToReview: false, depth: 1, generation: 0, from: 'funding-need' },
    ]);
  });

  it('stores only the places of other forms', () => {
    const other = { step: 'owner', returnsToReview: false, depth: 3, generation: 0, from: 'start' };
    const places = { other: { ...other, draft: completeDraft } };
    const history = createFakeHistory({ fundingApplication: { owner: 'other', places } });
    create(history);
    expect(marksOf(history.entries[0])['other']).toStrictEqual(other);
  });

  it('leads forward after a reload of the page on which the answers were cleared', () => {
    const { history, form } = open('business', 'owner');
    form.clear();
    const reloaded = create(history);
    history.go(2);
    expect(reloaded.step).toBe('funding-need');
    expect(positionOf(history)).toBe(0);
  });

  it('ignores the browser while the element is not in the document', () => {
    const { history, form } = open('business');
    form.setConnected(false);
    history.go(-1);
    expect(form.step).toBe('business');
    expect(history.listeners).toBe(0);
  });

  it('leads back to the start page that was left before the history was loaded', () => {
    const history = createFakeHistory();
    const form = create(history, 'form', { hasStartPage: true });
    expect(stepsOf(history)).toEqual(['start', 'funding-need']);
    history.go(-1);
    expect(form.step).toBe('start');
  });

  it('shows the step of the entry in which the element is added again', () => {
    const { history, form } = open('business', 'owner');
    form.setConnected(false);
    history.push({ page: 'help' });
    history.go(-2);
    form.setConnected(true);
    expect(form.step).toBe('business');
  });

  it('marks an entry of the host page in which the element is added again', () => {
    const { history, form } = open('business');
    form.setConnected(false);
    history.push({ page: 'apply' });
    form.setConnected(true);
    expect(form.step).toBe('business');
    expect(history.current).toMatchObject({ page: 'apply' });
    form.to('owner');
    history.go(-1);
    expect(form.step).toBe('business');
  });

  it('handles a Back to an entry of the host page', () => {
    const { history, form } = open();
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

describe('the history of two forms', () => {
  function openTwo() {
    const history = createFakeHistory();
    const forms = { one: create(history, 'one'), other: create(history, 'other') };
    return {
      history,
      ...forms,
      expectSteps: (one: StepId, other: StepId) =>
        expect(forms).toMatchObject({ one: { step: one }, other: { step: other } }),
    };
  }

  it('moves each form by its own entries', () => {
    const { history, one, other, expectSteps } = openTwo();
    one.to('business');
    other.to('business', 'owner');
    one.to('owner');
    history.go(-1);
    expectSteps('business', 'owner');
    history.go(-2);
    expectSteps('business', 'funding-need');
    history.go(3);
    expectSteps('owner', 'owner');
  });

  it('does not move the other form for Back on the page', () => {
    const { one, other, expectSteps } = openTwo();
    one.to('business');
    other.to('business');
    one.back();
    expectSteps('funding-need', 'business');
  });

  it('leaves out only the entries of the form whose answers are cleared', () => {
    const { history, one, other, expectSteps } = openTwo();
    one.to('business');
    other.to('business');
    one.to('owner');
    one.clear();
    expect(positionOf(history)).toBe(2);
    expectSteps('funding-need', 'business');
    history.go(-1);
    expect(positionOf(history)).toBe(0);
    expectSteps('funding-need', 'funding-need');
    history.go(1);
    expect(one.step).toBe('funding-need');
  });
});

describe('the history of a slow browser', () => {
  function openSlow() {
    const created = open('business', 'owner');
    created.history.isSlow = true;
    return created;
  }

  it('goes back twice for Back twice on the page', () => {
    const { history, form } = openSlow();
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
    const { history, form } = openSlow();
    form.back();
    form.to('owner');
    history.arrive();
    expect(form.steps).toEqual(['business', 'owner', 'business', 'owner']);
    history.go(-1);
    expect(form.step).toBe('business');
  });

  it.each<[string, (form: ReturnType<typeof create>) => void]>([
    ['clearing', (form) => form.clear()],
    [
      'clearing during Back',
      (form) => {
        form.back();
        form.clear();
      },
    ],
    [
      'closing, before it has left the entries of the closed application',
      ({ store }) => {
        store.update((state) => ({ ...state, form: undefined }));
        store.update((state) => ({ ...state, form: filled }));
      },
    ],
  ])('begins again in the first entry after %s', (_what, act) => {
    const { history, form } = openSlow();
    act(form);
    history.arrive();
    history.arrive();
    expect(positionOf(history)).toBe(0);
    expect(stepsOf(history)[0]).toBe('funding-need');
    expect(form.step).toBe('funding-need');
  });

  it('handles a Back that the browser ignores', () => {
    const { history, form } = openSlow();
    form.back();
    history.wait();
    expect(marksOf(history.entries[2])['form']).toMatchObject({ step: 'business', depth: 2 });
    history.go(-2);
    expect(form.step).toBe('funding-need');
  });

  it('stays on the page if the browser has dropped the entry below', () => {
    const { history, form } = open('business');
    history.dropBelow();
    form.back();
    expect(stepsOf(history)).toEqual(['funding-need']);
  });
});

describe('withPlace', () => {
  const sent: FormState = { ...filled, step: 'offers', application: acceptedStatus };
  const empty: FormState = { ...filled, draft: emptyDraft };
  const record = { step: 'submitted', problem: 'already-sent', application: acceptedStatus };

  it.each<[string, FormState, StepId, boolean, object]>([
    ['the record instead of the start', { ...sent, hasStartPage: true }, 'start', false, record],
    ['the record instead of the review', sent, 'review', false, record],
    ['the first incomplete step without answers', empty, 'submitted', false, { step: 'business' }],
    ['the first step without a start page', filled, 'start', false, { step: 'funding-need' }],
  ])('shows %s', (_what, form, step, isForward, expected) => {
    expect(withPlace(form, { step, returnsToReview: false }, isForward, validate)).toMatchObject(
      expected,
    );
  });
});

describe('an entry whose step cannot be shown', () => {
  it('leads from the record to the page before the form', () => {
    const history = createFakeHistory();
    history.push(null);
    const form = create(history);
    form.to('business', 'owner');
    form.send();
    history.go(-1);
    expect(form.form).toMatchObject({ step: 'submitted', problem: 'already-sent' });
    expect(positionOf(history)).toBe(1);
    history.go(-1);
    expect(history.current).toBeNull();
  });

  it('leads forward to no step of a sent application', () => {
    const { history, form } = open('business', 'owner');
    form.send();
    history.go(-1);
    history.go(1);
    expect(form.step).toBe('submitted');
    expect(positionOf(history)).toBe(0);
    expect(stepsOf(history)).toEqual(['submitted', 'business', 'owner', 'submitted']);
  });

  it('leads back to the review of a rejected application', () => {
    const { history, form } = open('business', 'review');
    form.send();
    form.to('documents');
    form.update((current) => ({ ...withStep(current, 'review'), application: undefined }));
    history.go(-1);
    expect(form.step).toBe('review');
    expect(positionOf(history)).toBe(2);
    history.go(-1);
    expect(form.step).toBe('business');
  });

  it('leads back to the entry of an incomplete step after the session ended', () => {
    const { history, form: before } = open('business', 'owner', 'review');
    before.send();
    before.to('documents');
    // The page is loaded again, and there is neither a session nor a draft.
    before.setConnected(false);
    const form = create(history, 'form', { draft: emptyDraft });
    history.go(-1);
    expect(form.steps).toEqual(['business']);
    expect(positionOf(history)).toBe(1);
  });

  it.each([['owner'], ['owner', 'identity']] as const)(
    'leads forward to the entry of an incomplete step at most (%s %s)',
    (...after) => {
      const { history, form } = open('business', ...after);
      history.go(-after.length);
      form.empty();
      history.go(after.length);
      expect(form.form).toMatchObject({ step: 'business', errors: [{ path: 'business/name' }] });
      expect(positionOf(history)).toBe(1);
      expect(stepsOf(history)).toEqual(['funding-need', 'business', ...after]);
    },
  );

  it('stays where it is during the submission', () => {
    const { history, form } = open('business', 'review');
    form.update((current) => ({ ...current, isSubmitting: true }));
    history.go(-1);
    expect(form.step).toBe('review');
    form.send();
    expect(stepsOf(history)).toEqual(['funding-need', 'review', 'submitted']);
  });
});
