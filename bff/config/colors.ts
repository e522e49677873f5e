// Contrast of the colors in the settings, which are six hexadecimal digits, such as `#0b5c66`.

/** Red, green, and blue, from 0 to 1. */
export function toChannels(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
}

/** WCAG 2.2, "contrast ratio". */
export function toContrast(first: string, second: string): number {
  const [light = 1, dark = 1] = [first, second].map(toLuminance).toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function toLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toChannels(color).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
