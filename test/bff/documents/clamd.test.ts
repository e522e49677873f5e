// The client of the virus scanner, with a fake daemon on a real socket.

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClamd, type Clamd } from '../../../bff/documents/clamd.ts';
import { createNoise } from '../../support/random.ts';
import { createManualTime, until, type ManualTime } from '../../support/manual-time.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const command = 'zINSTREAM\0';

/** One request, as a daemon reads it. */
interface Received {
  readonly socket: Socket;
  readonly command: string;
  readonly content: Buffer;
}

describe('the virus scanner client', () => {
  let time: ManualTime;
  let server: Server;
  let clamd: Clamd;
  let answer: (received: Received) => void | Promise<void>;
  let sockets: Socket[];

  beforeEach(async () => {
    time = createManualTime();
    sockets = [];
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      serve(socket);
    });
    await listen();
    clamd = create();
  });

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('sends the file in chunks with their lengths', async () => {
    const file = Buffer.from(createNoise(700_001, 5));
    let seen: Received | undefined;
    answer = (received) => {
      seen = received;
      received.socket.end('stream: OK\0');
    };
    expect(await scan(file)).toBe('clean');
    expect([seen?.command, seen?.content.equals(file)]).toEqual([command, true]);
    expect(time.listTimers()).toEqual([]);
  });

  it('does not send empty chunks, which would end the stream', async () => {
    let seen: Buffer | undefined;
    answer = ({ socket, content }) => {
      seen = content;
      socket.end('stream: OK\0');
    };
    expect(await clamd.scan(give('ab', '', 'c'))).toBe('clean');
    expect(seen?.toString()).toBe('abc');
  });

  it.each([
    ['stream: OK\0', 'clean'],
    ['stream: Eicar-Test-Signature FOUND\0', 'infected'],
    ['stream: Win.Test.EICAR_HDB-1 FOUND\0', 'infected'],
    ['INSTREAM size limit exceeded. ERROR\0', 'scanner-size-limit'],
    ['stream: OK', 'scanner-unanswered'],
    ['', 'scanner-unanswered'],
    ['stream: OK\n\0', 'scanner-answer-unknown'],
    ['stream: ok\0', 'scanner-answer-unknown'],
    [' stream: OK\0', 'scanner-answer-unknown'],
    ['1: stream: OK\0', 'scanner-answer-unknown'],
    ['stream: OK stream: X FOUND\0', 'infected'],
    ['stream:  FOUND\0', 'scanner-answer-unknown'],
    ['UNKNOWN COMMAND\0', 'scanner-answer-unknown'],
    ['stream: Can’t allocate memory ERROR\0', 'scanner-answer-unknown'],
    ['HTTP/1.1 200 OK\r\n\r\nstream: OK\0', 'scanner-answer-unknown'],
  ])('reads the answer %j as %s', async (text, expected) => {
    answer = ({ socket }) => void socket.end(text);
    expect(await scan(Buffer.from('a file'))).toBe(expected);
  });

  it('reads an answer that arrives byte by byte', async () => {
    answer = async ({ socket }) => {
      socket.setNoDelay(true);
      for (const byte of Buffer.from('stream: OK\0')) {
        await new Promise((written) => {
          socket.write(Uint8Array.of(byte), written);
        });
      }
    };
    expect(await scan(Buffer.from('a file'))).toBe('clean');
  });

  it('ends the scan after an answer that is too long', async () => {
    answer = ({ socket }) => void socket.write('x'.repeat(5_000));
    expect(await scan(Buffer.from('a file'))).toBe('scanner-unanswered');
  });

  it('ends the scan after a minute', async () => {
    answer = () => undefined;
    const scanning = scan(Buffer.from('a file'));
    await until(() => sockets.length === 1);
    expect(time.listTimers()).toEqual([60_000]);
    time.advance(60_000);
    expect(await scanning).toBe('scanner-unanswered');
  });

  it('reports a connection that breaks during the file', async () => {
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    expect(await scan(Buffer.from(createNoise(5_000_000, 7)))).toBe('scanner-unanswered');
  });

  it('reports a refused connection', async () => {
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    clamd = create(`tcp://127.0.0.1:${port}`);
    expect(await scan(Buffer.from('a file'))).toBe('scanner-unanswered');
  });

  it('connects to a Unix socket', async () => {
    server.close();
    const path = join(createFolder(), 'clamd.ctl');
    await listen(path);
    answer = ({ socket }) => void socket.end('stream: OK\0');
    clamd = create(`unix:${path}`);
    expect(await scan(Buffer.from('a file'))).toBe('clean');
  });

  it('aborts scans in progress', async () => {
    answer = () => undefined;
    const scanning = scan(Buffer.from('a file'));
    await until(() => sockets.length === 1);
    clamd.abort();
    expect(await scanning).toBe('scanner-unanswered');
  });

  it('throws the error of unreadable content', async () => {
    async function* breaking() {
      yield Buffer.from('ab');
      throw new Error('The store failed');
    }
    await expect(clamd.scan(breaking())).rejects.toThrow('The store failed');
    expect(time.listTimers()).toEqual([]);
  });

  function listen(path?: string): Promise<void> {
    return new Promise((resolve) => {
      if (path === undefined) server.listen(0, '127.0.0.1', resolve);
      else server.listen(path, resolve);
    });
  }

  function create(url?: string): Clamd {
    const address = server.address() as AddressInfo | null;
    return createClamd(url ?? `tcp://127.0.0.1:${address?.port}`, time.startTimer);
  }

  function scan(file: Buffer): Promise<string> {
    return clamd.scan(give(file.subarray(0, 262_143), file.subarray(262_143)));
  }

  async function* give(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }

  function serve(socket: Socket): void {
    let received = Buffer.alloc(0);
    const content: Buffer[] = [];
    let at = command.length;
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      while (received.length >= at + 4) {
        const length = received.readUInt32BE(at);
        if (length === 0) {
          const sent = received.toString('latin1', 0, command.length);
          return void answer({ socket, command: sent, content: Buffer.concat(content) });
        }
        if (received.length < at + 4 + length) return;
        content.push(received.subarray(at + 4, at + 4 + length));
        at += 4 + length;
      }
    });
  }
});
