// The browser around a form: connection, timers, tabs, and history. Tests trigger its events.

import type { OpenSessionChannel } from '../../widget/app/session.ts';

export function createFakeConnection() {
  let isOffline = false;
  const listeners = new Set<() => void>();
  return {
    environment: {
      isOffline: () => isOffline,
      onChange: (callback: () => void) => {
        listeners.add(callback);
        return () => listeners.delete(callback);
      },
    },
    get listeners() {
      return listeners.size;
    },
    setOffline(offline: boolean) {
      isOffline = offline;
      for (const listener of listeners) listener();
    },
  };
}

/** Broadcast channels of one site: every channel receives the messages of the others. */
export function createFakeChannels() {
  const channels = new Set<(endsAt: unknown) => void>();
  const open: OpenSessionChannel = (_name, onMessage) => {
    channels.add(onMessage);
    return {
      post: (endsAt) => {
        for (const channel of channels) if (channel !== onMessage) channel(endsAt);
      },
      close: () => channels.delete(onMessage),
    };
  };
  return {
    open,
    /** Posts a message, as any script of the site could. */
    send: (message: unknown) => {
      for (const channel of channels) channel(message);
    },
    get size() {
      return channels.size;
    },
  };
}
