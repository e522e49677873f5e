// When answers are written down: not at each key, and never too late.

import { describe, expect, it } from 'vitest';
import { DraftKeeping } from '../../../widget/flow/draft-keeping.ts';
import { createDraftStore } from '../../../widget/flow/draft-store.ts';
import { createFlowState, withAnswer, type FlowState } from '../../../widget/flow/state.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createManualPolling } from '../../support/manual-polling.ts';
import { createMemoryStorage } from '../../support/memory-storage.ts';

function createKeeping({ hasStore = true } = {}) {
  const storage = createMemoryStorage();
  const draftStore = createDraftStore(() => storage, 'a form');
  const timers = createManualPolling();
  let state: FlowState | undefined = createFlowState(createConfiguration());
  let changes = 0;
  const keeping = new DraftKeeping({
    draftStore: hasStore ? draftStore : undefined,
    timers: timers.environment,
    readState: () => state,
    onChange: () => (changes += 1),
  });
  keeping.connect();
  return {
    keeping,
    storage,
    timers,
    type: (typed: string) => {
      state = state && withAnswer(state, 'business/name', typed);
      keeping.writeSoon();
    },
    forget: () => {
      state = undefined;
    },
    read: () => draftStore.read()?.answers['business/name'],
    readChanges: () => changes,
  };
}

describe('what is typed', () => {
  it('is written a moment after the first key, all that was typed meanwhile at once', async () => {
    const { timers, type, read } = createKeeping();
    for (const typed of ['R', 'Ro', 'Ros']) type(typed);
    expect([read(), timers.delays]).toEqual([undefined, [250]]);
    await timers.tick();
    expect([read(), timers.waiting]).toEqual(['Ros', 0]);
  });

  it('is written at once when the page is hidden, as it is before a reload', async () => {
    const { timers, type, read } = createKeeping();
    type('Ros');
    await timers.setHidden(true);
    expect([read(), timers.waiting]).toEqual(['Ros', 0]);
  });

  it('is written at once when the element leaves the page, and nothing is left behind', () => {
    const { keeping, timers, type, read } = createKeeping();
    type('Ros');
    keeping.disconnect();
    expect([read(), timers.waiting, timers.listeners]).toEqual(['Ros', 0, 0]);
  });

  it('is not written any more when everything was forgotten', async () => {
    const { keeping, storage, timers, type, forget } = createKeeping();
    type('Ros');
    keeping.erase();
    forget();
    await timers.tick();
    expect(storage.length).toBe(0);
  });

  it('is not written any more when it was cleared, whatever the form holds then', async () => {
    const { keeping, storage, timers, type } = createKeeping();
    type('Ros');
    keeping.erase();
    await timers.setHidden(true);
    expect([storage.length, timers.waiting]).toEqual([0, 0]);
  });

  it('costs nothing where nothing is to be kept', () => {
    const { keeping, timers, type } = createKeeping({ hasStore: false });
    type('Ros');
    expect([keeping.works, timers.waiting, timers.listeners]).toEqual([false, 0, 0]);
  });
});

describe('a storage that is full', () => {
  it('is told once, and again when it has room', () => {
    const { keeping, storage, type, readChanges } = createKeeping();
    const { setItem } = storage;
    storage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    type('Ros');
    keeping.write();
    keeping.write();
    expect([keeping.works, readChanges()]).toEqual([false, 1]);
    storage.setItem = setItem;
    keeping.write();
    expect([keeping.works, readChanges()]).toEqual([true, 2]);
  });
});
