// Who waits for the result of which row: requests that would rather answer with it than without.

import type { StartTimer } from '../runtime/timers.ts';
import type { ApplicationState, AttachmentState, DeliveryKind, Store } from '../store/store.ts';

/** Where another process may record the result, nobody tells us of it. */
const lookAgainMs = 500;

/** Which row somebody waits for. */
export interface Awaited {
  readonly table: 'application' | 'attachment';
  readonly id: string;
}

/** A row that is awaited, as it is claimed. */
export interface Wanted {
  readonly kind: DeliveryKind;
  readonly id: string;
}

export interface WaitersOptions {
  readonly store: Pick<Store, 'isShared' | 'findApplication' | 'findAttachment'>;
  readonly startTimer: StartTimer;
  /** Whether no result of the row is to be expected soon. */
  readonly isHopeless: (row: Wanted) => boolean;
  /** Called when a row is wanted that nobody wanted before. */
  readonly onWanted: () => void;
}

export interface Waiters {
  /**
   * Resolves once the row's result was told, or none is to be expected soon, at the latest after `timeoutMs`. Rejects when the
   * row cannot be looked up.
   */
  wait(row: Awaited, timeoutMs: number): Promise<void>;
  /** Rows that are awaited and may still be claimed, the longest awaited first. */
  listWanted(): readonly Wanted[];
  /** Ends the waiting for one row. */
  tell(id: string): void;
  /** Ends the waiting for rows that have become hopeless. */
  releaseHopeless(): void;
}

interface Waiter {
  readonly id: string;
  /** Known once the row was looked up. */
  kind: DeliveryKind | undefined;
  readonly release: () => void;
  readonly released: Promise<void>;
  isReleased: boolean;
}

export function createWaiters(options: WaitersOptions): Waiters {
  const { store, startTimer, isHopeless, onWanted } = options;
  const waiters = new Set<Waiter>();

  function add(id: string): Waiter {
    let end: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      end = resolve;
    });
    const waiter: Waiter = {
      id,
      kind: undefined,
      released,
      isReleased: false,
      release() {
        waiter.isReleased = true;
        end();
      },
    };
    waiters.add(waiter);
    return waiter;
  }

  /** Its kind, while the row has not been tried, or is being tried. */
  async function findPending({ table, id }: Awaited): Promise<DeliveryKind | undefined> {
    if (table === 'application') {
      return isPending(await store.findApplication(id)) ? 'application' : undefined;
    }
    const attachment = await store.findAttachment(id);
    return isPending(attachment) ? attachment?.kind : undefined;
  }

  async function untilTold(waiter: Waiter, row: Awaited): Promise<void> {
    if (!store.isShared) return waiter.released;
    while (!waiter.isReleased) {
      await endsWithin(lookAgainMs, waiter.released);
      if (!waiter.isReleased && (await findPending(row)) === undefined) return;
    }
  }

  async function endsWithin(ms: number, released: Promise<void>): Promise<void> {
    let cancel: () => void = () => undefined;
    const pause = new Promise<void>((resolve) => {
      cancel = startTimer(ms, resolve);
    });
    await Promise.race([released, pause]);
    cancel();
  }

  return {
    async wait(row, timeoutMs) {
      const waiter = add(row.id);
      const cancelTimeout = startTimer(timeoutMs, waiter.release);
      try {
        // Looked up only now: a result recorded before would never be told.
        const kind = await findPending(row);
        if (kind === undefined || isHopeless({ kind, id: row.id })) return;
        waiter.kind = kind;
        onWanted();
        await untilTold(waiter, row);
      } finally {
        cancelTimeout();
        waiters.delete(waiter);
      }
    },

    listWanted() {
      const wanted = new Map<string, Wanted>();
      for (const { id, kind } of waiters) if (kind) wanted.set(id, { kind, id });
      return [...wanted.values()];
    },

    tell(id) {
      for (const waiter of waiters) if (waiter.id === id) waiter.release();
    },

    releaseHopeless() {
      for (const { id, kind, release } of waiters) if (kind && isHopeless({ kind, id })) release();
    },
  };
}

function isPending(
  row: { readonly state: ApplicationState | AttachmentState } | undefined,
): boolean {
  return row?.state === 'received' || row?.state === 'sending';
}
