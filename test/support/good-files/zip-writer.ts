// Writes small ZIP archives (APPNOTE.TXT), with any field as a test wants it.

import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** In the local header, where another name may stand. */
  readonly localName?: string;
  /** In the directory, where another size may stand. */
  readonly saidBytes?: number;
  /** How many bytes longer both headers say the packed data are. */
  readonly packedMore?: number;
  /** Default: 8, deflated. */
  readonly method?: number;
  /** General purpose flags; 1 means encrypted. */
  readonly flags?: number;
  /** The upper half of the external attributes: 0xA1FF is a link. */
  readonly unixMode?: number;
  /** Stands before the entry and belongs to nothing. */
  readonly before?: Uint8Array;
}

export interface ZipEnd {
  readonly comment?: string;
  /** Stands behind the last content and belongs to nothing. */
  readonly beforeDirectory?: Buffer;
}

/** Contents first, then the directory, then its end with the comment. */
export function writeZip(
  entries: readonly ZipEntry[],
  { comment = '', beforeDirectory = Buffer.alloc(0) }: ZipEnd = {},
): Buffer {
  const contents: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data);
    const packed = deflateRawSync(data);
    const before = Buffer.from(entry.before ?? []);
    const said = entry.saidBytes ?? data.length;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0, 2);
    common.writeUInt16LE(entry.method ?? 8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length + (entry.packedMore ?? 0), 14);
    common.writeUInt32LE(said, 18);
    const local = toNamed(common, entry.localName ?? entry.name);
    const content = Buffer.concat([before, Buffer.from('PK\x03\x04', 'latin1'), local, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt16LE(entry.unixMode ?? 0, 8);
    tail.writeUInt32LE(offset + before.length, 10);
    const named = toNamed(common, entry.name);
    directory.push(
      Buffer.from('PK\x01\x02\x14\x03', 'latin1'),
      named.subarray(0, 26),
      tail,
      named.subarray(26),
    );
    contents.push(content);
    offset += content.length;
  }
  contents.push(beforeDirectory);
  offset += beforeDirectory.length;
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...contents, list, end, Buffer.from(comment, 'latin1')]);
}

/** The fields that both headers have, then the length of the name and of no extra field, then the name. */
function toNamed(common: Buffer, name: string): Buffer {
  const bytes = Buffer.from(name);
  const fields = Buffer.from(common);
  fields.writeUInt16LE(bytes.length, 22);
  return Buffer.concat([fields, bytes]);
}
