// The website of a fictional partner, "Millstone Supply Co.", which embeds the funding application.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { industries } from '../../shared/application/industries.ts';
import { stateCodes } from '../../shared/application/states.ts';
import { outcomeTexts, scenarios } from '../../sandbox/scenarios.ts';
import * as events from '../../widget/app/events.ts';
import * as laterEvents from '../../widget/app/later-events.ts';
import { formSteps, stepIds, type StepId } from '../../widget/app/navigation.ts';
import laterTexts from '../../widget/i18n/en-after.json' with { type: 'json' };
import formTexts from '../../widget/i18n/en-form.json' with { type: 'json' };
import firstTexts from '../../widget/i18n/en.json' with { type: 'json' };

export interface PartnerSiteOptions {
  /** The URL of the BFF as the browser reaches it, for example `http://localhost:8081`. */
  readonly bffUrl: string;
}

const folder = import.meta.dirname;
const themes = ['ledger', 'meadow', 'night'] as const;
const pages = {
  '/': 'home.html',
  '/funding': 'funding.html',
  '/playground': 'playground.html',
  '/lender': 'lender.html',
  ...Object.fromEntries(themes.map((theme) => [`/themes/${theme}`, 'theme.html'])),
};
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function createPartnerSite(options: PartnerSiteOptions): Hono {
  // An origin from the URL parser contains no characters that could break out of an HTML attribute or a header.
  const bffOrigin = new URL(options.bffUrl).origin;
  const createHeaders = (scriptSrc: string[]) =>
    secureHeaders({
      // The minimum for a page with the element: scripts and responses of the BFF.
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc,
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
      // This server uses plain HTTP on one machine. A real site needs this header.
      strictTransportSecurity: false,
    });
  const site = new Hono();

  const forPages = createHeaders([bffOrigin]);
  // The playground has a script of its own.
  const forPlayground = createHeaders([bffOrigin, "'self'"]);
  site.use((context, next) =>
    context.req.path === '/playground' ? forPlayground(context, next) : forPages(context, next),
  );

  // Each request reads the file, so that a reload of the page shows changes.
  for (const [path, file] of Object.entries(pages)) {
    site.get(path, async (context) => {
      const html = await readFile(join(folder, 'pages', file), 'utf8');
      const theme = path.replace('/themes/', '');
      return context.html(html.replaceAll('{{bffUrl}}', bffOrigin).replaceAll('{{theme}}', theme));
    });
  }
  site.get('/playground-lists.js', async (context) => {
    const lines = Object.entries(await createLists()).map(
      ([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`,
    );
    return context.body(lines.join(''), 200, { 'Content-Type': mediaTypes['.js'] ?? '' });
  });
  for (const theme of themes) {
    site.get(`/themes/${theme}.css`, async (context) => {
      const content = await readTheme(theme);
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

/** Lists of the playground. They come from the code, so that they cannot differ from it. */
async function createLists(): Promise<Readonly<Record<string, unknown>>> {
  const contents = await Promise.all(
    themes.map(async (theme) => [theme, await readTheme(theme)] as const),
  );
  return {
    industries,
    states: stateCodes,
    automaticOutcome: outcomeTexts.automatic.answer,
    outcomes: scenarios.map(({ tag, description }) => ({ tag, description })),
    eventNames: Object.values({ ...events, ...laterEvents }).flatMap((event) =>
      'eventName' in event ? event.eventName : [],
    ),
    steps: stepIds.map((id) => ({
      id,
      label: toStepLabel(id),
      isSent: id !== 'start' && !formSteps.some((step) => step === id),
    })),
    themes: Object.fromEntries(contents),
  };
}

/** The name of the step in the form's own list of steps. */
function toStepLabel(step: StepId): string {
  if (step === 'start') return 'Start page';
  const texts: Readonly<Record<string, string>> = { ...firstTexts, ...formTexts, ...laterTexts };
  const label = texts[`step.${step}.name`] ?? texts[`steps.${step}`];
  if (label === undefined) throw new Error(`The step ${step} has no name in widget/i18n.`);
  return label;
}

async function readTheme(theme: (typeof themes)[number]): Promise<string> {
  return readFile(join(folder, '../themes', `${theme}.css`), 'utf8');
}
