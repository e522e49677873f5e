// The internet of one journey: a proxy that leads every name to this process, ends TLS, passes /v1 and /widget on to the BFF, serves the partners' pages, and notes who asked what.

import { EventEmitter, once } from 'node:events';
import {
  createServer as createProxy,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiResponseHeaders } from '../../shared/api/paths.ts';
import type { Certificate } from './certificate.ts';
import { answerControl, controlPath } from './cookie-control.ts';
import { bffOrigin, hosts } from './hosts.ts';

/** A request below `/v1`, as it came from the browser, and its answer. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Origin of the page that asked. */
  readonly page: string;
  /** `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
  readonly hasCookie: boolean;
  readonly hasHandle: boolean;
  readonly status: number;
  /** Whole lines that set a session cookie. */
  readonly setCookies: readonly string[];
  /** Session handles in header or body. */
  readonly handles: readonly string[];
  readonly text: string;
}

export interface FrontOptions {
  readonly certificate: Certificate;
  readonly bffUrl: string;
  /** The BFF is told that every request comes from here. */
  readonly clientAddress: string;
}

export interface Front {
  /** Of the HTTP proxy that browsers have to use. */
  readonly proxyPort: number;
  /** In the order of their answers, preflights included. */
  readonly exchanges: readonly Exchange[];
  /** What browsers reported against the pages' policies: directive and blocked address. */
  readonly reports: readonly string[];
  /** Resolves once this is true of what was noted; fails after a while, and names `what`. */
  until(what: string, isTrue: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const reportPath = '/policy-report';
const patienceMs = 20_000;
const sessionCookie = /^(__Host-Http-funding|funding-session)-/;
const names = Object.values(hosts);

export async function startFront(options: FrontOptions): Promise<Front> {
  const exchanges: Exchange[] = [];
  const reports: string[] = [];
  const news = new EventEmitter();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const isBff = request.headers.host === hosts.bff;
    if (path === reportPath) {
      reports.push(toReport((await readBody(request)).toString()));
      response.writeHead(204).end();
      news.emit('noted');
    } else if (path === '/') {
      sendPage(response);
    } else if (isBff && path.startsWith(controlPath)) {
      answerControl(request, response);
    } else if (isBff && /^\/(v1|widget)\//.test(path)) {
      const exchange = await pass(request, response, options);
      if (path.startsWith('/v1/')) exchanges.push(exchange);
      news.emit('noted');
    } else {
      response.writeHead(404).end();
    }
  }

  const proxy = await startProxy(
    createServer(options.certificate, (request, response) => {
      // A browser that is closed leaves in the middle of a request.
      answer(request, response).catch(() => response.destroy());
    }),
  );
  return {
    proxyPort: proxy.port,
    exchanges,
    reports,
    async until(what, isTrue) {
      const signal = AbortSignal.timeout(patienceMs);
      while (!isTrue()) {
        await once(news, 'noted', { signal }).catch(() => {
          throw new Error(`${what} was waited for in vain`);
        });
      }
    },
    close: proxy.close,
  };
}

/** What browsers ask for on their own is refused: nothing of a test leaves this machine. */
async function startProxy(sites: ReturnType<typeof createServer>) {
  const sockets = new Set<Duplex>();
  const proxy = createProxy((_request, response) => response.writeHead(403).end());
  proxy.on('connect', (request, socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (!names.some((host) => request.url === `${host}:443`)) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    sites.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    // A TCP server's address is always an object.
    port: (proxy.address() as AddressInfo).port,
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}

/** The strictest page that the widget has to live on. */
function sendPage(response: ServerResponse): void {
  const policy = [
    "default-src 'none'",
    `script-src ${bffOrigin}`,
    `connect-src ${bffOrigin}`,
    "style-src 'none'",
    // For the icon that browsers ask for by themselves.
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    // Every engine knows it, which is not so of `report-to`.
    `report-uri ${reportPath}`,
  ];
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
  });
  response.end(`<!doctype html><html lang="en-US"><head><meta charset="utf-8"><title>Partner</title>
<script type="module" src="${bffOrigin}/widget/funding-application.js"></script></head>
<body><funding-application></funding-application></body></html>`);
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { bffUrl, clientAddress }: FrontOptions,
): Promise<Exchange> {
  const passed = httpRequest(new URL(request.url ?? '/', bffUrl), {
    method: request.method,
    headers: { ...request.headers, 'x-forwarded-for': clientAddress },
  });
  request.pipe(passed);
  const [answered] = (await once(passed, 'response')) as [IncomingMessage];
  const body = await readBody(answered);
  response.writeHead(answered.statusCode ?? 502, answered.rawHeaders).end(body);
  return toExchange(request, answered, body.toString());
}

function toExchange(request: IncomingMessage, answered: IncomingMessage, text: string): Exchange {
  const { cookie = '', authorization = '', origin } = request.headers;
  const inBody = /"handle":"([^"]+)"/.exec(text)?.[1];
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    // Browsers leave it out of a same-origin GET only.
    page: origin ?? bffOrigin,
    fetchSite: [request.headers['sec-fetch-site']].flat()[0],
    hasCookie: cookie.split('; ').some((pair) => sessionCookie.test(pair)),
    hasHandle: authorization.startsWith('Funding '),
    status: answered.statusCode ?? 0,
    setCookies: (answered.headers['set-cookie'] ?? []).filter((line) => sessionCookie.test(line)),
    handles: [answered.headers[apiResponseHeaders.session], inBody]
      .flat()
      .filter((handle) => handle !== undefined),
    text,
  };
}

function toReport(text: string): string {
  const { 'csp-report': report } = JSON.parse(text) as { 'csp-report'?: Record<string, string> };
  const directive = report?.['effective-directive'] || report?.['violated-directive'];
  return `${directive} ${report?.['blocked-uri']}`;
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
