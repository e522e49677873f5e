// Writes the answers down: a moment after a key, so that no key waits for the storage, and at once when the page may go away.

import { toKeptDraft, type DraftStore } from './draft-store.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import type { FlowState } from './state.ts';

/** Of what is typed, this much may be lost with a tab that crashes. */
const pauseMs = 250;

export interface DraftKeepingOptions {
  /** Without one nothing is kept. */
  readonly draftStore?: DraftStore | undefined;
  readonly timers: PollingEnvironment;
  readonly readState: () => FlowState | undefined;
  /** Whether it works is another now. */
  readonly onChange: () => void;
}

export class DraftKeeping {
  /** Answers stay in this browser until the service has them. */
  works: boolean;
  readonly #options: DraftKeepingOptions;
  #timer: number | undefined;
  #stopListening: (() => void) | undefined;

  constructor(options: DraftKeepingOptions) {
    this.#options = options;
    this.works = options.draftStore !== undefined;
  }

  connect(): void {
    this.disconnect();
    const { draftStore, timers } = this.#options;
    // A reload hides the page as well.
    if (draftStore) this.#stopListening = timers.onVisibilityChange(() => this.#finish());
  }

  disconnect(): void {
    this.#finish();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** One write for all that is typed meanwhile. */
  writeSoon(): void {
    const { draftStore, timers } = this.#options;
    if (draftStore) this.#timer ??= timers.setTimeout(() => this.write(), pauseMs);
  }

  write(): void {
    this.#rest();
    const { draftStore, readState, onChange } = this.#options;
    const state = readState();
    if (!state || !draftStore) return;
    const before = this.works;
    this.works = draftStore.write(toKeptDraft(state));
    if (this.works !== before) onChange();
  }

  /** What waits to be written goes with it. */
  erase(): void {
    this.#rest();
    this.#options.draftStore?.erase();
  }

  #rest(): void {
    if (this.#timer !== undefined) this.#options.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #finish(): void {
    if (this.#timer !== undefined) this.write();
  }
}
