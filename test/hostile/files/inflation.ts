// Creates compressed data of any decompressed size without allocating that size.

import { constants, deflateRawSync } from 'node:zlib';

const megabyte = 1024 * 1024;
const modulus = 65_521n;

/** A repeated character in the zlib format (RFC 1950). */
export function deflateRepeated(megabytes: number, character = '\0'): Buffer {
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    deflateRawRepeated(megabytes, character),
    toChecksum(BigInt(megabytes * megabyte), BigInt(character.charCodeAt(0))),
  ]);
}

/** A repeated character in the raw format (RFC 1951). A full flush ends each megabyte at a byte boundary and resets the window, so the block can be repeated. */
export function deflateRawRepeated(megabytes: number, character = '\0'): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte, character, 'latin1'), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const emptyLastBlock = Buffer.from([0x03, 0x00]);
  return Buffer.concat([...Array.from({ length: megabytes }, () => block), emptyLastBlock]);
}

/** Adler-32 of a byte that is repeated `count` times. */
function toChecksum(count: bigint, byte: bigint): Buffer {
  const first = (1n + count * byte) % modulus;
  const second = (count + (byte * count * (count + 1n)) / 2n) % modulus;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Number((second << 16n) | first));
  return checksum;
}
