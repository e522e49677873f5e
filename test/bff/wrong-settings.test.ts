// Every wrong variable and setting: one sentence that names it, with the fix, and no secret. Real processes show how it is printed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError, createBff } from '../../bff/create-bff.ts';
import { developmentSessionKey } from '../../bff/config/sandbox-defaults.ts';
import { startBffProcess } from '../support/bff-process.ts';
import {
  listProblems,
  production as complete,
  settings,
  strongKey,
} from './config/config-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrong-'));
const settingsFile = join(folder, 'settings.json');
const secretFile = join(folder, 'secret');
const canary = 'canary-3f9d';

const production = {
  ...complete,
  DATABASE_URL: `file:${join(folder, 'store.db')}`,
  FUNDING_SETTINGS: settingsFile,
  WIDGET_FOLDER: 'none',
};

/** A variable that is `undefined` is not set. */
type Changes = Readonly<Record<string, string | undefined>>;

interface Case {
  readonly change?: Changes;
  /** The content of the settings file. */
  readonly file?: string;
  /** The content of the file `secret`. */
  readonly secret?: string | Uint8Array;
  readonly expected: string;
}

const createOne = 'Create one: openssl rand -base64 32';
const one = (value: string) => `1:${value}`;
const key = strongKey(7);
const hexKey = Buffer.from(key, 'base64').toString('hex');
const urlKey = Buffer.from(Array.from({ length: 32 }, (_none, index) => 255 - index * 5)).toString(
  'base64url',
);
const withSettings = (changes: object) => JSON.stringify({ ...settings, ...changes });
const inFile = 'FUNDING_SETTINGS names an invalid file: ';

