// A flow controller without a page, with a BFF in memory and a manual clock.

import type { ReactiveController } from 'lit';
import { FlowController } from '../../widget/flow/flow-controller.ts';
import type { FlowOptions } from '../../widget/flow/flow-options.ts';
import { FlowParts } from '../../widget/flow/flow-parts.ts';
import { createOnlinePolling } from '../../widget/app/polling.ts';
import { formSteps } from '../../widget/app/steps.ts';
import { completeDraft } from './draft.ts';
import { FakeFundingApi } from './fake-funding-api.ts';
import { createFakePage } from './fake-page.ts';
import { createManualPolling } from './manual-polling.ts';

/**
 * A flow before the code of the steps after the submission is loaded; `equip` provides that code.
 *
 * @param prepare sets the BFF's responses before the first request.
 */
export function createEarlyFlow(
  prepare: (api: FakeFundingApi) => void = () => undefined,
  options: Partial<FlowOptions> = {},
  page = createFakePage(),
) {
  const api = new FakeFundingApi();
  prepare(api);
  const polling = createManualPolling();
  const controllers: ReactiveController[] = [];
  let lastKey = 0;
  const host = {
    addController: (controller: ReactiveController) => controllers.push(controller),
    removeController: () => undefined,
    requestUpdate: () => undefined,
    updateComplete: Promise.resolve(true),
  };
  const flow = new FlowController(host, {
    api,
    page: page.environment,
    polling: createOnlinePolling(polling.environment, page.connection.environment),
    now: () => new Date('2026-11-20T15:00:00.000Z'),
    createKey: () => {
      lastKey += 1;
      return `key-${lastKey}`;
    },
    findChallengeSolver: () => undefined,
    onStep: () => undefined,
    onErrors: () => undefined,
    onDocumentNews: () => undefined,
    ...options,
  });
  flow.hostConnected();
  return { api, polling, page, flow };
}

/** A flow with all code loaded. */
export function createFlow(...given: Parameters<typeof createEarlyFlow>) {
  const created = createEarlyFlow(...given);
  created.flow.equip(FlowParts);
  return created;
}

export async function createLoadedFlow(...given: Parameters<typeof createFlow>) {
  const created = createFlow(...given);
  await created.flow.load();
  return created;
}

/** Fills in everything and goes to the review. */
export function fill(flow: FlowController): void {
  for (const [path, value] of Object.entries(completeDraft)) flow.answer(path, value);
  for (let left = formSteps.length - 1; left > 0; left -= 1) flow.continue();
}
