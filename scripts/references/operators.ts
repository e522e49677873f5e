// The references for operators: the commands, from the table that also makes their `--help`, the log events, the metrics that
// `/metrics` prints, and the alerts for Prometheus.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { root } from '../project.mjs';
import { requestDefaultBff } from './api.ts';
import { type Parts, toCode, toFacts, toGuide, toList, toTerms } from './markdown.ts';

export function createCommandParts(): Parts {
  return {
    programs: [programs],
    commands: [...services, ...commands].flatMap(toCommand),
    options: [
      toTerms(Object.entries(commonOptions).map(([name, { about }]) => [`--${name}`, about])),
    ],
    failures: [toTerms(Object.entries(failureCodes))],
    'exit-codes': [toTerms(Object.entries(exitCodes).map(([code, text]) => [code, `${text}.`]))],
  };
}

function toCommand(command: Command | Service) {
  const { name, summary, about, notes = [], guide } = command;
  return [
    `## ${toCode(name)}`,
    `\`\`\`text\n${toCommandLine(command)}\n\`\`\``,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...about,
    toTerms(listTerms(command)),
    ...notes,
    `Guide: ${toGuide(guide)}.`,
  ];
}

/** In the order of the table. Its type has an entry for each event, and no other. */
const events = Object.keys(logTexts) as readonly LogEvent['event'][];
const texts: Readonly<Record<LogEvent['event'], LogText>> = logTexts;

const levels = { info: 'Info', warn: 'Warning', error: 'Error' } as const;

export function createLogEventParts(): Parts {
  const errors = events.filter((event) => logLevels[event] === 'error');
  return {
    errors: [errors.map((name) => `[${toCode(name)}](#${name})`).join(', ')],
    events: logGroups.flatMap((group) => [
      `## ${group}`,
      ...events.filter((event) => texts[event].group === group).flatMap(toLogEvent),
    ]),
  };
}

function toLogEvent(event: LogEvent['event']) {
  const { when, action, fields, guide } = texts[event];
  const fieldTexts = Object.entries(fields);
  return [
    `### ${toCode(event)}`,
    `${levels[logLevels[event]]}. ${when}`,
    action && `**What to do:** ${action}`,
    guide && `See ${toGuide(guide)}.`,
    fieldTexts.length === 0 ? 'No other fields.' : toList(fieldTexts.map(toField)),
  ];
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
  const text = await (await requestDefaultBff('/metrics')).text();
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

export async function createMetricParts(): Promise<Parts> {
  const metrics = await listMetrics();
  const others = metrics.filter((metric) => !isOwnMetric(metric));
  return {
    metrics: metrics.filter(isOwnMetric).flatMap(toMetric),
    process: [toList(others.map(({ name }) => toCode(name)))],
  };
}

function toMetric({ name, help, type, labels }: Metric) {
  const values = Array.from(labels, ([label, list]): [string, string] => [
    `Label ${toCode(label)}`,
    Array.from(list, toCode).join(', '),
  ]);
  return [`## ${toCode(name)}`, help, toFacts([['Type', type], ...values])];
}

export const rulesPath = 'examples/monitoring/prometheus-rules.yml';

export function createAlertParts(): Parts {
  const rules = readFileSync(join(root, rulesPath), 'utf8').trim();
  return { rules: [`<!-- prettier-ignore -->\n\`\`\`yaml\n${rules}\n\`\`\``] };
}
