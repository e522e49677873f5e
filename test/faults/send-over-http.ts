// Sends browser requests over real connections, to one BFF or to several in turn.

import { Agent, request } from 'undici';
import type { Send } from './applicant.ts';

export interface HttpSender {
  readonly send: Send;
  close(): Promise<void>;
}

/** Longer than a request that waits for the funding service. */
const defaultTimeoutMs = 12_000;

/**
 * @param listTargets returns the base URLs of the BFFs; called for every request, which goes to the next URL.
 * @param timeoutMs timeout of a response.
 */
export function createHttpSender(
  listTargets: () => readonly string[],
  timeoutMs: number = defaultTimeoutMs,
): HttpSender {
  const agent = new Agent({ keepAliveTimeout: 4_000, connect: { timeout: 2_000 } });
  let turn = 0;

  return {
    async send({ method, path, headers, body }) {
      const targets = listTargets();
      const target = targets[(turn += 1) % targets.length];
      if (target === undefined) throw new Error('No BFF is running');
      const response = await request(`${target}${path}`, {
        method,
        headers,
        body: body ?? null,
        dispatcher: agent,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const text = await response.body.text();
      const cookies = response.headers['set-cookie'] ?? [];
      return {
        status: response.statusCode,
        cookies: typeof cookies === 'string' ? [cookies] : cookies,
        text,
      };
    },
    close: () => agent.destroy(),
  };
}
