// The reference of the alerts, from the rules for Prometheus.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../project.mjs';
import { generatedNote, toDocument, toFacts } from './markdown.ts';

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
    ...readAlerts().map(toSection),
  ]);
}

function toSection({ alert, expr, for: duration, labels, annotations }: Alert): string {
  const { summary, description } = annotations;
  return [
    `## ${alert}`,
    `${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '`$1`')}. ${description}`,
    toFacts([
      ['Severity', labels.severity],
      ['Fires after', duration ?? 'the next evaluation'],
      ['Procedure', `[${alert}](../operate/alarms.md#${alert.toLowerCase()})`],
    ]),
    `\`\`\`promql\n${expr.trim()}\n\`\`\``,
  ].join('\n\n');
}