const variableCases: Readonly<Record<string, Case>> = {
  'no environment': {
    change: { FUNDING_ENVIRONMENT: undefined },
    expected: 'FUNDING_ENVIRONMENT is not set. Set it to sandbox, staging, or production.',
  },
  'a shortened environment': {
    change: { FUNDING_ENVIRONMENT: 'prod' },
    expected:
      'FUNDING_ENVIRONMENT is not an environment. Set it to sandbox, staging, or production.',
  },
  'a capitalized environment': {
    change: { FUNDING_ENVIRONMENT: 'Production' },
    expected:
      'FUNDING_ENVIRONMENT is not an environment. Set it to sandbox, staging, or production.',
  },
  'a missing secret': {
    change: { FUNDING_PASSWORD: undefined },
    expected: 'FUNDING_PASSWORD is not set. Set it, or FUNDING_PASSWORD_FILE.',
  },
  'a misspelled variable': {
    change: { ALLOWED_ORIGINS: undefined, ALOWED_ORIGINS: 'https://www.partner.example' },
    expected: 'ALOWED_ORIGINS is not a variable of the BFF. Did you mean ALLOWED_ORIGINS?',
  },
  'a misspelled optional variable': {
    change: { CLAMD_URI: 'unix:/run/clamd' },
    expected: 'CLAMD_URI is not a variable of the BFF. Did you mean CLAMD_URL?',
  },
  'an unknown variable': {
    change: { FUNDING_COLOR: 'red' },
    expected: 'FUNDING_COLOR is not a variable of the BFF. Remove it, or correct its name.',
  },
  'a file for a value that is no secret': {
    change: { PUBLIC_URL_FILE: '/nowhere' },
    expected:
      'PUBLIC_URL_FILE is not a variable of the BFF, because PUBLIC_URL is not a secret. Set PUBLIC_URL itself.',
  },
  'a placeholder whose example ends with a period': {
    change: { FUNDING_PARTNER_NAME: 'REPLACE_ME' },
    expected:
      'FUNDING_PARTNER_NAME has the placeholder REPLACE_ME. Replace it with your value, such as Millstone Supply Co.',
  },
  'a placeholder': {
    change: { FUNDING_PARTNER_ID: 'REPLACE_ME' },
    expected:
      'FUNDING_PARTNER_ID has the placeholder REPLACE_ME. Replace it with your value, such as P-2041.',
  },
  'quotation marks around a name': {
    change: { FUNDING_PARTNER_NAME: '"Partner"' },
    expected:
      'FUNDING_PARTNER_NAME is in quotation marks, which belong to its value here. Remove them.',
  },
  'quotation marks around a secret': {
    change: { FUNDING_CLIENT_SECRET: `'${canary}'` },
    expected:
      'FUNDING_CLIENT_SECRET is in quotation marks, which belong to its value here. Remove them. If they belong to the value, write it into a file and set FUNDING_CLIENT_SECRET_FILE.',
  },
  'a curly apostrophe in a header': {
    change: { FUNDING_PARTNER_NAME: 'Rosa’s Supply' },
    expected:
      "FUNDING_PARTNER_NAME contains a character that is not valid in an HTTP header. Use one line of printable ASCII, such as ' instead of ’.",
  },
  'a secret that is set twice': {
    change: { FUNDING_PASSWORD_FILE: secretFile },
    secret: canary,
    expected: 'FUNDING_PASSWORD and FUNDING_PASSWORD_FILE are both set. Unset one of them.',
  },
  'a missing file': {
    change: { FUNDING_PASSWORD: undefined, FUNDING_PASSWORD_FILE: '/nowhere/password' },
    expected: 'FUNDING_PASSWORD_FILE names a file that does not exist. Check its path.',
  },
  'a folder as a file': {
    change: { FUNDING_PASSWORD: undefined, FUNDING_PASSWORD_FILE: folder },
    expected: 'FUNDING_PASSWORD_FILE names a folder. Set it to the path of a file in it.',
  },
  'a path below a file': {
    change: { DATA_KEYS: undefined, DATA_KEYS_FILE: '/etc/passwd/keys' },
    expected: 'DATA_KEYS_FILE names a file below another file. Check its path.',
  },
  'an unreadable file': {
    // The kernel refuses to read the first page of the memory.
    change: { SESSION_KEYS: undefined, SESSION_KEYS_FILE: '/proc/self/mem' },
    expected: 'SESSION_KEYS_FILE names a file that cannot be read. Check its path and permissions.',
  },
  'an empty file': {
    change: { FUNDING_PASSWORD: undefined, FUNDING_PASSWORD_FILE: secretFile },
    secret: '\r\n',
    expected: 'FUNDING_PASSWORD_FILE names an empty file. Write the value into it.',
  },
  'a file in UTF-16': {
    change: { FUNDING_PASSWORD: undefined, FUNDING_PASSWORD_FILE: secretFile },
    secret: Buffer.from(`\uFEFF${canary}`, 'utf16le'),
    expected: 'FUNDING_PASSWORD_FILE names a file that is not text in UTF-8. Save it as UTF-8.',
  },
  'a URL without a scheme': {
    change: { FUNDING_BASE_URL: 'api.service.example/rest' },
    expected: 'FUNDING_BASE_URL has no scheme. Begin it with https:// and the host.',
  },
  'http in production': {
    change: { FUNDING_AUTH_URL: 'http://login.service.example' },
    expected: 'FUNDING_AUTH_URL is not an https URL. Use https. Only the sandbox accepts http.',
  },
  'a user in a URL': {
    change: { FUNDING_AUTH_URL: `https://user:${canary}@login.service.example` },
    expected:
      'FUNDING_AUTH_URL is not a plain URL. Use https://host/path, without a query or a user.',
  },
  'a URL of this machine': {
    change: { FUNDING_BASE_URL: 'https://localhost:8082/rest' },
    expected: 'FUNDING_BASE_URL points to this machine. Use the public URL.',
  },
  'a credential of the sandbox': {
    change: { FUNDING_CLIENT_SECRET: 'sandbox-secret' },
    expected:
      "FUNDING_CLIENT_SECRET has the sandbox's value. Use your value from the funding service.",
  },
  'an origin with a path': {
    change: { ALLOWED_ORIGINS: 'https://www.partner.example/apply' },
    expected:
      'ALLOWED_ORIGINS contains an origin with a path or a query. Write only the scheme and the host, such as https://www.example.com.',
  },
  'a wildcard': {
    change: { ALLOWED_ORIGINS: '*' },
    expected:
      'ALLOWED_ORIGINS contains a wildcard. List each origin, such as https://www.example.com.',
  },
  'a wildcard for subdomains': {
    change: { CROSS_SITE_ORIGINS: 'https://*.other.example' },
    expected:
      'CROSS_SITE_ORIGINS contains a wildcard. List each origin, such as https://www.example.com.',
  },
  'an origin without a scheme': {
    change: { ALLOWED_ORIGINS: 'www.partner.example' },
    expected: 'ALLOWED_ORIGINS contains an origin without a scheme. Write https://www.example.com.',
  },
  'an uppercase origin': {
    change: { ALLOWED_ORIGINS: 'https://WWW.partner.example' },
    expected:
      'ALLOWED_ORIGINS contains an invalid origin. Use a scheme and a lowercase host, such as https://www.example.com.',
  },
  'a duplicate origin': {
    change: { ALLOWED_ORIGINS: 'https://www.partner.example,https://www.partner.example/' },
    expected: 'ALLOWED_ORIGINS contains an origin twice. Remove one of them.',
  },
  'an origin in both lists': {
    change: { CROSS_SITE_ORIGINS: 'https://partner.example' },
    expected:
      "CROSS_SITE_ORIGINS repeats an origin of ALLOWED_ORIGINS. List it in ALLOWED_ORIGINS only if the page is on the BFF's site, else here only.",
  },
  'an archive of an element from elsewhere': {
    change: { WIDGET_FOLDER: 'none', WIDGET_ARCHIVE: '/tmp/widgets' },
    expected:
      'WIDGET_ARCHIVE is set, but WIDGET_FOLDER is none. Unset it: the server that serves the element keeps earlier versions.',
  },
  'a phone number for fiction': {
    file: withSettings({ support: { phone: '717-555-0148' } }),
    expected:
      'FUNDING_SETTINGS has the fictional phone number of an example in support.phone. Use your own.',
  },
  'a text with a phone number for fiction': {
    file: withSettings({
      consents: settings.consents.map((consent, index) =>
        index === 0 ? { ...consent, text: 'Call (717) 555-0148 to withdraw.' } : consent,
      ),
    }),
    expected:
      'FUNDING_SETTINGS has the fictional phone number of an example in consents.0.text. Use your own.',
  },
  'an address that nobody owns': {
    file: withSettings({ support: { email: 'help@partner.example' } }),
    expected:
      'FUNDING_SETTINGS has the fictional host of an example in support.email. Use your own.',
  },
  'a link to a host that nobody owns': {
    file: withSettings({ page: { privacyUrl: 'https://www.partner.example/privacy' } }),
    expected:
      'FUNDING_SETTINGS has the fictional host of an example in page.privacyUrl. Use your own.',
  },
  'a name of a host to listen on': {
    change: { BFF_HOST: 'localhost' },
    expected:
      'BFF_HOST is not an IP address. Set it to one address, such as 127.0.0.1, without a port. Unset it for all.',
  },
  'a port as text': {
    change: { BFF_PORT: 'http' },
    expected: 'BFF_PORT is not a port. Set it to a number from 0 to 65535.',
  },
  'a negative port': {
    change: { BFF_PORT: '-1' },
    expected: 'BFF_PORT is not a port. Set it to a number from 0 to 65535.',
  },
  'a port of Kubernetes': {
    change: { BFF_PORT: 'tcp://10.0.0.1:8081' },
    expected:
      'BFF_PORT is not a port. Set it to a number from 0 to 65535, or enableServiceLinks to false in Kubernetes.',
  },
  'a key without an id': {
    change: { SESSION_KEYS: key },
    expected:
      'SESSION_KEYS contains a key without an id. Write 1:<key>, or 2:<new key>,1:<old key> to change the key.',
  },
  'a key in base64url': {
    change: { SESSION_KEYS: one(urlKey) },
    expected: 'SESSION_KEYS contains a key in base64url. Write + instead of -, and / instead of _.',
  },
  'a key in hexadecimal digits': {
    change: { DATA_KEYS: one(hexKey) },
    expected: `DATA_KEYS contains a key in hexadecimal digits. Keys are in Base64. ${createOne}`,
  },
  'a key that is too short': {
    change: { DATA_KEYS: one(Buffer.from(canary).toString('base64')) },
    expected: `DATA_KEYS contains a weak key: it has 11 bytes instead of 32. ${createOne}`,
  },
  'a typed key': {
    change: { DATA_KEYS: one(Buffer.from('passwordpasswordpasswordpassword').toString('base64')) },
    expected: `DATA_KEYS contains a weak key: it is not random. ${createOne}`,
  },
  'a key that is pasted twice': {
    change: { DATA_KEYS: one(`${key}${key}`) },
    expected: `DATA_KEYS contains a key that is not Base64, or two keys without a comma between them. ${createOne}`,
  },
  'a key with two ids': {
    change: { DATA_KEYS: `1:${key},2:${key}` },
    expected: `DATA_KEYS contains a key twice. Remove one of them. ${createOne}`,
  },
  'an id with two keys': {
    change: { DATA_KEYS: `1:${key},1:${strongKey(8)}` },
    expected: 'DATA_KEYS contains an id twice. Give each key its own id.',
  },
  'a key in both lists': {
    change: { DATA_KEYS: one(strongKey(1)) },
    expected: 'DATA_KEYS shares a key with SESSION_KEYS. Create a key: openssl rand -base64 32',
  },
  'a public key of the sandbox': {
    change: { SESSION_KEYS: one(developmentSessionKey) },
    expected:
      'SESSION_KEYS contains a development key, which is public. Create a key: openssl rand -base64 32',
  },
  'a database of another kind': {
    change: { DATABASE_URL: `mysql://user:${canary}@db/funding` },
    expected:
      'DATABASE_URL is neither a file: nor a postgres: URL. Use file: and a path on a local disk, or postgres://user:password@host/database.',
  },
  'a password with an unescaped #': {
    change: { DATABASE_URL: `postgres://user:${canary}#1@db.partner.example/funding` },
    expected:
      'DATABASE_URL is not a PostgreSQL URL. Use postgres://user:password@host/database. Write @ and # in the password as %40 and %23.',
  },
  'a PostgreSQL server without TLS': {
    change: { DATABASE_URL: `postgres://user:${canary}@db.partner.example/funding` },
    expected:
      'DATABASE_URL connects to another machine without verified TLS. Add sslmode=verify-full, and sslrootcert=<path> for a private certificate authority.',
  },
  'a PostgreSQL server with IPv6 without TLS': {
    change: { DATABASE_URL: `postgres://user:p@ss@[2001:db8::1]:5432/funding` },
    expected:
      'DATABASE_URL connects to another machine without verified TLS. Add sslmode=verify-full, and sslrootcert=<path> for a private certificate authority.',
  },
  'a store in memory': {
    change: { DATABASE_URL: 'file::memory:' },
    expected: 'DATABASE_URL keeps the store in memory only. Use file: and a path on a local disk.',
  },
  'a store in a missing folder': {
    change: { DATABASE_URL: 'file:/nowhere/funding/store.db' },
    expected:
      'DATABASE_URL points to no existing store (STORE_NEW): /nowhere/funding/store.db. If a store should be there, mount its disk or correct DATABASE_URL. If this is the first start, create the store with "check --new-store".',
  },
  'a folder as a store': {
    change: { DATABASE_URL: `file:${folder}` },
    expected: 'DATABASE_URL points to a folder or a device (STORE_NOT_A_FILE). Name a file.',
  },
  'a store id that is no UUID': {
    change: { STORE_ID: '1f3870be' },
    expected: 'STORE_ID is not the id of a store. Copy the id from the output of "check".',
  },
  'no proxies': {
    change: { TRUSTED_PROXIES: undefined },
    expected:
      'TRUSTED_PROXIES is not set. Set it to the addresses or ranges of your proxies as the BFF sees them, or to none if browsers connect to the BFF directly.',
  },
  'a proxy by its name': {
    change: { TRUSTED_PROXIES: 'proxy.internal' },
    expected:
      'TRUSTED_PROXIES contains an invalid CIDR range. List addresses or ranges such as 10.0.0.0/24, without names and ports, or set it to none.',
  },
  'a range with host bits': {
    change: { TRUSTED_PROXIES: '10.0.0.5/8' },
    expected:
      'TRUSTED_PROXIES contains a CIDR range whose address has bits after the prefix. Write the first address of the range, or the address without a prefix.',
  },
  'an IPv6 range with host bits': {
    change: { TRUSTED_PROXIES: '2001:db8::5/64' },
    expected:
      'TRUSTED_PROXIES contains a CIDR range whose address has bits after the prefix. Write the first address of the range, or the address without a prefix.',
  },
  'a range of all addresses': {
    change: { TRUSTED_PROXIES: '0.0.0.0/0' },
    expected:
      'TRUSTED_PROXIES contains a range of all addresses, so that anybody could forge an address. List your proxies.',
  },
  'a short token': {
    change: { METRICS_TOKEN: canary },
    expected: `METRICS_TOKEN is not a token of at least 16 letters, digits, and -._~+/. ${createOne}`,
  },
  'a scanner without a scheme': {
    change: { CLAMD_URL: 'localhost:3310' },
    expected:
      'CLAMD_URL is not the address of a scanner. Use tcp://host:3310 or unix:/run/clamav/clamd.ctl.',
  },
  'an unknown challenge provider': {
    change: { CHALLENGE_PROVIDER: 'recaptcha' },
    expected: 'CHALLENGE_PROVIDER is not a known provider. Use turnstile or hcaptcha.',
  },
  'a challenge without a secret': {
    change: { CHALLENGE_PROVIDER: 'turnstile', CHALLENGE_SITE_KEY: 'site' },
    expected: 'CHALLENGE_SECRET is not set. Set it, or CHALLENGE_SECRET_FILE.',
  },
  'a missing folder of the element': {
    change: { WIDGET_FOLDER: '/nowhere' },
    expected:
      'WIDGET_FOLDER names a folder without a built widget. Run npm run build, or copy dist/widget next to dist/bff. Set it to none if another server serves the widget.',
  },
  'a missing module of hooks': {
    change: { BFF_HOOKS: '/nowhere/hooks.js' },
    expected:
      'BFF_HOOKS names a module that cannot be loaded (ERR_MODULE_NOT_FOUND). Import it with node to see the error.',
  },
  'TLS verification that is off': {
    change: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    expected: 'NODE_TLS_REJECT_UNAUTHORIZED turns off TLS verification. Unset it.',
  },
};

