// One feature of the element with a store, a BFF in memory, and a manual clock, but without the element.

import { english } from './messages.ts';
import type { Feature, FeatureEnvironment, StepContext } from '../../widget/app/feature.ts';
import type { FieldContext } from '../../widget/fields/field.ts';
import { createForm, type StepId } from '../../widget/app/navigation.ts';
import {
  type AppState,
  type FormState,
  initialState,
  type Reaction,
  Store,
} from '../../widget/app/store.ts';
import { createFormat } from '../../widget/i18n/format.ts';
import { createTranslate } from '../../widget/i18n/messages.ts';
import { createConfiguration } from './configuration.ts';
import { acceptedStatus, FakeFundingApi } from './fake-funding-api.ts';
import { createManualPolling } from './manual-polling.ts';

/** The steps after the submission have no fields. Tests of other steps pass their own. */
const noFields = {} as FieldContext;

/** A form whose application was accepted. It shows the first step after the submission. */
export function createAcceptedForm(changes: Partial<FormState> = {}): FormState {
  return {
    ...createForm(createConfiguration(), { hasStartPage: true }),
    step: 'submitted',
    application: acceptedStatus,
    ...changes,
  };
}

/** A connected element with an accepted application. */
export function createAcceptedState(changes: Partial<AppState> = {}): AppState {
  return { ...initialState, isConnected: true, form: createAcceptedForm(), ...changes };
}

/** The context of a step, in English. `changes` replaces members, for example `focus` or `dispatch`. */
export function createStepContext(
  state: AppState,
  changes: Partial<StepContext> = {},
): StepContext {
  const form = state.form ?? createAcceptedForm();
  const t = createTranslate(english);
  return {
    t,
    format: createFormat('en-US'),
    locale: 'en',
    state,
    form,
    configuration: form.configuration,
    settings: {},
    fields: noFields,
    actions: {
      next: () => undefined,
      editStep: () => undefined,
      showStep: () => undefined,
      close: () => Promise.resolve('closed'),
    },
    now: () => new Date('2026-11-20T15:00:00.000Z'),
    toIndustryLabel: (value) => value,
    endsWithPage: false,
    headingLevel: (depth) => depth + 2,
    isExpanded: () => false,
    toggle: () => undefined,
    focus: () => undefined,
    dispatch: () => true,
    ...changes,
  };
}

/** A feature that reacts to every change of its store, and what tests control of its environment. */
export function createFeature<Created extends Feature>(
  create: (environment: FeatureEnvironment) => Created,
  state: AppState = createAcceptedState(),
) {
  const api = new FakeFundingApi();
  const polling = createManualPolling();
  let nowMs = Date.parse('2026-11-20T15:00:00.000Z');
  const announced: string[] = [];
  // A feature may change the state while it is created.
  let created: Created | undefined = undefined;
  const react: Reaction = (before, after) => {
    announced.push(...(created?.toAnnouncements?.(before, after, createStepContext(after)) ?? []));
    created?.react?.(before, after);
  };
  const store: Store = new Store([react], state);
  const environment: FeatureEnvironment = {
    store,
    api,
    polling: polling.environment,
    now: () => new Date(nowMs),
    addPart: () => undefined,
  };
  const feature = create(environment);
  created = feature;

  /** Changes the form, for example its problem. */
  function mergeForm(changes: Partial<FormState>): void {
    store.update((current) =>
      current.form ? { ...current, form: { ...current.form, ...changes } } : current,
    );
  }

  return {
    api,
    polling,
    store,
    feature,
    environment,
    /** The messages for screen readers. */
    announced,
    /** Advances the clock. It runs no timers; see `polling.tick`. */
    advance(ms: number): void {
      nowMs += ms;
    },
    mergeForm,
    showStep(step: StepId): void {
      mergeForm({ step });
    },
    /** Ends the application on this device. */
    close(): void {
      store.update(() => ({ ...initialState, isConnected: true }));
    },
  };
}
