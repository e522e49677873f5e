// The rules for Prometheus and the Grafana dashboard: they use the metrics of the code, and each alert fires when it must.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readJson, root } from '../../scripts/project.mjs';
import { toAnchor } from '../../scripts/references/markdown.ts';
import { isOwnMetric, listMetrics, rulesPath } from '../../scripts/references/operators.ts';
import { readTestTools } from '../../scripts/test-tools.mjs';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly runbook_url: string };
}

const { groups } = parse(readFileSync(join(root, rulesPath), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
const metrics = await listMetrics();
/** `npm test` says which tools are missing. */
const { promtool } = readTestTools();

/** The job of the series in the cases, which is that of the guide. */
const job = 'funding';

/** Samples of one series, one a minute, in the notation of promtool: `0x30` is a constant 0, `0+5x30` grows by 5. */
type Series = Readonly<Record<string, string>>;

interface Case {
  /** The alert fires at this time. */
  readonly fires: Series;
  readonly at: string;
  /** The labels of the alert, without its name and severity. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The alert does not fire at the same time. */
  readonly silent: Series;
}

const alarm = (name: string, at = '1m'): Case => ({
  at,
  fires: { [`funding_alarms{alarm="${name}"}`]: '2x30' },
  silent: {
    [`funding_alarms{alarm="${name}"}`]: '0x30',
    'funding_alarms{alarm="another"}': '1x30',
  },
});

const cases: Readonly<Record<string, Case>> = {
  FundingApplicationUnconfirmed: alarm('application-unconfirmed'),
  FundingApplicationHeld: alarm('application-held'),
  FundingAttachmentHeld: alarm('attachment-held'),
  FundingRowUnreadable: alarm('row-unreadable'),
  FundingApplicationLate: alarm('application-late', '6m'),
  FundingAttachmentLate: alarm('attachment-late', '6m'),
  FundingApplicationRefused: alarm('application-refused', '6m'),
  FundingAttachmentRefused: alarm('attachment-refused', '6m'),
  FundingEventsStopped: alarm('events-stopped', '6m'),
  FundingEventsGivenUp: alarm('events-given-up', '6m'),
  FundingEventsLate: alarm('events-late', '6m'),
  ...(parse(readFileSync(join(root, 'test/fixtures/alert-cases.yaml'), 'utf8')) as Record<
    string,
    Case
  >),
};

describe('prometheus-rules.yml', () => {
  it('has a case in this test for each alert', () => {
    expect(Object.keys(cases).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it.each(alerts)('gives $alert a procedure', ({ annotations, alert, labels }) => {
    const page = readFileSync(join(root, 'docs/operate/alarms.md'), 'utf8');
    const anchors = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => toAnchor(title));
    const [, anchor] = annotations.runbook_url.split('/operate/alarms#');
    expect(anchors).toContain(anchor);
    expect(anchor).toBe(toAnchor(alert));
    expect(['critical', 'warning']).toContain(labels.severity);
  });

  it('has one address of the documentation, which the guide replaces', () => {
    const page = readFileSync(join(root, 'docs/operate/index.md'), 'utf8');
    const [, address] = /sed --in-place 's#(https:[^#]+)#/.exec(page) ?? [];
    const origins = alerts.map(({ annotations }) => new URL(annotations.runbook_url).origin);

    expect([...new Set(origins)]).toEqual([address]);
  });

  it('uses only metrics and label values of the code', () => {
    expect(listUnknownParts(alerts.map(({ expr }) => expr))).toEqual([]);
  });

  it('covers every alarm of the store', () => {
    const alarms = metrics.find(({ name }) => name === 'funding_alarms')?.labels.get('alarm') ?? [];
    const text = alerts.map(({ expr }) => expr).join('\n');
    expect([...alarms].filter((name) => !text.includes(`alarm="${name}"`))).toEqual([]);
  });

  it.runIf(promtool)('is valid for promtool', () => {
    expect(run('check', 'rules', join(root, rulesPath))).toContain(`${alerts.length} rules found`);
  });

  it.runIf(promtool).each(alerts)('$alert fires only when it must', (rule) => {
    const { at, fires, silent, labels = {} } = cases[rule.alert]!;
    const annotations = JSON.parse(
      JSON.stringify(rule.annotations).replaceAll(
        /\{\{ \$labels\.(\w+) \}\}/g,
        (_match, name: string) => labels[name] ?? '',
      ),
    ) as object;
    const expected = {
      exp_labels: { ...labels, severity: rule.labels.severity },
      exp_annotations: annotations,
    };
    const toTest = (series: Series, alertsExpected: readonly object[], jobOfSeries = job) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({
        series: addLabel(name, `job="${jobOfSeries}"`),
        values,
      })),
      alert_rule_test: [{ eval_time: at, alertname: rule.alert, exp_alerts: alertsExpected }],
    });
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    const file = join(folder, 'test.json');
    // YAML contains JSON.
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [join(root, rulesPath)],
        evaluation_interval: '1m',
        tests: [
          toTest(fires, [expected]),
          toTest(silent, []),
          // Another program, or staging. The metrics of this job are missing then.
          toTest(fires, rule.alert === 'FundingNoMetrics' ? [expected] : [], 'another'),
        ],
      }),
    );
    expect(run('test', 'rules', file)).toContain('SUCCESS');
    rmSync(folder, { recursive: true });
  });
});

