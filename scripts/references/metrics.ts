// The reference of the metrics, from the registry that `/metrics` prints.

import { Counters } from '../../bff/middleware/counters.ts';
import { monitoringRoutes } from '../../bff/routes/monitoring.ts';
import { generatedNote, toCode, toDocument, toFacts, toList } from './markdown.ts';

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
    ...metrics.filter(isOwnMetric).map(toSection),
    '## Metrics of the process',
    'CPU, memory, open files, event loop, and garbage collection, from the library prom-client:',
    toList(others.map(({ name }) => toCode(name))),
  ]);
}

function toSection({ name, help, type, labels }: Metric): string {
  const values = Array.from(labels, ([label, list]): [string, string] => [
    `Label \`${label}\``,
    Array.from(list, toCode).join(', '),
  ]);
  return [`## \`${name}\``, help, toFacts([['Type', type], ...values])].join('\n\n');
}
