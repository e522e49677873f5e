// Named points at which a BFF process can kill itself. Decorators around the BFF's modules add the points, so that the product
// code does not contain them.

import { subscribe } from 'node:diagnostics_channel';
import { operations } from '../../../shared/funding-service/operations.ts';
import type { Database, Transaction } from '../../../bff/store/database.ts';
import type { ContentFiles } from '../../../bff/store/content-files.ts';
import type { Store } from '../../../bff/store/store.ts';
import type { Transport } from '../../../bff/funding-service/transport.ts';
import { findOperation } from './operation-paths.ts';
import type { Engine } from './storage.ts';

const storeMethods = [
  'findOrMoveApplication',
  'addApplication',
  'findApplication',
  'claimDue',
  'recordResult',
  'beginAttachment',
  'addChunk',
  'completeAttachment',
  'addContactRequest',
  'readChunk',
  'claimEvent',
  'recordEventSent',
  'recordEventFailed',
] as const satisfies readonly (keyof Store)[];

/** Of the files beside an SQLite store. */
const fileMethods = [
  'create',
  'sync',
  'open',
  'remove',
] as const satisfies readonly (keyof ContentFiles)[];

/** Statements inside a transaction, by verb and table. */
const statements = [
  'insert application',
  'insert consent',
  'insert attachment',
  'update application',
  'update attachment',
  'delete chunk',
] as const;

const routes = ['session', 'application', 'documents', 'asset-report', 'contact'] as const;

/**
 * - `file … before`, `file … after`: the same around a method of the files of content.
 * - `store … before`, `store … after`: around a method. At `after`, the change is committed and the caller does not know it.
 * - `statement …`: the statement ran, its transaction is open. `commit before`: all statements ran, the transaction is open.
 * - `call … before`: nothing was sent. `written`: the operating system has the request. `answering`: the first bytes of the
 *   response arrived. `after`: the complete response arrived and is not recorded.
 * - `answer …`: the response to the browser is complete and not sent.
 */
export const killPoints: readonly string[] = [
  ...storeMethods.flatMap((method) => [`store ${method} before`, `store ${method} after`]),
  ...fileMethods.flatMap((method) => [`file ${method} before`, `file ${method} after`]),
  ...statements.map((statement) => `statement ${statement}`),
  'commit before',
  ...[...operations, 'webhook'].flatMap((operation) => [
    `call ${operation} before`,
    `call ${operation} written`,
    `call ${operation} answering`,
    `call ${operation} after`,
  ]),
  ...routes.map((route) => `answer ${route}`),
];

/** On PostgreSQL, the content of documents is in the database, so that a process reaches no point of a file. */
export function listKillPoints(engine: Engine): readonly string[] {
  return engine === 'SQLite'
    ? killPoints
    : killPoints.filter((point) => !point.startsWith('file '));
}

/** Called each time that the process reaches a named point. */
export type ReportPoint = (point: string) => void;

/** Kills this process at the given occurrence of the point, counted from 1. */
export function createKiller(point: string, occurrence: number): ReportPoint {
  let count = 0;
  return (name) => {
    if (name !== point) return;
    count += 1;
    // The signal is delivered before this thread continues.
    if (count === occurrence) process.kill(process.pid, 'SIGKILL');
  };
}

/** Adds points around the methods of a store. */
export function withStorePoints(store: Store, reportPoint: ReportPoint): Store {
  return withPoints(store, 'store', storeMethods, reportPoint);
}

/** Adds points around the methods of the files of content. */
export function withFilePoints(files: ContentFiles, reportPoint: ReportPoint): ContentFiles {
  return withPoints(files, 'file', fileMethods, reportPoint);
}

function withPoints<Target extends object>(
  target: Target,
  prefix: string,
  names: readonly (keyof Target)[],
  reportPoint: ReportPoint,
): Target {
  const watched: ReadonlySet<unknown> = new Set(names);
  return new Proxy(target, {
    get(original, name, receiver) {
      const method: unknown = Reflect.get(original, name, receiver);
      if (typeof method !== 'function' || !watched.has(name)) return method;
      return async (...args: unknown[]) => {
        reportPoint(`${prefix} ${String(name)} before`);
        const result: unknown = await method.apply(original, args);
        // A claim without a row is not reported, because idle workers claim all the time.
        if ((name !== 'claimDue' && name !== 'claimEvent') || result !== undefined) {
          reportPoint(`${prefix} ${String(name)} after`);
        }
        return result;
      };
    },
  });
}

/** Adds points inside the transactions of a database. */
export function withStatementPoints(database: Database, reportPoint: ReportPoint): Database {
  function* watch<Result>(work: () => Transaction<Result>): Transaction<Result> {
    const steps = work();
    let step = steps.next([]);
    while (!step.done) {
      const rows = yield step.value;
      reportPoint(`statement ${toStatementName(step.value.sql)}`);
      step = steps.next(rows);
    }
    reportPoint('commit before');
    return step.value;
  }
  return {
    ...database,
    transaction: (work, locks) => database.transaction(() => watch(work), locks),
  };
}

/** Adds points around each call to the funding service. */
export function withCallPoints(transport: Transport, reportPoint: ReportPoint): Transport {
  return async (request) => {
    const operation = toOperation(new URL(request.url).pathname);
    reportPoint(`call ${operation} before`);
    const result = await transport(request);
    reportPoint(`call ${operation} after`);
    return result;
  };
}

/** Adds points inside each call, from undici's diagnostics channels. */
export function watchConnections(reportPoint: ReportPoint): void {
  const toPoint = (place: string) => (message: unknown) => {
    // https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
    const { path } = (message as { readonly request: { readonly path: string } }).request;
    reportPoint(`call ${toOperation(path)} ${place}`);
  };
  subscribe('undici:request:bodySent', toPoint('written'));
  subscribe('undici:request:headers', toPoint('answering'));
}

export type Fetch = (request: Request) => Response | Promise<Response>;

/** Adds points before the responses to the browser. */
export function withAnswerPoints(fetch: Fetch, reportPoint: ReportPoint): Fetch {
  return async (request) => {
    const response = await fetch(request);
    if (request.method === 'POST')
      reportPoint(`answer ${new URL(request.url).pathname.slice('/v1/'.length)}`);
    return response;
  };
}

function toStatementName(sql: string): string {
  const words = /^\s*(insert) into (\w+)|^\s*(update) (\w+)|^\s*(delete) from (\w+)/.exec(sql);
  return (words ?? []).slice(1).filter(Boolean).join(' ');
}

function toOperation(path: string): string {
  return path.endsWith('/webhook') ? 'webhook' : (findOperation(path) ?? 'unknown');
}
