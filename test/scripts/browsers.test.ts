import { describe, expect, it } from 'vitest';
import { missingEngines } from '../../scripts/browsers.mjs';

const chromium = { executable: '/usr/bin/chromium' };

describe('missingEngines', () => {
  it('names what is not on record', () => {
    expect(missingEngines({ chromium })).toEqual(['firefox', 'webkit']);
  });

  it('names every engine when nothing was ever set up', () => {
    expect(missingEngines(undefined)).toEqual(['chromium', 'firefox', 'webkit']);
  });
});
