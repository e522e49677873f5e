import { describe, expect, it } from 'vitest';
import { createSealing, namePlace, openName, sealName } from '../../../bff/store/encryption.ts';
import type { ChildRow } from '../../../bff/store/store.ts';

describe('a sealed name', () => {
  const sealing = createSealing({ 1: Buffer.alloc(32, 1).toString('base64') });
  const { seal } = sealing.create('a1');
  const march = { name: 'march', extension: 'pdf' };

  it('opens as it was sealed', () => {
    const sealed = sealName(seal, 'd1', march);
    expect(open(sealed)).toEqual(march);
  });

  it('opens when an older version wrote more about the document', () => {
    const old = seal.seal(namePlace('d1'), JSON.stringify({ ...march, needsPassword: true }));
    expect(open(old)).toEqual(march);
  });

  it('opens for its own document only', () => {
    const sealed = sealName(seal, 'd2', march);
    expect(() => open(sealed)).toThrow('unable to authenticate');
  });

  function open(sealedName: Uint8Array) {
    return openName(seal, { id: 'd1', sealedName } as ChildRow);
  }
});
