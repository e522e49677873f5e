// The rules for Prometheus and the Grafana dashboard: they use the metrics of the code, and each alert fires when it must.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJson, root } from '../../scripts/project.mjs';
import { toAnchor } from '../../scripts/references/markdown.ts';
import {
  isOwnMetric,
  listMetrics,
  readAlerts,
  rulesPath,
} from '../../scripts/references/operators.ts';
import { readTestTools } from '../../scripts/test-tools.mjs';

const alerts = readAlerts();
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
  FundingServiceDown: {
    at: '31m',
    // A trial call fails now and then.
    fires: { 'funding_breaker_open{operation="create-lead"}': '1x2 0.5x14 1x1 0.5x14' },
    labels: { operation: 'create-lead' },
    silent: {
      // No call since the last failure, a breaker that closed, and one that has not been open for long.
      'funding_breaker_open{operation="asset-report"}': '1x1 0.5x60',
      'funding_breaker_open{operation="upload-file"}': '1x20 0x60',
      'funding_breaker_open{operation="contact-user"}': '0x22 1x5 0x1 1x30',
    },
  },
  FundingStoreNotReady: {
    at: '2m',
    fires: { 'funding_store_ready{instance="a"}': '0x30' },
    labels: { instance: 'a', job },
    silent: { 'funding_store_ready{instance="a"}': '1x30' },
  },
  FundingNoMetrics: {
    at: '6m',
    fires: { 'funding_store_ready{instance="a"}': '0x30' },
    labels: { job },
    silent: { 'funding_alarms{alarm="application-held"}': '0x30' },
  },
  FundingProcessDown: {
    at: '5m',
    fires: { 'up{instance="a"}': '0x30' },
    labels: { instance: 'a', job },
    // A restart.
    silent: { 'up{instance="a"}': '1x2 0x1 1x30' },
  },
  FundingProcessRestarts: {
    at: '30m',
    fires: { 'process_start_time_seconds{instance="a"}': '0+300x30' },
    labels: { instance: 'a', job },
    silent: { 'process_start_time_seconds{instance="a"}': '0x10 600x10 1200x10' },
  },
  FundingServerErrors: {
    at: '15m',
    fires: {
      'funding_requests_total{status="200"}': '0+98x30',
      'funding_requests_total{status="500"}': '0+2x30',
    },
    silent: {
      'funding_requests_total{status="200"}': '0+1000x30',
      'funding_requests_total{status="500"}': '0+2x30',
      'funding_requests_total{status="503"}': '0+500x30',
    },
  },
  FundingAtCapacity: {
    at: '20m',
    fires: { 'funding_rate_limited_total{instance="a",limit="requests-at-once"}': '0+1x30' },
    labels: { instance: 'a' },
    silent: {
      // One burst, and another limit.
      'funding_rate_limited_total{instance="a",limit="requests-at-once"}': '0x5 50x30',
      'funding_rate_limited_total{instance="a",limit="requests-by-address"}': '0+5x30',
    },
  },
  FundingSessionKeyMissing: {
    at: '15m',
    fires: {
      'funding_session_refusals_total{reason="unknown-password"}': '0+2x30',
      funding_sessions_presented_total: '0+100x30',
    },
    silent: {
      'funding_session_refusals_total{reason="unknown-password"}': '0x30',
      'funding_session_refusals_total{reason="expired"}': '0+50x30',
      funding_sessions_presented_total: '0+100x30',
    },
  },
  FundingPageNotAllowed: {
    at: '25m',
    fires: {
      'funding_origin_gate_refusals_total{reason="origin-not-listed"}': '0+20x30',
      'funding_requests_total{status="403"}': '0+20x30',
      'funding_requests_total{status="200"}': '0+80x30',
    },
    silent: {
      'funding_origin_gate_refusals_total{reason="origin-not-listed"}': '0+1x30',
      'funding_origin_gate_refusals_total{reason="header-missing"}': '0+50x30',
      'funding_requests_total{status="200"}': '0+80x30',
    },
  },
  FundingChallengeDown: {
    at: '15m',
    fires: { 'funding_bot_check_failures_total{check="challenge-unavailable"}': '0+1x30' },
    silent: {
      'funding_bot_check_failures_total{check="challenge"}': '0+1x30',
      // One timeout.
      'funding_bot_check_failures_total{check="challenge-unavailable"}': '0x8 1x30',
    },
  },
  FundingScannerDown: {
    at: '40m',
    fires: { 'funding_scanner_failures_total{reason="scanner-unanswered"}': '0+1x60' },
    labels: { reason: 'scanner-unanswered' },
    // A restart of the scanner.
    silent: { 'funding_scanner_failures_total{reason="scanner-unanswered"}': '0x5 3x60' },
  },
  FundingInspectionFails: {
    at: '30m',
    fires: { 'funding_inspection_failures_total{instance="a",reason="memory"}': '0+1x60' },
    labels: { instance: 'a', reason: 'memory' },
    silent: { 'funding_inspection_failures_total{instance="a",reason="memory"}': '0x5 4x60' },
  },
  FundingEventsStopped: alarm('events-stopped', '6m'),
  FundingEventsGivenUp: alarm('events-given-up', '6m'),
  FundingEventsLate: alarm('events-late', '6m'),
  FundingHandoffSuspicious: {
    at: '30m',
    fires: { 'funding_handoffs_total{state="wrong-number"}': '0+1x60' },
    silent: {
      'funding_handoffs_total{state="wrong-number"}': '0x5 3x60',
      'funding_handoffs_total{state="connected"}': '0+10x60',
    },
  },
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
