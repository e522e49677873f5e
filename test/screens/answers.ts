// Mocked responses of the BFF for the states of the screenshots. All other responses come from the real stack.

import type { Page } from '@playwright/test';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Offer, Offers } from '../../shared/api/offers.ts';
import { apiPaths, apiResponseHeaders, contractVersion } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import type { Problem } from '../../shared/api/problems.ts';
import type { Session } from '../../shared/api/session.ts';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';

const receivedAt = '2026-11-20T15:04:00.000Z';

export const accepted: ApplicationStatus = {
  status: 'accepted',
  reference: '0199a3c2-7d11-7c3e-9b2a-1f0c7a5e88d1',
  receivedAt,
  delayed: false,
  trackingUrl: 'https://funding.example/applications/0199a3c2',
};

export const received: ApplicationStatus = { ...accepted, status: 'received' };
export const delayed: ApplicationStatus = { ...received, delayed: true };
export const confirming: ApplicationStatus = { ...accepted, status: 'confirming', delayed: true };

export function createSession(
  application: ApplicationStatus | null,
  changes: Partial<Session> = {},
): Session {
  return {
    expiresAt: new Date(Date.now() + sessionLifetime.maxSeconds * 1000).toISOString(),
    isProven: true,
    application,
    documents: application
      ? [
          {
            number: 1,
            name: 'Chase statement 2026-10.pdf',
            category: 'bank-statements-oct',
            bytes: 482_113,
            status: 'delivered',
            delayed: false,
          },
          {
            number: 2,
            name: 'Chase statement 2026-09.pdf',
            category: 'bank-statements-sept',
            bytes: 471_002,
            status: 'received',
            delayed: false,
          },
        ]
      : [],
    assetReport: null,
    contact: null,
    ...changes,
  };
}

const termLoan: Offer = {
  id: 'a',
  product: 'Term loan',
  amount: 75_000,
  termMonths: 24,
  paymentFrequency: 'Monthly',
  paymentAmount: 3_742,
  monthlyRate: 1.5,
  aprLow: 18.2,
  aprHigh: 24.9,
  feeLow: 750,
  feeHigh: 2_250,
  disclosures:
    'These figures are estimates and no commitment to lend. Rates, amounts and terms depend on the review of your documents.\n\nThe lender may be paid by the partner that sent you.',
  totalCost: 89_808,
  centsOnTheDollar: 1.2,
  totalInterest: 14_808,
};

const offers: readonly Offer[] = [
  termLoan,
  {
    ...termLoan,
    id: 'b',
    product: 'Revenue-based advance',
    amount: 60_000,
    termMonths: 12,
    paymentFrequency: 'Weekly',
    paymentAmount: 1_454,
    aprLow: 41.5,
    aprHigh: 52.3,
    feeLow: 1_800,
    feeHigh: 1_800,
    totalCost: 75_600,
    totalInterest: 15_600,
  },
  {
    ...termLoan,
    id: 'c',
    product: 'Line of credit',
    amount: 40_000,
    termMonths: 18,
    paymentFrequency: 'Biweekly',
    paymentAmount: 1_196,
    aprLow: null,
    aprHigh: null,
    feeLow: 400,
    feeHigh: null,
    totalCost: 46_640,
    totalInterest: 6_640,
  },
];

export function createOffers(decision: Offers['decision'], count = 0): Offers {
  const checkedAt = new Date().toISOString();
  return { decision, offers: offers.slice(0, count), checkedAt, trackingUrl: accepted.trackingUrl };
}

type Path = keyof typeof apiPaths;
type Method = 'GET' | 'POST' | 'DELETE';

/** A problem by its code, or with the invalid fields. */
export interface Refusal {
  readonly code: ProblemCode;
  readonly errors: Problem['errors'];
}

/** Mocks the response of this path for all methods. `undefined` is a response that never arrives. */
export async function answerWith(
  page: Page,
  path: Path,
  answer: object | ProblemCode | Refusal | undefined,
): Promise<void> {
  await answerEach(page, path, () => answer);
}

/** Mocks the response of this path per request, by method and headers. */
export async function answerEach(
  page: Page,
  path: Path,
  toAnswer: (method: Method, headers: Readonly<Record<string, string>>) => unknown,
): Promise<void> {
  // Precedes an earlier answer. Without that one for a moment, a poll would reach the BFF, whose session has no application.
  await page.route(`**${apiPaths[path]}*`, async (route) => {
    const request = route.request();
    const origin = (await request.headerValue('origin')) ?? '*';
    const cors = {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': apiResponseHeaders.contractVersion,
      [apiResponseHeaders.contractVersion]: contractVersion,
    };
    const isPreflight = request.method() === 'OPTIONS';
    if (isPreflight) {
      await route.fulfill({
        status: 204,
        headers: {
          ...cors,
          'access-control-allow-headers':
            (await request.headerValue('access-control-request-headers')) ?? '',
          'access-control-allow-methods': 'GET, POST, DELETE',
        },
      });
      return;
    }
    const answer = await toAnswer(request.method() as Method, await request.allHeaders());
    if (answer === undefined) return;
    const problem = toProblem(answer);
    await route.fulfill({
      status: problem?.status ?? (answer === null ? 204 : 200),
      contentType: problem ? 'application/problem+json' : 'application/json',
      headers: cors,
      body: answer === null ? '' : JSON.stringify(problem ?? answer),
    });
  });
}

function toProblem(answer: unknown): Problem | undefined {
  const refusal = typeof answer === 'string' ? { code: answer as ProblemCode, errors: [] } : answer;
  if (!isRefusal(refusal)) return undefined;
  const { code } = refusal;
  const status = code === 'session-missing' ? 401 : 503;
  return { type: code, title: code, status, requestId: 'screen', ...refusal };
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'errors' in answer;
}
