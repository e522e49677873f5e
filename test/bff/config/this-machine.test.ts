// Which addresses lead back to the machine that reads them, however they are written.

import { describe, expect, it } from 'vitest';
import { isThisMachine } from '../../../bff/config/environment-reader.ts';

describe('this machine', () => {
  it.each([
    'localhost',
    'localhost.',
    'form.localhost',
    'LOCALHOST:8080',
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:127.200.3.4]',
  ])('is %s', (host) => {
    expect(isThisMachine(new URL(`https://${host}/`).hostname)).toBe(true);
  });

  it.each([
    'localhost.partner.example',
    '127.partner.example',
    'notlocalhost',
    '128.0.0.1',
    '10.0.0.1',
    '[::2]',
    '[2001:db8::1]',
    '[::ffff:192.0.2.1]',
    '[::ffff:7.127.0.0]',
  ])('is not %s', (host) => {
    expect(isThisMachine(new URL(`https://${host}/`).hostname)).toBe(false);
  });
});
