// Reads environment variables and collects everything that is wrong with them.

import { BlockList, isIP, type NetConnectOpts } from 'node:net';

/** Keys by numeric id; each is 32 bytes in Base64. The first key encrypts, all of them decrypt. */
export type Keys = Readonly<Record<string, string>>;

export interface VariableSource {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Returns the text of a file. Throws if the file cannot be read. */
  readonly readFile: (path: string) => string;
  /** Options of the node command line; default none. */
  readonly nodeOptions?: readonly string[];
}

export interface Reader {
  /** The trimmed value. If the variable is not set, an empty string and a problem. */
  text(name: string): string;
  /** Like `text`, or the content of the file in `<name>_FILE`. */
  secret(name: string): string;
  optional(name: string): string | undefined;
  optionalSecret(name: string): string | undefined;
  /** The content of the file that the variable names. `undefined` if it is not set, or with a problem if it is not readable. */
  file(name: string): string | undefined;
  /** Adds a problem. `text` continues the name and must not contain the value: `is not set. Set it.` */
  problem(name: string, text: string): void;
  problems(): readonly string[];
}

/** @param defaults values of variables that are not set. */
export function createReader(
  { variables, readFile }: VariableSource,
  defaults: Readonly<Record<string, string>>,
): Reader {
  const found = new Set<string>();

  function problem(name: string, text: string): void {
    found.add(`${name} ${text}`);
  }

  function read(path: string, name: string): string | undefined {
    try {
      return readFile(path);
    } catch {
      problem(name, 'names a file that cannot be read. Check its path and permissions.');
      return undefined;
    }
  }

  function optional(name: string): string | undefined {
    return variables[name]?.trim() || defaults[name];
  }

  function optionalSecret(name: string): string | undefined {
    const path = variables[`${name}_FILE`]?.trim();
    if (!path) return optional(name);
    if (variables[name]) problem(name, `and ${name}_FILE are both set. Unset one of them.`);
    const value = read(path, `${name}_FILE`)?.trim();
    if (value === '') problem(`${name}_FILE`, 'names an empty file. Write the value into it.');
    return value ?? '';
  }

  return {
    text(name) {
      const value = optional(name);
      if (value === undefined) problem(name, 'is not set. Set it.');
      return value ?? '';
    },
    secret(name) {
      const value = optionalSecret(name);
      if (value === undefined) problem(name, `is not set. Set it, or ${name}_FILE.`);
      return value ?? '';
    },
    optional,
    optionalSecret,
    file(name) {
      const path = optional(name);
      return path === undefined ? undefined : read(path, name);
    },
    problem,
    problems: () => [...found],
  };
}

/** Reads a base URL and removes its trailing slash. `http:` is valid only if `allowHttp` is set. */
export function readBaseUrl(reader: Reader, name: string, allowHttp: boolean): string {
  const text = reader.text(name);
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.search !== '' || url.hash !== '' || url.username !== '') {
    reader.problem(name, 'is not a plain URL. Use https://host/path, without a query or a user.');
    return text;
  }
  requireHttps(reader, name, url, allowHttp);
  return text.replace(/\/+$/, '');
}

export function readOrigin(reader: Reader, name: string, allowHttp: boolean): string {
  return parseOrigin(reader, name, reader.text(name), allowHttp);
}

/** Reads origins separated by commas or whitespace. */
export function readOrigins(reader: Reader, name: string, allowHttp: boolean): readonly string[] {
  const parts = splitList(reader.optional(name));
  if (parts?.length === 0) {
    reader.problem(name, 'contains no origin. List origins, separated by commas.');
  }
  return parts?.map((part) => parseOrigin(reader, name, part, allowHttp)) ?? [];
}

function parseOrigin(reader: Reader, name: string, text: string, allowHttp: boolean): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== text.replace(/\/$/, '')) {
    const fix = 'Use a scheme and a lowercase host, such as https://www.example.com.';
    reader.problem(name, `contains an invalid origin. ${fix}`);
    return text;
  }
  requireHttps(reader, name, url, allowHttp);
  return url.origin;
}

function requireHttps(reader: Reader, name: string, { protocol }: URL, allowHttp: boolean): void {
  if (protocol === 'https:' || (allowHttp && protocol === 'http:')) return;
  reader.problem(name, 'is not an https URL. Use https. Only the sandbox accepts http.');
}

