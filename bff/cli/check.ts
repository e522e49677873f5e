// `check`: checks the configuration and the store as a start of the BFF does, and creates a new store on request.

import type { Config, ServingParts } from '../config/config.ts';
import { type DataKey, checkDataKeys, listDataKeyProblems } from '../store/data-keys.ts';
import type { Store, StoreIdentity } from '../store/store.ts';
import { isPostgresUrl, describeStoreLocation } from '../store/open-store.ts';
import { listUntranslatedTexts } from '../config/settings.ts';
import {
  readArguments,
  UsageError,
  type CommandFailure,
  type CommandReport,
  type CommandResult,
  type Setup,
  type SetupCommand,
} from './command.ts';
import { toDataKeyFailure } from './keys.ts';
import { toCount, toJsonTime, toSection, toTable, toTime } from './format.ts';

export const check: SetupCommand = {
  kind: 'setup',
  name: 'check',
  parameters: '[--new-store | --accept-missing-log]',
  summary: 'checks this configuration and this store; creates a new store',
  help: `Reads the configuration as the BFF does, looks for the built widget, loads the
module that BFF_HOOKS names, opens the store (and updates one of an earlier
version), proves that a commit succeeds, and tries DATA_KEYS on the oldest and
the newest application under each key. Secrets are not shown. The funding
service is not asked. Without an option it creates no store.

--new-store           creates the store, which production never does by itself.
                      Fails when the store has received applications.
--accept-missing-log  uses an SQLite store whose write-ahead log is missing:
                      after restoring a backup, or when the log is lost. Stop
                      the BFF first.`,
  options: ['new-store', 'accept-missing-log'],
  prepare(call) {
    readArguments(call);
    const createsStore = call.options.has('new-store');
    const acceptsMissingLog = call.options.has('accept-missing-log');
    if (createsStore && acceptsMissingLog) {
      throw new UsageError('Give either --new-store or --accept-missing-log, not both.');
    }
    return createsStore
      ? (setup) => createStore(setup)
      : (setup) => checkStore(setup, acceptsMissingLog);
  },
};

async function createStore({ parts, openStore }: Setup): Promise<CommandResult> {
  const { databaseUrl, storeId } = parts.config;
  if (storeId !== undefined) {
    const message =
      'STORE_ID is set, so there is a store already. Mount its disk or correct DATABASE_URL. To create another store, unset STORE_ID.';
    return { error: 'store-exists', message };
  }
  const opened = await openStore({ mayMigrate: false });
  if ('failure' in opened) return opened.failure;
  return closeAfter(opened.store, async (store) => {
    const { applicationsReceived } = await store.readIdentity();
    if (applicationsReceived > 0) {
      const count = toCount(applicationsReceived, 'application');
      const message = `DATABASE_URL leads to a store that has received ${count}: ${describeStoreLocation(databaseUrl)}. Nothing was changed. Run "check" without --new-store.`;
      return { error: 'store-exists', message };
    }
    return reportStore(parts, store);
  });
}

async function checkStore(
  { parts, openStore }: Setup,
  acceptsMissingLog: boolean,
): Promise<CommandResult> {
  // Only the owner may go on without the log: a BFF that runs would still write to it.
  const opened = await openStore({
    mayCreate: false,
    isOwner: acceptsMissingLog,
    acceptsMissingLog,
  });
  if ('store' in opened) {
    return closeAfter(opened.store, (store) => reportStore(parts, store));
  }
  return opened.code === 'STORE_NEW' && parts.config.mayCreateStore
    ? reportWithoutStore(parts)
    : opened.failure;
}

async function closeAfter(
  store: Store,
  work: (store: Store) => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function reportStore(
  parts: ServingParts,
  store: Store,
): Promise<CommandReport | CommandFailure> {
  await store.check();
  const dataKeys = await checkDataKeys(store, parts.config);
  const failure = toDataKeyFailure(listDataKeyProblems(dataKeys));
  return failure ?? report(parts, dataKeys, await store.readIdentity());
}

async function reportWithoutStore(parts: ServingParts): Promise<CommandReport> {
  const dataKeys = await checkDataKeys({ listDataKeyUse: async () => [] }, parts.config);
  return report(parts, dataKeys, undefined);
}

function report(
  { config, widget, hooks }: ServingParts,
  dataKeys: readonly DataKey[],
  identity: StoreIdentity | undefined,
): CommandReport {
  const engine = isPostgresUrl(config.databaseUrl) ? 'postgresql' : 'sqlite';
  const count = dataKeys.reduce((sum, { applications }) => sum + applications, 0);
  const { trustedProxies } = config;
  const version = widget?.version;
  const widgetWarnings = widget?.warnings ?? [];
  const hookNames = Object.keys(hooks);
  const untranslated = listUntranslatedTexts(config.settings);
  const dataKeyIds = dataKeys.map(({ id }) => id);
  return {
    json: {
      environment: config.environment,
      engine,
      store: identity
        ? {
            ...identity,
            createdAt: toJsonTime(identity.createdAt),
            isPinned: config.storeId !== undefined,
          }
        : null,
      applications: count,
      dataKeyIds,
      trustedProxies,
      widget: version ?? null,
      widgetWarnings,
      hooks: hookNames,
      untranslated,
    },
    text: toTable([
      ['environment', config.environment],
      ['database', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
      ...describeStore(config, identity),
      ['applications', `${count} (without those that were erased)`],
      ['data keys', `${dataKeyIds.join(', ')} (the first wraps new ones)`],
      ['proxies', describeProxies(trustedProxies)],
      ['widget', version ?? 'none (something else has to serve it)'],
      ['hooks', hookNames.join(', ') || 'none'],
      ['languages', config.settings.locales.join(', ')],
    ]).concat(describeUntranslated(untranslated), describeWarnings(widgetWarnings)),
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
  const pin = storeId === undefined ? 'set STORE_ID to it to refuse any other' : 'as in STORE_ID';
  return [
    ['store', `${identity.id} (${pin})`],
    ['created', toTime(identity.createdAt)],
    ['received', `${toCount(identity.applicationsReceived, 'application')} since then`],
  ];
}

/** Nothing that keeps a BFF from serving, but nobody sees it by looking at the form in English. */
function describeUntranslated(untranslated: readonly string[]): string {
  if (untranslated.length === 0) return '';
  return `\n\n${toSection('In English only, where applicants read another language', untranslated.join('\n'))}`;
}

/** Pages of an earlier version may miss a file. */
function describeWarnings(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  return `\n\n${toSection('Earlier versions of the widget', warnings.join('\n'))}`;
}

/** Behind a proxy that is not named all applicants share its address, and with it the limits by address. */
function describeProxies(trusted: readonly string[]): string {
  return trusted.length > 0
    ? `${trusted.join(', ')} (their X-Forwarded-For is believed)`
    : 'none (right only where browsers reach the BFF itself)';
}
