// Starts a BFF in this process with the sandbox as its funding service, a manual clock, and browsers that keep cookies.

import { createBffApp, type BffAppDependencies } from '../../bff/app.ts';
import { readConfig, type Config } from '../../bff/config/config.ts';
import { createFundingService } from '../../bff/funding-service/client.ts';
import type { Transport, TransportResult } from '../../bff/funding-service/transport.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { createBffLog } from '../../bff/bff-log.ts';
import type { WidgetFolder } from '../../bff/config/widget-folder.ts';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';
import type { Problem } from '../../shared/api/problems.ts';
import { createAppSender, createBrowser, pageOrigin, type Answer } from './applicant.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { sharedInspections } from './inspections.ts';
import { unlimited } from './unlimited.ts';
import { createManualTime, type ManualTime } from './manual-time.ts';

/** Replaces the response of the sandbox to the next call whose URL ends with `path`. */
export interface OrderedFault {
  readonly path: string;
  readonly result: TransportResult;
  /** If true, the sandbox processes the call before its response is lost. Default: false. */
  readonly isProcessed?: boolean;
}

/** The settings file. Default for `documents.undoSeconds`: 0. */
type TestSettings = Readonly<Record<string, unknown>> & { readonly documents?: object };

export interface TestBffOptions extends Partial<Omit<BffAppDependencies, 'config' | 'clock'>> {
  /** Default for `limits`: no limits, because tests submit often and at once. */
  readonly settings?: TestSettings;
  readonly variables?: Readonly<Record<string, string>>;
  readonly time?: ManualTime;
  readonly sandbox?: Sandbox;
  /** Address of the applicants. Default: unknown, as in an app without a server. */
  readonly clientAddress?: string;
  /** If true, the delivery worker runs. Default: true. */
  readonly delivers?: boolean;
}

/** The route exists and serves no file. */
const emptyWidget: WidgetFolder = {
  directory: import.meta.dirname,
  name: '1.2.3-9c40',
  files: new Map(),
  warnings: [],
};

export type TestBff = Awaited<ReturnType<typeof startBff>>;

export async function startBff({
  settings,
  variables,
  clientAddress,
  delivers = true,
  time = createManualTime(),
  sandbox = createSandbox({ now: time.clock, offerDelayMs: 10_000 }),
  ...dependencies
}: TestBffOptions = {}) {
  const config = createTestConfig(settings, variables);
  const store = dependencies.store ?? (await openStore('file::memory:', { clock: time.clock }));
  const faults: OrderedFault[] = [];
  const calls: string[] = [];
  const logLines: string[] = [];
  const log = createBffLog({ write: (line) => logLines.push(line) });
  const transport = withFaults(
    createFetchTransport((url, init) => sandbox.app.request(url, init)),
    faults,
    calls,
  );
  const bff = createBffApp({
    config,
    fundingService: createFundingService({ config, transport, clock: time.clock, onEvent: log }),
    log,
    widget: emptyWidget,
    clock: time.clock,
    startTimer: time.startTimer,
    random: () => 0.5,
    inspections: sharedInspections,
    ...dependencies,
    store,
  });
  if (delivers) await bff.delivery.start();
  return {
    ...bff,
    config,
    store,
    sandbox,
    time,
    faults,
    /** Paths of the calls that reached the network, without the host. */
    calls,
    logLines: logLines as readonly string[],
    /** A browser without cookies, on a page of `origin`. */
    openBrowser: (origin: string = pageOrigin) =>
      createBrowser({ origin, send: createAppSender(bff.app, clientAddress) }),
  };
}

export function createTestConfig(
  settings: TestSettings = {},
  variables: Readonly<Record<string, string>> = {},
): Config {
  const result = readConfig({
    variables: {
      FUNDING_ENVIRONMENT: 'sandbox',
      FUNDING_SETTINGS: 'settings.json',
      ALLOWED_ORIGINS: `${pageOrigin} http://other.localhost:8080`,
      ...variables,
    },
    readFile: () =>
      JSON.stringify({
        lead: { allowedCampaignIds: ['spring-2026'] },
        limits: unlimited,
        ...settings,
        // Most tests are about the delivery, which would wait for the end of this time.
        documents: { undoSeconds: 0, ...settings.documents },
      }),
  });
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.config;
}

export function isProblem(answer: Answer, code: Problem['code']): boolean {
  return (
    answer.headers.get('content-type') === 'application/problem+json' && answer.json.code === code
  );
}

function withFaults(transport: Transport, faults: OrderedFault[], calls: string[]): Transport {
  return async (request) => {
    calls.push(new URL(request.url).pathname);
    const index = faults.findIndex(({ path }) => request.url.endsWith(path));
    const fault = faults[index];
    if (!fault) return transport(request);
    faults.splice(index, 1);
    if (fault.isProcessed) await transport(request);
    return fault.result;
  };
}
