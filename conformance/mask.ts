// Removes secrets from every text that the run prints or writes, and names the test data in texts of the funding service.

import type { ServiceConfig } from '../bff/config/config.ts';

export interface Mask {
  /** Replaces all forms of the secrets. Use it for every text that leaves the process. */
  secrets(text: string): string;
  /** Adds an access token. */
  add(name: string, secret: string): void;
}

type SecretName = 'clientId' | 'clientSecret' | 'username' | 'password';

const names: Readonly<Record<SecretName, string>> = {
  clientId: 'FUNDING_CLIENT_ID',
  clientSecret: 'FUNDING_CLIENT_SECRET',
  username: 'FUNDING_USERNAME',
  password: 'FUNDING_PASSWORD',
};

/** A service may repeat what it received, also a token that it issued earlier. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Bearer|Basic)\s+[^\s"'<>,;]+/gi, '<authorization>'],
  [/\b00D[A-Za-z0-9]{9,15}![^\s"'<>,;]+/g, '<token>'],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g, '<token>'],
  [/[A-Za-z0-9+/_-]{120,}={0,2}/g, '<encoded>'],
];

export function createMask(service: Pick<ServiceConfig, SecretName>): Mask {
  const secrets = new Map<string, string>();
  let pattern: RegExp | undefined;

  function add(name: string, secret: string): void {
    for (const form of listForms(secret)) secrets.set(form.toLowerCase(), `<${name}>`);
    // Longer forms first: a secret can be part of another one.
    const forms = [...secrets.keys()].toSorted((a, b) => b.length - a.length).map(escapePattern);
    pattern = forms.length > 0 ? new RegExp(forms.join('|'), 'gi') : undefined;
  }

  for (const [key, name] of Object.entries(names)) add(name, service[key as SecretName]);
  return {
    add,
    secrets(text) {
      const masked = pattern
        ? text.replace(pattern, (found) => secrets.get(found.toLowerCase()) ?? '<secret>')
        : text;
      return shapes.reduce((rest, [shape, name]) => rest.replace(shape, name), masked);
    },
  };
}

function listForms(secret: string): readonly string[] {
  if (secret === '') return [];
  const bytes = Buffer.from(secret);
  const url = encodeURIComponent(secret);
  const forms = [
    secret,
    url,
    url.replaceAll('%20', '+'),
    new URLSearchParams({ v: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    bytes.toString('hex'),
    ...[0, 1, 2].map((shift) => toShiftedBase64(bytes, shift)),
  ];
  return forms.filter((form) => form.length > 0);
}

/** The part of the Base64 text that does not depend on the bytes before and after. */
function toShiftedBase64(bytes: Buffer, shift: number): string {
  const base64 = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const bits = (shift + bytes.length) * 8;
  const part = base64.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6));
  return part.length >= 4 ? part : '';
}

/** For patterns with the flag `u`, which refuses needless escapes. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
