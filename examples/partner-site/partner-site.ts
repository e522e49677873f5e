// The website of an invented partner, "Millstone Supply Co.", with the funding application in its content.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

export interface PartnerSiteOptions {
  /** Where the browser finds the BFF, for example `http://localhost:8081`. */
  readonly bffUrl: string;
}

const folder = import.meta.dirname;
const themes = ['ledger', 'meadow', 'night'] as const;
const pages = {
  '/': 'home.html',
  '/funding': 'funding.html',
  ...Object.fromEntries(themes.map((theme) => [`/themes/${theme}`, 'theme.html'])),
};
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function createPartnerSite(options: PartnerSiteOptions): Hono {
  // Only the origin, as the URL parser writes it: nothing in it can leave an attribute or a header.
  const bffOrigin = new URL(options.bffUrl).origin;
  const site = new Hono();

  site.use(
    secureHeaders({
      // What a page with the widget needs, and nothing else: the BFF's script, the BFF's answers.
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: [bffOrigin],
        connectSrc: [bffOrigin],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['lit-html'],
      },
      referrerPolicy: 'strict-origin-when-cross-origin',
      xFrameOptions: 'DENY',
      // Plain http on one's own machine; a real site has it.
      strictTransportSecurity: false,
    }),
  );

  // Read for each request, so that a change shows at the next reload.
  for (const [path, file] of Object.entries(pages)) {
    site.get(path, async (context) => {
      const html = await readFile(join(folder, 'pages', file), 'utf8');
      const theme = path.replace('/themes/', '');
      return context.html(html.replaceAll('{{bffUrl}}', bffOrigin).replaceAll('{{theme}}', theme));
    });
  }
  for (const theme of themes) {
    site.get(`/themes/${theme}.css`, async (context) => {
      const content = await readFile(join(folder, '../themes', `${theme}.css`));
      return context.body(content, 200, { 'Content-Type': 'text/css; charset=utf-8' });
    });
  }
  for (const file of readdirSync(join(folder, 'public'))) {
    const mediaType = mediaTypes[extname(file)] ?? 'application/octet-stream';
    site.get(`/${file}`, async (context) => {
      const content = await readFile(join(folder, 'public', file));
      return context.body(content, 200, { 'Content-Type': mediaType });
    });
  }
  return site;
}
