// The ambiguity matrix: runs every operation with every fault, over real connections through the fault proxy.

import { createUndiciTransport, type Transport } from '../../bff/funding-service/transport.ts';
import type { Plan } from './fault-proxy.ts';
import { runCell } from './matrix-cell.ts';
import type { Operation } from '../../shared/funding-service/operations.ts';
import type { Redirect, MatrixFault } from './matrix-faults.ts';
import { startServiceHost, type ServiceHost } from './service-host.ts';
import { createWorld, type World } from './world.ts';

export interface Matrix {
  readonly world: World;
  /** Returns a description of each unexpected result; empty when the cell passes. */
  runCell(operation: Operation, fault: MatrixFault): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Short, because there are many cells; long enough for a response on a busy machine. */
const limits = { headersMs: 250, bodyMs: 250, totalMs: 400 } as const;

const paths: Readonly<Record<Operation, string>> = {
  token: '/services/oauth2/token',
  'create-lead': '/rest/creditapp',
  'pre-approval-offer': '/rest/creditapp/getPreApprovalOffer',
  'contact-user': '/rest/creditapp/contactUser',
  'asset-report': '/rest/aggregator/asset-report/',
  'upload-file': '/rest/UploadFileApiV1',
};

/** Runs many cells on one BFF, one store, and one funding service. Each cell has its own applicant. */
export async function createMatrix(databaseUrl: string): Promise<Matrix> {
  const pendingFault = createPendingFault();
  const hosts: ServiceHost[] = [];
  const world = await createWorld({
    databaseUrl,
    createService: async ({ clock }) => {
      const host = await startServiceHost({
        clock,
        choose: ({ path }) => pendingFault.takePlan(path),
      });
      hosts.push(host);
      const undici = createUndiciTransport({ connectTimeoutMs: 1_000, timeouts: limits });
      return {
        url: host.proxy.url,
        transport: withLimits(withRedirects(undici, host.port, pendingFault.takeRedirect)),
        readLedger: host.readLedger,
        async close() {
          await undici.close();
          await host.close();
        },
      };
    },
  });
  let cells = 0;

  return {
    world,
    async runCell(operation, fault) {
      cells += 1;
      const problems = await runCell({
        operation,
        fault,
        world,
        applicant: world.createApplicant(`Cell ${cells} LLC`),
        async arm() {
          if (fault.plan === 'refuse') await hosts[0]?.proxy.refuse();
          else pendingFault.set(paths[operation], fault.plan);
        },
        async disarm() {
          if (fault.plan === 'refuse') await hosts[0]?.proxy.listen();
          else pendingFault.clear();
        },
      });
      return problems.map((problem) => `${operation}, ${fault.name}: ${problem}`);
    },
    close: () => world.close(),
  };
}

interface PendingFault {
  /** Applies the fault to the next call of this path. */
  set(path: string, plan: Plan | Redirect): void;
  clear(): void;
  takePlan(path: string): Plan;
  takeRedirect(path: string): Redirect | undefined;
}

function createPendingFault(): PendingFault {
  let order: { readonly path: string; readonly plan: Plan | Redirect } | undefined;
  function take(path: string, isRedirect: boolean): Plan | Redirect | undefined {
    if (order?.path !== path || (typeof order.plan === 'string') !== isRedirect) return undefined;
    const { plan } = order;
    order = undefined;
    return plan;
  }
  return {
    set(path, plan) {
      order = { path, plan };
    },
    clear() {
      order = undefined;
    },
    takePlan(path) {
      const plan = take(path, false);
      return typeof plan === 'object' ? plan : { kind: 'pass' };
    },
    takeRedirect(path) {
      const detour = take(path, true);
      return typeof detour === 'string' ? detour : undefined;
    },
  };
}

/** Redirects a call to an address where no connection is possible. */
function withRedirects(
  transport: Transport,
  port: number,
  takeRedirect: (path: string) => Redirect | undefined,
): Transport {
  return (request) => {
    const { pathname } = new URL(request.url);
    switch (takeRedirect(pathname)) {
      case undefined:
        return transport(request);
      case 'no-name':
        return transport({ ...request, url: `http://nowhere.invalid${pathname}` });
      case 'no-certificate':
        return transport({ ...request, url: `https://127.0.0.1:${port}${pathname}` });
    }
  };
}

/** Shortens the timeouts of the operations, which are too long for a test. */
function withLimits(transport: Transport): Transport {
  return (request) => transport({ ...request, timeouts: limits });
}
