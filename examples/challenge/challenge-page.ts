// A page with the form and a challenge, under the strictest Content-Security-Policy that both allow.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

export interface ChallengePageOptions {
  /** The URLs of the BFF and the provider, as the browser reaches them. */
  readonly bffUrl: string;
  readonly providerUrl: string;
}

const folder = join(import.meta.dirname, 'public');

export function createChallengePage(options: ChallengePageOptions): Hono {
  const bffOrigin = new URL(options.bffUrl).origin;
  const providerOrigin = new URL(options.providerUrl).origin;
  const page = new Hono();

  page.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", bffOrigin, providerOrigin],
        connectSrc: [bffOrigin],
        frameSrc: [providerOrigin],
        styleSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
      referrerPolicy: 'strict-origin-when-cross-origin',
      xFrameOptions: 'DENY',
      // This server uses plain HTTP on one machine. A real site needs this header.
      strictTransportSecurity: false,
    }),
  );
  page.get('/', async (c) => {
    const html = await readFile(join(folder, 'page.html'), 'utf8');
    return c.html(
      html.replaceAll('{{bffUrl}}', bffOrigin).replaceAll('{{providerUrl}}', providerOrigin),
    );
  });
  page.get('/page.js', () => send('page.js', 'text/javascript; charset=utf-8'));
  page.get('/page.css', () => send('page.css', 'text/css; charset=utf-8'));
  return page;
}

async function send(file: string, mediaType: string): Promise<Response> {
  return new Response(await readFile(join(folder, file)), {
    headers: { 'content-type': mediaType },
  });
}
