// The references for operators: the commands, from the table that also makes their `--help`, the log events, the metrics that
// `/metrics` prints, and the alerts for Prometheus.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type LogEvent, logLevels } from '../../bff/bff-log.ts';
import { logGroups, type LogText, logTexts } from '../../bff/bff-log-texts.ts';
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
import { Counters } from '../../bff/middleware/counters.ts';
import { monitoringRoutes } from '../../bff/routes/monitoring.ts';
import type { ApplicationRow, AttachmentRow } from '../../bff/store/store.ts';
import { root } from '../project.mjs';
import {
  generatedNote,
  joinParts,
  toCode,
  toDocument,
  toFacts,
  toGuide,
  toList,
  toTerms,
} from './markdown.ts';

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
    ...[...services, ...commands].map(toCommand),
    '## Options of every command',
    toTerms(Object.entries(commonOptions).map(([name, { about }]) => [`--${name}`, about])),
    '## JSON',
    'With `--json`, times are ISO 8601, and missing values are `null`. `status` counts all rows that need attention in `needsOperatorCount`, and in its `rows`, `oldestAt` is `null` for finished rows. A failed command prints `{"error": "<code>", "message": "…"}`. The codes:',
    toTerms(Object.entries(failureCodes)),
    '## Exit codes',
    toTerms(Object.entries(exitCodes).map(([code, text]) => [code, `${text}.`])),
    'In a pipe, use `set -o pipefail`.',
    '## States',
    toTerms(Object.entries(states)),
  ]);
}

function toCommand(command: Command | Service): string {
  const { name, summary, about, notes = [], guide } = command;
  return joinParts([
    `## ${toCode(name)}`,
    `\`\`\`text\n${toCommandLine(command)}\n\`\`\``,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...about,
    toTerms(listTerms(command)),
    ...notes,
    `Guide: ${toGuide(guide)}.`,
  ]);
}

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
      ...events.filter((event) => texts[event].group === group).map(toLogEvent),
    ]),
  ]);
}

function toLogEvent(event: LogEvent['event']): string {
  const { when, action, fields, guide } = texts[event];
  const fieldTexts = Object.entries(fields);
  return joinParts([
    `### ${toCode(event)}`,
    `${levels[logLevels[event]]}. ${when}`,
    action && `**What to do:** ${action}`,
    guide && `See ${toGuide(guide)}.`,
    fieldTexts.length === 0 ? 'No other fields.' : toList(fieldTexts.map(toField)),
  ]);
}

function toField([name, text]: readonly [
  string,
  string | Readonly<Record<string, string>>,
]): string {
  if (typeof text === 'string') return `${toCode(name)}: ${text}`;
  const values = toTerms(Object.entries(text).map(([value, meaning]) => [value, `${meaning}.`]));
  return `${toCode(name)}:\n${values.replaceAll(/^/gm, '  ')}`;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** The values of each label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

/** All metrics of a process whose store is empty. */
export async function listMetrics(): Promise<readonly Metric[]> {
  const counters = new Counters();
  const routes = monitoringRoutes({
    config: { environment: 'sandbox', metricsToken: undefined },
    store: {
      check: async () => undefined,
      countStates: async () => [],
      countRefused: async () => [],
      countEvents: async () => [],
    },
    fundingService: { readiness: () => ({ kind: 'ready' }), maxConcurrentLeads: () => 64 },
    counters,
    clock: () => 0,
    isDraining: () => false,
  });
  const text = await (await routes.request('/metrics')).text();
  const helps = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)];
  return helps.map(([, name = '', help = '', type = '']) => {
    const labels = new Map<string, Set<string>>();
    for (const [, list = ''] of text.matchAll(new RegExp(`^${name}\\{(.*)\\}`, 'gm'))) {
      for (const [, label = '', value = ''] of list.matchAll(/(\w+)="([^"]*)"/g)) {
        labels.set(label, (labels.get(label) ?? new Set()).add(value));
      }
    }
    return { name, help, type, labels };
  });
}

export const isOwnMetric = ({ name }: Pick<Metric, 'name'>): boolean => name.startsWith('funding_');

export async function toMetricsReference(): Promise<string> {
  const metrics = await listMetrics();
  const others = metrics.filter((metric) => !isOwnMetric(metric));
  return toDocument([
    '# Metrics',
    generatedNote('bff/middleware/counters.ts and bff/routes/monitoring.ts'),
    '`GET /metrics` answers in the text format of Prometheus. [Collect metrics](../operate/index.md#collect-metrics) sets it up, and [Alerts](alerts.md) lists the rules for them.',
    'The metrics of the store are current at each request, and cost the same in a large store as in an empty one. If the store cannot be read, its metrics are missing and `funding_store_ready` is 0. All processes on one PostgreSQL report the same store: use `max`, not `sum`, for `funding_store_*` and `funding_alarms`.',
    ...metrics.filter(isOwnMetric).map(toMetric),
    '## Metrics of the process',
    'CPU, memory, open files, event loop, and garbage collection, from the library prom-client:',
    toList(others.map(({ name }) => toCode(name))),
  ]);
}

function toMetric({ name, help, type, labels }: Metric): string {
  const values = Array.from(labels, ([label, list]): [string, string] => [
    `Label \`${label}\``,
    Array.from(list, toCode).join(', '),
  ]);
  return [`## \`${name}\``, help, toFacts([['Type', type], ...values])].join('\n\n');
}

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}

export const rulesPath = 'examples/monitoring/prometheus-rules.yml';

export function readAlerts(): readonly Alert[] {
  const { groups } = parse(readFileSync(join(root, rulesPath), 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export function toAlertsReference(): Promise<string> {
  return toDocument([
    '# Alerts',
    generatedNote(rulesPath),
    `The rules for Prometheus in [prometheus-rules.yml](../../${rulesPath}). Each alert has a procedure in [Resolve alarms](../operate/alarms.md). \`critical\`: applicants or applications are affected now. \`warning\`: act in working hours.`,
    ...readAlerts().map(toAlert),
  ]);
}

function toAlert({ alert, expr, for: duration, labels, annotations }: Alert): string {
  const { summary, description } = annotations;
  return joinParts([
    `## ${alert}`,
    `${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '`$1`')}. ${description}`,
    toFacts([
      ['Severity', labels.severity],
      ['Fires after', duration ?? 'the next evaluation'],
      ['Procedure', `[${alert}](../operate/alarms.md#${alert.toLowerCase()})`],
    ]),
    `\`\`\`promql\n${expr.trim()}\n\`\`\``,
  ]);
}
