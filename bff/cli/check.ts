// `check`: checks the configuration and the store the way a start of the BFF does, and creates a new store on request.

import project from '../../package.json' with { type: 'json' };
import {
  type Config,
  describeMissingApplyPage,
  readServingParts,
  type ServingParts,
} from '../config/config.ts';
import { listUntranslatedTexts } from '../config/settings.ts';
import { toEngineCode } from '../store/database.ts';
import { checkDataKeys } from '../store/data-keys.ts';
import { isPostgresUrl } from '../config/database-url.ts';
import { describeStoreLocation } from '../store/open-store.ts';
import type { Store, StoreIdentity } from '../store/store.ts';
import {
  type Command,
  CommandError,
  readArguments,
  requireValid,
  UsageError,
  useStore,
} from './command.ts';
import { omitEmpty, toCount, toSection, toTable, toTime } from './format.ts';
import { requireDataKeys } from './keys.ts';

export const check: Command = {
  name: 'check',
  parameters: '[--new-store | --accept-missing-log]',
  summary: 'checks the configuration and the store; creates a new store',
  about: [
    'Reads the configuration like the BFF, checks the built widget, loads the module in `BFF_HOOKS`, opens the store (and updates a store of an earlier version), makes a test commit, and uses `DATA_KEYS` to decrypt the oldest and the newest application of each key. It shows no secrets and does not call the funding service. Without an option it creates no store.',
  ],
  options: {
    'new-store': {
      type: 'boolean',
      about:
        'creates the store. In production, a start never does. Fails if the store has received applications.',
    },
    'accept-missing-log': {
      type: 'boolean',
      about:
        'opens an SQLite store whose write-ahead log is missing: after you restored a backup, or if the log is lost. Stop the BFF first.',
    },
  },
  guide: 'deploy/index.md',
  async run(call, io) {
    readArguments(call);
    const createsStore = call.options['new-store'] === true;
    const acceptsMissingLog = call.options['accept-missing-log'] === true;
    if (createsStore && acceptsMissingLog) {
      throw new UsageError('Use either --new-store or --accept-missing-log, not both.');
    }
    const parts = requireValid(await readServingParts(io));
    const { config } = parts;
    if (createsStore && config.storeId !== undefined) {
      throw new CommandError(
        'store-exists',
        'STORE_ID is set, so a store exists already. Mount its disk or correct DATABASE_URL. To create another store, unset STORE_ID.',
      );
    }
    // Without its log, the store is opened by its owner only: a running BFF would still write to the log.
    const options = createsStore
      ? { mayMigrate: false }
      : { mayCreate: false, isOwner: acceptsMissingLog, acceptsMissingLog };
    try {
      return await useStore(config, options, io, async (store) => {
        if (createsStore) await refuseUsedStore(store, config);
        return report(parts, store);
      });
    } catch (error) {
      const isNew = error instanceof CommandError && toEngineCode(error.cause) === 'STORE_NEW';
      if (isNew && config.mayCreateStore) return report(parts, undefined);
      throw error;
    }
  },
};

async function refuseUsedStore(store: Store, { databaseUrl }: Config): Promise<void> {
  const { applicationsReceived } = await store.readIdentity();
  if (applicationsReceived === 0) return;
  const count = toCount(applicationsReceived, 'application');
  throw new CommandError(
    'store-exists',
    `DATABASE_URL names a store that has received ${count}: ${describeStoreLocation(databaseUrl)}. Nothing was changed. Run "check" without --new-store.`,
  );
}

/** @param store `undefined` if it does not exist yet. */
async function report(parts: ServingParts, store: Store | undefined) {
  const { config, widget, hooks } = parts;
  await store?.check();
  const dataKeys = await checkDataKeys(store ?? { listDataKeySamples: async () => [] }, config);
  requireDataKeys(dataKeys);
  const identity = await store?.readIdentity();
  const { environment, trustedProxies, settings, storeId } = config;
  const engine = isPostgresUrl(config.databaseUrl) ? 'postgresql' : 'sqlite';
  const applications = dataKeys.reduce((sum, key) => sum + key.applications, 0);
  const { version } = project;
  const { warnings = [] } = widget ?? {};
  // Widget and BFF have the same version.
  const widgetHash = widget?.name.slice(`${version}-`.length);
  const hookNames = Object.keys(hooks);
  const untranslated = listUntranslatedTexts(settings);
  const dataKeyIds = dataKeys.map(({ id }) => id);
  const proxies =
    trustedProxies.length > 0
      ? `${trustedProxies.join(', ')} (the BFF trusts their X-Forwarded-For)`
      : 'none (correct only if browsers connect to the BFF directly)';
  return {
    json: {
      version,
      environment,
      engine,
      store: identity && { ...identity, isPinned: storeId !== undefined },
      applications,
      dataKeyIds,
      trustedProxies,
      widgetHash,
      widgetWarnings: warnings,
      hooks: hookNames,
      webhook: config.webhook && {
        host: new URL(config.webhook.url).host,
        secrets: config.webhook.secrets.length,
      },
      untranslated,
    },
    text: omitEmpty([
      toTable([
        ['version', version],
        ['environment', environment],
        ['database', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
        ...describeStore(config, identity),
        ['applications', `${applications} (erased ones not counted)`],
        ['data keys', `${dataKeyIds.join(', ')} (${dataKeyIds[0]} encrypts new applications)`],
        ['proxies', proxies],
        [
          'widget',
          widget
            ? `${version} (hash ${widgetHash})`
            : 'none (WIDGET_FOLDER is none: serve the widget from elsewhere)',
        ],
        ['hooks', hookNames.join(', ') || 'none'],
        ['webhook', describeWebhook(config)],
        ['languages', settings.locales.join(', ')],
      ]),
      untranslated.length > 0 &&
        toSection('Texts without a translation (shown in English)', untranslated),
      describeMissingApplyPage(parts),
      warnings.length > 0 && toSection('Incomplete earlier versions of the widget', warnings),
    ]).join('\n\n'),
  };
}

/** Only the host: the path or the query can contain a token. */
function describeWebhook({ webhook }: Config): string {
  if (!webhook) return 'none';
  return `${new URL(webhook.url).host} (each event is signed with ${toCount(webhook.secrets.length, 'secret')})`;
}

function describeStore({ databaseUrl, storeId }: Config, identity: StoreIdentity | undefined) {
  if (!identity) {
    const location = describeStoreLocation(databaseUrl);
    return [['store', `none yet; the first start creates it: ${location}`]];
  }
  const pin =
    storeId === undefined ? 'set STORE_ID to this id to refuse any other store' : 'STORE_ID';
  return [
    ['store', `${identity.id} (${pin})`],
    ['created', toTime(identity.createdAt)],
    ['received', `${toCount(identity.applicationsReceived, 'application')} since then`],
  ];
}
