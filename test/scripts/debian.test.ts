import { describe, expect, it } from 'vitest';
import { shouldInstall } from '../../scripts/debian.mjs';

const hourMs = 60 * 60 * 1000;

describe('shouldInstall', () => {
  it('installs missing packages', () => {
    expect(shouldInstall(['firefox'])).toBe(true);
  });

  it('installs nothing when all packages are present', () => {
    expect(shouldInstall([])).toBe(false);
  });

  it('does not repeat a failed attempt within the hour', () => {
    expect(shouldInstall(['firefox'], hourMs, 2 * hourMs - 1)).toBe(false);
    expect(shouldInstall(['firefox'], hourMs, 2 * hourMs)).toBe(true);
  });
});
