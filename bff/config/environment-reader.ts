// Reads single variables of the environment, as text, secret, address or keys, and gathers what is wrong with them.

import { BlockList, isIP, type NetConnectOpts } from 'node:net';

/** Keys by their numeric id; 32 bytes each, in base64. All of them open what is old. */
export type Keys = Readonly<Record<string, string>>;

export interface KeyList {
  readonly keys: Keys;
  /** Id of the one that stands first, which `keys` cannot say; empty when there is none. */
  readonly firstId: string;
}

export interface VariableSource {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The text of a file; throws when it cannot be read. */
  readonly readFile: (path: string) => string;
  /** Options that node was started with; default none. */
  readonly nodeOptions?: readonly string[];
}

export interface Reader {
  /** The value without blanks around it; empty, with a problem, when it is required and unset. */
  text(name: string): string;
  /** As `text`, or the text of the file that `<name>_FILE` names. */
  secret(name: string): string;
  /** As `secret`; `undefined`, without a problem, when it is unset. */
  optionalSecret(name: string): string | undefined;
  optional(name: string): string | undefined;
  /** The text of the file that the variable names; `undefined` when it is unset or unreadable, the latter with a problem. */
  file(name: string): string | undefined;
  /** Notes a problem, by the variable's name, with the mend; the value itself is never part of it. */
  problem(name: string, what: string, mend: string): void;
  problems(): readonly string[];
}

/** @param defaults values of variables that may stay unset. */
export function createReader(
  { variables, readFile }: VariableSource,
  defaults: Readonly<Record<string, string>>,
): Reader {
  const found = new Set<string>();

  function problem(name: string, what: string, mend: string): void {
    found.add(`${name} ${what}. ${mend}`);
  }

  function read(path: string, name: string): string | undefined {
    try {
      return readFile(path);
    } catch {
      problem(name, 'names a file that cannot be read', 'Check the path and its permissions.');
      return undefined;
    }
  }

  function optional(name: string): string | undefined {
    const value = variables[name]?.trim();
    return value === undefined || value === '' ? defaults[name] : value;
  }

  function text(name: string): string {
    const value = optional(name);
    if (value === undefined) problem(name, 'is not set', 'Set it.');
    return value ?? '';
  }

  function secret(name: string): string {
    const path = variables[`${name}_FILE`]?.trim();
    if (!path) {
      const value = optional(name);
      if (value === undefined) problem(name, 'is not set', `Set it, or ${name}_FILE.`);
      return value ?? '';
    }
    if (variables[name]) problem(name, `is set twice, also by ${name}_FILE`, 'Keep one of them.');
    const value = read(path, `${name}_FILE`)?.trim();
    if (value === '') problem(`${name}_FILE`, 'names an empty file', 'Write the secret into it.');
    return value ?? '';
  }

  return {
    text,
    secret,
    optionalSecret(name) {
      const isSet = optional(name) !== undefined || Boolean(variables[`${name}_FILE`]?.trim());
      return isSet ? secret(name) : undefined;
    },
    optional,
    file(name) {
      const path = optional(name);
      return path === undefined ? undefined : read(path, name);
    },
    problem,
    problems: () => [...found],
  };
}

/** An address of the funding service without the slash at its end; `http:` only where `allowHttp`. */
export function readServiceUrl(reader: Reader, name: string, allowHttp: boolean): string {
  const text = reader.text(name);
  if (text === '') return '';
  const url = toUrl(text);
  if (!url || url.search !== '' || url.hash !== '' || url.username !== '') {
    reader.problem(name, 'is no plain address', 'Write https://, a host and, if any, a path.');
    return text;
  }
  requireHttps(reader, name, url, allowHttp);
  return text.replace(/\/+$/, '');
}

export function readOrigin(reader: Reader, name: string, allowHttp: boolean): string {
  return toOrigin(reader, name, reader.text(name), allowHttp);
}

/** Origins separated by commas or blanks; none when it is unset. */
export function readOrigins(reader: Reader, name: string, allowHttp: boolean): readonly string[] {
  const text = reader.optional(name) ?? '';
  const parts = toParts(text);
  if (text !== '' && parts.length === 0) {
    reader.problem(name, 'holds no origin', 'Write one or several, with commas between.');
  }
  return parts.map((part) => toOrigin(reader, name, part, allowHttp));
}

/** A value that is sent as a header, which carries printable ASCII only (RFC 9110 section 5.5). */
export function readHeaderValue(reader: Reader, name: string, text: string): string {
  if (text !== '' && !/^[\x20-\x7e]+$/.test(text)) {
    const mend = "Write it on one line, in plain letters and signs (' for a curly apostrophe).";
    reader.problem(name, 'holds a character that a header cannot carry', mend);
  }
  return text;
}

