// Derived keys: which processes agree on one while a data key is changed.

import { describe, expect, it } from 'vitest';
import { deriveKey } from '../../../bff/store/encryption.ts';
import { production, readValid, strongKey } from '../config/config-source.ts';

const first = strongKey(3);
const second = strongKey(2);

describe('a derived key', () => {
  it.each([
    ['the second key is added', `9:${first}`, `9:${first},10:${second}`],
    ['the second key comes to the front', `9:${first},10:${second}`, `10:${second},9:${first}`],
    ['a single BFF does both at once', `9:${first}`, `10:${second},9:${first}`],
  ])('is the same for all processes while %s', (_step, before, startTimer) => {
    expect(derive(startTimer)).toBe(derive(before));
  });

  it('is another once the first key is taken out', () => {
    expect(derive(`10:${second}`)).not.toBe(derive(`10:${second},9:${first}`));
  });

  it('serves one purpose', () => {
    expect(derive(`9:${first}`, 'another purpose')).not.toBe(derive(`9:${first}`));
  });

  it('is not the data key', () => {
    expect(derive(`9:${first}`)).toMatch(/^[\w+/]{43}=$/);
    expect(derive(`9:${first}`)).not.toBe(first);
  });
});

function derive(dataKeys: string, purpose = 'a purpose'): string {
  const config = readValid({ ...production, DATA_KEYS: dataKeys });
  return deriveKey(config, purpose).toString('base64');
}
