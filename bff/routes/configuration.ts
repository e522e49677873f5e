// `GET /v1/configuration`: what the form needs and may show, in the language that `?locale=` asks for.

import { Hono } from 'hono';
import type { Choice, Configuration } from '../../shared/api/configuration.ts';
import {
  type DocumentCategory,
  type DocumentCategoryId,
  listApplicantCategories,
} from '../../shared/application/document-categories.ts';
import type { Locale } from '../../shared/application/application.ts';
import type { Config } from '../config/config.ts';
import type { ChoiceSetting, Settings } from '../config/settings.ts';
import type { BffEnv } from '../middleware/context.ts';
import { pickLocale, toText } from '../config/localized-text.ts';
import { toConsent } from './consents.ts';
import type { Challenge } from '../config/hooks.ts';

export interface ConfigurationRoutesOptions {
  readonly config: Config;
  readonly challenge: Challenge | undefined;
}

export function configurationRoutes({
  config,
  challenge,
}: ConfigurationRoutesOptions): Hono<BffEnv> {
  const { locales } = config.settings;
  return new Hono<BffEnv>().get('/', (c) => {
    const locale = pickLocale(locales, c.req.query('locale'));
    return c.json(toConfiguration(config, challenge, locale));
  });
}

/** The categories an applicant may choose: those of the lender's staff only where the partner's settings list them. */
export function listCategories({ documents }: Settings): readonly (DocumentCategory & {
  readonly id: DocumentCategoryId;
})[] {
  return listApplicantCategories(documents.showInternalCategories);
}

function toConfiguration(
  { environment, service, settings }: Config,
  challenge: Challenge | undefined,
  locale: Locale,
): Configuration {
  const { offers } = settings;
  const toChoices = (choices: readonly ChoiceSetting[]): Choice[] =>
    choices.map(({ value, label }) => ({ value, label: toText(label, locale) }));
  return {
    environment,
    partnerName: service.partnerName,
    locales: settings.locales,
    locale,
    fundingReasons: toChoices(settings.fundingReasons),
    businessTypes: toChoices(settings.businessTypes),
    creditScores: toChoices(settings.creditScores),
    requiredFields: settings.requiredFields,
    consents: settings.consents.map((consent) => toConsent(consent, locale)),
    documents: toDocuments(settings, locale),
    bankConnection: settings.bankConnection ?? 'off',
    challenge: challenge ? { provider: challenge.provider, siteKey: challenge.siteKey } : null,
    offers: {
      showMonthlyRate: offers.showMonthlyRate,
      showCentsOnTheDollar: offers.showCentsOnTheDollar,
      notQualifiedNotice: toText(offers.notQualifiedNotice, locale),
    },
    support: settings.support,
  };
}

function toDocuments(settings: Settings, locale: Locale): Configuration['documents'] {
  const { maxBytes, maxFiles, maxTotalBytes, extensions, checklist } = settings.documents;
  return {
    maxBytes,
    maxFiles,
    maxTotalBytes,
    extensions,
    categories: listCategories(settings).map(({ id, label, group }) => ({
      id,
      label: label[locale],
      group,
    })),
    checklist: checklist.map((line) => ({ ...line, label: toText(line.label, locale) })),
  };
}