/** Checks a value that is sent as an HTTP header: printable ASCII only (RFC 9110, section 5.5). */
export function checkHeaderValue(reader: Reader, name: string, text: string): string {
  if (text !== '' && !/^[\x20-\x7e]+$/.test(text)) {
    const fix = "Use one line of printable ASCII, such as ' instead of ’.";
    reader.problem(name, `contains a character that is not valid in an HTTP header. ${fix}`);
  }
  return text;
}

const createKey = 'Create one: openssl rand -base64 32';

/** Reads a secret that is sent as a bearer token (RFC 6750, section 2.1). */
export function readToken(reader: Reader, name: string): string | undefined {
  const token = reader.optionalSecret(name);
  if (token && !/^[\w.~+/-]{16,}=*$/.test(token)) {
    reader.problem(name, `is not a token of at least 16 letters, digits, and -._~+/. ${createKey}`);
  }
  return token;
}

/** Reads keys as `2:<base64>,1:<base64>`, also one per line. `firstId` is empty if there is no key. */
export function readKeys(
  reader: Reader,
  name: string,
): { readonly keys: Keys; readonly firstId: string } {
  const parts = splitList(reader.secret(name) || undefined);
  if (parts?.length === 0) reader.problem(name, `contains no key. Write 1:<key>. ${createKey}`);
  const keys: Record<string, string> = {};
  let firstId = '';
  for (const part of parts ?? []) {
    const [, id, key] = /^(\d{1,6}):([A-Za-z0-9+/]+={0,2})$/.exec(part) ?? [];
    if (id === undefined || key === undefined) {
      const fix = 'Write 1:<key>, or 2:<new key>,1:<old key> to change the key.';
      reader.problem(name, `is not a list of keys. ${fix}`);
    } else if (/^0\d/.test(id)) {
      reader.problem(name, 'contains an id with a leading zero. Write 1 instead of 01.');
    } else if (keys[id] !== undefined) {
      reader.problem(name, 'contains an id twice. Give each key its own id.');
    } else {
      if (isWeak(key)) reader.problem(name, `contains a weak key. ${createKey}`);
      keys[id] = key;
      firstId ||= id;
    }
  }
  return { keys, firstId };
}

/** 32 random bytes have about 30 different values. Fewer than 22 occur once in 100,000 keys: such a key was typed. */
function isWeak(key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return bytes.length !== 32 || new Set(bytes).size < 22;
}

/** Reads addresses and CIDR ranges, or `none`. `undefined` if the variable is not set. */
export function readProxies(reader: Reader, name: string): readonly string[] | undefined {
  const text = reader.optional(name);
  if (text === 'none') return [];
  const ranges = splitList(text);
  if (ranges && (ranges.length === 0 || !ranges.every(isRange))) {
    const fix = 'List addresses or ranges such as 10.0.0.0/8, or set it to none.';
    reader.problem(name, `contains an invalid CIDR range. ${fix}`);
  }
  return ranges;
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

export function readClamdUrl(reader: Reader, name: string): string | undefined {
  const url = reader.optional(name);
  if (url !== undefined && !toClamdAddress(url)) {
    const fix = 'Use tcp://host:3310 or unix:/run/clamav/clamd.ctl.';
    reader.problem(name, `is not the address of a scanner. ${fix}`);
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

export function readPort(reader: Reader, name: string, defaultPort: number): number {
  const text = reader.optional(name) ?? String(defaultPort);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    reader.problem(name, 'is not a port. Use a number from 0 to 65535.');
  }
  return Number(text);
}

/** Splits at commas and whitespace. */
function splitList(text: string | undefined): readonly string[] | undefined {
  return text?.split(/[\s,]+/).filter((part) => part !== '');
}

/** `localhost`, and the loopback and unspecified addresses (RFC 1122, 3.2.1.3; RFC 4291, 2.5), also IPv4 as IPv6. */
const localHostnames =
  /^(.+\.)?localhost\.?$|^127(\.\d+){3}$|^0\.0\.0\.0$|^\[::(1|ffff:7f[\da-f]{2}:[\da-f]{1,4}|ffff:0:0)?\]$/;

/** @param hostname as `URL` returns it. */
export function isThisMachine(hostname: string): boolean {
  return localHostnames.test(hostname);
}
