// What the flow of one element needs of the browser, and of what the host page has set.

import { createUuid } from './api/create-uuid.ts';
import { createFundingApi, type FundingApi } from './api/funding-api.ts';
import { createSafeApi } from './api/safe-api.ts';
import {
  createChoiceStore,
  createDraftStore,
  toDraftKey,
  type ChoiceStore,
} from './flow/draft-store.ts';
import type { FlowOptions } from './flow/flow-options.ts';
import { createBrowserPage } from './flow/page-life.ts';
import { createBrowserPolling, createOnlinePolling } from './app/polling.ts';
import type { StepId } from './app/steps.ts';
import { warnDeveloper } from './app/warn-developer.ts';
import type { FundingSettings } from './types.ts';

export interface FlowHost extends Element {
  readonly bffUrl: string | undefined;
  readonly draft: 'off' | undefined;
  readonly history: boolean;
  readonly api: FundingApi | undefined;
  readonly settings: FundingSettings | undefined;
}

export type FlowEnvironment = Pick<
  FlowOptions,
  'api' | 'polling' | 'now' | 'createKey' | 'campaignId' | 'hasStartPage' | 'draftStore' | 'page'
> & {
  /** Of the language the applicant has chosen. */
  readonly languageStore: ChoiceStore | undefined;
  /** What is shown first, most likely. */
  readonly comingStep: StepId;
};

/** Read once, when the element is connected. */
export function createFlowEnvironment(host: FlowHost): FlowEnvironment {
  // A host page without types may set anything here.
  const bffOrigin = host.bffUrl?.replace(/\/+$/, '') || new URL(import.meta.url).origin;
  const key = toDraftKey(host, bffOrigin);
  const draftStore = createDraftStore(() => sessionStorage, key);
  // What an earlier page kept without the wish is not left behind either.
  const languageStore = createChoiceStore(() => sessionStorage, `${key} language`);
  const keepsNothing = host.draft === 'off';
  if (keepsNothing) {
    draftStore.erase();
    languageStore.write(undefined);
  }
  const page = createBrowserPage(bffOrigin, host.history ? key : undefined);
  const hasStartPage = host.settings?.startPage ?? true;
  const timers = createBrowserPolling();
  return {
    api: host.api
      ? createSafeApi(host.api, { ...timers, report: warnDeveloper })
      : createFundingApi(bffOrigin),
    polling: createOnlinePolling(timers, page.connection),
    now: () => new Date(),
    createKey: () => createUuid(),
    campaignId: () => host.settings?.campaignId,
    hasStartPage,
    comingStep: draftStore.read()?.step ?? (hasStartPage ? 'start' : 'funding-need'),
    page,
    draftStore: keepsNothing ? undefined : draftStore,
    languageStore: keepsNothing ? undefined : languageStore,
  };
}
