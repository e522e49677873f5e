// Addresses of this machine, and of the virus scanner.

import { expect, it } from 'vitest';
import { isThisMachine, toClamdAddress } from '../../../bff/config/environment-reader.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';

it.each(readGroupedRows('machine-addresses.txt'))('%s is %s', (line, expected) => {
  const [what, address = ''] = line.split(' ');
  expect(what === 'host' ? describeHost(address) : describeScanner(address)).toBe(expected);
});

it('an empty text is no address of a scanner', () => {
  expect(toClamdAddress('')).toBeUndefined();
});

function describeHost(host: string): string {
  const { hostname } = new URL(`https://${host}/`);
  return isThisMachine(hostname) ? 'this machine' : 'another machine';
}

function describeScanner(url: string): string {
  const address = toClamdAddress(url);
  return address ? `at ${Object.values(address).join(' ')}` : 'refused';
}
