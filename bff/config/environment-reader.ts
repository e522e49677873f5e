// Reads environment variables and collects everything that is wrong with them.

import { isIP, type NetConnectOpts } from 'node:net';
import { toErrorCode } from '../runtime/error-code.ts';
import { toSandboxDefaults } from './sandbox-defaults.ts';
import { findUnknownVariables, type UnknownVariable } from './unknown-variables.ts';
import {
  describeVariable,
  type NameOfKind,
  placeholder,
  type SecretName,
  type VariableName,
} from './variables.ts';

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
  /** Options that a host which mounts the BFF sets in code; default none. */
  readonly mount?: MountSource;
}

/** The options of `createBff` that belong to the configuration. Not checked yet, because a host may be written without types. */
export interface MountSource {
  /** Instead of the file of FUNDING_SETTINGS. */
  readonly settings?: object | undefined;
  /** Instead of the module of BFF_HOOKS. */
  readonly hooks?: object | undefined;
  /** Instead of, or the same as, the path of PUBLIC_URL. */
  readonly basePath?: string | undefined;
  /** True if requests arrive in functions that end, or freeze, after each response. */
  readonly serverless?: boolean | undefined;
}

/** The address of the BFF as browsers see it. */
export interface PublicUrl {
  /** The origin, and the base path. */
  readonly publicUrl: string;
  readonly publicOrigin: string;
  /** The path below which the BFF answers, such as `/funding`. Empty if it has the origin for itself. */
  readonly basePath: string;
}

/** Collects problems instead of throwing. A value with a problem must not be used. */
export class EnvironmentReader {
  readonly isSandbox: boolean;
  readonly mount: MountSource;
  readonly #source: VariableSource;
  readonly #defaults: Readonly<Record<string, string>>;
  readonly #problems = new Set<string>();
  readonly #unknown: readonly UnknownVariable[];
  /** Variables whose value is the problem, so that they are not reported as missing too. */
  readonly #refused = new Set<string>();

  constructor(source: VariableSource) {
    this.#source = source;
    this.mount = source.mount ?? {};
    this.isSandbox = source.variables['FUNDING_ENVIRONMENT']?.trim() === 'sandbox';
    this.#defaults = this.isSandbox ? toSandboxDefaults(source.variables) : {};
    this.#unknown = findUnknownVariables(source.variables);
  }