const settingCases: Readonly<Record<string, Case>> = {
  'a missing settings file': {
    change: { FUNDING_SETTINGS: join(folder, 'missing.json') },
    expected: 'FUNDING_SETTINGS names a file that does not exist. Check its path.',
  },
  'an empty settings file': {
    file: '',
    expected: `${inFile}line 1, column 1 ends without a value. Write at least {}.`,
  },
  'a trailing comma': {
    file: '{\n  "locales": ["en"],\n}',
    expected: `${inFile}line 2, column 20 has a comma before }. Remove the comma.`,
  },
  'a comment': {
    file: '{\n  // our languages\n  "locales": ["en"]\n}',
    expected: `${inFile}line 2, column 3 has a comment. JSON has no comments: remove it.`,
  },
  'single quotation marks': {
    file: "{ 'locales': ['en'] }",
    expected: `${inFile}line 1, column 3 has a quotation mark that is not ". Use " for texts and names.`,
  },
  'curly quotation marks': {
    file: '{ "locales": [“en”] }',
    expected: `${inFile}line 1, column 15 has a quotation mark that is not ". Use " for texts and names.`,
  },
  'a name without quotation marks': {
    file: '{ locales: ["en"] }',
    expected: `${inFile}line 1, column 3 has a name without quotation marks. Write it in ".`,
  },
  'a missing comma': {
    file: '{\n  "locales": ["en"]\n  "page": {}\n}',
    expected: `${inFile}line 3, column 3 lacks a comma, or a }, before this place. Add it.`,
  },
  'a missing bracket': {
    file: '{ "locales": ["en"]',
    expected: `${inFile}line 1, column 20 ends without a }. Add it.`,
  },
  'a repeated setting': {
    file: '{\n  "locales": ["en"],\n  "locales": ["es"]\n}',
    expected: `${inFile}line 3, column 3 repeats the setting locales. Remove one of them.`,
  },
  'a list instead of an object': {
    file: '[]',
    expected: `${inFile}the file must be an object, in { }.`,
  },
  'a misspelled setting': {
    file: withSettings({ documents: { maxByte: 1 } }),
    expected: `${inFile}documents.maxByte is not a setting. Did you mean maxBytes?`,
  },
  'an unknown setting': {
    file: withSettings({ color: 'red' }),
    expected: `${inFile}color is not a setting. Remove it.`,
  },
  'a number as a text': {
    file: withSettings({ documents: { maxFiles: '20' } }),
    expected: `${inFile}documents.maxFiles must be a whole number, without quotation marks, units, and separators, such as 5000.`,
  },
  'a duration with a unit': {
    file: withSettings({ documents: { undoSeconds: '30s' } }),
    expected: `${inFile}documents.undoSeconds must be a whole number, without quotation marks, units, and separators, such as 5000.`,
  },
  'an amount with a currency': {
    file: withSettings({ fundingNeed: { minimum: '$5,000' } }),
    expected: `${inFile}fundingNeed.minimum must be a whole number, without quotation marks, units, and separators, such as 5000.`,
  },
  'an amount in cents': {
    file: withSettings({ fundingNeed: { maximum: 5_000_000_000_00 } }),
    expected: `${inFile}fundingNeed.maximum must be at most 999999999.`,
  },
  'an amount with a fraction': {
    file: withSettings({ fundingNeed: { minimum: 5000.5 } }),
    expected: `${inFile}fundingNeed.minimum must be a whole number, without quotation marks, units, and separators, such as 5000.`,
  },
  'a maximum below the minimum': {
    file: withSettings({ fundingNeed: { minimum: 5000, maximum: 500 } }),
    expected: `${inFile}fundingNeed.maximum must be at least minimum.`,
  },
  'a negative number': {
    file: withSettings({ retention: { recordDays: -1 } }),
    expected: `${inFile}retention.recordDays must be at least 2.`,
  },
  'a number out of range': {
    file: withSettings({ delivery: { maxConcurrent: 1_000 } }),
    expected: `${inFile}delivery.maxConcurrent must be at most 256.`,
  },
  'yes instead of true': {
    file: withSettings({ page: { apply: 'yes' } }),
    expected: `${inFile}page.apply must be true or false, without quotation marks.`,
  },
  'a misspelled choice': {
    file: withSettings({ page: { font: 'humanst' } }),
    expected: `${inFile}page.font must be one of system, humanist, geometric, grotesque, serif, old-style, slab. Did you mean humanist?`,
  },
  'a language that the form lacks': {
    file: withSettings({ locales: ['fr'] }),
    expected: `${inFile}locales.0 must be one of en, es.`,
  },
  'a text in a missing language': {
    file: withSettings({ creditCheckNotice: { es: 'Hola' } }),
    expected: `${inFile}creditCheckNotice.en is missing. Add it.`,
  },
  'a text in an unknown language': {
    file: withSettings({ creditCheckNotice: { en: 'Hello', fr: 'Bonjour' } }),
    expected: `${inFile}creditCheckNotice.fr is not a setting. Remove it.`,
  },
  'a color by its name': {
    file: withSettings({ page: { accent: 'teal' } }),
    expected: `${inFile}page.accent must be a color of six hexadecimal digits, such as #0b5c66.`,
  },
  'a color without contrast': {
    file: withSettings({ page: { accent: '#ffff00' } }),
    expected: `${inFile}page.accent must be darker: its contrast with the background must be 4.5:1.`,
  },
  'a total size below the size of a file': {
    file: withSettings({ documents: { maxBytes: 2_000, maxTotalBytes: 1_000 } }),
    expected: `${inFile}documents.maxTotalBytes must be at least maxBytes.`,
  },
  'an invalid regular expression': {
    file: withSettings({ serviceTexts: { duplicate: ['('] } }),
    expected: `${inFile}serviceTexts.duplicate.0 must be a regular expression.`,
  },
  'a consent with a placeholder': {
    file: withSettings({
      consents: settings.consents.map((consent, index) =>
        index === 0 ? { ...consent, version: 'placeholder-1' } : consent,
      ),
    }),
    expected:
      'FUNDING_SETTINGS has a placeholder text in the consent credit-authorization. Use the text that your counsel approved, with a version of its own.',
  },
  'the demonstration bank': {
    file: withSettings({ bankConnection: 'demonstration', aggregatorName: 'FinLink' }),
    expected: 'FUNDING_SETTINGS uses the demonstration bank. Set bankConnection to off or host.',
  },
};

