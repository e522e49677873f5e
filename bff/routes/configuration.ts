// `GET /v1/configuration`: what the form needs and may show.

import { Hono } from 'hono';
import type { Configuration } from '../../shared/api/configuration.ts';
import {
  documentCategories,
  type DocumentCategory,
  type DocumentCategoryId,
} from '../../shared/application/document-categories.ts';
import type { Config } from '../config.ts';
import type { Challenge } from '../gate/challenge.ts';
import type { BffEnv } from '../gate/context.ts';
import type { Settings } from '../settings.ts';
import type { RouteDependencies } from './dependencies.ts';

export function configurationRoutes({ config, challenge }: RouteDependencies): Hono<BffEnv> {
  const configuration = toConfiguration(config, challenge);
  return new Hono<BffEnv>().get('/', (c) => c.json(configuration));
}

/** The categories an applicant may choose: those of the lender's staff only where the partner's settings list them. */
export function listCategories({ documents }: Settings): (DocumentCategory & {
  readonly id: DocumentCategoryId;
})[] {
  return documentCategories.filter(
    (category) =>
      !('internal' in category) || documents.showInternalCategories.includes(category.id),
  );
}

function toConfiguration(
  { environment, service, settings }: Config,
  challenge: Challenge | undefined,
): Configuration {
  const { maxBytes, maxFiles, maxTotalBytes, extensions } = settings.documents;
  return {
    environment,
    partnerName: service.partnerName,
    locales: settings.locales,
    fundingReasons: settings.fundingReasons,
    businessTypes: settings.businessTypes,
    creditScores: settings.creditScores,
    requiredFields: settings.requiredFields,
    consents: settings.consents,
    documents: {
      maxBytes,
      maxFiles,
      maxTotalBytes,
      extensions,
      categories: listCategories(settings).map(({ id, label, group }) => ({ id, label, group })),
    },
    bankConnection: settings.bankConnection ?? 'off',
    challenge: challenge ? { provider: challenge.provider, siteKey: challenge.siteKey } : null,
    offers: settings.offers,
    support: settings.support,
  };
}
