import { describe, expect, it } from 'vitest';
import { missingEngines, shouldInstall } from '../../scripts/browsers.mjs';

const chromium = { executable: '/usr/bin/chromium' };
const firefox = { executable: '/usr/bin/firefox-esr' };
const webkit = { driver: '/usr/bin/a', display: '/usr/bin/b', browser: '/usr/bin/c' };
const hourMs = 60 * 60 * 1000;

describe('missingEngines', () => {
  it('names what is not on record', () => {
    expect(missingEngines({ chromium })).toEqual(['firefox', 'webkit']);
  });

  it('names every engine when nothing was ever set up', () => {
    expect(missingEngines(undefined)).toEqual(['chromium', 'firefox', 'webkit']);
  });
});

describe('shouldInstall', () => {
  it('asks for what is missing', () => {
    expect(shouldInstall({ chromium })).toBe(true);
  });

  it('asks for nothing when all engines are there', () => {
    expect(shouldInstall({ chromium, firefox, webkit })).toBe(false);
  });

  it('does not repeat a failed attempt within the hour', () => {
    expect(shouldInstall({ chromium }, hourMs, 2 * hourMs - 1)).toBe(false);
    expect(shouldInstall({ chromium }, hourMs, 2 * hourMs)).toBe(true);
  });
});
