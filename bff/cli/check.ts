// `check`: whether this configuration and this journal can be used.

import { isPostgresUrl } from '../journal/open-journal.ts';
import { readArguments, type Command, type CommandContext, type CommandResult } from './command.ts';
import { listKeyUse, toMissingText } from './keys.ts';
import { toTable } from './text.ts';

export const check: Command = {
  name: 'check',
  parameters: '',
  summary: 'whether this configuration and this journal can be used',
  help: `Reads the configuration as the BFF does, opens the journal (and makes it, when
it is not there yet), proves that something can be committed, and that no
application was sealed under a data key that is gone. Secrets are not shown. The
funding service is not asked.`,
  needsJournal: false,
  prepare(call) {
    readArguments(call);
    return reportCheck;
  },
};

async function reportCheck(context: CommandContext): Promise<CommandResult> {
  const { config, journal } = context;
  await journal.check();
  const uses = await listKeyUse(context);
  const missing = toMissingText(uses);
  if (missing !== undefined) return { error: 'data-key-missing', message: missing };
  const engine = isPostgresUrl(config.journalUrl) ? 'postgresql' : 'sqlite';
  const applications = uses.reduce((sum, use) => sum + use.applications, 0);
  const dataKeyIds = uses.map(({ id }) => id);
  return {
    json: { environment: config.environment, engine, applications, dataKeyIds },
    text: toTable([
      ['environment', config.environment],
      ['journal', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
      ['applications', `${applications} (without those that were erased)`],
      ['data keys', `${dataKeyIds.join(', ')} (the first wraps new ones)`],
    ]),
  };
}
