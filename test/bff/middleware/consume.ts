// Consumes points of a rate limiter, for the tests of both stores.

import { RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitStore } from '../../../bff/middleware/rate-limits.ts';

export const options = { name: 'limit', points: 1, windowSeconds: 60 };

type Limiter = ReturnType<LimitStore['createLimiter']>;

/** True for each key that is accepted, in this order. */
export async function consume(limiter: Limiter, ...keys: string[]): Promise<boolean[]> {
  const accepted: boolean[] = [];
  for (const key of keys) {
    accepted.push(await limiter.consume(key).then(() => true, toAccepted));
  }
  return accepted;
}

function toAccepted(error: unknown): boolean {
  if (error instanceof RateLimiterRes) return false;
  throw error;
}
