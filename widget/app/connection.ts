// Whether the browser is offline. An "online" browser may still have no connection.

export interface ConnectionEnvironment {
  readonly isOffline: () => boolean;
  /** Calls back for `online` and `offline`. Returns a function that stops listening. */
  readonly onChange: (callback: () => void) => () => void;
}

/** Follows the connection while the element stands on the page. */
export class Connection {
  isOffline = false;
  readonly #environment: ConnectionEnvironment;
  readonly #onChange: (isOffline: boolean) => void;
  #stopListening: (() => void) | undefined;

  constructor(environment: ConnectionEnvironment, onChange: (isOffline: boolean) => void) {
    this.#environment = environment;
    this.#onChange = onChange;
  }

  connect(): void {
    this.disconnect();
    this.#stopListening = this.#environment.onChange(() => this.#look());
    this.#look();
  }

  disconnect(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #look(): void {
    const isOffline = this.#environment.isOffline();
    if (isOffline === this.isOffline) return;
    this.isOffline = isOffline;
    this.#onChange(isOffline);
  }
}

/** The browser's own word. */
export function createBrowserConnection(): ConnectionEnvironment {
  return {
    isOffline: () => !navigator.onLine,
    onChange: (callback) => {
      const stop = new AbortController();
      addEventListener('online', callback, stop);
      addEventListener('offline', callback, stop);
      return () => stop.abort();
    },
  };
}
