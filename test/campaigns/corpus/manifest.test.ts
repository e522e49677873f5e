import { describe, expect, it } from 'vitest';
import { modes, readManifest } from './manifest.ts';

const files = readManifest();
const pdfs = files.filter(({ extension }) => extension === 'pdf');

describe('manifest', () => {
  it('lists each file once', () => {
    expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(files.length);
  });

  it('has at least 500 real PDFs that are not truncated', () => {
    expect(pdfs.filter(({ cutFrom }) => cutFrom === undefined).length).toBeGreaterThan(500);
  });

  it('has at least 25 IRS forms', () => {
    const forms = files.filter((file) => file.class === 'irs-form');
    const names = new Set(forms.map(({ source }) => source.split('/').at(-1)));
    expect(names.size).toBeGreaterThanOrEqual(25);
  });

  it('holds out about a quarter of the files', () => {
    const share = files.filter(({ heldOut }) => heldOut).length / files.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });

  it('gives a reason for each file without a definite verdict', () => {
    const open = files.filter((file) => modes.some((mode) => file[mode] === 'either'));
    expect(open.filter(({ why }) => why === undefined)).toEqual([]);
    expect(open.length / files.length).toBeLessThan(0.03);
  });

  it('gives a kind for each expected refusal', () => {
    const refused = files.filter((file) => modes.some((mode) => file[mode] === 'refuse'));
    expect(refused.filter(({ kinds }) => !kinds?.length)).toEqual([]);
  });

  it('accepts no file in the strict mode that the default mode refuses', () => {
    const odd = files.filter((file) => file.default === 'refuse' && file.strict !== 'refuse');
    expect(odd).toEqual([]);
  });

  it('pins each URL to a commit or a version', () => {
    const pinned =
      /^(https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/[0-9a-f]{40}\/.|npm:[^/]+@\d+\.\d+\.\d+\/.)/;
    expect(files.filter(({ source }) => !pinned.test(source))).toEqual([]);
  });
});