  problems(): readonly string[] {
    return [...this.#problems];
  }

  /** Adds a problem. `text` continues the name and must not contain the value: `is not set. Set it.` */
  problem(name: string, text: string): void {
    this.#problems.add(`${name} ${text}`);
  }

  /** Reports that a variable is not set, unless the reason is another problem, such as a misspelled name. */
  missing(name: VariableName, fix: string): void {
    const misspelled = this.#unknown.find(({ meant }) => meant === name);
    if (misspelled) this.problem(misspelled.name, misspelled.problem);
    else if (!this.#refused.has(name)) this.problem(name, `is not set. ${fix}`);
  }

  isMisspelled(name: VariableName): boolean {
    return this.#unknown.some(({ meant }) => meant === name);
  }

  /** Reports variables that are not the BFF's, but were probably meant for it. */
  refuseUnknown(): void {
    for (const { name, problem } of this.#unknown) this.problem(name, problem);
  }

  /** The trimmed value, or its default. `undefined` if it is not set, or, with a problem, if it is a placeholder. */
  optional(name: VariableName): string | undefined {
    const value = this.#source.variables[name]?.trim();
    if (!value) return this.#defaults[name] ?? describeVariable(name).default;
    const [, quote] = /^(["'`]).*\1$/s.exec(value) ?? [];
    if (quote !== undefined) {
      const way = describeVariable(name).isSecret
        ? `Remove them. If they belong to the value, write it into a file and set ${name}_FILE.`
        : 'Remove them.';
      this.problem(name, `is in quotation marks, which belong to its value here. ${way}`);
    }
    return this.#withoutPlaceholder(name, value.replaceAll(quote ?? '', ''));
  }

  #withoutPlaceholder(name: VariableName, value: string): string | undefined {
    const { example, kind } = describeVariable(name);
    // The placeholder of a path is reported when the file is read.
    if (!value.includes(placeholder) || kind === 'path') return value;
    this.#refused.add(name);
    const suchAs = example === undefined ? '' : `, such as ${example}`;
    // An example can end with a period.
    const fix = `Replace it with your value${suchAs}.`.replace(/\.\.$/, '.');
    this.problem(name, `has the placeholder ${placeholder}. ${fix}`);
    return undefined;
  }

  /** Like `optional`, or the content of the file in `<name>_FILE`. */
  optionalSecret(name: SecretName): string | undefined {
    const path = this.#source.variables[`${name}_FILE`]?.trim();
    if (!path) return this.optional(name);
    if (this.#source.variables[name]) {
      this.problem(name, `and ${name}_FILE are both set. Unset one of them.`);
    }
    // `trim` also removes a byte order mark.
    const value = this.readFile(path, `${name}_FILE`)?.trim();
    if (value === '') this.problem(`${name}_FILE`, 'names an empty file. Write the value into it.');
    return this.#withoutPlaceholder(name, value ?? '');
  }

  /** The trimmed value. If the variable is not set, an empty string and a problem. */
  text(name: VariableName): string {
    const value = this.optional(name);
    if (value === undefined) this.missing(name, 'Set it.');
    return value ?? '';
  }

  /** Like `text`, or the content of the file in `<name>_FILE`. */
  secret(name: SecretName): string {
    const value = this.optionalSecret(name);
    if (value === undefined) this.missing(name, `Set it, or ${name}_FILE.`);
    return value ?? '';
  }

  /** The content of the file that the variable `name` names. `undefined`, with a problem, if it is not readable. */
  readFile(path: string, name: string): string | undefined {
    if (path.includes(placeholder)) {
      this.problem(name, `has the placeholder ${placeholder}. Set it to the path of the file.`);
      return undefined;
    }
    try {
      const text = this.#source.readFile(path);
      // PowerShell writes UTF-16 by default, whose zero bytes would be part of the value.
      if (!/[\0\uFFFD]/.test(text)) return text;
      this.problem(name, 'names a file that is not text in UTF-8. Save it as UTF-8.');
    } catch (error) {
      const problem = fileProblems[toErrorCode(error) ?? ''];
      this.problem(
        name,
        `names ${problem ?? 'a file that cannot be read. Check its path and permissions.'}`,
      );
    }
    return undefined;
  }

  /** Reads a base URL and removes its trailing slash. */
  baseUrl(name: NameOfKind<'baseUrl'>): string {
    const text = this.text(name);
    if (text === '') return '';
    const url = URL.parse(text);
    if (!hasScheme(text)) {
      this.problem(name, 'has no scheme. Begin it with https:// and the host.');
      return text;
    }
    if (!url || url.search !== '' || url.hash !== '' || url.username !== '') {
      this.problem(name, 'is not a plain URL. Use https://host/path, without a query or a user.');
      return text;
    }
    this.#requireHttps(name, url);
    return text.replace(/\/+$/, '');
  }

  /** Reads the address of the BFF: an origin, and below it the base path, if there is one. */
  publicUrl(name: NameOfKind<'publicUrl'>): PublicUrl {
    const text = this.text(name);
    const mountPath = this.#readMountPath();
    const [, origin = text, ownPath = ''] =
      /^(\w+:\/\/[^/]+)(.*)$/.exec(text.replace(/\/$/, '')) ?? [];
    const publicOrigin = this.#parseOrigin(name, origin);
    if (!basePathPattern.test(ownPath)) {
      this.problem(name, `has a path that is not plain. ${plainPath}`);
    } else if (mountPath !== undefined && ownPath !== '' && ownPath !== mountPath) {
      this.problem(name, 'has another path than the option basePath. Use the same path in both.');
    }
    const basePath = mountPath ?? ownPath;
    return { publicUrl: publicOrigin + basePath, publicOrigin, basePath };
  }

  #readMountPath(): string | undefined {
    const path = this.mount.basePath?.replace(/\/$/, '');
    if (path === undefined || basePathPattern.test(path)) return path;
    this.problem('basePath', `is not a plain path. ${plainPath}`);
    return '';
  }

  /** Reads origins separated by commas or whitespace. */
  origins(name: NameOfKind<'origins'>): readonly string[] {
    const parts = splitList(this.optional(name));
    if (parts?.length === 0) {
      this.problem(name, 'contains no origin. List origins, separated by commas.');
    }
    const origins = parts?.map((part) => this.#parseOrigin(name, part)) ?? [];
    if (new Set(origins).size < origins.length) {
      this.problem(name, 'contains an origin twice. Remove one of them.');
    }
    return origins;
  }

  #parseOrigin(name: string, text: string): string {
    if (text === '') return '';
    const url = URL.parse(text);
    if (url?.origin !== text.replace(/\/$/, '') || text.includes('*')) {
      this.problem(name, describeInvalidOrigin(text, url));
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
  token(name: NameOfKind<'token'> & SecretName): string | undefined {
    const token = this.optionalSecret(name);
    if (token && !/^[\w.~+/-]{16,}=*$/.test(token)) {
      this.problem(name, `is not a token of at least 16 letters, digits, and -._~+/. ${createOne}`);
    }
    return token;
  }

  /** Reads keys as `2:<base64>,1:<base64>`, also one per line. */
  keys(name: NameOfKind<'keys'> & SecretName): KeyList {
    const parts = splitList(this.secret(name) || undefined);
    if (parts?.length === 0) this.problem(name, `contains no key. Write 1:<key>. ${createOne}`);
    const keys: Record<string, string> = {};
    let currentId = '';
    for (const part of parts ?? []) {
      const [, id = '', key = ''] = /^(?:(\d{1,6}):)?(.*)$/.exec(part) ?? [];
      const problem = describeInvalidKey(id, key, keys);
      if (problem !== undefined) this.problem(name, problem);
      if (id !== '' && keys[id] === undefined) {
        keys[id] = key;
        currentId ||= id;
      }
    }
    return { keys, currentId };
  }

  /** Reads addresses and CIDR ranges, or `none`. `undefined` if the variable is not set. */
  proxies(name: NameOfKind<'addresses'>): readonly string[] | undefined {
    const text = this.optional(name);
    if (text === 'none') return [];
    const ranges = splitList(text);
    if (ranges?.length === 0) {
      this.problem(name, 'contains no address. List your proxies, or set it to none.');
    }
    for (const range of ranges ?? []) {
      const problem = describeInvalidRange(range);
      if (problem !== undefined) this.problem(name, problem);
    }
    return ranges;
  }

  /** The address of a virus scanner. */
  clamdUrl(name: NameOfKind<'scanner'>): string | undefined {
    const url = this.optional(name);
    if (url !== undefined && !toClamdAddress(url)) {
      const fix = 'Use tcp://host:3310 or unix:/run/clamav/clamd.ctl.';
      this.problem(name, `is not the address of a scanner. ${fix}`);
    }
    return url;
  }

  /** Reads an https URL that may have a query. */
  webhookUrl(name: NameOfKind<'webhookUrl'>): string | undefined {
    const text = this.optional(name);
    if (text === undefined) return undefined;
    const url = URL.parse(text);
    if (!url || url.hash !== '' || url.username !== '' || url.password !== '') {
      const fix = 'Use https://host/path, without a user, a password, or a fragment.';
      this.problem(name, `is not a URL of a webhook. ${fix}`);
    } else {
      this.#requireHttps(name, url);
    }
    return text;
  }

  /** Reads signing secrets (Standard Webhooks, "Signature scheme") as `whsec_<base64>,whsec_<base64>`, also one per line. */
  webhookSecrets(name: NameOfKind<'webhookSecrets'> & SecretName): readonly string[] {
    const parts = splitList(this.optionalSecret(name)) ?? [];
    for (const part of parts) {
      const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(part) ?? [];
      const { length } = Buffer.from(key, 'base64');
      if (length < 24 || length > 64 || key.length % 4 !== 0) {
        this.problem(name, `is not a list of secrets. ${createWebhookSecret}`);
      } else if (isTyped(key)) {
        this.problem(name, `contains a weak secret. ${createWebhookSecret}`);
      }
    }
    if (new Set(parts).size < parts.length) {
      this.problem(name, 'contains a secret twice. Remove one of them.');
    }
    return parts;
  }

  /** The address of a network interface; `undefined` for all of them. No name, because a name can have several addresses. */
  host(name: NameOfKind<'host'>): string | undefined {
    const text = this.optional(name);
    if (text !== undefined && isIP(text) === 0) {
      const fix = 'Set it to one address, such as 127.0.0.1, without a port. Unset it for all.';
      this.problem(name, `is not an IP address. ${fix}`);
    }
    return text;
  }

  port(name: NameOfKind<'port'>): number {
    const text = this.text(name);
    if (text !== '' && !isPort(text)) {
      // Kubernetes sets BFF_PORT for a service that is named `bff`.
      const fix = text.startsWith('tcp:') ? ', or enableServiceLinks to false in Kubernetes' : '';
      this.problem(name, `is not a port. Set it to a number from 0 to 65535${fix}.`);
    }
    return Number(text);
  }
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'a file that does not exist. Check its path.',
  ENOTDIR: 'a file below another file. Check its path.',
  EISDIR: 'a folder. Set it to the path of a file in it.',
  EACCES: 'a file that this user may not read. Change its owner or its permissions.',
};

/** Segments that no proxy and no framework rewrites. None may look like a folder of the BFF: the element finds the BFF by `/widget/`. */
const basePathPattern = /^(?!.*\/(?:widget|\.+)(?:\/|$))(?:\/[\w.~-]+)*$/;
const plainPath =
  'Use segments of letters, digits, and -._~, such as /funding, none of them named widget.';

const createOne = 'Create one: openssl rand -base64 32';

export const createWebhookSecret =
  'Write whsec_ and 24 to 64 random bytes in Base64. Create them: openssl rand -base64 32';

function hasScheme(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

function describeInvalidOrigin(text: string, url: URL | null): string {
  if (text.includes('*')) {
    return 'contains a wildcard. List each origin, such as https://www.example.com.';
  }
  if (!hasScheme(text)) {
    return 'contains an origin without a scheme. Write https://www.example.com.';
  }
  if (url && url.origin !== 'null' && url.origin === text.slice(0, url.origin.length)) {
    const fix = 'Write only the scheme and the host, such as https://www.example.com.';
    return `contains an origin with a path or a query. ${fix}`;
  }
  return 'contains an invalid origin. Use a scheme and a lowercase host, such as https://www.example.com.';
}

const keyLength = 32;

/** @param others the keys before this one. */
function describeInvalidKey(
  id: string,
  key: string,
  others: Readonly<Record<string, string>>,
): string | undefined {
  if (id === '') {
    return 'contains a key without an id. Write 1:<key>, or 2:<new key>,1:<old key> to change the key.';
  }
  if (/^0\d/.test(id)) return 'contains an id with a leading zero. Write 1 instead of 01.';
  if (others[id] !== undefined) return 'contains an id twice. Give each key its own id.';
  if (/^[\da-f]{64}$/i.test(key)) {
    return `contains a key in hexadecimal digits. Keys are in Base64. ${createOne}`;
  }
  if (/^[\w-]+={0,2}$/.test(key) && /[_-]/.test(key)) {
    return 'contains a key in base64url. Write + instead of -, and / instead of _.';
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) {
    return `contains a key that is not Base64, or two keys without a comma between them. ${createOne}`;
  }
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== keyLength) {
    return `contains a weak key: it has ${bytes.length} bytes instead of ${keyLength}. ${createOne}`;
  }
  // 32 random bytes have about 30 different values. Fewer than 22 occur once in 100,000 keys: such a key was typed.
  if (new Set(bytes).size < 22) return `contains a weak key: it is not random. ${createOne}`;
  const isRepeated = Object.values(others).includes(key);
  return isRepeated ? `contains a key twice. Remove one of them. ${createOne}` : undefined;
}

/** 24 random bytes have about 23 different values. */
function isTyped(key: string): boolean {
  return new Set(Buffer.from(key, 'base64')).size < 16;
}

function describeInvalidRange(range: string): string | undefined {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  if (version === 0 || Number(prefix ?? 0) > bits) {
    const fix =
      'List addresses or ranges such as 10.0.0.0/24, without names and ports, or set it to none.';
    return `contains an invalid CIDR range. ${fix}`;
  }
  if (prefix === undefined) return undefined;
  if (Number(prefix) === 0) {
    return 'contains a range of all addresses, so that anybody could forge an address. List your proxies.';
  }
  const network = toNetwork(address, Number(prefix), version);
  return network === toNetwork(address, bits, version)
    ? undefined
    : 'contains a CIDR range whose address has bits after the prefix. Write the first address of the range, or the address without a prefix.';
}

/** The bits of an address, zero after the prefix. */
function toNetwork(address: string, prefix: number, version: number): string {
  // `URL` writes each IPv6 address in one way, also those that end like an IPv4 address.
  const { hostname } = new URL(version === 6 ? `http://[${address}]` : `http://${address}`);
  const groups = version === 6 ? expand(hostname.slice(1, -1)) : hostname.split('.').map(Number);
  const size = version === 6 ? 16 : 8;
  return groups
    .map((group) => group.toString(2).padStart(size, '0'))
    .join('')
    .slice(0, prefix)
    .padEnd(version === 6 ? 128 : 32, '0');
}

/** The eight groups of an IPv6 address. */
function expand(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const toGroups = (text: string) =>
    (text === '' ? [] : text.split(':')).map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return toGroups(head);
  const [first, last] = [toGroups(head), toGroups(tail)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
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