describe('grafana-dashboard.json', () => {
  const { panels } = readJson(join(root, 'examples/monitoring/grafana-dashboard.json')) as {
    readonly panels: readonly {
      readonly gridPos: { readonly x: number; readonly y: number };
      readonly targets?: readonly { readonly expr: string }[];
    }[];
  };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  it('uses only metrics and label values of the code', () => {
    expect(queries.length).toBeGreaterThan(20);
    expect(listUnknownParts(queries)).toEqual([]);
  });

  it.runIf(promtool)('has only queries that promtool can parse', () => {
    const folder = mkdtempSync(join(tmpdir(), 'queries-'));
    const file = join(folder, 'queries.json');
    // The variables of Grafana. Recording rules, because promtool checks no single query.
    const toQuery = (expr: string) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, 'value');
    const rules = queries.map((expr, index) => ({
      record: `dashboard:query:${index}`,
      expr: toQuery(expr),
    }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(run('check', 'rules', file)).toContain(`${queries.length} rules found`);
    rmSync(folder, { recursive: true });
  });

  it('shows every metric of the BFF', () => {
    const text = queries.join('\n');
    const missing = metrics.filter(isOwnMetric).filter(({ name }) => !text.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('places no panels on top of each other', () => {
    const places = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

/** Names of metrics that the code does not have, and values that their labels never have. */
function listUnknownParts(expressions: readonly string[]): readonly string[] {
  return expressions.flatMap((expression) =>
    [...expression.matchAll(/\b((?:funding|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].flatMap(
      ([, used = '', selector = '']) => {
        const name = used.replace(/_(?:bucket|sum|count)$/, '');
        const metric = metrics.find((one) => one.name === used || one.name === name);
        if (!metric) return [used];
        const matchers = [...selector.matchAll(/(\w+)(?:=~?)"([^"]*)"/g)];
        return matchers.flatMap(([, label = '', pattern = '']) => {
          if (label === 'job') return [];
          const values = metric.labels.get(label) ?? new Set();
          return pattern.split('|').filter((value) => !values.has(value));
        });
      },
    ),
  );
}

function addLabel(series: string, label: string): string {
  const [name = '', labels] = series.split(/[{}]/);
  return `${name}{${labels === undefined ? label : `${label},${labels}`}}`;
}

function run(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(promtool!, args, { encoding: 'utf8' });
  return `${stdout}${stderr}`;
}
