// Addresses of this machine, and of the virus scanner.

import { describe, expect, it } from 'vitest';
import { isThisMachine, toClamdAddress } from '../../../bff/config/environment-reader.ts';

describe('isThisMachine', () => {
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
  ])('is true for %s', (host) => {
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
  ])('is false for %s', (host) => {
    expect(isThisMachine(new URL(`https://${host}/`).hostname)).toBe(false);
  });
});

describe('toClamdAddress', () => {
  it.each([
    ['tcp://localhost:3310', { host: 'localhost', port: 3310 }],
    ['tcp://10.0.0.7:1', { host: '10.0.0.7', port: 1 }],
    ['tcp://[::1]:3310', { host: '::1', port: 3310 }],
    ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
    ['tcp://localhost', undefined],
    ['tcp://localhost:65536', undefined],
    ['tcp://localhost:3310/x', undefined],
    ['http://localhost:3310', undefined],
    ['unix:clamd.ctl', undefined],
    ['localhost:3310', undefined],
    ['', undefined],
  ])('parses %j', (url, address) => {
    expect(toClamdAddress(url)).toEqual(address);
  });
});
