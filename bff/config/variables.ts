// Every environment variable of the BFF: the one table behind the reader, the reference, and `.env.example`.

import { type Environment, environments } from '../../shared/api/configuration.ts';

/** How a value is written. Each kind is one method of `EnvironmentReader`. */
export const variableKinds = {
  choice: 'one of these words',
  text: 'one line of text',
  baseUrl:
    'an `https:` URL without a query, a user, or a fragment. The sandbox also accepts `http:`',
  publicUrl:
    'a scheme, a host, and the path below which the BFF answers, if there is one, such as `https://www.example.com/funding`. The sandbox also accepts `http:`',
  origins: 'origins, separated by commas or spaces',
  addresses: 'IP addresses and CIDR ranges, separated by commas or spaces, or `none`',
  host: 'one IP address, without a port',
  port: 'a number from 0 to 65535. 0 selects a free port',
  keys: '`<id>:<key>`, separated by commas or line breaks. A key is 32 random bytes in Base64',
  token: 'at least 16 letters, digits, and `-._~+/`',
  databaseUrl: '`file:` and a path, or `postgres://user:password@host:5432/database`',
  storeId: 'a UUID',
  path: 'the path of a file or a folder. A relative path starts at the working directory',
  scanner: '`tcp://host:port` or `unix:/path`',
  webhookUrl: 'an `https:` URL without a user or a fragment. The sandbox also accepts `http:`',
  webhookSecrets:
    'one or more `whsec_<Base64 of 24 to 64 random bytes>`, separated by commas or line breaks',
} as const;

export type VariableKind = keyof typeof variableKinds;

export const variableGroups = [
  'Funding service',
  'Addresses',
  'Keys and store',
  'Form, pages, and hooks',
  'Monitoring and scanning',
  'Webhooks',
  'Challenge',
  'Sandbox',
] as const;

export interface Variable {
  readonly group: (typeof variableGroups)[number];
  readonly kind: VariableKind;
  /** Plain sentences in Markdown. The first one says what the variable is. */
  readonly description: string;
  /** The BFF does not start without the variable in these environments. The sandbox has a default for most of them. */
  readonly requiredIn?: readonly Environment[];
  /** A condition of the requirement: `unless …` or `with …`. */
  readonly condition?: string;
  /** The value in all environments if the variable is not set. The sandbox has more defaults, in `sandbox-defaults.ts`. */
  readonly default?: string;
  /** A secret is never printed, and can be in the file that `<NAME>_FILE` names. */
  readonly isSecret?: true;
  /** Missing if each value is different and has no form, such as a password. */
  readonly example?: string;
  /** The guide about it: a path from `docs/`, with a heading if it is about that section only. */
  readonly guide?: string;
}

/** In `.env.example` for every required value. The BFF refuses it by the name of the variable. */
export const placeholder = 'REPLACE_ME';

const outsideSandbox = ['staging', 'production'] as const satisfies readonly Environment[];

