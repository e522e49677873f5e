// The network of the browsers: a proxy that routes every host to this process, ends TLS, passes the BFF's paths to the BFF,
// serves the partners' pages, and records the requests.

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
import { apiResponseHeaders } from '../../../shared/api/paths.ts';
import type { SelfSigned } from '../../support/self-signed.ts';
import { answerControl, controlPath } from './cookie-control.ts';
import { bffOrigin, hosts } from './combinations.ts';
import { waitLimitMs } from '../../support/time-limit.ts';

/** A request of the browser below `/v1`, with its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Origin of the page that sent the request. */
  readonly page: string;
  /** The `Sec-Fetch-Site` header. */
  readonly fetchSite: string | undefined;
  readonly hasCookie: boolean;
  readonly hasToken: boolean;
  readonly status: number;
  /** Complete `Set-Cookie` lines of session cookies. */
  readonly setCookies: readonly string[];
  /** Session tokens in the header or body of the response. */
  readonly tokens: readonly string[];
  readonly text: string;
}

export interface RecordingProxyOptions {
  readonly certificate: SelfSigned;
  readonly bffUrl: string;
  /** Client address that the BFF sees for every request. */
  readonly clientAddress: string;
  /** How far the clocks of the partners' pages are ahead. Default: 0. */
  readonly aheadMs?: () => number;
}

/** A page of the partner without the element. */
export const elsewherePath = '/elsewhere';

const reportPath = '/policy-report';
const clockPath = '/clock.js';
const bffPaths = /^\/(v1|widget|page)\/|^\/(apply|phone)\b/;
const sessionCookie = /^(__Host-Http-funding|funding-session)-/;
const names = Object.values(hosts);

export type RecordingProxy = Awaited<ReturnType<typeof startRecordingProxy>>;

export async function startRecordingProxy(options: RecordingProxyOptions) {
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
    } else if (path === elsewherePath) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>Elsewhere');
    } else if (isBff && path === clockPath) {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(toClockScript(options.aheadMs?.() ?? 0));
    } else if (isBff && path.startsWith(controlPath)) {
      answerControl(request, response);
    } else if (isBff && bffPaths.test(path)) {
      const exchange = await pass(request, response, options);
      if (path.startsWith('/v1/')) exchanges.push(exchange);
      news.emit('noted');
    } else {
      response.writeHead(404).end();
    }
  }

  const proxy = await startProxy(
    createServer(
      { key: options.certificate.key, cert: options.certificate.certificate },
      (request, response) => {
        // A browser may close in the middle of a request.
        answer(request, response).catch(() => response.destroy());
      },
    ),
  );
  return {
    /** Port of the HTTP proxy for the browsers. */
    proxyPort: proxy.port,
    /** In the order of the responses, including preflights. */
    exchanges,
    /** CSP reports: directive and blocked URL. */
    reports,
    /** Resolves when the condition is true. Rejects after `waitLimitMs` with an error that names `description`. */
    async until(description: string, isTrue: () => boolean) {
      const signal = AbortSignal.timeout(waitLimitMs);
      while (!isTrue()) {
        await once(news, 'noted', { signal }).catch(() => {
          throw new Error(`Timed out waiting for ${description}`);
        });
      }
    },
    close: proxy.close,
  };
}

/** Refuses requests that browsers send on their own, so that no request leaves this machine. */
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
    // The address of a TCP server is an object.
    port: (proxy.address() as AddressInfo).port,
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}

/** Sends the page with the strictest policy that the element supports. */
function sendPage(response: ServerResponse): void {
  const policy = [
    "default-src 'none'",
    `script-src ${bffOrigin}`,
    `connect-src ${bffOrigin}`,
    "style-src 'none'",
    // For the favicon, which browsers request on their own.
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    // Every engine supports `report-uri`; not every engine supports `report-to`.
    `report-uri ${reportPath}`,
  ];
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
  });
  response.end(`<!doctype html><html lang="en-US"><head><meta charset="utf-8"><title>Partner</title>
<script src="${bffOrigin}${clockPath}"></script>
<script type="module" src="${bffOrigin}/widget/funding-application.js"></script></head>
<body><funding-application></funding-application></body></html>`);
}

/** Moves the clock of a page before any other script of the page runs. */
function toClockScript(aheadMs: number): string {
  if (aheadMs === 0) return '';
  return `globalThis.Date = class extends Date {
    constructor(...parts) {
      if (parts.length === 0) super(new.target.now());
      else super(...parts);
    }
    static now() {
      return super.now() + ${aheadMs};
    }
  };`;
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { bffUrl, clientAddress }: RecordingProxyOptions,
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
    // Browsers omit the Origin header only in a same-origin GET.
    page: origin ?? bffOrigin,
    fetchSite: [request.headers['sec-fetch-site']].flat()[0],
    hasCookie: cookie.split('; ').some((pair) => sessionCookie.test(pair)),
    hasToken: authorization.startsWith('Funding '),
    status: answered.statusCode ?? 0,
    setCookies: (answered.headers['set-cookie'] ?? []).filter((line) => sessionCookie.test(line)),
    tokens: [answered.headers[apiResponseHeaders.session], inBody]
      .flat()
      .filter((token) => token !== undefined),
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
