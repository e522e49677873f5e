// `GET /v1/offers`: the pre-approval decision and its offers. One request per application goes to the funding service at a time.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { offerSchema, type Offers, offersSchema } from '../../shared/api/offers.ts';
import type { RefusalReason } from '../funding-service/failure-texts.ts';
import { isSameReference, type Outcome } from '../funding-service/funding-service.ts';
import type { Log } from '../logging/log.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { requireActiveApplication, toSafeTrackingUrl } from './application.ts';
import { describeSchema, json } from './openapi.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import { createShortCache } from './short-cache.ts';

const cacheMs = 3_000;

/** The funding service answered with the offers of another application. */
export interface OffersEvent {
  readonly event: 'reference-mismatch';
  readonly reference: string;
}

export interface OffersRoutesOptions extends RouteDependencies {
  readonly log: Log<OffersEvent>;
}

export function offersRoutes(options: OffersRoutesOptions): Hono<BffEnv> {
  const { clock } = options;
  // As text, because applicants poll the same offers many times.
  const getOffers = createShortCache(cacheMs, clock, async (id: string, serviceId: string) =>
    JSON.stringify(await fetchOffers(id, serviceId, options)),
  );

  return new Hono<BffEnv>().get('/', describeRead, async (c) => {
    const { id, state, serviceId } = requireActiveApplication(c);
    if (state !== 'accepted' || serviceId === undefined) throw new AppError('application-pending');
    return c.body(await getOffers(id, serviceId), 200, { 'content-type': 'application/json' });
  });
}

async function fetchOffers(
  applicationId: string,
  serviceId: string,
  { fundingService, config, clock, log }: OffersRoutesOptions,
): Promise<Offers> {
  const preApproval = requireAccepted(await fundingService.getPreApprovalOffer(serviceId));
  const { referenceId, status, offers } = preApproval;
  if (referenceId !== undefined && !isSameReference(referenceId, applicationId)) {
    // An applicant must never see the offers of another one.
    log({ event: 'reference-mismatch', reference: applicationId });
    throw new AppError('service-refused');
  }
  const qualified = offers.length > 0 ? 'qualified' : 'pending';
  const trackingUrl = toSafeTrackingUrl(preApproval.trackingUrl, config);
  return {
    decision: status === 'not-qualified' ? 'not-qualified' : qualified,
    offers: [...offers],
    checkedAt: new Date(clock()).toISOString(),
    ...(trackingUrl ? { trackingUrl } : {}),
  };
}

/**
 * Returns the value of an accepted outcome. A definite refusal becomes `service-refused`. Everything that may pass, or that only
 * the operator can fix, becomes `service-unavailable`: the applicant can only retry later, and learns nothing about our
 * configuration.
 */
function requireAccepted<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'accepted') return outcome.value;
  if (outcome.kind === 'refused' && !configurationFaults.has(outcome.refusal.reason)) {
    throw new AppError('service-refused');
  }
  if (outcome.kind !== 'throttled') throw new AppError('service-unavailable');
  const retryAfterSeconds = Math.ceil((outcome.retryAfterMs ?? 5_000) / 1000);
  throw new AppError('service-unavailable', { retryAfterSeconds });
}

/** Reasons that only a change of the configuration fixes. */
const configurationFaults = new Set<RefusalReason>([
  'partner-headers-missing',
  'request-malformed',
]);

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
