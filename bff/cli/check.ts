// `check`: whether this configuration and this journal can be used.

import { listDataKeyProblems } from '../data-key-problem.ts';
import { examineDataKeys } from '../journal/data-keys.ts';
import { isPostgresUrl } from '../journal/open-journal.ts';
import { listUntranslatedTexts } from '../untranslated-texts.ts';
import { readArguments, type Command, type CommandContext, type CommandResult } from './command.ts';
import { toDataKeyFailure } from './keys.ts';
import { toSection, toTable } from './text.ts';

export const check: Command = {
  name: 'check',
  parameters: '',
  summary: 'whether this configuration and this journal can be used',
  help: `Reads the configuration as the BFF does, looks for the built widget, loads the
module that BFF_HOOKS names, opens the journal (makes it, when it is not there
yet, and brings one of an earlier version up to date), proves that something can
be committed, and that DATA_KEYS has the data keys its applications are under:
the oldest and the newest under each is tried. Secrets are not shown. The
funding service is not asked.`,
  needsJournal: false,
  needsParts: true,
  prepare(call) {
    readArguments(call);
    return reportCheck;
  },
};

async function reportCheck({ config, journal, parts }: CommandContext): Promise<CommandResult> {
  await journal.check();
  const dataKeys = await examineDataKeys(journal, config);
  const failure = toDataKeyFailure(listDataKeyProblems(dataKeys));
  if (failure) return failure;
  const engine = isPostgresUrl(config.journalUrl) ? 'postgresql' : 'sqlite';
  const count = dataKeys.reduce((sum, { applications }) => sum + applications, 0);
  const { trustedProxies } = config;
  const widget = parts?.widget?.version;
  const hooks = Object.keys(parts?.hooks ?? {});
  const untranslated = listUntranslatedTexts(config.settings);
  const dataKeyIds = dataKeys.map(({ id }) => id);
  return {
    json: {
      environment: config.environment,
      engine,
      applications: count,
      dataKeyIds,
      trustedProxies,
      widget: widget ?? null,
      hooks,
      untranslated,
    },
    text: toTable([
      ['environment', config.environment],
      ['journal', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
      ['applications', `${count} (without those that were erased)`],
      ['data keys', `${dataKeyIds.join(', ')} (the first wraps new ones)`],
      ['proxies', describeProxies(trustedProxies)],
      ['widget', widget ?? 'none (something else has to serve it)'],
      ['hooks', hooks.join(', ') || 'none'],
      ['languages', config.settings.locales.join(', ')],
    ]).concat(describeUntranslated(untranslated)),
  };
}

/** Nothing that keeps a BFF from serving, but nobody sees it by looking at the form in English. */
function describeUntranslated(untranslated: readonly string[]): string {
  if (untranslated.length === 0) return '';
  return `\n\n${toSection('In English only, where applicants read another language', untranslated.join('\n'))}`;
}

/** Behind a proxy that is not named all applicants share its address, and with it the limits by address. */
function describeProxies(trusted: readonly string[]): string {
  return trusted.length > 0
    ? `${trusted.join(', ')} (their X-Forwarded-For is believed)`
    : 'none (right only where browsers reach the BFF itself)';
}
