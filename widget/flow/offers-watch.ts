// Asks for the decision and its offers, and remembers what the service last said and how the applicant looks at it.

import type { Offer, Offers } from '../../shared/api/offers.ts';
import type { FailureCode, FundingApi } from '../api/funding-api.ts';
import type { FlowEvent } from './flow-event.ts';
import {
  createPoller,
  toPollResult,
  type PollResult,
  type Poller,
  type PollingEnvironment,
} from '../app/polling.ts';

/** From here on it is left to the applicant to ask. */
const longestLookMs = 30 * 60_000;
/** Longer than any pause between two questions: nobody was looking meanwhile. */
const absenceMs = 6 * 60_000;
/** Offers that stand are not urgent; another one may still come. */
const decidedPauseMs = 60_000;

/** How the offers are shown; nothing of it leaves the page. */
export interface OffersView {
  readonly order: 'arrival' | 'apr' | 'total' | 'payment';
  readonly isTable: boolean;
  /** Which offer was chosen, and whether the host page left the rest to the widget. */
  readonly chosen: { readonly key: string; readonly goesOn: boolean } | undefined;
}

/** `offers` and `problem` are the last answer; a decision stays when a later question fails. */
export class OffersWatch {
  offers: Offers | undefined;
  problem: FailureCode | undefined;
  /** The applicant has asked, and there is no answer yet. */
  isChecking = false;
  /** What is shown answers the applicant's own press, and no look since. */
  answersPress = false;
  /** It is asked again and again, since `since`. */
  isLooking = false;
  /** Nothing was decided for so long that it is not asked any more. */
  hasTired = false;
  since: Date;
  view: OffersView = { order: 'arrival', isTable: false, chosen: undefined };
  readonly #options: OffersWatchOptions;
  readonly #poller: Poller;
  #isFollowing = false;
  #answer: Promise<PollResult> | undefined;
  #askedAt = 0;
  #told = '';

  constructor(options: OffersWatchOptions) {
    this.#options = options;
    this.since = options.now();
    this.#poller = createPoller(options.polling, () => {
      // Drawn before there is an answer, which then is not read out.
      this.answersPress = false;
      options.onChange();
      return this.#ask();
    });
  }

  /** Asks now and goes on asking while there may be news. */
  start(): void {
    this.#isFollowing = true;
    void this.#look();
  }

  stop(): void {
    this.#isFollowing = false;
    this.isLooking = false;
    this.#poller.stop();
  }

  /** Asks once, at the applicant's wish; the growing pauses begin anew. */
  async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    this.answersPress = true;
    await this.#look();
    this.isChecking = false;
    this.#options.onChange();
  }

  show(view: Partial<OffersView>): void {
    this.view = { ...this.view, ...view };
    this.#options.onChange();
  }

  async #look(): Promise<void> {
    if (!this.isLooking) this.since = this.#options.now();
    this.isLooking = this.#isFollowing;
    this.hasTired = false;
    this.#options.onChange();
    const goOn = await this.#ask();
    // The step may have been left while the answer was on its way.
    if (goOn !== false && this.#isFollowing) this.#poller.start(goOn === true ? 0 : goOn);
    else this.#poller.stop();
  }

  /** Once at a time, whoever asks. */
  #ask(): Promise<PollResult> {
    this.#answer ??= this.#askOnce();
    return this.#answer;
  }

  async #askOnce(): Promise<PollResult> {
    const { api, now, onChange } = this.#options;
    const askedAt = now();
    // Whoever comes back to a page that was hidden looks anew.
    if (askedAt.getTime() - this.#askedAt > absenceMs) this.since = askedAt;
    this.#askedAt = askedAt.getTime();
    const result = await api.getOffers();
    this.#answer = undefined;
    if (result.ok) this.#take(result.value);
    this.problem = result.ok ? undefined : result.code;
    const goOn = result.ok
      ? pauseAfter[result.value.decision]
      : waitingHelps.has(result.code) && toPollResult(result);
    this.hasTired = goOn !== false && this.#askedAt - this.since.getTime() >= longestLookMs;
    this.isLooking = this.#isFollowing && goOn !== false && !this.hasTired;
    onChange();
    return !this.hasTired && goOn;
  }

  #take(answer: Offers): void {
    this.offers = { ...answer, offers: withStableOrder(answer.offers, this.offers?.offers ?? []) };
    const { decision, offers } = answer;
    const news = `${decision} ${offers.length}`;
    if (!this.#isFollowing || news === this.#told) return;
    this.#told = news;
    this.#options.onEvent?.({ kind: 'offers', decision, count: offers.length });
  }
}

interface OffersWatchOptions {
  readonly api: Pick<FundingApi, 'getOffers'>;
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  readonly onChange: () => void;
  readonly onEvent?: ((event: FlowEvent) => void) | undefined;
}

/** What is being read stays where it is; what is new stands behind it, in the service's order. */
function withStableOrder(offers: readonly Offer[], known: readonly Offer[]): Offer[] {
  const toRank = ({ id }: Offer) =>
    known.findIndex((offer) => offer.id === id) + 1 || Number.MAX_SAFE_INTEGER;
  return offers.toSorted((one, other) => toRank(one) - toRank(other));
}

const pauseAfter = {
  pending: true,
  qualified: decidedPauseMs,
  'not-qualified': false,
} as const satisfies Record<Offers['decision'], PollResult>;

const waitingHelps: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'network',
  'internal',
  'application-pending',
  'service-unavailable',
  'storage-unavailable',
  'too-many-requests',
  'too-busy',
]);
