// Holds the state of one element. `update` is the only way to change it.

import { initialState, type AppState } from './state.ts';

/** Runs after every change, with the state before and after it. It may call `update`; that change follows this one. */
export type Reaction = (before: AppState, after: AppState) => void;

/** The slices, which are objects; the other members of the state are set with `update`. */
type SliceName = {
  [Name in keyof AppState]-?: AppState[Name] extends object ? Name : never;
}[keyof AppState];

export class Store {
  #state: AppState;
  readonly #reactions: readonly Reaction[];
  readonly #changes: (readonly [AppState, AppState])[] = [];

  /** @param reactions run in this order after every change. */
  constructor(reactions: readonly Reaction[], state: AppState = initialState) {
    this.#reactions = reactions;
    this.#state = state;
  }

  get state(): AppState {
    return this.#state;
  }

  /** Replaces the state at once, then runs the reactions. Does nothing when `change` returns the same state. */
  update(change: (state: AppState) => AppState): void {
    const before = this.#state;
    this.#state = change(before);
    if (this.#state === before) return;
    this.#changes.push([before, this.#state]);
    // A reaction has called: its change waits, so that every reaction sees all changes in the same order.
    if (this.#changes.length > 1) return;
    try {
      for (const [earlier, later] of this.#changes) {
        for (const react of this.#reactions) react(earlier, later);
      }
    } finally {
      this.#changes.length = 0;
    }
  }

  /** Changes members of one slice. */
  merge<Name extends SliceName>(slice: Name, changes: Partial<AppState[Name]>): void {
    this.update((state) => ({ ...state, [slice]: { ...state[slice], ...changes } }));
  }
}
