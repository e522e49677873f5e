// The record polls the status of the application and of its attachments.

import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import type { Session } from '../../../shared/api/session.ts';
import type { Result } from '../../../widget/api/funding-api.ts';
import { emptyContact, type AppState } from '../../../widget/app/store.ts';
import { createRecord } from '../../../widget/record/record.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
} from '../../support/create-feature.ts';
import {
  acceptedStatus,
  createSession,
  deliveredDocument,
  fail,
  ok,
} from '../../support/fake-funding-api.ts';

const received = { ...acceptedStatus, status: 'received' } as const;

function create(state: AppState) {
  const created = createFeature(createRecord, state);
  // The element does the same when the chunk of the feature has loaded.
  created.feature.react?.(state, state);
  return created;
}

/** A record of an application that the funding service has not decided on. */
function createUndecided(changes: Partial<AppState> = {}) {
  const form = createAcceptedForm({ application: received });
  const created = create(createAcceptedState({ form, ...changes }));
  created.api.status = ok(received);
  return created;
}

/** A record on the documents step. The BFF has one document. */
function createDocuments() {
  const created = create(createAcceptedState({ form: createAcceptedForm({ step: 'documents' }) }));
  return {
    ...created,
    respond(status: 'received' | 'delivered', count = 1): void {
      const documents = Array.from({ length: count }, (_, index) => ({
        ...deliveredDocument,
        number: index + 1,
        status,
      }));
      created.api.session = ok(createSession({ application: acceptedStatus, documents }));
    },
  };
}

/** The applicant closes the application, and begins another one. */
function startAnother({ close, store }: ReturnType<typeof create>): void {
  close();
  const form = createAcceptedForm({ step: 'funding-need', application: undefined });
  store.update((state) => ({ ...state, form }));
}

describe('polling of the status', () => {
  it.each(['received', 'confirming'] as const)('runs while the status is "%s"', async (status) => {
    const application: ApplicationStatus = { ...acceptedStatus, status };
    const { api, polling, store } = createUndecided({ form: createAcceptedForm({ application }) });
    api.status = ok(application);
    await polling.tick();
    expect(store.state.form?.application?.status).toBe(status);
    api.status = ok(acceptedStatus);
    await polling.tick();
    expect(store.state.form?.application?.status).toBe('accepted');
    expect(polling.waiting).toBe(0);
  });

  it.each([
    ['for an accepted application', {}],
    ['before the submission', { step: 'review', application: undefined }],
  ] as const)('does not run %s', (_when, form) => {
    const state = createAcceptedState({ form: createAcceptedForm(form) });
    expect(create(state).polling.waiting).toBe(0);
  });

  it('waits as long as the BFF asks', async () => {
    const { api, polling } = createUndecided();
    api.status = { ...fail('too-many-requests'), retryAfterMs: 45_000 };
    await polling.tick();
    expect(polling.delays).toEqual([3_000, 45_000]);
  });

  it('continues after a failure, whose message goes with the next response', async () => {
    const { api, polling, store } = createUndecided();
    api.status = fail('network');
    await polling.tick();
    expect(store.state.form?.problem).toBe('network');
    api.status = ok(received);
    await polling.tick();
    expect(store.state.form?.problem).toBeUndefined();
  });

  it.each(['application-exists', 'already-sent'] as const)('keeps "%s"', async (problem) => {
    const { api, polling, store, mergeForm } = createUndecided();
    mergeForm({ problem });
    api.status = fail('network');
    await polling.tick();
    api.status = ok(acceptedStatus);
    await polling.tick();
    expect(store.state.form?.problem).toBe(problem);
  });

  it('stops while the element is not in the document', () => {
    const { polling, store } = createUndecided();
    store.update((state) => ({ ...state, isConnected: false }));
    expect(polling.waiting).toBe(0);
    expect(polling.listeners).toBe(0);
    store.update((state) => ({ ...state, isConnected: true }));
    expect(polling.waiting).toBe(1);
  });

  it('ends when the application is closed, whose response is ignored', async () => {
    const world = createUndecided();
    const send = world.api.hold('getApplication');
    await world.polling.tick();
    startAnother(world);
    expect(world.polling.waiting).toBe(0);
    send(ok(acceptedStatus));
    await world.polling.settle();
    expect(world.store.state.form).toMatchObject({ step: 'funding-need', application: undefined });
  });

  it('does not show the application of another session', async () => {
    const { api, polling, store } = createUndecided();
    api.status = ok({ ...acceptedStatus, reference: 'of-another-application' });
    await polling.tick();
    expect(store.state.form).toMatchObject({ application: received, problem: 'session-missing' });
  });
});

