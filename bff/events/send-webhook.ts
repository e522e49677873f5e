// Sends one event to WEBHOOK_URL, signed as in the Standard Webhooks specification (https://www.standardwebhooks.com).

import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from '../../shared/api/webhook-event.ts';
import { toRetryAfterMs, type Transport } from '../funding-service/transport.ts';

/** For one attempt, including the response. The specification recommends 15 to 30 s. */
export const eventTimeoutMs = 15_000;

/** `outcome` is a code for the operator, such as `http-500` or `ECONNREFUSED`. */
export type SendResult =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'failed';
      readonly outcome: string;
      readonly retryAfterMs?: number | undefined;
    }
  /** The receiver wants no more events. */
  | { readonly kind: 'gone'; readonly outcome: string };

/** @param id the `webhook-id`, the same for each attempt. */
export type SendEvent = (
  id: string,
  event: WebhookEvent,
  signal: AbortSignal,
) => Promise<SendResult>;

export interface WebhookOptions {
  readonly webhook: { readonly url: string; readonly secrets: readonly string[] };
  /** Must not follow redirects. */
  readonly transport: Transport;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Signs with each secret, so that the receiver can change its secret at any time. */
export function createWebhookSender({ webhook, transport, clock }: WebhookOptions): SendEvent {
  const signers = webhook.secrets.map((secret) => new Webhook(secret));
  return async (id, event) => {
    const body = JSON.stringify(event);
    const now = clock();
    const at = new Date(now);
    const response = await transport({
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'funding-application-bff',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(id, at, body)).join(' '),
      },
      body,
      timeouts: {
        headersMs: eventTimeoutMs,
        bodyMs: eventTimeoutMs,
        totalMs: eventTimeoutMs,
      },
    });
    if (response.kind !== 'response') return { kind: 'failed', outcome: response.failure };
    const { status, headers } = response;
    if (status >= 200 && status < 300) return { kind: 'sent' };
    const outcome = `http-${status}`;
    if (status === 410) return { kind: 'gone', outcome };
    return { kind: 'failed', outcome, retryAfterMs: toRetryAfterMs(headers['retry-after'], now) };
  };
}
