// Turns an event of the store into the one that the partner's systems receive.

import type { Environment } from '../../shared/api/configuration.ts';
import { toShortReference } from '../../shared/api/short-reference.ts';
import type { WebhookEvent, WebhookEventType } from '../../shared/api/webhook-event.ts';
import { webhookEventTypes } from '../../shared/api/webhook-event.ts';
import type { DeliveryKind, EventRow } from '../store/store.ts';

/** Event types have underscores: the Standard Webhooks specification allows no dash. */
const subjects: Readonly<Record<DeliveryKind, string>> = {
  application: 'application',
  document: 'document',
  'bank-report': 'bank_report',
  contact: 'contact_request',
};

/** Names each property, so that a new column of the store is not sent by accident. */
export function toWebhookEvent(row: EventRow, environment: Environment): WebhookEvent {
  const { kind, serviceId, campaignId, reason } = row;
  const isApplication = kind === 'application';
  return {
    type: toEventType(row),
    timestamp: new Date(row.happenedAt).toISOString(),
    data: {
      reference: row.applicationId,
      shortReference: toShortReference(row.applicationId),
      environment,
      sequence: row.sequence,
      status: row.status,
      ...(isApplication && serviceId ? { applicationId: serviceId } : {}),
      ...(campaignId === undefined ? {} : { campaignId }),
      ...(reason === undefined ? {} : { reason }),
      ...(row.errors.length > 0
        ? { fields: row.errors.map(({ pointer, code }) => ({ pointer, code })) }
        : {}),
      ...(isApplication
        ? {}
        : {
            attachment: {
              kind,
              number: row.number,
              ...(row.category === '' ? {} : { category: row.category }),
              ...(serviceId ? { serviceId } : {}),
            },
          }),
    },
  };
}

export function toEventType({ kind, status }: Pick<EventRow, 'kind' | 'status'>): WebhookEventType {
  const name = `${subjects[kind]}.${status}`;
  const type = webhookEventTypes.find((known) => known === name);
  if (type === undefined) throw new TypeError('The store has an event of an unknown type');
  return type;
}

/** The `webhook-id`. The same for each attempt, so that the receiver recognizes an event that it has. */
export function toEventId({ id }: Pick<EventRow, 'id'>): string {
  return `evt_${id}`;
}

/** The event that `doctor --webhook` sends. No application has its reference. */
export function createTestEvent(environment: Environment, now: number): WebhookEvent {
  const reference = '00000000-0000-7000-8000-000000000000';
  return {
    type: 'webhook.test',
    timestamp: new Date(now).toISOString(),
    data: {
      reference,
      shortReference: toShortReference(reference),
      environment,
      sequence: 0,
      status: 'received',
    },
  };
}
