// Browser history where the browser takes its time: Back on the page and Back of the browser stay one.

import { describe, expect, it } from 'vitest';
import { withBack } from '../../../widget/flow/state.ts';
import type { StepId } from '../../../widget/app/steps.ts';
import { createFakeHistory } from '../../support/fake-history.ts';
import { createForm, marksOf } from '../../support/history-form.ts';

describe('Back on the page, while the browser is slow', () => {
  function createSlow(...path: readonly StepId[]) {
    const history = createFakeHistory();
    const form = createForm(history);
    form.to(...path);
    history.isSlow = true;
    return { history, form };
  }

  it('pressed twice goes back twice in the browser, and leaves no entry that leads nowhere', () => {
    const { history, form } = createSlow('business', 'owner');
    form.move(withBack);
    form.move(withBack);
    history.arrive();
    history.arrive();
    expect([form.state.step, form.heard, history.entries.length]).toEqual(['funding-need', [], 3]);
    history.go(1);
    expect(form.state.step).toBe('business');
    history.go(-1);
    expect(form.state.step).toBe('funding-need');
  });

  it('and Continue at once lead forward from where it has arrived', () => {
    const { history, form } = createSlow('business', 'owner');
    form.move(withBack);
    form.to('owner');
    history.arrive();
    expect([form.state.step, form.heard]).toEqual(['owner', []]);
    history.go(-1);
    expect(form.state.step).toBe('business');
  });

  it('that is dropped by the browser does not take the next Back of the browser for its own', () => {
    const { history, form } = createSlow('business', 'owner');
    form.move(withBack);
    history.wait();
    expect(marksOf(history.entries[2])['form']).toMatchObject({ step: 'business', depth: 2 });
    history.go(-2);
    expect(form.state.step).toBe('funding-need');
  });

  it('that leads to an entry without a mark does not either', () => {
    const history = createFakeHistory();
    const form = createForm(history);
    history.push({ page: 'own' });
    form.to('business');
    form.move(withBack);
    form.to('owner');
    history.go(-2);
    history.go(2);
    expect([form.state.step, form.heard]).toEqual(['owner', ['funding-need', 'owner']]);
  });
});
