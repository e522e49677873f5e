// The bank step loads the demonstration bank when the applicant opens it.

import { expect, waitUntil } from '@open-wc/testing';
import { html, render } from 'lit';
import { createBank } from '../../../widget/bank/bank.ts';
import { createFeature, createStepContext } from '../../support/create-feature.ts';

type Load = Parameters<typeof createBank>[1];

function mountBank(load: Load) {
  const rig = createFeature((environment) => createBank(environment, load));
  const container = document.createElement('div');
  const focused: string[] = [];
  const context = { focus: (id: string) => focused.push(id) };
  const rerender = () =>
    render(rig.feature.steps.bank.render(createStepContext(rig.store.state, context)), container);
  rerender();
  return { ...rig, container, focused, rerender };
}

describe('opening the demonstration bank', () => {
  it('shows that it loads', () => {
    const { container, rerender } = mountBank(() => new Promise(() => undefined));
    container.querySelector<HTMLButtonElement>('#bank-start')?.click();
    rerender();
    expect(container.querySelector('.waiting')).to.not.equal(null);
  });

  it('shows the banks', async () => {
    const { container, store, focused, rerender } = mountBank(
      () => import('../../../widget/bank/demonstration-bank.ts'),
    );
    container.querySelector<HTMLButtonElement>('#bank-start')?.click();
    await waitUntil(() => store.state.bank.demonstration === 'open');
    rerender();
    expect(container.querySelectorAll('[type="radio"]').length).to.equal(4);
    expect(focused).to.deep.equal(['bank-title']);
  });

  it('can be repeated after it could not be loaded', async () => {
    let loads = 0;
    const { container, store, rerender } = mountBank(() => {
      loads += 1;
      return loads === 1
        ? Promise.reject(new TypeError('Failed to fetch'))
        : Promise.resolve({ renderDemonstration: () => html`The banks` });
    });
    container.querySelector<HTMLButtonElement>('#bank-start')?.click();
    await waitUntil(() => store.state.bank.problem === 'network');
    rerender();
    expect(container.querySelector('[role="alert"]')).to.not.equal(null);
    container.querySelector<HTMLButtonElement>('#bank-start')?.click();
    await waitUntil(() => store.state.bank.demonstration === 'open');
    rerender();
    expect(container.textContent).to.include('The banks');
    expect(container.querySelector('[role="alert"]')).to.equal(null);
  });

  it('has no effect after the application was closed', async () => {
    let finish: (() => void) | undefined;
    const { container, store, focused, close } = mountBank(
      () =>
        new Promise((resolve) => {
          finish = () => resolve({ renderDemonstration: () => html`The banks` });
        }),
    );
    container.querySelector<HTMLButtonElement>('#bank-start')?.click();
    close();
    finish?.();
    await new Promise<void>((resolve) => {
      setTimeout(resolve);
    });
    expect(store.state.bank.demonstration).to.equal('closed');
    expect(focused).to.deep.equal([]);
  });
});

describe('the host page’s aggregator', () => {
  it('is requested by an event', () => {
    const rig = createFeature(createBank);
    const container = document.createElement('div');
    const events: string[] = [];
    const context = createStepContext(rig.store.state, {
      dispatch: ({ type }) => events.push(type) > 0,
    });
    const configuration = { ...context.configuration, bankConnection: 'host' } as const;
    render(rig.feature.steps.bank.render({ ...context, configuration }), container);
    container.querySelector<HTMLButtonElement>('#bank-start')?.click();
    expect(events).to.deep.equal(['funding-bank-request']);
  });
});
