// Puts things into a small good PDF that do not belong there.

import { constants, deflateSync } from 'node:zlib';
import { toBytes } from '../good-files/good-file.ts';
import { plainBodies, toStream, writePdf } from '../good-files/pdf-writer.ts';

export const plain = writePdf(plainBodies);
/** One character a byte. */
export const text = plain.toString('latin1');

const checks = `/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>`;
/** The dictionary of an encryption that no empty password opens. */
export const locked = `<</Filter/Standard/V 1/R 2/P -4${checks}>>`;

/** As object 6. */
export function add(body: string): Buffer {
  return writePdf([...plainBodies, body]);
}

export function open(action: string, ...more: readonly string[]): Buffer {
  const [, ...others] = plainBodies;
  return writePdf([`<</Type/Catalog/Pages 2 0 R/OpenAction ${action}>>`, ...others, ...more]);
}

/** Before the cross-reference. */
export function insert(between: string): Buffer {
  return toBytes(text.replace(/\nxref\n/, () => `\n${between}xref\n`));
}

export function encrypt(encryption: string, ...more: readonly string[]): Buffer {
  return writePdf([...plainBodies, ...more], { trailer: `/Encrypt ${encryption}` });
}

/** Deflated data that go on behind what they hold, and make no sense there. */
export function breakOff(data: string): Buffer {
  const blocks = deflateSync(toBytes(data), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([blocks, Buffer.alloc(40, 0xff)]);
}

/** An object stream of any data. */
export function toPacked(data: string | Buffer, filter = '/FlateDecode'): string {
  const bytes = typeof data === 'string' ? data : data.toString('latin1');
  return toStream(`/Type/ObjStm/N 1/First 4/Filter${filter}`, bytes);
}
