// `check`: checks the configuration and the store the way a start of the BFF does, and creates a new store on request.

import { type Config, readServingParts, type ServingParts } from '../config/config.ts';
import { listUntranslatedTexts } from '../config/settings.ts';
import { type DataKey, checkDataKeys, listDataKeyProblems } from '../store/data-keys.ts';
import { isPostgresUrl, describeStoreLocation } from '../store/open-store.ts';
import type { Store, StoreIdentity } from '../store/store.ts';
import {
  type Command,
  type CommandIo,
  type CommandReport,
  type CommandResult,
  readArguments,
  toConfigurationFailure,
  UsageError,
  useStore,
} from './command.ts';
import { toCount, toJsonTime, toSection, toTable, toTime } from './format.ts';
import { toDataKeyFailure } from './keys.ts';

export const check: Command = {
  name: 'check',
  parameters: '[--new-store | --accept-missing-log]',
  summary: 'checks the configuration and the store; creates a new store',
  help: `Reads the configuration like the BFF, checks the built widget, loads the module
in BFF_HOOKS, opens the store (and updates a store of an earlier version), makes
a test commit, and uses DATA_KEYS to decrypt the oldest and the newest
application of each key. It shows no secrets and does not call the funding
service. Without an option it creates no store.

--new-store           creates the store. In production, a start never does.
                      Fails if the store has received applications.
--accept-missing-log  opens an SQLite store whose write-ahead log is missing:
                      after you restored a backup, or if the log is lost. Stop
                      the BFF first.`,
  options: { 'new-store': { type: 'boolean' }, 'accept-missing-log': { type: 'boolean' } },
  prepare(call) {
    readArguments(call);
    const createsStore = call.options['new-store'] === true;
    const acceptsMissingLog = call.options['accept-missing-log'] === true;
    if (createsStore && acceptsMissingLog) {
      throw new UsageError('Use either --new-store or --accept-missing-log, not both.');
    }
    return async (io) => {
      const parts = await readServingParts(io);
      if ('problems' in parts) return toConfigurationFailure(parts.problems);
      return createsStore ? createStore(parts, io) : checkStore(parts, acceptsMissingLog, io);
    };
  },
};

async function createStore(parts: ServingParts, io: CommandIo): Promise<CommandResult> {
  const { databaseUrl, storeId } = parts.config;
  if (storeId !== undefined) {
    const message =
      'STORE_ID is set, so a store exists already. Mount its disk or correct DATABASE_URL. To create another store, unset STORE_ID.';
    return { error: 'store-exists', message };
  }
  return useStore(parts.config, { mayMigrate: false }, io, async (store) => {
    const { applicationsReceived } = await store.readIdentity();
    if (applicationsReceived > 0) {
      const count = toCount(applicationsReceived, 'application');
      const message = `DATABASE_URL names a store that has received ${count}: ${describeStoreLocation(databaseUrl)}. Nothing was changed. Run "check" without --new-store.`;
      return { error: 'store-exists', message };
    }
    return reportStore(parts, store);
  });
}

async function checkStore(
  parts: ServingParts,
  acceptsMissingLog: boolean,
  io: CommandIo,
): Promise<CommandResult> {
  const { config } = parts;
  // Without its log, the store is opened by its owner only: a running BFF would still write to the log.
  const options = { mayCreate: false, isOwner: acceptsMissingLog, acceptsMissingLog };
  const result = await useStore(config, options, io, (store) => reportStore(parts, store));
  const isNew = 'error' in result && result.storeCode === 'STORE_NEW';
  if (!isNew || !config.mayCreateStore) return result;
  const dataKeys = await checkDataKeys({ listDataKeyUse: async () => [] }, config);
  return report(parts, dataKeys, undefined);
}

async function reportStore(parts: ServingParts, store: Store): Promise<CommandResult> {
  await store.check();
  const dataKeys = await checkDataKeys(store, parts.config);
  const failure = toDataKeyFailure(listDataKeyProblems(dataKeys));
  return failure ?? report(parts, dataKeys, await store.readIdentity());
}

/** @param identity `undefined` if the store does not exist yet. */
function report(
  { config, widget, hooks }: ServingParts,
  dataKeys: readonly DataKey[],
  identity: StoreIdentity | undefined,
): CommandReport {
  const { trustedProxies, settings, storeId } = config;
  const engine = isPostgresUrl(config.databaseUrl) ? 'postgresql' : 'sqlite';
  const applications = dataKeys.reduce((sum, key) => sum + key.applications, 0);
  const version = widget?.version;
  const widgetWarnings = widget?.warnings ?? [];
  const hookNames = Object.keys(hooks);
  const untranslated = listUntranslatedTexts(settings);
  const dataKeyIds = dataKeys.map(({ id }) => id);
  return {
    json: {
      environment: config.environment,
      engine,
      store: identity
        ? {
            ...identity,
            createdAt: toJsonTime(identity.createdAt),
            isPinned: storeId !== undefined,
          }
        : null,
      applications,
      dataKeyIds,
      trustedProxies,
      widget: version ?? null,
      widgetWarnings,
      hooks: hookNames,
      untranslated,
    },
    text: [
      toTable([
        ['environment', config.environment],
        ['database', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
        ...describeStore(config, identity),
        ['applications', `${applications} (erased ones not counted)`],
        ['data keys', `${dataKeyIds.join(', ')} (${config.dataKeyId} encrypts new applications)`],
        ['proxies', describeProxies(trustedProxies)],
        ['widget', version ?? 'none (WIDGET_FOLDER is none: serve the widget from elsewhere)'],
        ['hooks', hookNames.join(', ') || 'none'],
        ['languages', settings.locales.join(', ')],
      ]),
      ...toSections('Texts without a translation (shown in English)', untranslated),
      ...toSections('Incomplete earlier versions of the widget', widgetWarnings),
    ].join('\n\n'),
  };
}

function describeStore(
  { databaseUrl, storeId }: Config,
  identity: StoreIdentity | undefined,
): readonly (readonly [string, string])[] {
  if (!identity) {
    return [
      ['store', `none yet; the first start creates it: ${describeStoreLocation(databaseUrl)}`],
    ];
  }
  const pin =
    storeId === undefined ? 'set STORE_ID to this id to refuse any other store' : 'STORE_ID';
  return [
    ['store', `${identity.id} (${pin})`],
    ['created', toTime(identity.createdAt)],
    ['received', `${toCount(identity.applicationsReceived, 'application')} since then`],
  ];
}

function describeProxies(trusted: readonly string[]): string {
  return trusted.length > 0
    ? `${trusted.join(', ')} (the BFF trusts their X-Forwarded-For)`
    : 'none (correct only if browsers connect to the BFF directly)';
}

function toSections(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [toSection(heading, lines)];
}
