// One request over the network as a browser would send it, answered with what arrived or with a code of why nothing did.

import { request as sendPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as sendEncrypted } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';

const maxAnswerBytes = 4 * 1024 * 1024;
const pieceBytes = 64 * 1024;
const pieceMs = 5;

export interface VisitRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in pieces at some 10 MB a second, so that an early answer is heard; what is left then is not sent. */
  readonly body?: Uint8Array;
  /** From the call to the end of the answer; default 15,000. */
  readonly timeoutMs?: number;
}

export interface Arrived {
  readonly kind: 'arrived';
  readonly status: number;
  /** Repeated ones are joined by a comma, as browsers read them. */
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Epoch milliseconds; `undefined` without TLS. */
  readonly certificateEndsAt: number | undefined;
}

/** Nothing arrived, or not all of it. */
export interface Lost {
  readonly kind: 'lost';
  /** For example `ECONNREFUSED`, `CERT_HAS_EXPIRED`; never a text. */
  readonly code: string;
}

/** Never throws, follows no redirect, and keeps neither cookies nor connections. */
export type Visit = (request: VisitRequest) => Promise<Arrived | Lost>;

/** @param certificateAuthority in PEM; default those of Node. */
export function createVisit(certificateAuthority?: string): Visit {
  return ({ method, url, headers, body, timeoutMs = 15_000 }) =>
    new Promise((resolve) => {
      const send = url.startsWith('https:') ? sendEncrypted : sendPlain;
      const outgoing = send(url, {
        method,
        headers: {
          ...headers,
          ...(body && { 'content-length': String(body.byteLength) }),
        },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
      });
      let isAnswered = false;
      outgoing.on('response', (incoming) => {
        isAnswered = true;
        void receive(incoming).then(resolve);
      });
      // That the rest of a body could not be written is no news once an answer has come.
      outgoing.on('error', (error) => {
        if (!isAnswered) resolve({ kind: 'lost', code: toCode(error) });
      });
      void write(outgoing, body ?? new Uint8Array());
    });
}

/** Ends with the connection, which is closed once an answer has come. */
async function write(outgoing: ClientRequest, body: Uint8Array): Promise<void> {
  for (let at = 0; at < body.byteLength && !outgoing.destroyed; at += pieceBytes) {
    outgoing.write(body.subarray(at, at + pieceBytes));
    await sleep(pieceMs);
  }
  outgoing.end();
}

async function receive(incoming: IncomingMessage): Promise<Arrived | Lost> {
  const { socket, rawHeaders, statusCode = 0 } = incoming;
  const certificateEndsAt =
    socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : undefined;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) {
      bytes += piece.byteLength;
      if (bytes > maxAnswerBytes) return { kind: 'lost', code: 'ANSWER_TOO_LARGE' };
      pieces.push(piece);
    }
  } catch (error) {
    return { kind: 'lost', code: toCode(error) };
  } finally {
    // Of a body that was answered early the rest is never sent.
    socket.destroy();
  }
  const answer = { status: statusCode, headers, bytes: Buffer.concat(pieces), certificateEndsAt };
  return { kind: 'arrived', ...answer };
}

function toCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const code = 'code' in error ? String(error.code) : error.name;
  if (code === 'ABORT_ERR') return 'TIMEOUT';
  return /^[A-Za-z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}
