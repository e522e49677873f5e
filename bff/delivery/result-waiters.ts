// Requests that wait for the result of a row: what they wait for, and when they stop waiting.

import { type StartTimer, withTimeout } from '../runtime/timers.ts';
import type { ApplicationState, AttachmentState, DeliveryKind, Store } from '../store/store.ts';

/** Interval of the checks for a result that another process may record. */
const pollMs = 500;

export interface AwaitedRow {
  readonly table: 'application' | 'attachment';
  readonly id: string;
}

/** An awaited row that has no result yet. */
export interface PendingRow {
  readonly kind: DeliveryKind;
  readonly id: string;
}

export interface ResultWaitersOptions {
  readonly store: Pick<Store, 'isShared' | 'findApplication' | 'findAttachment'>;
  readonly startTimer: StartTimer;
  /** Whether the row cannot have a result soon. */
  readonly isHopeless: (row: PendingRow) => boolean;
  /** Called when a request begins to wait for a pending row. */
  readonly onWait: () => void;
}

export interface ResultWaiters {
  /**
   * Resolves when the row has a result, when it cannot have one soon, or after `timeoutMs`. Rejects if the store cannot
   * find the row.
   */
  wait(row: AwaitedRow, timeoutMs: number): Promise<void>;
  /** The row that was awaited first comes first. */
  listPending(): readonly PendingRow[];
  /** Ends the waiting for one row. */
  release(id: string): void;
  /** Ends the waiting for rows that became hopeless. */
  releaseHopeless(): void;
}

interface Waiter {
  readonly id: string;
  /** Set once the row was found to be pending. */
  kind: DeliveryKind | undefined;
  readonly release: () => void;
  readonly released: Promise<void>;
}

export function createResultWaiters(options: ResultWaitersOptions): ResultWaiters {
  const { store, startTimer, isHopeless, onWait } = options;
  const waiters = new Set<Waiter>();

  async function findPendingKind({ table, id }: AwaitedRow): Promise<DeliveryKind | undefined> {
    if (table === 'application') {
      return isPending(await store.findApplication(id)) ? 'application' : undefined;
    }
    const attachment = await store.findAttachment(id);
    return isPending(attachment) ? attachment?.kind : undefined;
  }

  async function waitForRelease({ released }: Waiter, row: AwaitedRow): Promise<void> {
    if (!store.isShared) return released;
    for (;;) {
      const result = await withTimeout(pollMs, startTimer, () => released, 'timeout' as const);
      if (result !== 'timeout' || (await findPendingKind(row)) === undefined) return;
    }
  }

  return {
    async wait(row, timeoutMs) {
      const { id } = row;
      const waiter = createWaiter(id);
      waiters.add(waiter);
      const cancelTimeout = startTimer(timeoutMs, waiter.release);
      try {
        // Read after the waiter was added: a result that is recorded in between releases it.
        const kind = await findPendingKind(row);
        if (kind === undefined || isHopeless({ kind, id })) return;
        waiter.kind = kind;
        onWait();
        await waitForRelease(waiter, row);
      } finally {
        cancelTimeout();
        waiters.delete(waiter);
      }
    },

    listPending() {
      const pending = new Map<string, PendingRow>();
      for (const { id, kind } of waiters) if (kind) pending.set(id, { kind, id });
      return [...pending.values()];
    },

    release(id) {
      for (const waiter of waiters) if (waiter.id === id) waiter.release();
    },

    releaseHopeless() {
      for (const { id, kind, release } of waiters) if (kind && isHopeless({ kind, id })) release();
    },
  };
}

function createWaiter(id: string): Waiter {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { id, kind: undefined, release, released };
}

function isPending(
  row: { readonly state: ApplicationState | AttachmentState } | undefined,
): boolean {
  return row?.state === 'received' || row?.state === 'sending';
}
