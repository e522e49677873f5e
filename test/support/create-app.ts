// The application without its rendering: all parts are loaded, with a BFF in memory and a manual clock.

import type { Session } from '../../shared/api/session.ts';
import type { Result } from '../../widget/api/funding-api.ts';
import { AppController, type AppEnvironment } from '../../widget/app/app-controller.ts';
import { toHostEvents } from '../../widget/app/host-events.ts';
import { createOnlinePolling } from '../../widget/app/polling.ts';
import { type FormState, type Reaction, Store } from '../../widget/app/store.ts';
import { formSteps } from '../../widget/app/navigation.ts';
import { createAfterChunk } from '../../widget/chunks/after-submission.ts';
import { createFormChunk } from '../../widget/chunks/form.ts';
import type { SolveChallenge } from '../../widget/types.ts';
import { completeDraft } from './draft.ts';
import type { FakeHistory } from './fake-history.ts';
import { FakeFundingApi } from './fake-funding-api.ts';
import { createFakeChannels, createFakeConnection } from './fake-page.ts';
import { createManualPolling } from './manual-polling.ts';

export interface AppOptions extends Partial<AppEnvironment> {
  /** The responses of the BFF from its first request on. */
  readonly bff?: Partial<FakeFundingApi>;
  /** Undefined: the steps are not entries of the browser's history. */
  readonly history?: FakeHistory;
  /** The chunk of the form is loading until this is resolved. */
  readonly waitForFormChunk?: () => Promise<void>;
  readonly campaignId?: string;
  readonly solveChallenge?: SolveChallenge;
}

export type TestApp = ReturnType<typeof createApp>;

/** One connected application whose form is not loaded. */
export function createApp({
  bff = {},
  history,
  waitForFormChunk,
  campaignId,
  solveChallenge,
  ...changes
}: AppOptions = {}) {
  const api = Object.assign(new FakeFundingApi(), bff);
  const polling = createManualPolling();
  const timers = createManualPolling();
  const connection = createFakeConnection();
  const channels = createFakeChannels();
  const events: object[] = [];
  let nowMs = Date.parse('2026-11-20T15:00:00.000Z');
  let lastKey = 0;
  const reactions: Reaction[] = [];
  const store = new Store(reactions);
  const environment = {
    store,
    api,
    polling: createOnlinePolling(polling.environment, connection.environment),
    timers: timers.environment,
    connection: connection.environment,
    afterFrame: (callback: () => void) => callback(),
    sessionChannelName: 'session',
    openSessionChannel: channels.open,
    draftStore: undefined,
    deviceStore: undefined,
    onStorage: () => () => undefined,
    now: () => new Date(nowMs),
    addPart: () => undefined,
    hasStartPage: false,
    isPhone: false,
    getPrefill: () => ({}),
    getLocale: () => undefined,
    ...changes,
  };
  const app = new AppController({
    loadFormChunk: async () => {
      await waitForFormChunk?.();
      return () =>
        createFormChunk({
          ...environment,
          history: history && { key: 'form', environment: history.environment },
          requestUpdate: () => undefined,
          answer: (path, value, isComplete) => app.answer(path, value, isComplete),
          host: { shadowRoot: null, updateComplete: Promise.resolve(true) },
          usesSelects: () => true,
          createKey: () => `key-${(lastKey += 1)}`,
          getCampaignId: () => campaignId,
          getChallengeSolver: () => solveChallenge,
        });
    },
    loadAfterChunk: async () => createAfterChunk,
    ...environment,
  });
  reactions.push(
    (before, after) => app.react(before, after),
    (before, after) => {
      const features = [app.formChunk ?? {}, ...(app.afterChunk?.features ?? [])];
      events.push(...toHostEvents(before, after, features).map(toPlain));
    },
  );
  setConnected(true);

  function setConnected(isConnected: boolean): void {
    store.update((state) => ({ ...state, isConnected }));
  }

  return {
    api,
    app,
    store,
    polling,
    timers,
    connection,
    channels,
    setConnected,
    /** The events that the host page received, without their methods. */
    events,
    get state() {
      return store.state;
    },
    get form() {
      return store.state.form;
    },
    /** Advances the clock. It runs no timers. */
    advance(ms: number): void {
      nowMs += ms;
    },
    /** Waits for operations in progress. */
    settle: () => polling.settle(),
    /** Loads the form and its parts. */
    async load(): Promise<void> {
      await app.load();
      await polling.settle();
    },
    mergeForm(changed: Partial<FormState>): void {
      store.updateForm((form) => ({ ...form, ...changed }));
    },
    /** Types all answers, except for `changed`, and goes to the review. */
    async fillIn(changed: Readonly<Record<string, string>> = {}): Promise<void> {
      for (const [path, value] of Object.entries({ ...completeDraft, ...changed }))
        app.answer(path, value);
      for (let left = formSteps.length - 1; left > 0; left -= 1) await app.continue();
      await polling.settle();
    },
    /** Submits the form from its review, and waits for the outcome. */
    async submit(): Promise<void> {
      void app.continue();
      await polling.settle();
    },
    /** Closes the application, and opens the form of the next applicant. */
    async startAnother(): Promise<void> {
      await app.close();
      await app.load();
      await polling.settle();
    },
  };
}

/** An application that loads. Its session arrives when the test calls `respond`. */
export async function createSlowApp(options: AppOptions = {}) {
  const created = createApp(options);
  const send = created.api.hold('openSession');
  void created.app.load();
  await created.settle();
  return Object.assign(created, {
    async respond(session: Result<Session>): Promise<void> {
      send(session);
      await created.settle();
    },
  });
}

/** An application whose form is loaded. */
export async function createLoadedApp(options: AppOptions = {}): Promise<TestApp> {
  const created = createApp(options);
  await created.load();
  return created;
}

/** An application whose answers are complete, on its review. */
export async function createFilledApp(options: AppOptions = {}): Promise<TestApp> {
  const created = await createLoadedApp(options);
  await created.fillIn();
  return created;
}

/** A response that arrives when the test calls `send`. */
export function createDelayed<Value>() {
  let send: (value: Value) => void = () => undefined;
  const response = new Promise<Value>((resolve) => (send = resolve));
  return { send: (value: Value) => send(value), request: () => response };
}

function toPlain(event: Event): object {
  const members = Object.entries(event).filter(([name]) => name !== 'isTrusted');
  return { type: event.type, ...Object.fromEntries(members) };
}
