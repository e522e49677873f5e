// Reads from a TCP connection up to a delimiter, or a number of bytes.

import type { Socket } from 'node:net';

export interface SocketReader {
  /** Reads up to and including `mark`. Resolves with `undefined` when the connection ends earlier. */
  until(mark: string): Promise<Buffer | undefined>;
  /** Reads this number of bytes. Resolves with `undefined` when the connection ends earlier. */
  exactly(bytes: number): Promise<Buffer | undefined>;
}

export function createSocketReader(socket: Socket): SocketReader {
  let held = Buffer.alloc(0);
  let hasEnded = false;
  let wake: () => void = () => undefined;

  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    wake();
  });
  const end = () => {
    hasEnded = true;
    wake();
  };
  socket.on('end', end);
  socket.on('close', end);
  socket.on('error', end);

  /** @param find returns the length of the next piece, or -1 when more bytes are needed. */
  async function take(find: () => number): Promise<Buffer | undefined> {
    for (;;) {
      const length = find();
      if (length >= 0) {
        const piece = held.subarray(0, length);
        held = held.subarray(length);
        return piece;
      }
      if (hasEnded) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    until: (mark) =>
      take(() => {
        const index = held.indexOf(mark);
        return index < 0 ? -1 : index + mark.length;
      }),
    exactly: (bytes) => take(() => (held.length >= bytes ? bytes : -1)),
  };
}