afterAll(() => rmSync(folder, { recursive: true }));

const allCases = Object.entries({ ...variableCases, ...settingCases });

/** One for each way in which the process reads its configuration: a variable, the settings file, and the file of a secret. */
const processCases = allCases.filter(([name]) =>
  ['no environment', 'a misspelled setting', 'a missing module of hooks'].includes(name),
);

it.each(allCases)('a start names %s', async (_name, wrong) => {
  const error: unknown = await createBff({
    variables: toVariables(wrong),
    log: { write: () => undefined },
  }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ problems: [wrong.expected] });
  expect(String(error)).not.toContain(canary);
  expect(String(error)).not.toContain(key);
});

describe.concurrent('a process that cannot start', () => {
  it.each(processCases)('names %s, and exits with 1', async (_name, wrong) => {
    const { code, text } = await start(wrong);
    expect(text).toBe(`The BFF cannot start:\n  ${wrong.expected}\n`);
    expect(code).toBe(1);
  });

  it('names many problems at once', async () => {
    const names = [
      'a misspelled optional variable',
      'an unknown variable',
      'quotation marks around a secret',
      'a URL without a scheme',
      'a wildcard',
      'a port as text',
      'a key in base64url',
      'a key in hexadecimal digits',
      'a database of another kind',
      'a store id that is no UUID',
      'a range with host bits',
      'a short token',
      'an unknown challenge provider',
      'a missing folder of the element',
      'a missing module of hooks',
    ];
    const many = names.map((name) => variableCases[name]!);
    const file = withSettings({ documents: { maxByte: 1, maxFiles: '20' }, locales: ['fr'] });
    const change = Object.assign({}, ...many.map((wrong) => wrong.change)) as Changes;
    const { code, text } = await start({ change, file });
    const problems = text.trimEnd().split('\n  ').slice(1);
    const inSettings = [
      settingCases['a misspelled setting']?.expected,
      settingCases['a number as a text']?.expected,
      settingCases['a language that the form lacks']?.expected,
    ];
    expect(problems.toSorted()).toEqual(
      [...many.map(({ expected }) => expected), ...inSettings].toSorted(),
    );
    expect(code).toBe(1);
    expect(text).not.toContain(canary);
  });
});

