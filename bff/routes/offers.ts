// `GET /v1/offers`: the pre-approval decision and its offers, asked for at most once at a time for each lead.

import { Hono } from 'hono';
import type { Offer, Offers } from '../../shared/api/offers.ts';
import { AppError } from '../app-error.ts';
import { isSameReference } from '../funding-service/answers.ts';
import type { PreApproval, PreApprovalOfferRead } from '../funding-service/funding-service.ts';
import type { BffEnv } from '../gate/context.ts';
import type { ApplicationRow } from '../journal/records.ts';
import { requireAcceptedApplication } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { requireAccepted } from './service-outcome.ts';
import { createShortCache } from './short-cache.ts';
import { toSafeTrackingUrl } from './tracking-url.ts';

const cacheMs = 3_000;

export function offersRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { journal, clock } = dependencies;
  const cache = createShortCache<Offers>(cacheMs, clock);

  return new Hono<BffEnv>().get('/', async (c) => {
    const { application, serviceId } = await requireAcceptedApplication(journal, c.get('session'));
    return c.json(
      await cache.ask(application.id, () => askForOffers(application, serviceId, dependencies)),
    );
  });
}

async function askForOffers(
  { id }: ApplicationRow,
  serviceId: string,
  { fundingService, config, clock, log }: RouteDependencies,
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
    offers: preApproval.offers.map(toOffer),
    checkedAt: new Date(clock()).toISOString(),
    ...(trackingUrl ? { trackingUrl } : {}),
  };
}

function toDecision({ status, offers }: PreApproval): Offers['decision'] {
  if (status === 'not-qualified') return 'not-qualified';
  return offers.length > 0 ? 'qualified' : 'pending';
}

/** Field by field, so that nothing the service adds one day reaches the browser unseen. */
function toOffer(offer: PreApprovalOfferRead): Offer {
  return {
    id: offer.id,
    product: offer.product,
    amount: offer.amount,
    termMonths: offer.termMonths,
    paymentFrequency: offer.paymentFrequency,
    paymentAmount: offer.paymentAmount,
    monthlyRate: offer.monthlyRate,
    aprLow: offer.aprLow,
    aprHigh: offer.aprHigh,
    feeLow: offer.feeLow,
    feeHigh: offer.feeHigh,
    disclosures: offer.disclosures,
    totalCost: offer.totalCost,
    centsOnTheDollar: offer.centsOnTheDollar,
    totalInterest: offer.totalInterest,
  };
}
