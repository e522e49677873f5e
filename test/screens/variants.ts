// Variants of the screenshots: devices, color schemes, languages, the three themes, and unusual settings.

import type { BrowserContextOptions } from '@playwright/test';
import { findBlock } from '../support/code-blocks.ts';

export interface Variant {
  readonly name: string;
  /** Path of the partner's page. */
  readonly path: string;
  readonly locale: 'en-US' | 'es-US';
  readonly context: BrowserContextOptions;
  /** The page contains only the element, with this width. */
  readonly elementWidth?: number;
  /** Only for the images of the documentation: a style sheet of the host page. */
  readonly css?: string;
}

const devices = {
  // Touch input, which enables the native list of states and the camera, as on every phone. The images of the documentation need the resolution.
  phone: {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
  },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
  wide: { viewport: { width: 1600, height: 1000 } },
} as const;

/** The partner's page leaves no room for the list of steps beside the form, so wide screens show only the element. */
const elementWidths: { readonly [Device in keyof typeof devices]?: number } = {
  desktop: 1200,
  wide: 1520,
};

function createVariant(
  device: keyof typeof devices,
  colorScheme: 'light' | 'dark',
  locale: Variant['locale'],
): Variant {
  const elementWidth = elementWidths[device];
  return {
    name: `${device}-${colorScheme}-${locale.slice(0, 2)}`,
    path: '/funding',
    locale,
    context: { ...devices[device], colorScheme },
    ...(elementWidth && { elementWidth }),
  };
}

const plain = (['phone', 'tablet', 'desktop', 'wide'] as const).flatMap((device) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['en-US', 'es-US'] as const).map((locale) => createVariant(device, colorScheme, locale)),
  ),
);

const themed = (['ledger', 'meadow', 'night'] as const).flatMap((theme) =>
  (['light', 'dark'] as const).map((colorScheme): Variant => ({
    name: colorScheme === 'light' ? theme : `${theme}-dark`,
    path: `/themes/${theme}`,
    locale: 'en-US',
    context: { viewport: { width: 900, height: 900 }, deviceScaleFactor: 2, colorScheme },
  })),
);

const odd: readonly Variant[] = [
  {
    ...createVariant('phone', 'light', 'es-US'),
    name: 'narrow-280',
    context: { ...devices.phone, viewport: { width: 320, height: 844 } },
    elementWidth: 280,
  },
  {
    name: 'partner-page',
    path: '/funding',
    locale: 'en-US',
    context: { ...devices.desktop, colorScheme: 'light' },
  },
  {
    ...createVariant('desktop', 'dark', 'en-US'),
    name: 'forced-colors',
    context: { ...devices.desktop, colorScheme: 'dark', forcedColors: 'active' },
  },
];

export const variants: readonly Variant[] = [...plain, ...themed, ...odd];

const brand = findBlock('docs/embed/theme.md', ({ file }) => file === 'brand.css');

/** The example of docs/embed/theme.md. */
export const brandVariants: readonly Variant[] = (['light', 'dark'] as const).map(
  (colorScheme) => ({
    ...createVariant('phone', colorScheme, 'en-US'),
    name: `brand-${colorScheme}`,
    css: brand.text,
  }),
);
