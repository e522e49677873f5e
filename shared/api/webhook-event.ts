// The events that the BFF sends to the partner's systems: the body of a webhook, and the argument of the hook `onStatus`.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../application/field-errors.ts';
import { environments } from './configuration.ts';

const applicationEventTypes = [
  'application.received',
  'application.accepted',
  'application.rejected',
  'application.unconfirmed',
  'application.held',
  'application.erased',
] as const;

const attachmentEventTypes = [
  'document.accepted',
  'document.rejected',
  'document.held',
  'document.erased',
  'bank_report.accepted',
  'bank_report.rejected',
  'bank_report.held',
  'bank_report.erased',
  'contact_request.accepted',
  'contact_request.rejected',
  'contact_request.held',
  'contact_request.erased',
] as const;

/** `webhook.test` is sent by the command `doctor`. Its `data` is that of an application that does not exist. */
export const webhookEventTypes = [
  ...applicationEventTypes,
  ...attachmentEventTypes,
  'webhook.test',
] as const;
/** The name of an event, for example `application.accepted`. */
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** An event contains no personal data: no names, no amounts, and no values of fields. Later versions may add properties. */
export const webhookEventSchema = z.object({
  /** Ignore types that you do not know: later versions may add some. */
  type: z.enum(webhookEventTypes),
  /** When the change happened, in ISO 8601. The time of the attempt is in the header `webhook-timestamp`. */
  timestamp: z.iso.datetime(),
  /** The application, and its change. */
  data: z.object({
    /** The reference of the application, a UUID. The element reports the same one in its event `funding-submitted`. */
    reference: z.string(),
    /** The short form that the applicant sees, for example `7K4-92M`. */
    shortReference: z.string(),
    /** The environment of the BFF. */
    environment: z.enum(environments),
    /** Counts the events of this application, from 1. An event arrives again with the same number if the answer to it was lost. */
    sequence: z.int(),
    /**
     * The state of the application, or of the attachment.
     *
     * - `received`: the BFF has stored the application, and sends it to the funding service.
     * - `accepted`: the funding service has it.
     * - `rejected`: the funding service refused it, or the virus scanner found malware in a document.
     * - `unconfirmed`: the funding service has the application, but its ApplicationID is unknown. An operator resolves it.
     * - `held`: it needs an operator before it continues.
     * - `erased`: its personal data was erased. An attachment was not delivered.
     */
    status: z.enum(['received', 'accepted', 'rejected', 'unconfirmed', 'held', 'erased']),
    /** ApplicationID of the funding service. Present in events of the application once it is accepted. */
    applicationId: z.optional(z.string()),
    /** The campaign, if it is one of the settings `lead.campaignId` and `lead.allowedCampaignIds`. */
    campaignId: z.optional(z.string()),
    /** A code: why the row is held, or rejected. For the operator, and not a closed list. */
    reason: z.optional(z.string()),
    /** Rejected application: JSON Pointers of the refused fields, with codes. */
    fields: z.optional(z.array(fieldErrorSchema)),
    /** Present in events of an attachment. */
    attachment: z.optional(
      z.object({
        /** A document, a bank report, or a request to be contacted. */
        kind: z.enum(['document', 'bank-report', 'contact']),
        /** Counts the attachments of the same kind within the application, from 1. */
        number: z.int(),
        /** Document: the id of its category. */
        category: z.optional(z.string()),
        /** DocumentId or assetReportId of the funding service, once it is accepted. */
        serviceId: z.optional(z.string()),
      }),
    ),
  }),
});
/** The body of a webhook. */
export type WebhookEvent = z.infer<typeof webhookEventSchema>;
