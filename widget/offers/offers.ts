// The offers feature: requests the lender's decision while the offers step is shown.

import type { Offer, Offers } from '../../shared/api/offers.ts';
import { transientCodes, type FailureCode } from '../api/funding-api.ts';
import { toReference } from '../app/attachments.ts';
import type { Feature, FeatureEnvironment } from '../app/feature.ts';
import { FundingOffersEvent } from '../app/later-events.ts';
import { pollWhile } from '../app/poll-while.ts';
import { createPoller, toPollResult, type PollResult } from '../app/polling.ts';
import type { AppState, OffersState } from '../app/store.ts';
import { renderOffers, toOffersHeading } from './offers-step.ts';

/** Polling ends after this time. The applicant can check at any time. */
const maxPollingMs = 30 * 60_000;
/** Longer than any delay between two requests: the page was hidden, so the 30 minutes start again. */
const absenceMs = 6 * 60_000;
/** More offers may follow the first ones. */
const qualifiedDelayMs = 60_000;

/** The actions of the applicant on the offers step. */
export interface OffersActions {
  /** Requests the decision now. The growing delays start again. */
  readonly check: () => Promise<void>;
  /** Changes how the offers are shown, or which one is chosen. */
  readonly show: (view: Partial<Pick<OffersState, 'order' | 'isTable' | 'chosen'>>) => void;
}

export function createOffers({
  store,
  api,
  polling,
  now,
}: FeatureEnvironment): Feature & OffersActions {
  let request: Promise<PollResult> | undefined;
  let requestedAtMs = 0;

  const poller = createPoller(polling, () => {
    store.merge('offers', { isRequested: false });
    return requestOnce();
  });

  /** Requests the decision now, then polls while it can change. */
  async function startPolling(): Promise<void> {
    const { isPolling, since } = store.state.offers;
    const start = isPolling ? since : now();
    store.merge('offers', { since: start, isPolling: true, hasTimedOut: false });
    poller.stop();
    const result = await requestOnce();
    if (toShownReference(store.state) !== undefined && result !== false)
      poller.start(result === true ? 0 : result);
  }

  function stopPolling(): void {
    poller.stop();
    store.merge('offers', { isPolling: false, isChecking: false, isRequested: false });
  }

  /** Shares a request that is in progress. */
  function requestOnce(): Promise<PollResult> {
    request ??= requestOffers().finally(() => (request = undefined));
    return request;
  }

  async function requestOffers(): Promise<PollResult> {
    const reference = toShownReference(store.state);
    const requestedAt = now();
    if (requestedAt.getTime() - requestedAtMs > absenceMs) {
      store.merge('offers', { since: requestedAt });
    }
    requestedAtMs = requestedAt.getTime();
    const result = await api.getOffers();
    // The applicant has left the step, or another application has begun.
    if (reference === undefined || reference !== toShownReference(store.state)) return true;
    const { response, since = requestedAt } = store.state.offers;
    const next = result.ok
      ? pollAfter[result.value.decision]
      : retryableCodes.has(result.code) && toPollResult(result);
    const hasTimedOut = next !== false && requestedAtMs - since.getTime() >= maxPollingMs;
    store.merge('offers', {
      response: result.ok ? withStableOrder(result.value, response) : response,
      problem: result.ok ? undefined : result.code,
      isChecking: false,
      isPolling: next !== false && !hasTimedOut,
      hasTimedOut,
    });
    return !hasTimedOut && next;
  }

  const actions: OffersActions = {
    check: async () => {
      if (store.state.offers.isChecking) return;
      store.merge('offers', { isChecking: true, isRequested: true });
      await startPolling();
    },
    show: (view) => store.merge('offers', view),
  };

  return {
    ...actions,
    steps: {
      offers: {
        toHeading: toOffersHeading,
        render: (context) => renderOffers(context, actions),
      },
    },
    react: pollWhile({ start: () => void startPolling(), stop: stopPolling }, toShownReference),
    toHostEvents,
  };
}

const pollAfter: Readonly<Record<Offers['decision'], PollResult>> = {
  pending: true,
  qualified: qualifiedDelayMs,
  'not-qualified': false,
};

/** Failures that can pass. */
const retryableCodes: ReadonlySet<FailureCode> = new Set<FailureCode>([
  ...transientCodes,
  'application-pending',
]);

function toHostEvents(before: AppState, after: AppState): readonly Event[] {
  const { response } = after.offers;
  const known = before.offers.response;
  const isNew =
    response?.decision !== known?.decision || response?.offers.length !== known?.offers.length;
  return response && isNew
    ? [new FundingOffersEvent(response.decision, response.offers.length)]
    : [];
}

/** The reference of the application whose offers are shown. */
function toShownReference(state: AppState): string | undefined {
  return state.isConnected && state.form?.step === 'offers' ? toReference(state) : undefined;
}

/** Known offers keep their places, so that nothing moves while the applicant reads. New ones follow in the given order. */
function withStableOrder(response: Offers, earlier: Offers | undefined): Offers {
  const known = earlier?.offers.map(({ id }) => id) ?? [];
  const toRank = ({ id }: Offer) => (known.includes(id) ? known.indexOf(id) : known.length);
  return { ...response, offers: response.offers.toSorted((a, b) => toRank(a) - toRank(b)) };
}
