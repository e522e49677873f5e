// `check`: whether this configuration and this journal can be used.

import { listDataKeyProblems } from '../data-key-problem.ts';
import { examineDataKeys } from '../journal/data-keys.ts';
import { isPostgresUrl } from '../journal/open-journal.ts';
import { readArguments, type Command, type CommandContext, type CommandResult } from './command.ts';
import { toDataKeyFailure } from './keys.ts';
import { toTable } from './text.ts';

export const check: Command = {
  name: 'check',
  parameters: '',
  summary: 'whether this configuration and this journal can be used',
  help: `Reads the configuration as the BFF does, opens the journal (makes it, when it
is not there yet, and brings one of an earlier version up to date), proves that
something can be committed, and that DATA_KEYS has the data keys its
applications are under: the oldest and the newest under each is tried. Secrets
are not shown. The funding service is not asked.`,
  needsJournal: false,
  prepare(call) {
    readArguments(call);
    return reportCheck;
  },
};

async function reportCheck({ config, journal }: CommandContext): Promise<CommandResult> {
  await journal.check();
  const dataKeys = await examineDataKeys(journal, config);
  const failure = toDataKeyFailure(listDataKeyProblems(dataKeys));
  if (failure) return failure;
  const engine = isPostgresUrl(config.journalUrl) ? 'postgresql' : 'sqlite';
  const count = dataKeys.reduce((sum, { applications }) => sum + applications, 0);
  const { trustedProxies } = config;
  const dataKeyIds = dataKeys.map(({ id }) => id);
  return {
    json: {
      environment: config.environment,
      engine,
      applications: count,
      dataKeyIds,
      trustedProxies,
    },
    text: toTable([
      ['environment', config.environment],
      ['journal', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
      ['applications', `${count} (without those that were erased)`],
      ['data keys', `${dataKeyIds.join(', ')} (the first wraps new ones)`],
      ['proxies', describeProxies(trustedProxies)],
    ]),
  };
}

/** Behind a proxy that is not named all applicants share its address, and with it the limits by address. */
function describeProxies(trusted: readonly string[]): string {
  return trusted.length > 0
    ? `${trusted.join(', ')} (their X-Forwarded-For is believed)`
    : 'none (right only where browsers reach the BFF itself)';
}
