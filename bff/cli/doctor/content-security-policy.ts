// Whether a page's Content-Security-Policy lets it load the widget, ask the BFF and render (W3C CSP Level 3, section 6.7; Trusted Types).

/** Directives by their name in lower case, with their values. A page may have several policies, which all have to agree. */
export type Policy = ReadonlyMap<string, readonly string[]>;

export interface PageScript {
  /** All files that it leads to; each has to be allowed. */
  readonly urls: readonly string[];
  /** Of its tag; empty when there is none. */
  readonly nonce: string;
  /** Of its tag; empty when there is none. */
  readonly integrity: string;
}

/** @param text of the header, several ones joined by commas, or of one `<meta>`. */
export function parsePolicies(text: string): readonly Policy[] {
  return text
    .split(',')
    .map(parsePolicy)
    .filter((policy) => policy.size > 0);
}

function parsePolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>();
  for (const directive of text.split(';')) {
    const [name = '', ...values] = directive.split(/[\t\n\f\r ]+/).filter((part) => part !== '');
    const key = name.toLowerCase();
    // The first of a name counts.
    if (key !== '' && !policy.has(key)) policy.set(key, values);
  }
  return policy;
}

/** @param page its origin, which 'self' means. */
export function allowsConnection(policy: Policy, url: string, page: string): boolean {
  const sources = findSources(policy, ['connect-src', 'default-src']);
  return sources === undefined || sources.some((source) => matches(source, url, page));
}

/** @param page its origin, which 'self' means. */
export function allowsScript(policy: Policy, script: PageScript, page: string): boolean {
  const sources = findSources(policy, ['script-src-elem', 'script-src', 'default-src']);
  if (sources === undefined) return true;
  // A nonce holds for the modules too that the script loads later.
  if (script.nonce !== '' && sources.includes(`'nonce-${script.nonce}'`)) return true;
  if (hasKeyword(sources, "'strict-dynamic'")) {
    return script.integrity !== '' && sources.includes(`'${script.integrity}'`);
  }
  return script.urls.every((url) => sources.some((source) => matches(source, url, page)));
}

/** Browsers with Trusted Types refuse to make a policy that is not named, also where nothing requires one. */
export function allowsTrustedTypes(policy: Policy, name: string): boolean {
  const names = policy.get('trusted-types');
  return names === undefined || names.includes(name) || names.includes('*');
}

function findSources(policy: Policy, names: readonly string[]): readonly string[] | undefined {
  const name = names.find((candidate) => policy.has(candidate));
  return name === undefined ? undefined : policy.get(name);
}

function hasKeyword(sources: readonly string[], keyword: string): boolean {
  return sources.some((source) => source.toLowerCase() === keyword);
}

const hostSource =
  /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*)(?::(\d+|\*))?(\/[^?#]*)?$/i;

function matches(source: string, address: string, page: string): boolean {
  const [url, self] = [new URL(address), new URL(page)];
  // All addresses of ours are http or https.
  if (source === '*') return true;
  if (source.toLowerCase() === "'self'") {
    return url.host === self.host && fitsScheme(self.protocol, url.protocol);
  }
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return fitsScheme(source.toLowerCase(), url.protocol);
  const [, scheme, host = '', port, path = ''] = hostSource.exec(source) ?? [];
  return (
    host !== '' &&
    fitsScheme(scheme === undefined ? self.protocol : `${scheme.toLowerCase()}:`, url.protocol) &&
    fitsHost(host.toLowerCase(), url.hostname) &&
    fitsPort(port, url) &&
    fitsPath(path, url.pathname)
  );
}

/** What is allowed over http is allowed over https too. */
function fitsScheme(allowed: string, scheme: string): boolean {
  return allowed === scheme || (allowed === 'http:' && scheme === 'https:');
}

function fitsHost(allowed: string, host: string): boolean {
  if (allowed === '*') return true;
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}

function fitsPort(allowed: string | undefined, { port, protocol }: URL): boolean {
  if (allowed === undefined) return port === '';
  const usual = protocol === 'https:' ? '443' : '80';
  const actual = port === '' ? usual : port;
  return allowed === '*' || allowed === actual || (allowed === '80' && actual === '443');
}

/** A path that ends with a slash allows what lies below; any other allows itself alone. */
function fitsPath(allowed: string, path: string): boolean {
  if (allowed === '' || allowed === '/') return true;
  return allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed;
}
