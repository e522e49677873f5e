// Tests for loading the configuration and the session.

import { describe, expect, it } from 'vitest';
import { createDraftStore } from '../../../widget/app/autosave.ts';
import type { StoredDraft } from '../../../widget/app/navigation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createApp,
  createDelayed,
  createLoadedApp,
  createSlowApp,
} from '../../support/create-app.ts';
import { acceptedStatus, busy, createSession, fail, ok } from '../../support/fake-funding-api.ts';
import { createMemoryStorage } from '../../support/memory-storage.ts';

const submitted = ok(createSession({ application: acceptedStatus }));
const stored: StoredDraft = {
  step: 'funding-need',
  returnsToReview: false,
  answers: { 'business/name': 'Rosa’s' },
  omitted: [],
  isSubmitted: false,
};

/** The draft of an application that this tab has submitted, and the funding service has accepted. */
const sent: StoredDraft = { ...stored, step: 'review', answers: {}, isSubmitted: true };

/** The storage of a tab that contains this draft. */
function hold(draft: StoredDraft) {
  const storage = createMemoryStorage();
  const draftStore = createDraftStore(() => storage, 'form');
  draftStore.write(draft);
  return { draftStore };
}

describe('a form without a session', () => {
  it.each([
    ['of too many requests', busy('too-many-requests', 40_000)],
    ['the server is at capacity', busy('too-busy', 40_000)],
    ['the connection fails', fail('network')],
    ['the storage is unavailable', fail('storage-unavailable')],
  ])('is shown if %s', async (_why, session) => {
    const world = await createLoadedApp({ bff: { session } });
    expect(world.form).toMatchObject({ step: 'funding-need', problem: undefined });
    expect(world.state.loading.problem).toBeUndefined();
  });

  it('requests the session again after the delay of the BFF', async () => {
    const bff = { session: busy('too-many-requests', 40_000) };
    const { api, polling } = await createLoadedApp({ bff });
    expect(polling.delays.at(-1)).toBe(40_000);
    api.session = ok(createSession());
    await polling.tick();
    expect(api.sessionsOpened).toBe(2);
    expect(polling.waiting).toBe(0);
  });

  it('requests the session at most five times', async () => {
    const { api, polling } = await createLoadedApp({ bff: { session: fail('network') } });
    for (let tick = 0; tick < 9; tick += 1) await polling.tick();
    expect(api.sessionsOpened).toBe(5);
    expect(polling.waiting).toBe(0);
  });

  it('pauses while the element is not in the document', async () => {
    const { api, polling, setConnected } = await createLoadedApp({
      bff: { session: fail('network') },
    });
    setConnected(false);
    expect(polling).toMatchObject({ waiting: 0, listeners: 0 });
    setConnected(true);
    await polling.tick();
    expect(api.sessionsOpened).toBe(2);
  });

  it('starts no timer if the element was removed during the request', async () => {
    const { app, polling, setConnected } = createApp({ bff: { session: fail('network') } });
    const loading = app.load();
    setConnected(false);
    await loading;
    expect(polling).toMatchObject({ waiting: 0, listeners: 0 });
  });
});

describe('a late session', () => {
  it('delays the form of a submitted application by at most 1.5 seconds', async () => {
    const world = await createSlowApp(hold(sent));
    expect(world.form).toBeUndefined();
    expect(world.polling.delays).toEqual([1_500]);
    await world.polling.tick();
    expect(world.form?.step).toBe('funding-need');
    await world.respond(ok(createSession()));
    expect(world.form?.step).toBe('funding-need');
    expect(world.polling.waiting).toBe(0);
  });

  it('does not delay the form of an applicant who has not applied', async () => {
    const world = await createSlowApp();
    expect(world.form?.step).toBe('funding-need');
    await world.respond(busy('too-busy', 10_000));
    expect(world.polling.delays).toEqual([10_000]);
  });

  it('shows its application with the form', async () => {
    const world = await createSlowApp(hold(sent));
    await world.respond(submitted);
    expect(world.form?.step).toBe('submitted');
    expect(world.polling.waiting).toBe(0);
  });

  it('shows its application if it arrives while the chunk of a stored draft loads', async () => {
    const chunk = createDelayed<void>();
    const world = await createSlowApp({ ...hold(stored), waitForFormChunk: chunk.request });
    await world.respond(submitted);
    expect(world.form).toBeUndefined();
    chunk.send();
    await world.settle();
    expect(world.form).toMatchObject({ step: 'submitted', application: acceptedStatus });
  });
});

describe('a missing configuration', () => {
  const configuration = ok(createConfiguration());

  it('is requested again after the delay of the BFF', async () => {
    const world = await createLoadedApp({
      bff: { configuration: busy('too-many-requests', 30_000) },
    });
    expect(world.state.loading).toMatchObject({ problem: 'too-many-requests', isRetrying: true });
    expect(world.polling.delays).toEqual([30_000]);
    world.setConnected(false);
    expect(world.polling.waiting).toBe(0);
    world.setConnected(true);
    world.api.configuration = configuration;
    await world.polling.tick();
    expect(world.form?.step).toBe('funding-need');
    expect(world.state.loading.problem).toBeUndefined();
    expect(world.polling.waiting).toBe(0);
  });

  it('is requested again by the applicant', async () => {
    const world = await createLoadedApp({ bff: { configuration: fail('network') } });
    expect(world.state.loading).toMatchObject({ problem: 'network', isRetrying: false });
    expect(world.polling.waiting).toBe(0);
    world.api.configuration = configuration;
    await world.load();
    expect(world.form?.step).toBe('funding-need');
    expect(world.state.loading.isRepeated).toBe(true);
  });

  it('is requested once for two calls, in the language of the form', async () => {
    const { api, app } = createApp({ getLocale: () => 'es' });
    await Promise.all([app.load(), app.load()]);
    expect(api.requestedLocales).toEqual(['es']);
  });
});

describe('a stored draft', () => {
  it('replaces the prefill of the host page', async () => {
    const getPrefill = () => ({ 'business/name': 'Ana’s', 'owner/firstName': 'Ana' });
    const { form } = await createLoadedApp({ ...hold(stored), getPrefill });
    expect(form?.draft).toEqual({ 'business/name': 'Rosa’s', 'owner/firstName': 'Ana' });
  });

  it('waits for the chunk that restores it', async () => {
    const loadFormChunk = () => Promise.reject(new TypeError('Failed to fetch'));
    const world = await createLoadedApp({ ...hold(stored), loadFormChunk });
    expect(world.form).toBeUndefined();
    expect(world.state.loading.problem).toBe('network');
  });
});
