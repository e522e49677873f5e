// Whether the browser is offline. An "online" browser may still have no connection.

export interface ConnectionEnvironment {
  readonly isOffline: () => boolean;
  /** Calls back for `online` and `offline`. Returns a function that stops listening. */
  readonly onChange: (callback: () => void) => () => void;
}

/** Reads `navigator.onLine`. */
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
