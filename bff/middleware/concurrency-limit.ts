// Limits how many requests one process handles at the same time, and refuses more with 503 instead of slowing down all of them.

import type { Context, MiddlewareHandler } from 'hono';
import { apiPaths } from '../../shared/api/paths.ts';
import type { BffEnv } from './context.ts';
import { LoggedRefusal } from './errors.ts';

const retryAfterSeconds = 5;
/** Uploads can take minutes. The semaphore for uploads limits them instead. */
const uploadPaths: ReadonlySet<string> = new Set([apiPaths.documents, apiPaths.assetReport]);

/** The share of one request in the limit. */
export interface Permit {
  /** Gives the permit back, for example while the request waits for its body. */
  release(): void;
  /** Throws `too-busy` if the limit is reached. */
  acquire(): void;
}

export interface ConcurrencyLimit {
  /** Holds a permit from here to the response. */
  readonly middleware: MiddlewareHandler<BffEnv>;
  /** True while more than half of the permits are in use. Requests then do not wait for the funding service. */
  isBusy(): boolean;
}

/** @param maxRequests 0 turns the limit off. */
export function createConcurrencyLimit(
  maxRequests: number,
  onRefusal: (requestId: string) => void,
): ConcurrencyLimit {
  let active = 0;

  function createPermit(requestId: string): Permit {
    let isHeld = false;
    return {
      acquire() {
        if (isHeld) return;
        if (maxRequests > 0 && active >= maxRequests) {
          onRefusal(requestId);
          throw new LoggedRefusal('too-busy', { retryAfterSeconds });
        }
        isHeld = true;
        active += 1;
      },
      release() {
        if (!isHeld) return;
        isHeld = false;
        active -= 1;
      },
    };
  }

  return {
    async middleware(c, next) {
      if (isUpload(c)) return next();
      const permit = createPermit(c.get('requestId'));
      permit.acquire();
      c.set('permit', permit);
      try {
        await next();
      } finally {
        permit.release();
      }
    },
    isBusy: () => maxRequests > 0 && active > maxRequests / 2,
  };
}

function isUpload(c: Context<BffEnv>): boolean {
  return c.req.method === 'POST' && uploadPaths.has(c.req.path);
}
