// The Grafana dashboard, as a JSON model that Grafana imports.

import { format } from 'prettier';

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly kind?: 'stat';
  readonly unit?: string;
  /** PromQL, with the text of the legend. `$job` is the job of Prometheus. */
  readonly queries: readonly (readonly [string, string])[];
}

const job = 'job=~"$job"';
const interval = '$__rate_interval';

const rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[] = [
  {
    title: 'Applications',
    panels: [
      {
        title: 'Alarms',
        description: 'Rows that raise an alarm. Each has a procedure in docs/operate/alarms.md.',
        kind: 'stat',
        queries: [[`max by (alarm) (funding_alarms{${job}})`, '{{alarm}}']],
      },
      {
        title: 'Applications by state',
        description: 'All processes report the same store.',
        queries: [[`max by (state) (funding_store_rows{${job}, kind="application"})`, '{{state}}']],
      },
      {
        title: 'Attachments by state',
        description: 'Documents, bank reports, and contact requests.',
        queries: [
          [
            `sum by (state) (max by (kind, state) (funding_store_rows{${job}, kind!="application"}))`,
            '{{state}}',
          ],
        ],
      },
      {
        title: 'Oldest waiting',
        description:
          'Age of the oldest undelivered row. An alarm begins at 15 minutes for applications.',
        unit: 's',
        queries: [[`max by (kind) (funding_store_oldest_waiting_seconds{${job}})`, '{{kind}}']],
      },
      {
        title: 'Store ready',
        description: '1 while the store commits and has disk space.',
        queries: [[`funding_store_ready{${job}}`, '{{instance}}']],
      },
    ],
  },
  {
    title: 'Funding service',
    panels: [
      {
        title: 'Calls by outcome',
        description: 'Calls to the funding service, by operation and outcome.',
        queries: [
          [
            `sum by (operation, outcome) (rate(funding_calls_total{${job}}[${interval}]))`,
            '{{operation}} {{outcome}}',
          ],
        ],
      },
      {
        title: 'Duration of calls (95%)',
        description: 'Without the renewal of the token, 95% of the calls are faster.',
        unit: 's',
        queries: [
          [
            `histogram_quantile(0.95, sum by (operation, le) (rate(funding_call_duration_seconds_bucket{${job}}[${interval}])))`,
            '{{operation}}',
          ],
        ],
      },
      {
        title: 'Deliveries by state',
        description: 'Attempts that ended, by the new state of the row.',
        queries: [
          [
            `sum by (kind, state) (rate(funding_deliveries_total{${job}}[${interval}]))`,
            '{{kind}} {{state}}',
          ],
        ],
      },
      {
        title: 'Operations that are not called',
        description:
          '1 while the BFF does not call an operation. 0.5 while its next call is a test.',
        queries: [[`max by (operation) (funding_breaker_open{${job}})`, '{{operation}}']],
      },
      {
        title: 'Applications sent at once',
        description:
          'The maximum of each process. It sinks while the funding service is overloaded.',
        queries: [[`funding_lead_limit{${job}}`, '{{instance}}']],
      },
      {
        title: 'Events for your systems',
        description: 'Attempts to send an event to WEBHOOK_URL or to the hook onStatus.',
        queries: [
          [
            `sum by (result) (rate(funding_event_attempts_total{${job}}[${interval}]))`,
            '{{result}}',
          ],
        ],
      },
      {
        title: 'Events that are not sent',
        description: 'Applications with events that wait, and events that were given up.',
        queries: [
          [`max by (consumer) (funding_events_pending{${job}})`, '{{consumer}} pending'],
          [`max by (consumer) (funding_events_given_up{${job}})`, '{{consumer}} given up'],
        ],
      },
      {
        title: 'Oldest event',
        description: 'Age of the oldest event that is not sent. An alarm begins at 15 minutes.',
        unit: 's',
        queries: [
          [`max by (consumer) (funding_events_oldest_pending_seconds{${job}})`, '{{consumer}}'],
        ],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      {
        title: 'Responses by status',
        description: 'Responses a second.',
        unit: 'reqps',
        queries: [
          [`sum by (status) (rate(funding_requests_total{${job}}[${interval}]))`, '{{status}}'],
        ],
      },
      {
        title: 'Rate limits',
        description: 'Requests a second that exceeded a limit.',
        unit: 'reqps',
        queries: [
          [
            `sum by (limit) (rate(funding_rate_limited_total{${job}}[${interval}])) > 0`,
            '{{limit}}',
          ],
        ],
      },
      {
        title: 'Refused by the origin gate',
        description: 'No page of yours can have sent these requests.',
        unit: 'reqps',
        queries: [
          [
            `sum by (reason) (rate(funding_origin_gate_refusals_total{${job}}[${interval}])) > 0`,
            '{{reason}}',
          ],
        ],
      },
      {
        title: 'Sessions',
        description: 'Requests with a session, and sessions that were refused.',
        unit: 'reqps',
        queries: [
          [`sum(rate(funding_sessions_presented_total{${job}}[${interval}]))`, 'presented'],
          [
            `sum by (reason) (rate(funding_session_refusals_total{${job}}[${interval}])) > 0`,
            'refused: {{reason}}',
          ],
        ],
      },
      {
        title: 'Bot checks',
        description: 'Applications that failed a bot check.',
        queries: [
          [`sum by (check) (increase(funding_bot_check_failures_total{${job}}[1h]))`, '{{check}}'],
        ],
      },
      {
        title: 'Handoffs to a phone',
        description: 'Handoffs that reached a state, in an hour.',
        queries: [[`sum by (state) (increase(funding_handoffs_total{${job}}[1h]))`, '{{state}}']],
      },
    ],
  },
  {
    title: 'Uploads',
    panels: [
      {
        title: 'Documents refused',
        description: 'Documents refused for their name or content, in an hour.',
        queries: [
          [
            `sum by (reason) (increase(funding_document_refusals_total{${job}}[1h])) > 0`,
            '{{reason}}',
          ],
        ],
      },
      {
        title: 'Inspections without a verdict',
        description: 'Attempts to inspect a document that failed, in an hour.',
        queries: [
          [
            `sum by (reason) (increase(funding_inspection_failures_total{${job}}[1h])) > 0`,
            '{{reason}}',
          ],
        ],
      },
      {
        title: 'Scans without an answer',
        description: 'Documents that the virus scanner could not check, in an hour.',
        queries: [
          [
            `sum by (reason) (increase(funding_scanner_failures_total{${job}}[1h])) > 0`,
            '{{reason}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Process',
    panels: [
      {
        title: 'CPU',
        description: 'Cores in use.',
        queries: [[`rate(process_cpu_seconds_total{${job}}[${interval}])`, '{{instance}}']],
      },
      {
        title: 'Memory',
        description: 'Resident memory, without the processes that inspect documents.',
        unit: 'bytes',
        queries: [[`process_resident_memory_bytes{${job}}`, '{{instance}}']],
      },
      {
        title: 'Event loop lag (99%)',
        description: 'How late the process answers. More than 0.5 s means that it is overloaded.',
        unit: 's',
        queries: [[`nodejs_eventloop_lag_p99_seconds{${job}}`, '{{instance}}']],
      },
    ],
  },
];

export const dashboardPath = 'examples/monitoring/grafana-dashboard.json';

const panelHeight = 8;
const panelWidth = 8;
const totalWidth = 24;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** A dashboard of schema version 39 (Grafana 11). */
export function createDashboard() {
  let y = 0;
  let id = 0;
  const panels = rows.flatMap(({ title, panels: list }) => {
    id += 1;
    const head = {
      id,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: toPosition(0, y, totalWidth, 1),
    };
    y += 1;
    const top = y;
    const placed = list.map((panel, index) => {
      id += 1;
      const perRow = totalWidth / panelWidth;
      const x = (index % perRow) * panelWidth;
      const row = Math.floor(index / perRow);
      y = top + (row + 1) * panelHeight;
      return toPanel(panel, id, toPosition(x, top + row * panelHeight, panelWidth, panelHeight));
    });
    return [head, ...placed];
  });
  return {
    title: 'Funding application',
    uid: 'funding-application',
    description: 'The BFF of the funding application.',
    tags: ['funding-application'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'job',
          label: 'Job',
          type: 'query',
          datasource,
          query: { query: 'label_values(funding_store_ready, job)', refId: 'job' },
          refresh: 1,
          includeAll: true,
          multi: true,
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels,
  };
}

function toPosition(x: number, y: number, w: number, h: number) {
  return { x, y, w, h };
}

function toPanel(
  { title, description, kind, unit, queries }: Panel,
  id: number,
  gridPos: ReturnType<typeof toPosition>,
) {
  const targets = queries.map(([expr, legendFormat], index) => ({
    refId: String.fromCharCode(65 + index),
    datasource,
    expr,
    legendFormat,
  }));
  const defaults = { unit: unit ?? 'short', min: 0 };
  const common = { id, title, description, gridPos, datasource, targets };
  if (kind === 'stat') {
    const steps = [
      { color: 'green', value: null },
      { color: 'red', value: 1 },
    ];
    return {
      ...common,
      type: 'stat',
      fieldConfig: {
        defaults: { ...defaults, thresholds: { mode: 'absolute', steps } },
        overrides: [],
      },
      options: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'background' },
    };
  }
  return {
    ...common,
    type: 'timeseries',
    fieldConfig: { defaults, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  };
}

export function toDashboardText(): Promise<string> {
  return format(JSON.stringify(createDashboard()), { parser: 'json', printWidth: 100 });
}