/** A secret that is sent as a bearer token (RFC 6750 section 2.1), of 16 characters or more; `undefined` when it is unset. */
export function readToken(reader: Reader, name: string): string | undefined {
  const token = reader.optionalSecret(name);
  if (token !== undefined && token !== '' && !/^[\w.~+/-]{16,}=*$/.test(token)) {
    const mend = 'Make one: openssl rand -base64 32';
    reader.problem(name, 'is no token of 16 or more letters, digits and -._~+/', mend);
  }
  return token;
}

/** Keys as `2:<base64>,1:<base64>`, also one a line; each decodes to 32 bytes that look random. */
export function readKeys(reader: Reader, name: string): KeyList {
  const keys: Record<string, string> = {};
  let firstId = '';
  const text = reader.secret(name);
  const parts = toParts(text);
  if (text !== '' && parts.length === 0) {
    reader.problem(name, 'holds no key', 'Write 1:<key>; make one: openssl rand -base64 32');
  }
  for (const part of parts) {
    const [, id, key] = /^(\d{1,6}):([A-Za-z0-9+/]+={0,2})$/.exec(part) ?? [];
    if (id === undefined || key === undefined) {
      reader.problem(
        name,
        'is no list of keys',
        'Write 1:<key>, and 2:<key>,1:<key> to change it.',
      );
    } else if (/^0\d/.test(id)) {
      reader.problem(name, 'holds an id that begins with 0', 'Write 1, not 01.');
    } else if (keys[id] !== undefined) {
      reader.problem(name, 'holds an id twice', 'Give each key its own number.');
    } else {
      if (isWeak(key))
        reader.problem(name, 'holds a weak key', 'Make one: openssl rand -base64 32');
      keys[id] = key;
      firstId ||= id;
    }
  }
  return { keys, firstId };
}

/** Addresses and CIDR ranges separated by commas or blanks, or the word `none`; `undefined` when it is unset. */
export function readProxies(reader: Reader, name: string): readonly string[] | undefined {
  const text = reader.optional(name);
  if (text === undefined) return undefined;
  if (text === 'none') return [];
  const ranges = toParts(text);
  if (ranges.length === 0) reader.problem(name, 'holds no range', 'Write ranges, or none.');
  for (const range of ranges) {
    if (!isRange(range)) {
      reader.problem(name, 'holds something that is no range', 'Write for example 10.0.0.0/8.');
    }
  }
  return ranges;
}

/** Address of a virus scanner; `undefined` when it is unset. */
export function readClamdUrl(reader: Reader, name: string): string | undefined {
  const url = reader.optional(name);
  if (url !== undefined && !toClamdAddress(url)) {
    const mend = 'Write for example tcp://localhost:3310 or unix:/run/clamav/clamd.ctl.';
    reader.problem(name, 'is no address of a scanner', mend);
  }
  return url;
}

/** Parses `tcp://host:port` or `unix:/path`; `undefined` for anything else. */
export function toClamdAddress(url: string): NetConnectOpts | undefined {
  const [, path] = /^unix:(\/[^\0]+)$/.exec(url) ?? [];
  if (path !== undefined) return { path };
  const [, host, port] = /^tcp:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(url) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

export function readPort(reader: Reader, name: string, preset: number): number {
  const text = reader.optional(name) ?? String(preset);
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    reader.problem(name, 'is no port', 'Write a number from 0 to 65535.');
  }
  return port;
}

/** What stands between commas or blanks. */
function toParts(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

function toOrigin(reader: Reader, name: string, text: string, allowHttp: boolean): string {
  if (text === '') return '';
  const url = toUrl(text);
  if (!url || url.origin !== text.replace(/\/$/, '')) {
    const mend = 'Write scheme and host, lower-case, for example https://www.example.com.';
    reader.problem(name, 'holds something that is no origin', mend);
    return text;
  }
  requireHttps(reader, name, url, allowHttp);
  return url.origin;
}

function requireHttps(reader: Reader, name: string, url: URL, allowHttp: boolean): void {
  if (url.protocol === 'https:' || (allowHttp && url.protocol === 'http:')) return;
  reader.problem(name, 'is not https', 'Use https; only the sandbox takes http.');
}

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Of 32 random bytes about 30 differ, and fewer than 22 once in 100,000 draws: such a key was typed, not drawn. */
function isWeak(key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return bytes.length !== 32 || new Set(bytes).size < 22;
}

function isRange(range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 6 ? 'ipv6' : 'ipv4');
    return /^\d{1,3}$/.test(prefix);
  } catch {
    return false;
  }
}

const names = /^(.+\.)?localhost\.?$/;
/** 127.0.0.0/8, and the address that stands for any of one's own (RFC 1122, 3.2.1.3). */
const numbers = /^127(\.\d+){3}$|^0\.0\.0\.0$/;
/** The same in IPv6, also those of IPv4 written in it (RFC 4291, 2.5). */
const longNumbers = /^\[::(1|ffff:7f[\da-f]{2}:[\da-f]{1,4}|ffff:0:0)?\]$/;

/** @param hostname as `URL` gives it. */
export function isThisMachine(hostname: string): boolean {
  return names.test(hostname) || numbers.test(hostname) || longNumbers.test(hostname);
}
