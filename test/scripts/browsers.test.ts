import { describe, expect, it } from 'vitest';
import { missingEngines } from '../../scripts/browsers.mjs';

const chromium = { executable: '/usr/bin/chromium' };

describe('missingEngines', () => {
  it('returns engines without a record', () => {
    expect(missingEngines({ chromium })).toEqual(['firefox', 'webkit']);
  });

  it('returns every engine before the first setup', () => {
    expect(missingEngines(undefined)).toEqual(['chromium', 'firefox', 'webkit']);
  });
});
