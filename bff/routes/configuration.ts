// `GET /v1/configuration`: choices, limits, and texts of the form, in the language of `?locale=`.

import { brotliCompressSync } from 'node:zlib';
import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { describeRoute } from 'hono-openapi';
import {
  type Choice,
  type Configuration,
  configurationSchema,
} from '../../shared/api/configuration.ts';
import { listApplicantCategories } from '../../shared/application/document-categories.ts';
import { consentSchema } from '../../shared/application/consent.ts';
import type { Locale } from '../../shared/application/lists.ts';
import type { Config } from '../config/config.ts';
import type { Challenge } from '../config/hooks.ts';
import { type ChoiceSetting, pickLocale, toText } from '../config/settings.ts';
import type { BffEnv } from '../middleware/context.ts';
import { toConsent } from './application.ts';
import { componentRef, describeSchema, json } from './openapi.ts';

export function configurationRoutes(
  { environment, service, settings }: Config,
  challenge: Challenge | undefined,
  isHandoffOffered: boolean,
): Hono<BffEnv> {
  const { locales, documents, offers } = settings;
  const categories = listApplicantCategories(documents.showInternalCategories);

  function toConfiguration(locale: Locale): Configuration {
    const toChoices = (choices: readonly ChoiceSetting[]): Choice[] =>
      choices.map(({ value, label }) => ({ value, label: toText(label, locale) }));
    return {
      environment,
      partnerName: service.partnerName,
      locales,
      locale,
      fundingReasons: toChoices(settings.fundingReasons),
      fundingNeed: settings.fundingNeed,
      businessTypes: toChoices(settings.businessTypes),
      creditScores: toChoices(settings.creditScores),
      requiredFields: settings.requiredFields,
      consents: settings.consents.map((consent) => toConsent(consent, locale)),
      documents: {
        maxBytes: documents.maxBytes,
        maxFiles: documents.maxFiles,
        maxTotalBytes: documents.maxTotalBytes,
        extensions: documents.extensions,
        categories: categories.map(({ id, label, group }) => ({ id, label: label[locale], group })),
        checklist: documents.checklist.map((item) => ({
          ...item,
          label: toText(item.label, locale),
        })),
      },
      bankConnection: settings.bankConnection ?? 'off',
      challenge: challenge ? { provider: challenge.provider, siteKey: challenge.siteKey } : null,
      handoff: isHandoffOffered,
      offers: {
        showMonthlyRate: offers.showMonthlyRate,
        showCentsOnTheDollar: offers.showCentsOnTheDollar,
        notQualifiedNotice: toText(offers.notQualifiedNotice, locale),
      },
      creditCheckNotice: toText(settings.creditCheckNotice, locale),
      ...(settings.expectedDecision && { expectedDecision: settings.expectedDecision }),
      support: settings.support,
    };
  }

  /** The settings do not change while the BFF runs, so each language is compressed once. */
  const bodies = new Map<Locale, ReturnType<typeof toBody>>();

  function toBody(locale: Locale) {
    const json = JSON.stringify(toConfiguration(locale));
    return { json, brotli: Uint8Array.from(brotliCompressSync(json)) };
  }

  return new Hono<BffEnv>().get('/', describeRead, (c) => {
    const locale = pickLocale(locales, c.req.query('locale'));
    const body = bodies.get(locale) ?? toBody(locale);
    bodies.set(locale, body);
    c.header('content-type', 'application/json');
    c.header('vary', 'Accept-Encoding', { append: true });
    // The first field waits for this response. Other responses of the API stay uncompressed, because their length could tell secrets.
    const encoding = accepts(c, { header: 'Accept-Encoding', supports: ['br'], default: '' });
    if (encoding !== 'br') return c.body(body.json);
    c.header('content-encoding', encoding);
    return c.body(body.brotli);
  });
}

describeSchema('Consent', consentSchema, {
  id: componentRef('schemas/ConsentId'),
  version: 'Changes with every change of a text. Send it back with the consent.',
  required: 'Whether an application needs this consent.',
});
describeSchema('Configuration', configurationSchema, {
  // A BFF without these settings sends empty values.
  '': { required: ['creditCheckNotice', 'fundingNeed'] },
  environment: 'In `sandbox`, nothing is lent. Use personal data only in `production`.',
  locales: 'The languages of the form, the default first.',
  'locales[]': componentRef('schemas/Locale'),
  locale: componentRef('schemas/Locale'),
  'fundingReasons[].value': componentRef('schemas/FundingReason'),
  'fundingNeed.minimum':
    'The lowest amount that an application may ask for, in whole US dollars. Absent: 1.',
  'fundingNeed.maximum':
    'The highest amount that an application may ask for, in whole US dollars. Absent: 999999999.',
  'businessTypes[].value': componentRef('schemas/BusinessType'),
  'creditScores[].value': componentRef('schemas/CreditScore'),
  requiredFields: 'Optional fields of an application that this partner requires.',
  'documents.maxBytes': 'Maximum size of one document in bytes.',
  'documents.maxFiles': 'Maximum number of documents of one application.',
  'documents.maxTotalBytes': 'Maximum size of all documents of one application in bytes.',
  'documents.extensions[]': componentRef('schemas/DocumentExtension'),
  'documents.categories[].id': componentRef('schemas/DocumentCategory'),
  'documents.checklist':
    'The documents that the lender needs first. An item is complete with `count` documents of its `categories`.',
  'documents.checklist[].categories[]': componentRef('schemas/DocumentCategory'),
  bankConnection:
    '`off`: submit no asset report. `demonstration`: the element submits invented ones. `host`: the host page submits reports of its own aggregator.',
  challenge:
    'The challenge to solve before an application is submitted. Its token goes into the header `X-Funding-Challenge`. `null`: none.',
  handoff:
    'If true, an applicant can continue on a phone (`POST /v1/handoff`). False if the BFF does not serve the element.',
  'offers.notQualifiedNotice':
    'The notice to show with the decision `not-qualified` (12 CFR 1002.9). Empty: none.',
  creditCheckNotice:
    'How applying affects the credit score, in the words of the partner. Show it before the form. Empty: none.',
  expectedDecision:
    'How long the lender usually takes to decide, counted from its receipt of the application. Absent: no time is known.',
  'expectedDecision.within': 'The number of hours or business days.',
});

const describeRead = describeRoute({
  summary: 'Read the configuration',
  description: 'Returns the choices, limits, consents, and texts of a form in one language.',
  security: [],
  parameters: [
    {
      in: 'query',
      name: 'locale',
      description:
        'The preferred language, for example `es` or `es-MX`. A language that the form does not offer selects its default.',
      schema: { type: 'string' },
      example: 'es-MX',
    },
  ],
  responses: { 200: { description: 'The configuration.', ...json(configurationSchema) } },
});
