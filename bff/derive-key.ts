// Keys for other purposes than wrapping, made of a data key: what is marked with them lies in the journal, and the data key does not.

import { hkdfSync } from 'node:crypto';
import type { Config } from './config.ts';

/**
 * 32 bytes for one purpose (HKDF, RFC 5869). Made of the data key with the lowest id: while data keys change in two steps all
 * processes have that one, whichever stands first. Only when it is taken out there is another, and what is marked begins anew.
 */
export function deriveKey({ dataKeys }: Pick<Config, 'dataKeys'>, purpose: string): Buffer {
  const lowest = Math.min(...Object.keys(dataKeys).map(Number));
  const dataKey = Buffer.from(dataKeys[lowest] ?? '', 'base64');
  return Buffer.from(hkdfSync('sha256', dataKey, '', purpose, 32));
}
