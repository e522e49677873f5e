// The reference of the events for the partner's systems: each type with an example that the BFF's own code has made.

import {
  type WebhookEventType,
  webhookEventSchema,
  webhookEventTypes,
} from '../../shared/api/webhook-event.ts';
import { createTestEvent, toEventType, toWebhookEvent } from '../../bff/events/webhook-event.ts';
import { type EventRow, eventSchema } from '../../bff/store/store.ts';
import { readOpenApiDocument } from './api.ts';
import { generatedNote, toCode, toDocument, toFacts, toList } from './markdown.ts';

interface EventType {
  readonly when: string;
  /** The reaction of the partner's system. */
  readonly action: string;
  /** Columns of the example. */
  readonly row?: object;
}

const document = { kind: 'document', number: 1, category: 'bank-statements-jan' };
const bankReport = { kind: 'bank-report', number: 1 };
const contact = { kind: 'contact', number: 1 };
const seeOperator = 'Nothing. An operator of the BFF has an alarm.';

/** A new type has to be described here. */
const types: Readonly<Record<WebhookEventType, EventType>> = {
  'application.received': {
    when: 'The BFF has stored the application, and sends it to the funding service.',
    action: 'Create the application in your system, under its `reference`.',
    row: { sequence: 1 },
  },
  'application.accepted': {
    when: 'The funding service has the application.',
    action: 'Store `applicationId`, the id in the reports of the lender.',
    row: { sequence: 2, serviceId: '006000000000000AAA' },
  },
  'application.rejected': {
    when: 'The funding service refused the values in `fields`. The applicant can correct them, which is a new application.',
    action: 'Close the application.',
    row: {
      sequence: 2,
      reason: 'rejected',
      errors: JSON.stringify([{ pointer: '/owner/email', code: 'rejected' }]),
    },
  },
  'application.unconfirmed': {
    when: 'The funding service has the application, or may have it, and its ApplicationID is unknown.',
    action: `${seeOperator} \`application.accepted\` follows when it is resolved.`,
    row: { sequence: 2 },
  },
  'application.held': {
    when: 'The application needs an operator before it continues. `reason` says why.',
    action: seeOperator,
    row: { sequence: 2, reason: 'deadline' },
  },
  'application.erased': {
    when: 'The personal data of the application was erased from the BFF: after a request of the applicant, or because it could not be delivered.',
    action: 'Erase your own copy, if you keep one.',
    row: { sequence: 3, serviceId: '006000000000000AAA' },
  },
  'document.accepted': {
    when: 'The funding service has the document.',
    action: 'Store `attachment.serviceId`, its DocumentId.',
    row: { ...document, sequence: 3, serviceId: '068000000000000AAA' },
  },
  'document.rejected': {
    when: 'The funding service refused the document, or the virus scanner found malware in it.',
    action: 'Ask the applicant for another file, if you need it.',
    row: { ...document, sequence: 3, reason: 'infected' },
  },
  'document.held': {
    when: 'The document needs an operator before it continues.',
    action: seeOperator,
    row: { ...document, sequence: 3, reason: 'uncertain' },
  },
  'document.erased': {
    when: 'A held document was erased before the funding service had it.',
    action: 'Ask the applicant for the file, if you need it.',
    row: { ...document, sequence: 4 },
  },
  'bank_report.accepted': {
    when: 'The funding service has the bank report.',
    action: 'Store `attachment.serviceId`, its assetReportId.',
    row: { ...bankReport, sequence: 3, serviceId: 'a0B000000000001AAA' },
  },
  'bank_report.rejected': {
    when: 'The funding service refused the bank report.',
    action: 'Ask the applicant to connect the bank again, if you need it.',
    row: { ...bankReport, sequence: 3, reason: 'rejected' },
  },
  'bank_report.held': {
    when: 'The bank report needs an operator before it continues.',
    action: seeOperator,
    row: { ...bankReport, sequence: 3, reason: 'uncertain' },
  },
  'bank_report.erased': {
    when: 'A held bank report was erased before the funding service had it.',
    action: 'Ask the applicant to connect the bank again, if you need it.',
    row: { ...bankReport, sequence: 4 },
  },
  'contact_request.accepted': {
    when: 'The funding service knows that the applicant wants to be contacted.',
    action: 'Nothing.',
    row: { ...contact, sequence: 3 },
  },
  'contact_request.rejected': {
    when: 'The funding service refused the request.',
    action: 'Contact the applicant yourself.',
    row: { ...contact, sequence: 3, reason: 'rejected' },
  },
  'contact_request.held': {
    when: 'The request needs an operator before it continues.',
    action: seeOperator,
    row: { ...contact, sequence: 3, reason: 'deadline' },
  },
  'contact_request.erased': {
    when: 'A held request was erased before the funding service had it.',
    action: 'Contact the applicant yourself.',
    row: { ...contact, sequence: 4 },
  },
  'webhook.test': {
    when: 'Somebody ran `doctor --webhook`. No application has its reference.',
    action: 'Verify it like any other event, and ignore it.',
  },
};

