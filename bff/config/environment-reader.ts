// Reads environment variables and collects everything that is wrong with them.

import { isIP, type NetConnectOpts } from 'node:net';
import { toSandboxDefaults } from './sandbox-defaults.ts';

/** The keys of SESSION_KEYS or DATA_KEYS. */
export interface KeyList {
  /** 32 bytes each in Base64, by numeric id. All of them decrypt. */
  readonly keys: Readonly<Record<string, string>>;
  /** The id of the first key, which encrypts. Empty, with a problem, if there is no key. */
  readonly currentId: string;
}

export interface VariableSource {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Returns the text of a file. Throws if the file cannot be read. */
  readonly readFile: (path: string) => string;
  /** Options of the node command line; default none. */
  readonly nodeOptions?: readonly string[];
}

/** Collects problems instead of throwing. A value with a problem must not be used. */
export class EnvironmentReader {
  readonly isSandbox: boolean;
  readonly #source: VariableSource;
  readonly #defaults: Readonly<Record<string, string>>;
  readonly #problems = new Set<string>();

  constructor(source: VariableSource) {
    this.#source = source;
    this.isSandbox = source.variables['FUNDING_ENVIRONMENT'] === 'sandbox';
    this.#defaults = this.isSandbox ? toSandboxDefaults(source.variables) : {};
  }

  problems(): readonly string[] {
    return [...this.#problems];
  }

  /** Adds a problem. `text` continues the name and must not contain the value: `is not set. Set it.` */
  problem(name: string, text: string): void {
    this.#problems.add(`${name} ${text}`);
  }

  optional(name: string): string | undefined {
    return this.#source.variables[name]?.trim() || this.#defaults[name];
  }

  /** Like `optional`, or the content of the file in `<name>_FILE`. */
  optionalSecret(name: string): string | undefined {
    const path = this.#source.variables[`${name}_FILE`]?.trim();
    if (!path) return this.optional(name);
    if (this.#source.variables[name]) {
      this.problem(name, `and ${name}_FILE are both set. Unset one of them.`);
    }
    const value = this.readFile(path, `${name}_FILE`)?.trim();
    if (value === '') this.problem(`${name}_FILE`, 'names an empty file. Write the value into it.');
    return value ?? '';
  }

  /** The trimmed value. If the variable is not set, an empty string and a problem. */
  text(name: string): string {
    const value = this.optional(name);
    if (value === undefined) this.problem(name, 'is not set. Set it.');
    return value ?? '';
  }

  /** Like `text`, or the content of the file in `<name>_FILE`. */
  secret(name: string): string {
    const value = this.optionalSecret(name);
    if (value === undefined) this.problem(name, `is not set. Set it, or ${name}_FILE.`);
    return value ?? '';
  }

  /** The content of the file that the variable `name` names. `undefined`, with a problem, if it is not readable. */
  readFile(path: string, name: string): string | undefined {
    try {
      return this.#source.readFile(path);
    } catch {
      this.problem(name, 'names a file that cannot be read. Check its path and permissions.');
      return undefined;
    }
  }

  /** Reads a base URL and removes its trailing slash. */
  baseUrl(name: string): string {
    const text = this.text(name);
    if (text === '') return '';
    const url = URL.parse(text);
    if (!url || url.search !== '' || url.hash !== '' || url.username !== '') {
      this.problem(name, 'is not a plain URL. Use https://host/path, without a query or a user.');
      return text;
    }
    this.#requireHttps(name, url);
    return text.replace(/\/+$/, '');
  }

  origin(name: string): string {
    return this.#parseOrigin(name, this.text(name));
  }

  /** Reads origins separated by commas or whitespace. */
  origins(name: string): readonly string[] {
    const parts = splitList(this.optional(name));
    if (parts?.length === 0) {
      this.problem(name, 'contains no origin. List origins, separated by commas.');
    }
    return parts?.map((part) => this.#parseOrigin(name, part)) ?? [];
  }

  #parseOrigin(name: string, text: string): string {
    if (text === '') return '';
    const url = URL.parse(text);
    if (url?.origin !== text.replace(/\/$/, '')) {
      const fix = 'Use a scheme and a lowercase host, such as https://www.example.com.';
      this.problem(name, `contains an invalid origin. ${fix}`);
      return text;
    }
    this.#requireHttps(name, url);
    return url.origin;
  }

  #requireHttps(name: string, { protocol }: URL): void {
    if (protocol === 'https:' || (this.isSandbox && protocol === 'http:')) return;
    this.problem(name, 'is not an https URL. Use https. Only the sandbox accepts http.');
  }

