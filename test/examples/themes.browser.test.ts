// Measures the contrast of the default theme and the example themes in a browser: 7:1 for text, 3:1 for graphics
// (WCAG 2.2, 1.4.6 and 1.4.11).

import { expect } from '@open-wc/testing';
import { mountWidget } from '../support/mount-widget.ts';

const schemes = ['light', 'dark'] as const;
const themes = ['default', 'ledger', 'meadow', 'night'] as const;

/** Foreground token, background token, and minimum contrast. `page` is the background of the host page. */
const pairs = [
  ['text', 'page', 7],
  ['text', 'surface', 7],
  ['muted', 'page', 7],
  ['muted', 'surface', 7],
  ['accent', 'page', 4.5],
  ['accent', 'surface', 4.5],
  ['on-accent', 'accent', 4.5],
  ['error', 'page', 4.5],
  ['error', 'surface', 4.5],
  ['success', 'page', 4.5],
  ['attention', 'page', 4.5],
  ['border', 'page', 3],
  ['border', 'surface', 3],
  ['focus', 'page', 3],
  ['principal', 'surface', 3],
  ['interest', 'surface', 3],
  ['fees', 'surface', 3],
] as const;

type Rgb = readonly [number, number, number];

async function readSheet(path: string): Promise<CSSStyleSheet> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await (await fetch(path)).text());
  return sheet;
}

/** Draws the color on a canvas, because computed colors can be in any color space. */
function toRgb(color: string): Rgb {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d')!;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red!, green!, blue!];
}

/** Relative luminance as defined in WCAG 2.2. */
function toLuminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function computeContrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [toLuminance(one), toLuminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

for (const theme of themes) {
  for (const scheme of schemes) {
    describe(`the theme ${theme} in ${scheme} mode`, () => {
      const sheetsBefore = document.adoptedStyleSheets;

      beforeEach(async () => {
        const paths = theme === 'default' ? [] : [`/examples/themes/${theme}.css`];
        const sheets = await Promise.all(
          ['/examples/partner-site/public/theme-page.css', ...paths].map(readSheet),
        );
        document.adoptedStyleSheets = sheets;
        document.documentElement.style.colorScheme = scheme;
        document.body.className = theme === 'default' ? '' : theme;
        document.body.style.background =
          theme === 'default' ? 'light-dark(#ffffff, #14120f)' : 'var(--paper)';
      });

      afterEach(() => {
        document.adoptedStyleSheets = sheetsBefore;
        document.documentElement.style.colorScheme = '';
        document.body.className = '';
        document.body.style.background = '';
      });

      it('has enough contrast', async () => {
        const { root } = await mountWidget();
        const probe = document.createElement('span');
        root.append(probe);
        const readColor = (token: string): Rgb => {
          if (token === 'page') return toRgb(getComputedStyle(document.body).backgroundColor);
          probe.style.color = `var(--_${token})`;
          return toRgb(getComputedStyle(probe).color);
        };
        const tooLow = pairs
          .map(([front, back, least]) => ({
            pair: `${front} on ${back}`,
            least,
            ratio: computeContrast(readColor(front), readColor(back)),
          }))
          .filter(({ ratio, least }) => ratio < least)
          .map(({ pair, ratio, least }) => `${pair}: ${ratio.toFixed(2)} of ${least}`);
        expect(tooLow).to.deep.equal([]);
      });
    });
  }
}
