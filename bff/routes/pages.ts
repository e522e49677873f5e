// The pages of the BFF: `/apply` with an application, `/phone` for documents from a phone, and their generated files.

import { createHash } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { apiPaths, pagePaths } from '../../shared/api/paths.ts';
import type { Locale } from '../../shared/application/lists.ts';
import { toChannels, toContrast } from '../config/colors.ts';
import type { Config } from '../config/config.ts';
import { pageFonts, pageText, pickLocale, type Settings, toText } from '../config/settings.ts';
import type { WidgetFolder } from '../config/widget-folder.ts';
import type { BffEnv } from '../middleware/context.ts';

export interface PageRoutesOptions {
  readonly config: Pick<Config, 'publicUrl' | 'basePath' | 'settings' | 'service'>;
  readonly widget: Pick<WidgetFolder, 'name' | 'files'>;
  /** True if an application needs a token of a challenge. */
  readonly hasChallenge: boolean;
  /** The rate limit of one IP address. */
  readonly limit: MiddlewareHandler<BffEnv>;
}

/** The folder of the generated files. The policy of the pages allows styles and pictures of this folder only. */
const filesPath = '/page/';

/** The background in the dark appearance. */
const darkBackground = '#1b1815';

interface PageTexts {
  readonly phoneTitle: string;
  /** Fallback content of the element. */
  readonly late: string;
  readonly noScript: string;
  readonly privacy: string;
  readonly website: string;
}

const texts: Readonly<Record<Locale, PageTexts>> = {
  en: {
    phoneTitle: 'Send documents from your phone',
    late: 'If the form doesn’t appear, reload the page or contact us.',
    noScript:
      'The form needs JavaScript. Turn it on in the settings of your browser and reload the page, or contact us.',
    privacy: 'Privacy policy',
    website: 'Website',
  },
  es: {
    phoneTitle: 'Envíe documentos desde su teléfono',
    late: 'Si el formulario no aparece, vuelva a cargar la página o comuníquese con nosotros.',
    noScript:
      'El formulario necesita JavaScript. Actívelo en la configuración de su navegador y vuelva a cargar la página, o comuníquese con nosotros.',
    privacy: 'Política de privacidad',
    website: 'Sitio web',
  },
};

interface GeneratedFile {
  readonly path: string;
  readonly type: string;
  readonly content: string;
  readonly integrity: string;
}

