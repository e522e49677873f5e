// The reference of the log events.

import { type LogEvent, logLevels } from '../../bff/bff-log.ts';
import { logGroups, type LogText, logTexts } from '../../bff/bff-log-texts.ts';
import { generatedNote, toCode, toDocument, toGuide, toList } from './markdown.ts';

/** In the order of the table. Its type has an entry for each event, and no other. */
const events = Object.keys(logTexts) as readonly LogEvent['event'][];
const texts: Readonly<Record<LogEvent['event'], LogText>> = logTexts;

const levels = { info: 'Info', warn: 'Warning', error: 'Error' } as const;

export function toLogEventsReference(): Promise<string> {
  const errors = events.filter((event) => logLevels[event] === 'error');
  return toDocument([
    '# Log events',
    generatedNote('bff/bff-log.ts and bff/bff-log-texts.ts'),
    'The BFF writes one JSON object a line to standard output, at most 0.2 s later. An orderly exit and an uncaught exception lose no line; a killed process loses those of its last 0.2 s. Every line has these fields:',
    '- `level`: 30 (info), 40 (warning), or 50 (error).\n- `time`: ISO 8601, in UTC.\n- `event`: one of the names below. Search for it.',
    'The other fields depend on the event. A field without a value is missing. No event contains personal data, a secret, or a text of the funding service. Events that anyone can cause in great number are logged once a minute for each reason, with a count since the last line.',
    `**Errors need an operator:** ${errors.map((name) => `[${toCode(name)}](#${name})`).join(', ')}. [Resolve alarms](../operate/alarms.md) says what to do about those that are also alarms.`,
    ...logGroups.flatMap((group) => [
      `## ${group}`,
      ...events.filter((event) => texts[event].group === group).map(toSection),
    ]),
  ]);
}

function toSection(event: LogEvent['event']): string {
  const { when, action, fields, guide } = texts[event];
  const fieldTexts = Object.entries(fields);
  return [
    `### ${toCode(event)}`,
    `${levels[logLevels[event]]}. ${when}`,
    action && `**What to do:** ${action}`,
    guide && `See ${toGuide(guide)}.`,
    fieldTexts.length === 0 ? 'No other fields.' : toList(fieldTexts.map(toField)),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function toField([name, text]: readonly [
  string,
  string | Readonly<Record<string, string>>,
]): string {
  if (typeof text === 'string') return `${toCode(name)}: ${text}`;
  const values = Object.entries(text).map(
    ([value, meaning]) => `  - ${toCode(value)}: ${meaning}.`,
  );
  return [`${toCode(name)}:`, ...values].join('\n');
}
