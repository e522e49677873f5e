// The ambiguity matrix: every operation meets every fault, over real connections through the fault proxy.

import { createUndiciTransport, type Transport } from '../../bff/funding-service/transport.ts';
import type { Plan } from './fault-proxy.ts';
import { runCell } from './matrix-cell.ts';
import type { Operation } from '../../shared/funding-service/operations.ts';
import type { Detour, MatrixFault } from './matrix-faults.ts';
import { startServiceHost, type ServiceHost } from './service-host.ts';
import { createWorld, type World } from './world.ts';

export interface Matrix {
  readonly world: World;
  /** What was not as it should be; empty when all was. */
  runCell(operation: Operation, fault: MatrixFault): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Short enough for many cells, long enough for this machine to answer in. */
const limits = { headersMs: 250, bodyMs: 250, totalMs: 400 } as const;

const paths: Readonly<Record<Operation, string>> = {
  token: '/services/oauth2/token',
  'create-lead': '/rest/creditapp',
  'pre-approval-offer': '/rest/creditapp/getPreApprovalOffer',
  'contact-user': '/rest/creditapp/contactUser',
  'asset-report': '/rest/aggregator/asset-report/',
  'upload-file': '/rest/UploadFileApiV1',
};

/** One BFF, one store and one service for many cells; each cell has an applicant of its own. */
export async function createMatrix(databaseUrl: string): Promise<Matrix> {
  const trap = createTrap();
  const hosts: ServiceHost[] = [];
  const world = await createWorld({
    databaseUrl,
    createService: async ({ clock }) => {
      const host = await startServiceHost({ clock, choose: ({ path }) => trap.takePlan(path) });
      hosts.push(host);
      const undici = createUndiciTransport({ connectTimeoutMs: 1_000, timeouts: limits });
      return {
        url: host.proxy.url,
        transport: withLimits(withDetours(undici, host.port, trap.takeDetour)),
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
          if (fault.trouble === 'refuse') await hosts[0]?.proxy.refuse();
          else trap.set(paths[operation], fault.trouble);
        },
        async disarm() {
          if (fault.trouble === 'refuse') await hosts[0]?.proxy.listen();
          else trap.clear();
        },
      });
      return problems.map((problem) => `${operation}, ${fault.name}: ${problem}`);
    },
    close: () => world.close(),
  };
}

interface Trap {
  /** Meets the next call of this path. */
  set(path: string, trouble: Plan | Detour): void;
  clear(): void;
  takePlan(path: string): Plan;
  takeDetour(path: string): Detour | undefined;
}

function createTrap(): Trap {
  let order: { readonly path: string; readonly trouble: Plan | Detour } | undefined;
  function take(path: string, isDetour: boolean): Plan | Detour | undefined {
    if (order?.path !== path || (typeof order.trouble === 'string') !== isDetour) return undefined;
    const { trouble } = order;
    order = undefined;
    return trouble;
  }
  return {
    set(path, trouble) {
      order = { path, trouble };
    },
    clear() {
      order = undefined;
    },
    takePlan(path) {
      const plan = take(path, false);
      return typeof plan === 'object' ? plan : { kind: 'pass' };
    },
    takeDetour(path) {
      const detour = take(path, true);
      return typeof detour === 'string' ? detour : undefined;
    },
  };
}

/** Leads a call to where no connection can be made. */
function withDetours(
  transport: Transport,
  port: number,
  takeDetour: (path: string) => Detour | undefined,
): Transport {
  return (request) => {
    const { pathname } = new URL(request.url);
    switch (takeDetour(pathname)) {
      case undefined:
        return transport(request);
      case 'no-name':
        return transport({ ...request, url: `http://nowhere.invalid${pathname}` });
      case 'no-certificate':
        return transport({ ...request, url: `https://127.0.0.1:${port}${pathname}` });
    }
  };
}

/** The operations' own limits are longer than a test can wait. */
function withLimits(transport: Transport): Transport {
  return (request) => transport({ ...request, timeouts: limits });
}
