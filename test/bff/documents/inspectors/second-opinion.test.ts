import { describe, expect, it } from 'vitest';
import { askSecondOpinion } from '../../../../bff/documents/inspectors/second-opinion.ts';
import { readFixture } from '../../../support/good-files/fixture-files.ts';

const jpeg = readFixture('baseline.jpg');

describe('the second opinion', () => {
  it('agrees with the right type', async () => {
    expect(await askSecondOpinion(jpeg, 'jpg')).toBeUndefined();
  });

  it.each(['pdf', 'png', 'docx', 'txt'])(
    'objects to a picture that passes for %s',
    async (type) => {
      expect(await askSecondOpinion(jpeg, type)).toBe('content-differs');
    },
  );

  it('objects to what it does not know, unless that is text', async () => {
    const unknown = Buffer.from('Statement of March');
    expect(await askSecondOpinion(unknown, 'pdf')).toBe('content-differs');
    expect(await askSecondOpinion(unknown, 'csv')).toBeUndefined();
  });
});