export const variables = {
  FUNDING_ENVIRONMENT: {
    group: 'Funding service',
    kind: 'choice',
    description:
      'The environment of the funding service: `sandbox`, `staging`, or `production`. Staging and production refuse the sandbox’s credentials and keys, `http:` URLs, and Node options that expose memory or traffic. Production also refuses placeholder texts, phone numbers and hosts of examples in the settings, and never creates a store at startup.',
    requiredIn: environments,
    example: 'production',
  },
  FUNDING_AUTH_URL: {
    group: 'Funding service',
    kind: 'baseUrl',
    description: 'Base URL of the token operation of the funding service.',
    requiredIn: outsideSandbox,
    example: 'https://auth.service.example',
  },
  FUNDING_BASE_URL: {
    group: 'Funding service',
    kind: 'baseUrl',
    description: 'Base URL of the other operations of the funding service.',
    requiredIn: outsideSandbox,
    example: 'https://service.example/services/apexrest',
  },
  FUNDING_CLIENT_ID: {
    group: 'Funding service',
    kind: 'text',
    description: 'Your client id. The funding service gives it to you.',
    requiredIn: outsideSandbox,
    isSecret: true,
  },
  FUNDING_CLIENT_SECRET: {
    group: 'Funding service',
    kind: 'text',
    description: 'Your client secret. The funding service gives it to you.',
    requiredIn: outsideSandbox,
    isSecret: true,
  },
  FUNDING_USERNAME: {
    group: 'Funding service',
    kind: 'text',
    description: 'The user name of your API user at the funding service.',
    requiredIn: outsideSandbox,
    isSecret: true,
  },
  FUNDING_PASSWORD: {
    group: 'Funding service',
    kind: 'text',
    description: 'The password of your API user at the funding service.',
    requiredIn: outsideSandbox,
    isSecret: true,
  },
  FUNDING_PARTNER_ID: {
    group: 'Funding service',
    kind: 'text',
    description: 'Your partner id. Each call to the funding service sends it as a header.',
    requiredIn: outsideSandbox,
    isSecret: true,
    example: 'P-2041',
  },
  FUNDING_PARTNER_NAME: {
    group: 'Funding service',
    kind: 'text',
    description:
      'Your name as the funding service knows it, in ASCII. Each call sends it as a header. It is also the default of the settings `page.name` and `lead.leadSource`.',
    requiredIn: outsideSandbox,
    example: 'Millstone Supply Co.',
  },

  PUBLIC_URL: {
    group: 'Addresses',
    kind: 'publicUrl',
    description:
      'The address of the BFF as browsers see it: its origin. Choose a host on the site of your pages, such as `https://apply.partner.example` for `https://www.partner.example`: browsers then accept the session cookie. If the BFF has no host of its own, add its path: `https://www.example.com/funding`.',
    requiredIn: outsideSandbox,
    example: 'https://apply.partner.example',
    guide: 'deploy/index.md',
  },
  ALLOWED_ORIGINS: {
    group: 'Addresses',
    kind: 'origins',
    description:
      'Exact origins of the host pages on the BFF’s own site. The BFF refuses requests from all other pages.',
    requiredIn: outsideSandbox,
    condition: 'unless `CROSS_SITE_ORIGINS` is set',
    example: 'https://www.partner.example,https://partner.example',
  },
  CROSS_SITE_ORIGINS: {
    group: 'Addresses',
    kind: 'origins',
    description:
      'Exact origins of host pages on other sites than the BFF, where browsers may refuse the session cookie. The element then uses a session token instead.',
    example: 'https://partner.other.example',
    guide: 'security/requests.md',
  },
  TRUSTED_PROXIES: {
    group: 'Addresses',
    kind: 'addresses',
    description:
      'The addresses of your proxies as the BFF sees them. The BFF believes their `X-Forwarded-For`. Set it to `none` only if browsers connect to the BFF directly.',
    requiredIn: outsideSandbox,
    example: '10.0.0.5',
    guide: 'deploy/proxy.md',
  },
  BFF_HOST: {
    group: 'Addresses',
    kind: 'host',
    description:
      'The address that the BFF listens on, in plain HTTP. Default: all addresses of the machine. Set it to `127.0.0.1` if the proxy runs on the same machine. A mounted BFF ignores it.',
    example: '127.0.0.1',
    guide: 'deploy/proxy.md',
  },
  BFF_PORT: {
    group: 'Addresses',
    kind: 'port',
    description: 'The port that the BFF listens on.',
    default: '8081',
    example: '8081',
  },

  SESSION_KEYS: {
    group: 'Keys and store',
    kind: 'keys',
    description:
      'The keys that encrypt session cookies and answers kept on a device. The BFF encrypts with the first key and decrypts with all of them. Create a key with `openssl rand -base64 32`.',
    requiredIn: outsideSandbox,
    isSecret: true,
    example: '1:<the output of openssl rand -base64 32>',
    guide: 'operate/keys.md',
  },
  DATA_KEYS: {
    group: 'Keys and store',
    kind: 'keys',
    description:
      'The keys that encrypt the data of applicants in the store. If you lose them, nobody can decrypt the applications that wait there. The BFF encrypts with the first key and decrypts with all of them. No key may be in `SESSION_KEYS` too.',
    requiredIn: outsideSandbox,
    isSecret: true,
    example: '1:<the output of openssl rand -base64 32>',
    guide: 'operate/keys.md',
  },
  DATABASE_URL: {
    group: 'Keys and store',
    kind: 'databaseUrl',
    description:
      'The store: a SQLite file on a local disk (one process), or a PostgreSQL database (any number of processes). In production, a PostgreSQL server on another machine needs `sslmode=verify-full`, `verify-ca`, or `require`, which all verify its certificate. Prefer `verify-full`.',
    requiredIn: outsideSandbox,
    isSecret: true,
    example: 'file:/var/lib/funding/store.db',
    guide: 'deploy/store.md',
  },
  STORE_ID: {
    group: 'Keys and store',
    kind: 'storeId',
    description:
      'The id of the only store that the BFF may open. `check --new-store` prints it. Recommended in production: the BFF then refuses an empty disk and the store of another installation.',
    example: '1f3870be-274f-4c49-b3e3-1a0c6728957f',
    guide: 'deploy/index.md',
  },

  FUNDING_SETTINGS: {
    group: 'Form, pages, and hooks',
    kind: 'path',
    description:
      'The settings file: choices, consents, limits, and texts of your form. Without it, every setting has its default.',
    requiredIn: ['production'],
    condition: 'because production refuses the placeholder texts of the default settings',
    example: '/etc/funding/settings.json',
    guide: 'deploy/configuration.md#settings-file',
  },
  WIDGET_FOLDER: {
    group: 'Form, pages, and hooks',
    kind: 'path',
    description:
      'The folder of the built element. Set it to `none` if another server serves the element. Default: the folder `widget` next to the folder of the BFF.',
    example: '/opt/funding/current/widget',
  },
  WIDGET_ARCHIVE: {
    group: 'Form, pages, and hooks',
    kind: 'path',
    description:
      'A folder that outlives a release, in which the BFF keeps each version of the element that it has served. It serves all of them, because pages that are open, or pin a version, still load their files. Processes of one installation can share it. Only the BFF may write to it. Without it, an upgrade removes earlier versions, unless you copy them into `WIDGET_FOLDER`.',
    example: '/var/lib/funding/widgets',
    guide: 'operate/upgrade.md#keep-earlier-elements',
  },
  BFF_HOOKS: {
    group: 'Form, pages, and hooks',
    kind: 'path',
    description: 'A JavaScript or TypeScript module with your own code.',
    example: '/etc/funding/hooks.js',
    guide: '../examples/hooks',
  },

  METRICS_TOKEN: {
    group: 'Monitoring and scanning',
    kind: 'token',
    description:
      'The bearer token of `/metrics`. Without it, only the sandbox serves metrics. Create it with `openssl rand -base64 32`.',
    isSecret: true,
    example: '<the output of openssl rand -base64 32>',
    guide: 'operate/index.md#collect-metrics',
  },
  CLAMD_URL: {
    group: 'Monitoring and scanning',
    kind: 'scanner',
    description:
      'A ClamAV daemon. The BFF sends it each document before each delivery, and delivers only clean ones. Without it, documents are not scanned for viruses.',
    example: 'unix:/run/clamav/clamd.ctl',
    guide: 'deploy/documents.md#scan-documents-for-viruses',
  },

  WEBHOOK_URL: {
    group: 'Webhooks',
    kind: 'webhookUrl',
    description:
      'The URL of your system that receives an event for each change of an application, without personal data. Without it, the BFF sends and stores no events. To end the webhook, unset it, restart, and run `webhooks remove webhook`.',
    example: 'https://crm.partner.example/webhooks/funding',
    guide: 'operate/webhooks.md',
  },
  WEBHOOK_SECRETS: {
    group: 'Webhooks',
    kind: 'webhookSecrets',
    description:
      'The secrets that sign the events. Each event is signed with all of them, so that you can change the secret: add the new one, change your receiver, and remove the old one. Create one with `echo whsec_$(openssl rand -base64 32)`.',
    condition: 'with `WEBHOOK_URL`',
    isSecret: true,
    example: 'whsec_<the output of openssl rand -base64 32>',
    guide: 'operate/webhooks.md',
  },

  CHALLENGE_PROVIDER: {
    group: 'Challenge',
    kind: 'choice',
    description:
      'The provider of a challenge against bots before the submission: `turnstile` or `hcaptcha`. Without it, the form shows no challenge.',
    example: 'turnstile',
    guide: '../examples/challenge',
  },
  CHALLENGE_SITE_KEY: {
    group: 'Challenge',
    kind: 'text',
    description: 'Your site key at the provider. It is public.',
    condition: 'with `CHALLENGE_PROVIDER`',
  },
  CHALLENGE_SECRET: {
    group: 'Challenge',
    kind: 'text',
    description: 'Your secret at the provider.',
    condition: 'with `CHALLENGE_PROVIDER`',
    isSecret: true,
  },
  CHALLENGE_VERIFY_URL: {
    group: 'Challenge',
    kind: 'baseUrl',
    description:
      'The URL that verifies a solved challenge. Default: the URL of the provider. Set it for a proxy of your own.',
    example: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  },

  PAGE_PORT: {
    group: 'Sandbox',
    kind: 'port',
    description:
      'The port of the example page of `npm start`. In the sandbox environment, the default of `ALLOWED_ORIGINS` contains it.',
    default: '8080',
    example: '8080',
  },
  SANDBOX_PORT: {
    group: 'Sandbox',
    kind: 'port',
    description:
      'The port of the sandbox of the funding service. In the sandbox environment, the defaults of `FUNDING_AUTH_URL` and `FUNDING_BASE_URL` contain it.',
    default: '8082',
    example: '8082',
  },
} as const satisfies Readonly<Record<string, Variable>>;

type Variables = typeof variables;

export type VariableName = keyof Variables;

/** The variables of a kind, so that the code cannot read a variable as another kind than the reference names. */
export type NameOfKind<Kind extends VariableKind> = {
  [Name in VariableName]: Variables[Name]['kind'] extends Kind ? Name : never;
}[VariableName];

/** The variables that can be in a file. */
export type SecretName = {
  [Name in VariableName]: Variables[Name] extends { readonly isSecret: true } ? Name : never;
}[VariableName];

/** The names in the order of the table. */
// `Object.keys` returns `string[]`. These are the keys of the table.
export const variableNames = Object.keys(variables) as readonly VariableName[];

export function isVariableName(name: string): name is VariableName {
  return Object.hasOwn(variables, name);
}

export function describeVariable(name: VariableName): Variable {
  return variables[name];
}
