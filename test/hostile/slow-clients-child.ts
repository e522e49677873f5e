// Slow clients in a separate process, so that they do not slow down the honest applicants of the test.

import { connect, type Socket } from 'node:net';
import { toBehavior, type SlowKind, type SlowTarget } from './slow-kinds.ts';

export interface SlowOrder {
  readonly target: SlowTarget;
  readonly crowds: readonly { readonly kind: SlowKind; readonly connections: number }[];
}

export interface SlowTally {
  readonly kind: SlowKind;
  /** Connections that were opened. */
  readonly connected: number;
  /** Connections that could not be opened. */
  readonly failed: number;
  /** Connections that the server closed. */
  readonly ended: number;
  /** Connections that are open now. */
  readonly open: number;
  readonly sentBytes: number;
  /** First responses of connections, by status. */
  readonly answers: Readonly<Record<string, number>>;
}

const tickMs = 1_000;

const order = JSON.parse(process.argv[2] ?? '') as SlowOrder;
const crowds = order.crowds.map(({ kind, connections }) => openCrowd(kind, connections));

process.on('message', () => process.send?.(crowds.map(({ count }) => count())));
// The parent exited or asked for the exit.
process.on('disconnect', () => process.exit());

function openCrowd(kind: SlowKind, connections: number): { readonly count: () => SlowTally } {
  const behavior = toBehavior(kind, order.target);
  const sockets = new Set<Socket>();
  const answers: Record<string, number> = {};
  const tally = { kind, connected: 0, failed: 0, ended: 0, sentBytes: 0 };

  function open(index: number): void {
    // An address instead of a name avoids a thousand DNS lookups.
    const socket = connect({ port: order.target.port, host: '127.0.0.1' });
    let hasEnded = false;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      tally.connected += 1;
      sockets.add(socket);
      behavior.begin(socket, index);
    });
    socket.on('end', () => {
      hasEnded = true;
    });
    socket.once('close', (hadError) => {
      tally.sentBytes += socket.bytesWritten;
      if (!sockets.delete(socket)) tally.failed += 1;
      else if (hasEnded || hadError) tally.ended += 1;
      setTimeout(open, (behavior.pauseSeconds ?? 1) * 1_000, index);
    });
    if (!behavior.readsNothing) {
      socket.once('data', (chunk: Buffer) => {
        const status = chunk.toString('latin1', 9, 12);
        answers[status] = (answers[status] ?? 0) + 1;
      });
      socket.resume();
    }
  }

  for (let index = 0; index < connections; index += 1) open(index);
  setInterval(() => {
    for (const socket of sockets) if (socket.writable) behavior.tick?.(socket);
  }, tickMs);
  return {
    count: () => ({
      ...tally,
      answers,
      open: sockets.size,
      sentBytes: tally.sentBytes + [...sockets].reduce((sum, each) => sum + each.bytesWritten, 0),
    }),
  };
}
