// Named places at which a BFF process can be made to kill itself; they are decorators around its parts, so that the product
// knows nothing of them.

import { subscribe } from 'node:diagnostics_channel';
import { operations } from '../../shared/funding-service/operations.ts';
import type { Database, Transaction } from '../../bff/store/database.ts';
import type { Store } from '../../bff/store/store.ts';
import type { Transport } from '../../bff/funding-service/transport.ts';

const storeMethods = [
  'addSession',
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
] as const satisfies readonly (keyof Store)[];

/** Statements in the middle of a transaction, by their verb and table. */
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
 * - `store … before`, `after`: around a method; after it, what it did is committed and nobody knows.
 * - `statement …`: it has run, its transaction has not been committed. `commit before`: nor has one whose statements all ran.
 * - `call … before`: nothing was sent. `written`: the request is with the operating system. `answering`: the first bytes of
 *   the answer are here. `after`: the whole answer is here, and is not recorded.
 * - `answer …`: the answer to the browser is made and has not left.
 */
export const killPoints: readonly string[] = [
  ...storeMethods.flatMap((method) => [`store ${method} before`, `store ${method} after`]),
  ...statements.map((statement) => `statement ${statement}`),
  'commit before',
  ...operations.flatMap((operation) => [
    `call ${operation} before`,
    `call ${operation} written`,
    `call ${operation} answering`,
    `call ${operation} after`,
  ]),
  ...routes.map((route) => `answer ${route}`),
];

/** Is told of every passing of a named point. */
export type Pass = (point: string) => void;

/** Ends this process at the passing of that number, counted from 1, as an operating system out of memory would. */
export function createKiller(point: string, delay: number): Pass {
  let passed = 0;
  return (name) => {
    if (name !== point) return;
    passed += 1;
    // The signal meets the thread before it runs on.
    if (passed === delay) process.kill(process.pid, 'SIGKILL');
  };
}

/** Points around the methods of a store. */
export function withStorePoints(store: Store, pass: Pass): Store {
  const watched: ReadonlySet<unknown> = new Set(storeMethods);
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || !watched.has(name)) return method;
      return async (...args: unknown[]) => {
        pass(`store ${String(name)} before`);
        const result: unknown = await method.apply(target, args);
        // A look for work that found none is no passing: there would be too many.
        if (name !== 'claimDue' || result !== undefined) pass(`store ${String(name)} after`);
        return result;
      };
    },
  });
}

/** Points inside the transactions of a database. */
export function withStatementPoints(database: Database, pass: Pass): Database {
  function* watch<Result>(work: () => Transaction<Result>): Transaction<Result> {
    const steps = work();
    let step = steps.next([]);
    while (!step.done) {
      const rows = yield step.value;
      pass(`statement ${toStatementName(step.value.sql)}`);
      step = steps.next(rows);
    }
    pass('commit before');
    return step.value;
  }
  return {
    ...database,
    transaction: (work, locks) => database.transaction(() => watch(work), locks),
  };
}

/** Points around each call to the funding service. */
export function withCallPoints(transport: Transport, pass: Pass): Transport {
  return async (request) => {
    const operation = toOperation(new URL(request.url).pathname);
    pass(`call ${operation} before`);
    const result = await transport(request);
    pass(`call ${operation} after`);
    return result;
  };
}

/** Points within each call, as undici tells of them. */
export function watchConnections(pass: Pass): void {
  const toPoint = (place: string) => (message: unknown) => {
    // https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
    const { path } = (message as { readonly request: { readonly path: string } }).request;
    pass(`call ${toOperation(path)} ${place}`);
  };
  subscribe('undici:request:bodySent', toPoint('written'));
  subscribe('undici:request:headers', toPoint('answering'));
}

export type Fetch = (request: Request) => Response | Promise<Response>;

/** Points before the answers to the browser. */
export function withAnswerPoints(fetch: Fetch, pass: Pass): Fetch {
  return async (request) => {
    const response = await fetch(request);
    if (request.method === 'POST')
      pass(`answer ${new URL(request.url).pathname.slice('/v1/'.length)}`);
    return response;
  };
}

function toStatementName(sql: string): string {
  const words = /^\s*(insert) into (\w+)|^\s*(update) (\w+)|^\s*(delete) from (\w+)/.exec(sql);
  return (words ?? []).slice(1).filter(Boolean).join(' ');
}

function toOperation(path: string): string {
  if (path.endsWith('/token')) return 'token';
  if (path.endsWith('/creditapp')) return 'create-lead';
  if (path.endsWith('/getPreApprovalOffer')) return 'pre-approval-offer';
  if (path.endsWith('/contactUser')) return 'contact-user';
  return path.endsWith('/asset-report/') ? 'asset-report' : 'upload-file';
}
