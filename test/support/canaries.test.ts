// The search for secret values must find a value in each encoding.

import { describe, expect, it } from 'vitest';
import { createCanarySearch } from './canaries.ts';

const value = 'Zoë Quill-Ranga 42';
const search = createCanarySearch([
  { name: 'name', value },
  { name: 'number', value: '7351924' },
]);

describe('the search for canaries', () => {
  it.each([
    ['raw', value],
    ['in the other case', 'zOË qUILL-rANGA 42'],
    ['percent-encoded', encodeURIComponent(value)],
    ['as a form would encode it', encodeURIComponent(value).replaceAll('%20', '+')],
    ['in hexadecimal', Buffer.from(value).toString('hex')],
    ['in capital hexadecimal', Buffer.from(value).toString('hex').toUpperCase()],
    ['in Base64', Buffer.from(value).toString('base64')],
    ['in Base64 one further', Buffer.from(`x${value}yz`).toString('base64')],
    ['in Base64 two further', Buffer.from(`xx${value}y`).toString('base64')],
    ['in Base64URL within a text', Buffer.from(`${'ÿ?'.repeat(9)}${value}`).toString('base64url')],
  ])('finds a value %s', (_name, hidden) => {
    expect(search.find(`before ${hidden} after`)).toEqual([expect.stringMatching(/^name, /)]);
  });

  it('finds several values in several places', () => {
    const places = [Buffer.from('7351924'), `nothing here`, `x${value}`];
    expect(search.find(...places)).toEqual(['number, raw', 'name, raw']);
  });

  it('finds nothing in content without a value', () => {
    expect(search.find('', 'Zoe Quill-Ranga 42', '735192', new Uint8Array(1000))).toEqual([]);
  });

  it('refuses a value that is too short', () => {
    expect(() => createCanarySearch([{ name: 'state', value: 'ME' }])).toThrow('state');
  });
});
