// `GET /v1/offers`: the pre-approval decision and its offers, asked for at most once at a time for each lead.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { offerSchema, type Offers, offersSchema } from '../../shared/api/offers.ts';
import type { RefusalReason } from '../funding-service/failure-texts.ts';
import {
  type FundingService,
  isSameReference,
  type Outcome,
  type PreApproval,
} from '../funding-service/funding-service.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../logging/log.ts';
import type { ApplicationRow, Store } from '../store/store.ts';
import { requireAcceptedApplication } from './current-application.ts';
import { describeSchema, json } from './openapi.ts';
import { toSafeTrackingUrl } from './views.ts';

const cacheMs = 3_000;

/** The funding service answered with the offers of another application. */
export interface OffersEvent {
  readonly event: 'reference-mismatch';
  readonly reference: string;
}

export interface OffersRoutesOptions {
  readonly config: Config;
  readonly store: Store;
  readonly fundingService: FundingService;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Log<OffersEvent>;
}

export function offersRoutes(options: OffersRoutesOptions): Hono<BffEnv> {
  const { store, clock } = options;
  const cache = createShortCache<Offers>(cacheMs, clock);

  return new Hono<BffEnv>().get('/', describeRead, async (c) => {
    const { application, serviceId } = await requireAcceptedApplication(store, c.get('session'));
    return c.json(
      await cache.ask(application.id, () => askForOffers(application, serviceId, options)),
    );
  });
}

describeSchema('Offer', offerSchema, {
  amount: 'US dollars. Each `null` in an offer means that the funding service sent no value.',
  termMonths: 'Estimated term in months.',
  paymentAmount: 'US dollars per payment.',
  monthlyRate: 'Percent per month.',
  aprLow: 'Annual percentage rate, lower bound, in percent.',
  aprHigh: 'Annual percentage rate, upper bound, in percent.',
  feeLow: 'US dollars.',
  feeHigh: 'US dollars.',
  disclosures: 'Show the whole text with the offer.',
  totalCost: 'US dollars: principal plus interest, without fees.',
  centsOnTheDollar: 'Cost per dollar borrowed.',
  totalInterest: 'US dollars over the term.',
});
describeSchema('Offers', offersSchema, {
  decision: '`pending`: qualified, but without offers so far. Poll again.',
  offers: 'In the order of the funding service.',
  checkedAt: { format: 'date-time', description: 'When the funding service was last asked.' },
  trackingUrl: { format: 'uri' },
});

const describeRead = describeRoute({
  summary: 'Read the pre-approval decision and its offers',
  description:
    'Asks the funding service, at most once in three seconds per application. Needs an application that is `accepted`.',
  responses: { 200: { description: 'The decision and its offers.', ...json(offersSchema) } },
});

async function askForOffers(
  { id }: ApplicationRow,
  serviceId: string,
  { fundingService, config, clock, log }: OffersRoutesOptions,
): Promise<Offers> {
  const outcome = await fundingService.getPreApprovalOffer(serviceId);
  const preApproval = requireAccepted(outcome);
  const { referenceId } = preApproval;
  if (referenceId !== undefined && !isSameReference(referenceId, id)) {
    // Another applicant's offers must never be shown, whatever mixed them up.
    log({ event: 'reference-mismatch', reference: id });
    throw new AppError('service-refused');
  }
  const trackingUrl = toSafeTrackingUrl(preApproval.trackingUrl, config);
  return {
    decision: toDecision(preApproval),
    offers: [...preApproval.offers],
    checkedAt: new Date(clock()).toISOString(),
    ...(trackingUrl ? { trackingUrl } : {}),
  };
}

function toDecision({ status, offers }: PreApproval): Offers['decision'] {
  if (status === 'not-qualified') return 'not-qualified';
  return offers.length > 0 ? 'qualified' : 'pending';
}

export interface ShortCache<Value> {
  /** A failure is handed to all who share it and is not kept. */
  ask(key: string, question: () => Promise<Value>): Promise<Value>;
}

interface Entry<Value> {
  readonly answer: Promise<Value>;
  /** Epoch milliseconds; set when the answer is there. */
  until: number;
}

/** @param clock epoch milliseconds. */
export function createShortCache<Value>(keepMs: number, clock: () => number): ShortCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  function dropOld(): void {
    const now = clock();
    for (const [key, { until }] of entries) {
      if (until <= now) entries.delete(key);
    }
  }

  return {
    async ask(key, question) {
      dropOld();
      const known = entries.get(key);
      if (known) return known.answer;
      const entry: Entry<Value> = { answer: question(), until: Infinity };
      entries.set(key, entry);
      try {
        return await entry.answer;
      } catch (error) {
        entries.delete(key);
        throw error;
      } finally {
        entry.until = clock() + keepMs;
      }
    },
  };
}

/**
 * The value of an accepted outcome. A definite refusal is `service-refused`; everything that may pass, or that only the
 * operator can mend, is `service-unavailable`: the applicant can do nothing but try later, and learns nothing about our
 * credentials.
 */
export function requireAccepted<Value>(outcome: Outcome<Value>): Value {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.value;
    case 'refused':
      throw new AppError(
        operatorsFaults.has(outcome.refusal.reason) ? 'service-unavailable' : 'service-refused',
      );
    case 'throttled':
      throw new AppError('service-unavailable', {
        retryAfterSeconds: Math.ceil((outcome.retryAfterMs ?? 5_000) / 1000),
      });
    case 'authentication':
    case 'not-sent':
    case 'unknown':
      throw new AppError('service-unavailable');
  }
}

/** Refusals of how we ask, which only the configuration can mend. */
const operatorsFaults: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  'partner-headers-missing',
  'request-malformed',
]);
