// Creates the environment of the application from the browser and from the attributes of the element.

import { createFundingApi, type FundingApi } from '../api/funding-api.ts';
import { createHostApi } from '../api/host-api.ts';
import type { FundingSettings } from '../types.ts';
import type { AppEnvironment } from './app-controller.ts';
import { createTextStore, createDraftStore, toStorageKey, type TextStore } from './autosave.ts';
import { toBffOrigin } from './bff-origin.ts';
import type { DeviceStore } from './device-draft.ts';
import { createBrowserConnection, createBrowserPolling, createOnlinePolling } from './polling.ts';
import type { StepId } from './navigation.ts';
import { warnDeveloper } from './warn-developer.ts';

export interface EnvironmentHost extends Element {
  readonly bffUrl: string | undefined;
  readonly draft: 'off' | undefined;
  readonly history: 'off' | undefined;
  readonly handoff: boolean;
  readonly api: FundingApi | undefined;
  readonly settings: FundingSettings | undefined;
}

export type BrowserEnvironment = Omit<
  AppEnvironment,
  'store' | 'now' | 'addPart' | 'getPrefill' | 'getLocale' | 'loadFormChunk' | 'loadAfterChunk'
> & {
  /** The same for all tabs that share the session. */
  readonly sessionChannelName: string;
  /** Stores the language that the applicant chose. */
  readonly choiceStore: TextStore | undefined;
  /** Names this form in the browser's history. Undefined if the steps are not entries of it. */
  readonly history: { readonly key: string } | undefined;
  /** The step that is probably shown first. */
  readonly expectedStep: StepId;
};

/** Reads the attributes once, when the element is first connected. */
export function createBrowserEnvironment(host: EnvironmentHost): BrowserEnvironment {
  const bffOrigin = toBffOrigin(host);
  const key = toStorageKey(host, bffOrigin);
  const draftStore = createDraftStore(() => sessionStorage, key);
  const choiceStore = createTextStore(() => sessionStorage, `${key} language`);
  const isPhone = host.handoff;
  const deviceStore: DeviceStore = {
    ...createTextStore(() => localStorage, key),
    name: `${location.origin} ${key}`,
    key,
  };
  const isStorageOff = host.draft === 'off';
  if (isStorageOff) {
    // An earlier page may have stored something.
    draftStore.erase();
    choiceStore.write(undefined);
    deviceStore.write(undefined);
  }
  const connection = createBrowserConnection();
  const timers = createBrowserPolling();
  const hasStartPage = host.settings?.startPage ?? true;
  return {
    api: host.api
      ? createHostApi(host.api, { ...timers, report: warnDeveloper })
      : createFundingApi(bffOrigin, fetch, isPhone),
    polling: createOnlinePolling(timers, connection),
    timers,
    connection,
    afterFrame: (callback) => requestAnimationFrame(() => setTimeout(callback)),
    sessionChannelName: `funding-session ${bffOrigin}`,
    draftStore: isStorageOff || isPhone ? undefined : draftStore,
    deviceStore: isStorageOff || isPhone ? undefined : deviceStore,
    choiceStore: isStorageOff ? undefined : choiceStore,
    hasStartPage,
    isPhone,
    history: host.history === 'off' || isPhone ? undefined : { key },
    expectedStep: draftStore.read()?.step ?? (hasStartPage ? 'start' : 'funding-need'),
  };
}

/** Safari has no `requestIdleCallback`. */
export function whenIdle(callback: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(callback);
  else setTimeout(callback, 200);
}
