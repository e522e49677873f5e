// Mocked responses of the BFF for the screens. All other responses come from the real stack.

import type { Page } from '@playwright/test';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Offers } from '../../shared/api/offers.ts';
import { apiPaths, apiResponseHeaders, contractVersion } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import type { Problem } from '../../shared/api/problems.ts';
import type { Session } from '../../shared/api/session.ts';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';
import answers from '../fixtures/screen-answers.json' with { type: 'json' };

const { offers } = answers;
const documents = answers.documents as Session['documents'];

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
    documents: application ? documents : [],
    assetReport: null,
    contact: null,
    ...changes,
  };
}

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
