// Starts the BFF processes of the campaigns, which can kill themselves at a named point.

import { dirname, join } from 'node:path';
import { startProcess } from '../../support/bff-process.ts';
import { eventSecret } from './event-receiver.ts';

export interface CampaignBffOptions {
  /** Path of the bundled BFF process. */
  readonly program: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** Base URL of the funding service, without `/rest`. */
  readonly serviceUrl: string;
  /** Receives webhooks, signed with `eventSecret`. Default: none. */
  readonly webhookUrl?: string | undefined;
  /** Where the process kills itself. Default: nowhere. */
  readonly kill?: KillOrder | undefined;
  /** False: the process accepts every document without an inspection process, and starts faster. Default: true. */
  readonly inspects?: boolean | undefined;
  /** Milliseconds that the process keeps serving after SIGTERM. Default: 0. */
  readonly drainMs?: number;
  /** Time in which applicants can remove a document. Default: 0, so that each document is delivered at once. */
  readonly undoSeconds?: number;
}

export interface KillOrder {
  readonly point: string;
  /** The process is killed the n-th time that it reaches the point, counted from 1. */
  readonly occurrence: number;
}

export type CampaignBff = ReturnType<typeof startCampaignBff>;

export function startCampaignBff(options: CampaignBffOptions) {
  const { program, port, databaseUrl, serviceUrl, kill, inspects = true, drainMs = 0 } = options;
  const { undoSeconds = 0, webhookUrl } = options;
  const url = `http://localhost:${port}`;
  const { child, ended, stderr, ready } = startProcess({
    program,
    nodeOptions: ['--disable-warning=ExperimentalWarning'],
    variables: {
      // Shared by all starts. The folder is deleted together with the program.
      NODE_COMPILE_CACHE: join(dirname(program), 'compile-cache'),
      FUNDING_ENVIRONMENT: 'sandbox',
      FUNDING_AUTH_URL: serviceUrl,
      FUNDING_BASE_URL: `${serviceUrl}/rest`,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: url,
      BFF_PORT: String(port),
      DRAIN_MS: String(drainMs),
      UNDO_SECONDS: String(undoSeconds),
      ...(webhookUrl ? { WEBHOOK_URL: webhookUrl, WEBHOOK_SECRETS: eventSecret } : {}),
      ...(inspects ? {} : { INSPECTIONS: 'none' }),
      ...(kill ? { KILL_POINT: kill.point, KILL_OCCURRENCE: String(kill.occurrence) } : {}),
    },
  });
  return {
    url,
    processId: child.pid ?? 0,
    /** Signal or exit code with which the process ended. */
    ended,
    /** Milliseconds from the start until the process is ready; `undefined` when it ended earlier. */
    ready: ready(`${url}/readyz`),
    /** Returns the standard error output of the process. */
    errors: () => stderr().toString(),
    signal: (name: 'SIGKILL' | 'SIGTERM') => child.kill(name),
  };
}