describe('checkStatus', () => {
  it('updates the status', async () => {
    const { api, feature, store } = createUndecided();
    api.status = ok(acceptedStatus);
    await feature.checkStatus();
    expect(store.state.form?.application?.status).toBe('accepted');
    expect(store.state.statusCheck).toEqual({
      isChecking: false,
      isRequested: true,
      checkedAt: new Date('2026-11-20T15:00:00.000Z'),
    });
  });

  it('sends one request for two presses', async () => {
    const { api, feature } = createUndecided();
    let requests = 0;
    api.getApplication = async () => {
      requests += 1;
      return ok(received);
    };
    await Promise.all([feature.checkStatus(), feature.checkStatus()]);
    expect(requests).toBe(1);
  });

  it('keeps the time of the last successful check', async () => {
    const { api, feature, store } = createUndecided();
    api.status = fail('network');
    await feature.checkStatus();
    expect(store.state.statusCheck.checkedAt).toBeUndefined();
  });

  it('announces only the response to a press', async () => {
    const { feature, polling, store } = createUndecided();
    await feature.checkStatus();
    expect(store.state.statusCheck.isRequested).toBe(true);
    await polling.tick();
    expect(store.state.statusCheck.isRequested).toBe(false);
  });
});

describe('polling of attachments', () => {
  it.each(['documents', 'bank'] as const)('starts on the step "%s"', (step) => {
    const { polling, showStep } = create(createAcceptedState());
    expect(polling.waiting).toBe(0);
    showStep(step);
    expect(polling.waiting).toBe(1);
  });

  it('stops on a step without attachments', () => {
    const { polling, showStep } = createDocuments();
    showStep('submitted');
    expect(polling.waiting).toBe(0);
  });

  it('runs until everything is delivered', async () => {
    const { polling, store, respond } = createDocuments();
    respond('received');
    await polling.tick();
    expect(store.state.documents.uploaded[0]?.status.status).toBe('received');
    expect(polling.waiting).toBe(1);
    respond('delivered');
    await polling.tick();
    expect(store.state.documents.uploaded[0]?.status.status).toBe('delivered');
    expect(polling.waiting).toBe(0);
  });

  it.each([
    ['starts again', 'delivered'],
    ['resets its delay', 'received'],
  ] as const)('%s for a new attachment', async (_what, status) => {
    const { polling, store, respond } = createDocuments();
    respond(status);
    await polling.tick();
    store.merge('bank', { report: { status: 'received', delayed: false } });
    expect(polling.waiting).toBe(1);
    expect(polling.delays.at(-1)).toBe(3_000);
  });

  it('passes on the end of the session', async () => {
    const { polling, store, respond } = createDocuments();
    respond('delivered');
    await polling.tick();
    expect(store.state.session.response).toBeDefined();
  });

  it.each<[string, Result<Session>]>([
    ['has ended', fail('session-missing')],
    [
      'has another application',
      ok(createSession({ application: { ...acceptedStatus, reference: 'another' } })),
    ],
    ['has no application', ok(createSession())],
  ])('ends when the session %s', async (_state, session) => {
    const { api, polling, store } = createDocuments();
    api.session = session;
    await polling.tick();
    expect(store.state.form).toMatchObject({ step: 'documents', problem: 'session-missing' });
    expect(store.state.documents.uploaded).toEqual([]);
    expect(store.state.session.response).toBeUndefined();
    expect(polling.waiting).toBe(0);
  });

  it('continues after a failure', async () => {
    const { api, polling, store } = createDocuments();
    api.session = fail('network');
    await polling.tick();
    expect(store.state.form?.problem).toBeUndefined();
    expect(polling.waiting).toBe(1);
  });

  it('ignores a response that arrives after the application was closed', async () => {
    const world = createDocuments();
    const send = world.api.hold('getSession');
    await world.polling.tick();
    startAnother(world);
    send(fail('session-missing'));
    await world.polling.settle();
    expect(world.store.state.form?.problem).toBeUndefined();
  });
});

describe('polling of a contact request', () => {
  const contact = { ...emptyContact, status: 'received' } as const;

  it('runs on the offers step until contact is enabled', async () => {
    const form = createAcceptedForm({ step: 'offers' });
    const { api, polling, store } = create(createAcceptedState({ form, contact }));
    api.session = ok(
      createSession({ application: acceptedStatus, contact: { status: 'enabled' } }),
    );
    await polling.tick();
    expect(store.state.contact.status).toBe('enabled');
    expect(polling.waiting).toBe(0);
  });

  it('starts when the BFF has received the request', () => {
    const form = createAcceptedForm({ step: 'offers' });
    const { polling, store } = create(createAcceptedState({ form }));
    expect(polling.waiting).toBe(0);
    store.merge('contact', contact);
    expect(polling.waiting).toBe(1);
  });
});
