// How much a process does at the same time: beyond a number it says so at once, instead of being slow for everybody.

import type { Context, MiddlewareHandler } from 'hono';
import { apiPaths } from '../../shared/api/paths.ts';
import type { BffEnv } from './context.ts';
import { LoggedRefusal } from './errors.ts';

const retryAfterSeconds = 5;
/** Last as long as a line is slow, and have places of their own. */
const uploadPaths: ReadonlySet<string> = new Set([apiPaths.documents, apiPaths.assetReport]);

/** The place that a request takes among those under way. */
export interface Permit {
  /** Gives the place back, for example while a body comes in slowly. */
  release(): void;
  /** Takes one again; `too-busy` when there is none. */
  acquire(): void;
}

export interface ConcurrencyLimit {
  /** A request takes a place from here to its answer; not an upload, which has limits of its own. */
  readonly middleware: MiddlewareHandler<BffEnv>;
  /** More than half of the places are taken: nobody should wait here for somebody else's answer. */
  isBusy(): boolean;
}

/**
 * @param places 0 for no limit.
 * @param onRefusal the request's id.
 */
export function createConcurrencyLimit(
  places: number,
  onRefusal: (requestId: string) => void,
): ConcurrencyLimit {
  let taken = 0;

  function createSlot(requestId: string): Permit {
    let isInside = false;
    return {
      acquire() {
        if (isInside) return;
        if (places > 0 && taken >= places) {
          onRefusal(requestId);
          throw new LoggedRefusal('too-busy', { retryAfterSeconds });
        }
        isInside = true;
        taken += 1;
      },
      release() {
        if (!isInside) return;
        isInside = false;
        taken -= 1;
      },
    };
  }

  return {
    async middleware(c, next) {
      if (isUpload(c)) return next();
      const permit = createSlot(c.get('requestId'));
      permit.acquire();
      c.set('permit', permit);
      try {
        await next();
      } finally {
        permit.release();
      }
    },
    isBusy: () => places > 0 && taken > places / 2,
  };
}

function isUpload(c: Context<BffEnv>): boolean {
  return c.req.method === 'POST' && uploadPaths.has(c.req.path);
}
