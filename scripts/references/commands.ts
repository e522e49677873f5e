// The reference of the operator's commands, from the table that also makes their `--help`.

import {
  type Command,
  commonOptions,
  exitCodes,
  failureCodes,
  type Service,
} from '../../bff/cli/command.ts';
import {
  commands,
  listTerms,
  programs,
  services,
  toCommandLine,
} from '../../bff/cli/run-command.ts';
import type { ApplicationRow, AttachmentRow } from '../../bff/store/store.ts';
import { generatedNote, toCode, toDocument, toGuide, toList } from './markdown.ts';

const states: Readonly<Record<ApplicationRow['state'] | AttachmentRow['state'], string>> = {
  receiving: 'a document is being uploaded.',
  received: 'stored, not sent yet. Attachments wait until their application is accepted.',
  sending: 'being sent.',
  waiting: 'sent without success; the BFF retries.',
  accepted: 'the funding service has it.',
  rejected:
    'the funding service rejected a value with a documented text, and the applicant was told. The content remains for `rejectedDays`.',
  unconfirmed: 'the funding service has the lead or may have it, and its ApplicationID is unknown.',
  held: 'the BFF waits for an operator.',
  erased: 'erased before the funding service confirmed it.',
};

export function toCommandsReference(): Promise<string> {
  return toDocument([
    '# Commands',
    generatedNote('bff/cli'),
    programs,
    'Run it with the user and the working directory of the server, too. Save the output if you need a record.',
    ...[...services, ...commands].map(toSection),
    '## Options of every command',
    toTermList(
      Object.entries(commonOptions).map(([name, { about }]): [string, string] => [
        `--${name}`,
        about,
      ]),
    ),
    '## JSON',
    'With `--json`, times are ISO 8601, and missing values are `null`. `status` counts all rows that need you in `needsOperatorCount`, and in its `rows`, `oldestAt` is `null` for finished rows. A failed command prints `{"error": "<code>", "message": "…"}`. The codes:',
    toTermList(Object.entries(failureCodes)),
    '## Exit codes',
    toTermList(
      Object.entries(exitCodes).map(([code, text]): [string, string] => [code, `${text}.`]),
    ),
    'In a pipe, use `set -o pipefail`.',
    '## States',
    toTermList(Object.entries(states)),
  ]);
}

function toSection(command: Command | Service): string {
  const { name, summary, about, notes = [], guide } = command;
  return [
    `## ${toCode(name)}`,
    `\`\`\`text\n${toCommandLine(command)}\n\`\`\``,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...about,
    toTermList(listTerms(command)),
    ...notes,
    `Guide: ${toGuide(guide)}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function toTermList(terms: readonly (readonly [string, string])[]): string {
  return toList(terms.map(([term, text]) => `${toCode(term)}: ${text}`));
}