export function pageRoutes({
  config,
  widget,
  hasChallenge,
  limit,
}: PageRoutesOptions): Hono<BffEnv> {
  const routes = new Hono<BffEnv>();
  const { page, locales: offered, lead } = config.settings;
  const entry = widget.files.get(`${widget.name}/funding-application.js`);
  if (!entry) return routes;
  const { basePath, publicUrl } = config;
  const script = { path: `${basePath}/widget/${entry.path}`, integrity: entry.integrity };
  const name = page.name ?? config.service.partnerName;
  const stylesheet = toFile('css', 'text/css; charset=utf-8', createStylesheet(page, offered));
  const icon = toFile('svg', 'image/svg+xml', createIcon(name, page.accent));
  const policy = createPolicy(publicUrl, widget.name);

  function send(c: Context<BffEnv>, toBody: (locale: Locale) => PageBody): Response {
    const locale = pickPageLocale(c, offered);
    c.header('content-security-policy', policy);
    c.header('cross-origin-opener-policy', 'same-origin');
    c.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()');
    c.header('vary', 'Accept-Language');
    const shell = { config, name, locale, script, stylesheet, icon };
    return c.html(renderPage(shell, toBody(locale)));
  }

  // The script of a challenge must not run on the origin of the BFF (docs/decisions/0055).
  if (page.apply && !hasChallenge) {
    routes.get(pagePaths.apply, limit, (c) => {
      const campaignId = c.req.query('campaign') ?? '';
      // A link with an unknown campaign still leads to a form that can be sent.
      const options = lead.allowedCampaignIds.includes(campaignId) ? { campaignId } : undefined;
      return send(c, (locale) => ({
        title: toText(page.title, locale),
        toIntro: (shown) => toText(page.intro, shown),
        attributes: options ? ` settings="${escapeHtml(JSON.stringify(options))}"` : '',
        isIndexed: true,
      }));
    });
  }
  if (page.handoff) {
    routes.get(pagePaths.phone, limit, (c) =>
      send(c, (locale) => ({
        title: texts[locale].phoneTitle,
        toIntro: () => '',
        attributes: ' handoff',
        isIndexed: false,
      })),
    );
  }
  routes.get(`${filesPath}:file`, limit, (c) => {
    const file = [stylesheet, icon].find(({ path }) => path === c.req.path);
    if (!file) return c.notFound();
    return c.body(file.content, 200, {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });
  return routes;
}

/** The name contains a hash, so that browsers can keep the file. */
function toFile(extension: string, type: string, content: string): GeneratedFile {
  const digest = (algorithm: string) => createHash(algorithm).update(content);
  return {
    path: `${filesPath}${digest('sha256').digest('hex').slice(0, 12)}.${extension}`,
    type,
    content,
    integrity: `sha384-${digest('sha384').digest('base64')}`,
  };
}

/**
 * Names folders instead of `'self'`: a proxy can serve other pages of the partner at the same origin, whose scripts must not run
 * here. `blob:` and `data:` are for pictures of the applicant's own files.
 */
function createPolicy(url: string, widgetName: string): string {
  return [
    "default-src 'none'",
    `script-src ${url}/widget/${widgetName}/`,
    `style-src ${url}${filesPath}`,
    `img-src ${url}${filesPath} blob: data:`,
    `connect-src ${url}/v1/`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
}

/** `?lang=es`, then the languages of the browser, then the default of the form. */
function pickPageLocale(c: Context<BffEnv>, offered: readonly Locale[]): Locale {
  const asked = c.req.query('lang');
  if (asked !== undefined) return pickLocale(offered, asked);
  const accepted = (c.req.header('accept-language') ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', weight = ''] = part.split(';');
      const quality = /^\s*q=([\d.]+)\s*$/.exec(weight)?.[1];
      return { language: tag.trim().toLowerCase().split('-')[0], quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((first, second) => second.quality - first.quality);
  const known = accepted.find(({ language }) => offered.some((locale) => locale === language));
  return pickLocale(offered, known?.language);
}

interface PageShell {
  readonly config: PageRoutesOptions['config'];
  readonly name: string;
  readonly locale: Locale;
  readonly script: { readonly path: string; readonly integrity: string };
  readonly stylesheet: GeneratedFile;
  readonly icon: GeneratedFile;
}

interface PageBody {
  readonly title: string;
  readonly toIntro: (locale: Locale) => string;
  /** Attributes of the element, escaped, with a space before each. */
  readonly attributes: string;
  readonly isIndexed: boolean;
}

function renderPage(shell: PageShell, { title, toIntro, attributes, isIndexed }: PageBody): string {
  const { config, name, locale, script, stylesheet, icon } = shell;
  const { homeUrl, privacyUrl, background } = config.settings.page;
  const t = texts[locale];
  const contact = renderContact(config.settings.support);
  const contactLine = contact === '' ? '' : ` <span class="contact">${contact}</span>`;
  const heading = escapeHtml(name);
  const offered = config.settings.locales;
  const intro = renderInEach(offered, (shown) => escapeHtml(toIntro(shown)));
  const home =
    homeUrl && renderInEach(offered, (shown) => renderLink(toText(homeUrl, shown), name));
  const links = [
    privacyUrl &&
      renderInEach(offered, (shown) => renderLink(toText(privacyUrl, shown), texts[shown].privacy)),
    homeUrl &&
      renderInEach(offered, (shown) => renderLink(toText(homeUrl, shown), texts[shown].website)),
  ].filter((link) => link !== undefined);
  const others = offered.filter((other) => other !== locale);
  const alternates = isIndexed
    ? others.map(
        (other) =>
          `<link rel="alternate" hreflang="${other}" href="${escapeHtml(config.publicUrl)}${pagePaths.apply}?lang=${other}">`,
      )
    : ['<meta name="robots" content="noindex">'];
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${background}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${darkBackground}">
<meta name="format-detection" content="telephone=no">
${alternates.join('\n')}
<title>${escapeHtml(title)} · ${heading}</title>
<link rel="icon" type="${icon.type}" href="${config.basePath}${icon.path}">
<link rel="stylesheet" href="${config.basePath}${stylesheet.path}" integrity="${stylesheet.integrity}" crossorigin="anonymous">
<script type="module" src="${escapeHtml(script.path)}" integrity="${escapeHtml(script.integrity)}" crossorigin="anonymous"></script>
<link rel="preload" href="${config.basePath}${apiPaths.configuration}?locale=${locale}" as="fetch" crossorigin="anonymous">
</head>
<body>
<header class="page-header">
<p>${home ?? heading}</p>
</header>
<main>
${intro === '' ? '' : `<p class="intro">${intro}</p>\n`}<noscript><p class="notice">${escapeHtml(t.noScript)}${contactLine}</p></noscript>
<funding-application heading-level="1"${attributes}>
<p class="late">${escapeHtml(t.late)}${contactLine}</p>
</funding-application>
</main>
<footer class="page-footer">
<p class="owner">${heading}</p>
${links.length === 0 ? '' : `<ul>\n${links.map((link) => `<li>${link}</li>`).join('\n')}\n</ul>\n`}</footer>
</body>
</html>
`;
}

/** The text in each language, of which the style sheet shows one: that of the form, which the applicant can change. */
function renderInEach(locales: readonly Locale[], render: (locale: Locale) => string): string {
  const [first = '', ...others] = locales.map(render);
  return others.every((other) => other === first)
    ? first
    : locales
        .map((locale) => `<span class="in-language" lang="${locale}">${render(locale)}</span>`)
        .join('');
}

function renderContact({ phone, email, url }: Settings['support']): string {
  const digits = phone?.replaceAll(/[^\d+]/g, '');
  return [
    ...(phone === undefined ? [] : [renderLink(`tel:${digits}`, toUnbroken(phone))]),
    ...(email === undefined ? [] : [renderLink(`mailto:${email}`, email)]),
    ...(url === undefined || !/^https?:/.test(url) ? [] : [renderLink(url, new URL(url).host)]),
  ].join(' · ');
}

/** Phone numbers do not break at the end of a line. */
function toUnbroken(phone: string): string {
  return phone.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011');
}

function renderLink(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Every value comes from a list or is a color of six digits, so the settings cannot add rules. */
function createStylesheet(
  { accent, background, font, headingFont }: Settings['page'],
  locales: readonly Locale[],
): string {
  const accents =
    accent === undefined
      ? ''
      : `
  --funding-accent: light-dark(${accent}, ${lighten(accent)});
  --funding-on-accent: light-dark(#ffffff, ${darkBackground});`;
  return `:root {
  color-scheme: light dark;
  --page: light-dark(${background}, ${darkBackground});
  --text: light-dark(${pageText}, #f1ede8);
  --muted: light-dark(#55504a, #c4beb6);
  --line: color-mix(in srgb, var(--text) 16%, transparent);
  --gutter: clamp(1rem, 4vw, 2.5rem);
  --heading: ${pageFonts[headingFont ?? font]};
}
html {
  background: var(--page);
  color: var(--text);
  font: 1rem / 1.5 ${pageFonts[font]};
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
body {
  display: grid;
  grid-template-rows: auto 1fr auto;
  grid-template-columns: minmax(0, 1fr);
  min-height: 100vh;
  min-height: 100dvh;
  margin: 0;
}
.page-header,
main,
.page-footer {
  box-sizing: border-box;
  width: 100%;
  max-width: 72rem;
  margin-inline: auto;
  padding-inline: max(var(--gutter), env(safe-area-inset-left)) max(var(--gutter), env(safe-area-inset-right));
}
.page-header p {
  margin: 0;
  padding-block: 1.125rem;
  border-block-end: 1px solid var(--line);
  font: 600 1.0625rem / 1.4 var(--heading);
  letter-spacing: -0.005em;
  overflow-wrap: anywhere;
}
.page-header a {
  color: inherit;
  text-decoration-color: var(--line);
  text-underline-offset: 0.25em;
}
.page-header a:hover {
  text-decoration-color: currentcolor;
}
main {
  padding-block: clamp(1.75rem, 5vw, 3.5rem) 4rem;
}
.intro {
  max-width: 34rem;
  margin: 0 0 2.5rem;
  color: var(--muted);
  font-size: 1.0625rem;
  text-wrap: pretty;
}
.notice {
  max-width: 34rem;
  margin: 0 0 2rem;
  padding-inline-start: 1rem;
  border-inline-start: 4px solid currentcolor;
}
funding-application {
  --funding-heading-font-family: var(--heading);${accents}
}
/* Shows only if the element takes long to load, or cannot load. */
.late {
  max-width: 34rem;
  color: var(--muted);
  animation: appear 0.2s 3s both;
}
@keyframes appear {
  from {
    visibility: hidden;
  }
}
.page-footer {
  padding-block-end: max(2rem, env(safe-area-inset-bottom));
  color: var(--muted);
  font-size: 0.875rem;
}
.page-footer::before {
  display: block;
  margin-block-end: 1rem;
  border-block-start: 1px solid var(--line);
  content: '';
}
.page-footer p,
.page-footer ul {
  margin: 0;
  padding: 0;
}
.page-footer .owner {
  font-weight: 600;
  overflow-wrap: anywhere;
}
.page-footer ul {
  display: flex;
  flex-wrap: wrap;
  gap: 0 1.5rem;
  list-style: none;
}
.page-footer li a {
  display: inline-block;
  min-height: 2.75rem;
  line-height: 2.75rem;
}
.page-footer a,
.contact a {
  color: inherit;
  text-underline-offset: 0.2em;
  overflow-wrap: anywhere;
}
${toLanguageRules(locales)}a:focus-visible {
  outline: 3px solid currentcolor;
  outline-offset: 2px;
  border-radius: 2px;
}
@media (min-width: 40rem) {
  .page-footer {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    gap: 0 2rem;
  }
  .page-footer::before {
    grid-column: 1 / -1;
  }
}
@media print {
  :root {
    --page: #ffffff;
    --text: #000000;
    --muted: #000000;
  }
  main {
    padding-block: 1rem;
  }
  .page-footer,
  .late {
    display: none;
  }
}
`;
}

/** The page begins in its own language, and follows the form when the applicant changes the language there. */
function toLanguageRules(locales: readonly Locale[]): string {
  const toRule = (page: string, text: string, display: string) =>
    `html${page} .in-language${text} {\n  display: ${display};\n}\n`;
  return [
    ...locales.map((one) => toRule(`[lang='${one}']`, `:not([lang='${one}'])`, 'none')),
    ...locales.flatMap((one) => [
      toRule(`:has([data-language='${one}'])`, `[lang='${one}']`, 'inline'),
      toRule(`:has([data-language='${one}'])`, `:not([lang='${one}'])`, 'none'),
    ]),
  ].join('');
}

/** Raises the lightness until text in this color can be read on the dark background (WCAG 2.2, 1.4.6). Keeps the hue. */
function lighten(color: string): string {
  const parts = toChannels(color);
  const [max, min] = [Math.max(...parts), Math.min(...parts)];
  const middle = (max + min) / 2;
  const range = 1 - Math.abs(2 * middle - 1);
  const saturation = range === 0 ? 0 : (max - min) / range;
  for (let lightness = middle; lightness < 1; lightness += 0.02) {
    const reach = saturation * (1 - Math.abs(2 * lightness - 1));
    const lighter = parts.map((part) => {
      const place = max === min ? 0 : (part - min) / (max - min);
      const value = lightness + reach * (place - 0.5);
      return Math.round(value * 255)
        .toString(16)
        .padStart(2, '0');
    });
    if (toContrast(`#${lighter.join('')}`, darkBackground) >= 7) return `#${lighter.join('')}`;
  }
  return '#ffffff';
}

/** The first letter of the partner's name on the accent color. */
function createIcon(name: string, accent = '#0b5c66'): string {
  const letter = [...name].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '•';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accent}"/><text x="16" y="22.5" fill="#fff" font-family="system-ui, sans-serif" font-size="18" font-weight="700" text-anchor="middle">${escapeHtml(letter.toUpperCase())}</text></svg>
`;
}
