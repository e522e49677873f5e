// Browser history beside a page's own: each step an entry, each form its own, nothing skipped and nothing sent twice.

import { describe, expect, it } from 'vitest';
import { emptyDraft } from '../../../widget/app/draft.ts';
import { withPlace, type Place } from '../../../widget/flow/history.ts';
import { withBack, withStep } from '../../../widget/flow/state.ts';
import type { StepId } from '../../../widget/app/steps.ts';
import { completeDraft } from '../../support/draft.ts';
import { createFakeHistory } from '../../support/fake-history.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';
import { createForm, createState, marksOf, validate } from '../../support/history-form.ts';

describe('the history of a form', () => {
  it('leads back and forward through the steps, with the answers kept', () => {
    const history = createFakeHistory();
    const form = createForm(history);
    form.to('business', 'owner');
    history.go(-1);
    expect(form.state.step).toBe('business');
    history.go(-1);
    expect(form.state.step).toBe('funding-need');
    history.go(2);
    expect([form.state.step, form.state.draft]).toEqual(['owner', completeDraft]);
    expect(history.entries).toHaveLength(3);
  });

  it('takes Back on the page for one with Back of the browser', () => {
    const history = createFakeHistory();
    const form = createForm(history);
    form.to('business', 'owner');
    form.move(withBack);
    expect([form.state.step, form.heard]).toEqual(['business', []]);
    history.go(-1);
    expect(form.state.step).toBe('funding-need');
    history.go(2);
    expect(form.state.step).toBe('owner');
  });

  it('leads from a change back to the review, and forward to the change again', () => {
    const history = createFakeHistory();
    const form = createForm(history, 'form', { step: 'review' });
    form.move((state) => ({ ...withStep(state, 'owner'), returnsToReview: true }));
    form.to('review');
    expect(history.entries).toHaveLength(2);
    history.go(1);
    expect(form.state).toMatchObject({ step: 'owner', returnsToReview: true });
    history.go(-1);
    expect(form.state).toMatchObject({ step: 'review', returnsToReview: false });
  });

  it('goes on after a reload where it was, and back from there even where nothing was kept', () => {
    const history = createFakeHistory();
    createForm(history).to('business', 'owner');
    const reloaded = createForm(history, 'form', { step: 'owner', draft: emptyDraft });
    expect(history.entries).toHaveLength(3);
    history.go(-1);
    expect(reloaded.state).toMatchObject({ step: 'business', errors: [] });
  });

  it('keeps what the page keeps in its entries', () => {
    const history = createFakeHistory({ page: 'apply', scroll: [0, 40] });
    createForm(history).to('business');
    const own = { page: 'apply', scroll: [0, 40] };
    expect(history.entries).toEqual([expect.objectContaining(own), expect.objectContaining(own)]);
  });

  it.each([['a text'], [7], [[1, 2]]])('leaves %j, which can hold no mark, as it is', (first) => {
    const history = createFakeHistory(first);
    const form = createForm(history);
    form.to('business');
    expect([history.entries, form.state.step]).toEqual([[first], 'business']);
  });

  it.each([
    null,
    { fundingApplication: 'nonsense' },
    { fundingApplication: { places: { form: { step: 'x', depth: 9, returnsToReview: false } } } },
  ])('takes no notice of an entry that bears no mark of its own: %j', (state) => {
    const history = createFakeHistory();
    const form = createForm(history);
    form.to('business');
    history.push(state);
    history.go(-1);
    history.go(1);
    expect([form.state.step, form.heard]).toEqual(['business', []]);
  });

  it('writes where it stands into an entry, by name, and nothing else that a form knows', () => {
    const history = createFakeHistory();
    const form = createForm(history, 'form', { hasStartPage: true });
    form.to('business');
    history.go(-1);
    const marks = history.entries.map((entry) => marksOf(entry)['form']);
    expect(marks).toStrictEqual([
      { step: 'funding-need', returnsToReview: false, depth: 0, from: undefined },
      { step: 'business', returnsToReview: false, depth: 1, from: 'funding-need' },
    ]);
  });

  it('takes along of the marks of other forms only what belongs into them', () => {
    const other = { step: 'owner', returnsToReview: false, depth: 3, from: 'business' };
    const places = { other: { ...other, draft: completeDraft } };
    const history = createFakeHistory({ fundingApplication: { owner: 'other', places } });
    createForm(history);
    expect(marksOf(history.entries[0])['other']).toStrictEqual(other);
  });

  it('leaves the entry to the first step once the answers are cleared', () => {
    const history = createFakeHistory();
    const form = createForm(history);
    form.to('business', 'owner');
    form.change({ step: 'funding-need', draft: emptyDraft });
    form.steps.clear();
    expect(history.entries).toHaveLength(3);
    expect(marksOf(history.entries[2])['form']).toMatchObject({ step: 'funding-need', depth: 2 });
    form.to('business');
    expect(history.entries).toHaveLength(4);
  });

  it('hears of nothing once the element is gone', () => {
    const history = createFakeHistory();
    const form = createForm(history);
    form.to('business');
    form.steps.disconnect();
    history.go(-1);
    expect([form.state.step, history.listeners]).toEqual(['business', 0]);
  });
});