const happenedAt = Date.parse('2026-11-20T10:00:04.120Z');

export async function toEventsReference(): Promise<string> {
  return toDocument([
    '# Events',
    generatedNote('shared/api/webhook-event.ts and scripts/references/events.ts'),
    'The body of a webhook, and the argument of the hook `onStatus`, which also has the `webhook-id` as `id`. [Tell your systems about applications](../operate/webhooks.md) sets them up. Ignore types and properties that you do not know: later versions may add some.',
    '## Properties',
    await listProperties(),
    ...webhookEventTypes.map(toSection),
  ]);
}

function toSection(type: WebhookEventType): string {
  const { when, action } = types[type];
  return [
    `## ${type}`,
    when,
    toFacts([['Your system', action]]),
    `\`\`\`json\n${JSON.stringify(createExample(type), undefined, 2)}\n\`\`\``,
  ].join('\n\n');
}

/** Exported for a test. */
export function createExample(type: WebhookEventType): object {
  const { row } = types[type];
  if (!row) return webhookEventSchema.parse(createTestEvent('production', happenedAt));
  return webhookEventSchema.parse(toWebhookEvent(createRow(type, row), 'production'));
}

function createRow(type: WebhookEventType, columns: object): EventRow {
  const row = eventSchema.parse({
    applicationId: '0199c0de-0000-7000-8000-000000000001',
    id: '5d2f0c9b8a7e46d1b3a4958671c20e3f',
    kind: 'application',
    status: type.split('.')[1],
    reason: null,
    errors: null,
    number: 0,
    category: '',
    campaignId: 'spring-2026',
    happenedAt,
    serviceId: null,
    ...columns,
  });
  if (toEventType(row) !== type) throw new TypeError(`The example of ${type} is another type`);
  return row;
}

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** From the OpenAPI document of the BFF. */
async function listProperties(): Promise<string> {
  const { components } = await readOpenApiDocument();
  const schema = components.schemas['WebhookEvent'];
  if (!schema) throw new Error('The OpenAPI document has no WebhookEvent');
  return toList(describe(schema, ''));
}

function describe({ properties = {}, required = [] }: JsonSchema, path: string): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const isOptional = !required.includes(name);
    const { description = '', enum: values = [] } = property;
    const text = [
      isOptional ? 'Optional.' : '',
      description,
      name !== 'type' && values.length > 0
        ? `One of ${values.map((value) => toCode(String(value))).join(', ')}.`
        : '',
    ];
    const line = `${toCode(path + name)}: ${text.filter(Boolean).join(' ')}`;
    const own = property.properties && description === '' ? [] : [line];
    return [...own, ...describe(property.items ?? property, `${path}${name}.`)];
  });
}