describe('a configuration', () => {
  const variables = { ...production, FUNDING_SETTINGS: '/etc/funding/settings.json' };

  it('may have a password with an unescaped @', () => {
    const DATABASE_URL = 'postgres://user:p@ss@[2001:db8::1]:5432/funding?sslmode=verify-full';
    expect(listProblems({ ...variables, DATABASE_URL })).toEqual([]);
  });

  it('may have a settings file with a byte order mark', () => {
    const text = `\uFEFF${JSON.stringify(settings)}\r\n`;
    expect(listProblems(variables, { '/etc/funding/settings.json': text })).toEqual([]);
  });

  it('may have networks and addresses of both families', () => {
    const TRUSTED_PROXIES = '10.0.0.0/8 192.0.2.7 2001:db8::/64 ::1 ::ffff:192.0.2.0/120 fd00::/8';
    expect(listProblems({ ...variables, TRUSTED_PROXIES })).toEqual([]);
  });
});

/** Starts the BFF in a process of its own, and returns its exit code and what it writes. */
async function start(wrong: Pick<Case, 'change' | 'file' | 'secret'>) {
  const started = startBffProcess(toVariables(wrong));
  return { code: await started.exit, text: started.text() };
}

/** The variables of a case, whose files are written. */
function toVariables({
  change = {},
  file = JSON.stringify(settings),
  secret = '',
}: Pick<Case, 'change' | 'file' | 'secret'>): Record<string, string> {
  // Processes run at the same time, so each case has its own files.
  const own = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(own, 'settings.json'), file);
  writeFileSync(join(own, 'secret'), secret);
  const files: Readonly<Record<string, string>> = {
    [settingsFile]: join(own, 'settings.json'),
    [secretFile]: join(own, 'secret'),
  };
  return Object.fromEntries(
    Object.entries({ ...production, ...change }).flatMap(([variable, value]) =>
      value === undefined ? [] : [[variable, files[value] ?? value]],
    ),
  );
}