describe('the history of two forms on one page', () => {
  it('moves each form by its own entries only', () => {
    const history = createFakeHistory();
    const one = createForm(history, 'one');
    const other = createForm(history, 'other');
    one.to('business');
    other.to('business', 'owner');
    one.to('owner');
    history.go(-1);
    expect([one.state.step, other.state.step]).toEqual(['business', 'owner']);
    history.go(-2);
    expect([one.state.step, other.state.step]).toEqual(['business', 'funding-need']);
    history.go(3);
    expect([one.state.step, other.state.step]).toEqual(['owner', 'owner']);
    expect([one.heard, other.heard]).toEqual([
      ['business', 'owner'],
      ['funding-need', 'owner'],
    ]);
  });

  it('does not take the other form along when Back on the page is pressed', () => {
    const history = createFakeHistory();
    const one = createForm(history, 'one');
    const other = createForm(history, 'other');
    one.to('business');
    other.to('business');
    one.move(withBack);
    expect([one.state.step, other.state.step]).toEqual(['funding-need', 'business']);
  });
});

describe('a place the browser leads to', () => {
  const place = (step: StepId): Place => ({ step, returnsToReview: false });

  it('is not shown while something before it is lacking', () => {
    const draft = { ...completeDraft, 'business/name': '' };
    const state = createState({ draft });
    expect(withPlace(state, place('identity'), true, validate)).toMatchObject({
      step: 'business',
      errors: [{ path: 'business/name', code: 'required' }],
    });
  });

  it('is shown on the way back, whatever is lacking', () => {
    const state = createState({ step: 'owner', draft: emptyDraft });
    expect(withPlace(state, place('business'), false, validate)).toMatchObject({
      step: 'business',
      errors: [],
    });
  });

  it.each(['start', 'funding-need', 'review'] as const)(
    'is the record once the application was sent, not %s, and says so',
    (step) => {
      const state = createState({
        step: 'offers',
        application: acceptedStatus,
        hasStartPage: true,
      });
      expect(withPlace(state, place(step), false, validate)).toMatchObject({
        step: 'submitted',
        problem: 'already-sent',
        application: acceptedStatus,
      });
    },
  );

  it('may be any step after the submission once the application was sent', () => {
    const state = createState({ step: 'offers', application: acceptedStatus });
    expect(withPlace(state, place('documents'), false, validate).step).toBe('documents');
  });

  it('is the review instead of the record of what was refused', () => {
    expect(withPlace(createState(), place('submitted'), true, validate).step).toBe('review');
  });

  it('is the first step where there is no start page any more', () => {
    expect(withPlace(createState(), place('start'), false, validate).step).toBe('funding-need');
  });

  it('is none while the application is being sent', () => {
    const state = createState({ step: 'review', isSubmitting: true });
    expect(withPlace(state, place('owner'), false, validate)).toBe(state);
  });

  it('marks the entry with what is shown instead', () => {
    const history = createFakeHistory();
    const form = createForm(history);
    form.to('business', 'review');
    form.move((state) => ({ ...withStep(state, 'submitted'), application: acceptedStatus }));
    history.go(-1);
    expect([form.state.step, form.state.problem]).toEqual(['submitted', 'already-sent']);
    expect(JSON.stringify(history.entries[2])).toContain('"step":"submitted"');
  });
});
