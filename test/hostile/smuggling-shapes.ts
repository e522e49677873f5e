// Requests whose end two servers can find in different places (RFC 9112, sections 6.1, 6.3, 7.1, and 11.2). Each hides another request.

export interface Shape {
  readonly name: string;
  /** `invalid`: the server answers nothing after it. `whole`: the server answers it and the next request. `either`: the standard allows both. */
  readonly kind: 'invalid' | 'whole' | 'either';
  /** Default: the request line and `Host` of a POST. */
  readonly start?: string;
  /** Header lines, without the line break at the end. */
  readonly head: string;
  readonly body: string;
}

/** The path of the hidden request. */
export const hiddenPath = '/smuggled';

const hidden = `GET ${hiddenPath} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const inChunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const afterLastChunk = `0\r\n\r\n${hidden}`;
const length = `Content-Length: ${hidden.length}`;
const chunked = 'Transfer-Encoding: chunked';

function invalid(name: string, head: string, body: string, start?: string): Shape {
  return { name, kind: 'invalid', head, body, ...(start === undefined ? {} : { start }) };
}

function whole(name: string, head: string, body: string, start?: string): Shape {
  return { ...invalid(name, head, body, start), kind: 'whole' };
}

function either(name: string, head: string, body: string, start?: string): Shape {
  return { ...invalid(name, head, body, start), kind: 'either' };
}

const both = `Content-Length: ${afterLastChunk.length}`;

/** Codings that a server may or may not read as `chunked`, with a contradicting length. */
const codings: readonly (readonly [string, string])[] = [
  ['an unknown coding', 'Transfer-Encoding: xchunked'],
  ['identity', 'Transfer-Encoding: identity'],
  ['chunked, then identity', 'Transfer-Encoding: chunked, identity'],
  ['a coding in quotes', 'Transfer-Encoding: "chunked"'],
  ['a coding with a parameter', 'Transfer-Encoding: chunked;q=1'],
  ['a coding with a vertical tab', 'Transfer-Encoding: \vchunked'],
  ['a coding with a NUL', 'Transfer-Encoding: chunked\0'],
  ['a coding after a NUL', 'Transfer-Encoding\0: chunked'],
  ['a coding with a blank before the colon', 'Transfer-Encoding : chunked'],
  ['a coding with a tab before the colon', 'Transfer-Encoding\t: chunked'],
  ['a coding after a bare line feed', 'X: x\nTransfer-Encoding: chunked'],
  ['a coding after a bare carriage return', 'X: x\rTransfer-Encoding: chunked'],
  ['a coding on a folded line', 'Transfer-Encoding:\r\n chunked'],
  ['a coding on what looks like a folded line', 'X: x\r\n Transfer-Encoding: chunked'],
  ['two codings on two lines', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
  ['a coding in capitals', 'TRANSFER-ENCODING: CHUNKED'],
];

const lengths: readonly (readonly [string, string])[] = [
  ['two lengths', `Content-Length: 0\r\n${length}`],
  ['two lengths, the other way round', `${length}\r\nContent-Length: 0`],
  ['one length twice', `${length}\r\n${length}`],
  ['a list of lengths', `Content-Length: 0, ${hidden.length}`],
  ['a length with a plus', `Content-Length: +${hidden.length}`],
  ['a negative length', 'Content-Length: -1'],
  ['a hexadecimal length', `Content-Length: 0x${hidden.length.toString(16)}`],
  ['a length with a blank inside', 'Content-Length: 0 5'],
  ['a length with a blank before the colon', `Content-Length : ${hidden.length}`],
  ['an empty length', 'Content-Length:'],
  ['a length with a fraction', `Content-Length: ${hidden.length}.0`],
  ['a length beyond 64 bits', `Content-Length: 18446744073709551616`],
  ['a length with an exponent', 'Content-Length: 1e1'],
];

const sizes: readonly (readonly [string, string])[] = [
  ['a chunk size with 0x', `0x${inChunks}`],
  ['a chunk size with a plus', `+${inChunks}`],
  ['a negative chunk size', `-1\r\n${hidden}\r\n0\r\n\r\n`],
  ['a chunk size beyond 64 bits', `1000000000000000${inChunks}`],
  ['a chunk size with a blank before it', ` ${inChunks}`],
  ['an empty chunk size', `\r\n${hidden}\r\n0\r\n\r\n`],
  ['a chunk size after a NUL', `\0${inChunks}`],
  ['a chunk size that ends with a bare line feed', `1\nx\r\n${afterLastChunk}`],
  ['a chunk extension with a bare line feed', `1;a\nb\r\nx\r\n${afterLastChunk}`],
  ['a chunk that is longer than its size', `1\r\nxyz\r\n${afterLastChunk}`],
  ['a chunk without its line break', `1\r\nx0\r\n\r\n${hidden}`],
  ['a chunk extension without end', `1;${'a'.repeat(20_000)}\r\nx\r\n${afterLastChunk}`],
  ['a last chunk that ends with bare line feeds', `0\n\n${hidden}`],
];

const get = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n';

export const shapes: readonly Shape[] = [
  invalid('a coding and a length', `${chunked}\r\n${both}`, afterLastChunk),
  invalid('a length and a coding', `${both}\r\n${chunked}`, afterLastChunk),
  ...codings.map(([name, head]) =>
    invalid(`${name}, and a length`, `${head}\r\n${both}`, afterLastChunk),
  ),
  ...lengths.map(([name, head]) => invalid(name, head, hidden)),
  ...sizes.map(([name, body]) => invalid(name, chunked, body)),
  invalid(
    'a coding in HTTP/1.0',
    chunked,
    afterLastChunk,
    'POST /v1/session HTTP/1.0\r\nHost: localhost\r\n',
  ),
  either('no Host', length, hidden, 'POST /v1/session HTTP/1.1\r\n'),
  invalid('HTTP/0.9', '', '', 'GET /livez\r\n'),
  invalid('HTTP/2 without negotiation', '', '', 'PRI * HTTP/2.0\r\n\r\nSM\r\n'),
  either('a trailer that names a length', chunked, `${inChunks.slice(0, -2)}${length}\r\n\r\n`),
  either(
    'an upgrade to another protocol, with a body',
    `Upgrade: h2c\r\nConnection: Upgrade\r\n${length}`,
    hidden,
  ),
  either('an unknown expectation', `Expect: a miracle\r\n${length}`, hidden),
  either('a GET with a body', length, hidden, get),
  either('a GET with a body in chunks', chunked, inChunks, get),
  either(
    'an empty line before the request',
    length,
    hidden,
    `\r\nPOST /v1/session HTTP/1.1\r\nHost: localhost\r\n`,
  ),
  whole('a body with its length', length, hidden),
  whole('a body in chunks', chunked, inChunks),
  whole('a body in chunks, in capitals', 'TRANSFER-ENCODING: CHUNKED', inChunks),
  whole('a length with blanks around it', `Content-Length: \t${hidden.length} `, hidden),
  whole('a length with zeros before it', `Content-Length: 000${hidden.length}`, hidden),
  whole('a chunk size with zeros before it', chunked, `000${inChunks}`),
  whole('a chunk with an extension', chunked, inChunks.replace('\r\n', ';a=b\r\n')),
  whole('a header with an underscore', 'Content_Length: 5', ''),
  whole('the expectation 100-continue', `Expect: 100-continue\r\n${length}`, hidden),
];

/** The first lines of a request that the origin gate refuses, and of one whose body a route reads. */
export const starts = {
  'refused by the origin gate': 'POST /v1/session HTTP/1.1\r\nHost: localhost\r\n',
  'read by a route':
    'POST /v1/session HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:8080\r\n' +
    'X-Funding-Request: 1\r\nContent-Type: application/json\r\n',
} as const;

/** The shape, followed by a second request. */
export function toBytes(shape: Shape, start: string): Buffer {
  const head = `${shape.start ?? start}${shape.head}${shape.head === '' ? '' : '\r\n'}\r\n`;
  const next = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  return Buffer.from(`${head}${shape.body}${next}`, 'latin1');
}