  /** Reads a secret that is sent as a bearer token (RFC 6750, section 2.1). */
  token(name: string): string | undefined {
    const token = this.optionalSecret(name);
    if (token && !/^[\w.~+/-]{16,}=*$/.test(token)) {
      this.problem(name, `is not a token of at least 16 letters, digits, and -._~+/. ${createOne}`);
    }
    return token;
  }

  /** Reads keys as `2:<base64>,1:<base64>`, also one per line. */
  keys(name: string): KeyList {
    const parts = splitList(this.secret(name) || undefined);
    if (parts?.length === 0) this.problem(name, `contains no key. Write 1:<key>. ${createOne}`);
    const keys: Record<string, string> = {};
    let currentId = '';
    for (const part of parts ?? []) {
      const [, id, key] = /^(\d{1,6}):([A-Za-z0-9+/]+={0,2})$/.exec(part) ?? [];
      if (id === undefined || key === undefined) {
        const fix = 'Write 1:<key>, or 2:<new key>,1:<old key> to change the key.';
        this.problem(name, `is not a list of keys. ${fix}`);
      } else if (/^0\d/.test(id)) {
        this.problem(name, 'contains an id with a leading zero. Write 1 instead of 01.');
      } else if (keys[id] !== undefined) {
        this.problem(name, 'contains an id twice. Give each key its own id.');
      } else {
        if (isWeak(key)) this.problem(name, `contains a weak key. ${createOne}`);
        keys[id] = key;
        currentId ||= id;
      }
    }
    return { keys, currentId };
  }

  /** Reads addresses and CIDR ranges, or `none`. `undefined` if the variable is not set. */
  proxies(name: string): readonly string[] | undefined {
    const text = this.optional(name);
    if (text === 'none') return [];
    const ranges = splitList(text);
    if (ranges && (ranges.length === 0 || !ranges.every(isRange))) {
      const fix = 'List addresses or ranges such as 10.0.0.0/8, or set it to none.';
      this.problem(name, `contains an invalid CIDR range. ${fix}`);
    }
    return ranges;
  }

  /** The address of a virus scanner. */
  clamdUrl(name: string): string | undefined {
    const url = this.optional(name);
    if (url !== undefined && !toClamdAddress(url)) {
      const fix = 'Use tcp://host:3310 or unix:/run/clamav/clamd.ctl.';
      this.problem(name, `is not the address of a scanner. ${fix}`);
    }
    return url;
  }

  port(name: string, defaultPort: number): number {
    const text = this.optional(name) ?? String(defaultPort);
    if (!isPort(text)) this.problem(name, 'is not a port. Use a number from 0 to 65535.');
    return Number(text);
  }
}

const createOne = 'Create one: openssl rand -base64 32';

/** 32 random bytes have about 30 different values. Fewer than 22 occur once in 100,000 keys: such a key was typed. */
function isWeak(key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return bytes.length !== 32 || new Set(bytes).size < 22;
}

function isRange(range: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix) <= (version === 6 ? 128 : 32);
}

/** Parses `tcp://host:port` or `unix:/path`; `undefined` for anything else. */
export function toClamdAddress(url: string): NetConnectOpts | undefined {
  const [, path] = /^unix:(\/[^\0]+)$/.exec(url) ?? [];
  if (path !== undefined) return { path };
  const [, host, port] = /^tcp:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d+)$/i.exec(url) ?? [];
  if (host === undefined || port === undefined || !isPort(port)) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
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
