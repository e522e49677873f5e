// Every wrong variable and setting: one sentence that names it, with the fix, and no secret.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../bff/config/config.ts';
import { developmentDataKey, developmentSessionKey } from '../../../bff/config/sandbox-defaults.ts';
import { parseSettings } from '../../../bff/config/settings.ts';
import { ConfigurationError, createBff } from '../../../bff/create-bff.ts';
import { listProblems, production, settings, strongKey } from './config-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrong-'));
const settingsFile = join(folder, 'settings.json');
writeFileSync(settingsFile, JSON.stringify(settings));
afterAll(() => rmSync(folder, { recursive: true }));

const canary = 'canary-3f9d';
const key = strongKey(7);
const hexKey = Buffer.from(key, 'base64').toString('hex');
const urlKey = Buffer.from(Array.from({ length: 32 }, (_none, index) => 255 - index * 5));
const toKey = (text: string) => Buffer.from(text).toString('base64');
const webhookSecret = `whsec_${strongKey(1)}`;
const webhook = 'WEBHOOK_URL=https://crm.partner.test/events';
const tls = 'postgres://user:p@db.partner.test/funding';
const hcaptcha = `CHALLENGE_PROVIDER=hcaptcha | CHALLENGE_SECRET=${canary}`;

/**
 * Changes of a complete configuration, each group with the sentence that names the mistake. A change without a value unsets its
 * variable. One line can change several variables.
 */
const wrongVariables = `
FUNDING_ENVIRONMENT=
  FUNDING_ENVIRONMENT is not set. Set it to sandbox, staging, or production.
FUNDING_ENVIRONMENT=prod
FUNDING_ENVIRONMENT=Production
  FUNDING_ENVIRONMENT is not an environment. Set it to sandbox, staging, or production.

FUNDING_PASSWORD=
  FUNDING_PASSWORD is not set. Set it, or FUNDING_PASSWORD_FILE.
ALLOWED_ORIGINS= | ALOWED_ORIGINS=https://www.partner.example
ALLOWED_ORIGINS= | ALOWED_ORIGINS=canary
  ALOWED_ORIGINS is not a variable of the BFF. Did you mean ALLOWED_ORIGINS?
ALLOWED_ORIGINS= | allowed_origins=x
  allowed_origins is not a variable of the BFF. Did you mean ALLOWED_ORIGINS?
SESSION_KEYS= | SESSION_KEYS_FLIE=x
  SESSION_KEYS_FLIE is not a variable of the BFF. Did you mean SESSION_KEYS_FILE?
TRUSTED_PROXIES= | TRUSTED_PROXY=x
  TRUSTED_PROXY is not a variable of the BFF. Did you mean TRUSTED_PROXIES?
CLAMD_URI=unix:/run/clamd
  CLAMD_URI is not a variable of the BFF. Did you mean CLAMD_URL?
FUNDING_COLOR=red
  FUNDING_COLOR is not a variable of the BFF. Remove it, or correct its name.
PUBLIC_URL_FILE=/nowhere
  PUBLIC_URL_FILE is not a variable of the BFF, because PUBLIC_URL is not a secret. Set PUBLIC_URL itself.
FUNDING_PARTNER_NAME=REPLACE_ME
  FUNDING_PARTNER_NAME has the placeholder REPLACE_ME. Replace it with your value, such as Millstone Supply Co.
FUNDING_PARTNER_ID=REPLACE_ME
  FUNDING_PARTNER_ID has the placeholder REPLACE_ME. Replace it with your value, such as P-2041.
FUNDING_PARTNER_NAME="Partner"
FUNDING_PARTNER_NAME='Partner'
FUNDING_PARTNER_NAME=\`Partner\`
  FUNDING_PARTNER_NAME is in quotation marks, which belong to its value here. Remove them.
FUNDING_CLIENT_SECRET='${canary}'
  FUNDING_CLIENT_SECRET is in quotation marks, which belong to its value here. Remove them. If they belong to the value, write it into a file and set FUNDING_CLIENT_SECRET_FILE.
FUNDING_PARTNER_NAME=Rosa’s Supply
FUNDING_PARTNER_NAME=Rosa\tSupply
  FUNDING_PARTNER_NAME contains a character that is not valid in an HTTP header. Use one line of printable ASCII, such as ' instead of ’.
FUNDING_PARTNER_ID=P-é
  FUNDING_PARTNER_ID contains a character that is not valid in an HTTP header. Use one line of printable ASCII, such as ' instead of ’.

FUNDING_PASSWORD_FILE=${settingsFile}
  FUNDING_PASSWORD and FUNDING_PASSWORD_FILE are both set. Unset one of them.
FUNDING_PASSWORD= | FUNDING_PASSWORD_FILE=/nowhere/password
  FUNDING_PASSWORD_FILE names a file that does not exist. Check its path.
FUNDING_PASSWORD= | FUNDING_PASSWORD_FILE=${folder}
  FUNDING_PASSWORD_FILE names a folder. Set it to the path of a file in it.
DATA_KEYS= | DATA_KEYS_FILE=${settingsFile}/keys
  DATA_KEYS_FILE names a file below another file. Check its path.
SESSION_KEYS= | SESSION_KEYS_FILE=/proc/self/mem
  SESSION_KEYS_FILE names a file that cannot be read. Check its path and permissions.
FUNDING_SETTINGS=${folder}/missing.json
  FUNDING_SETTINGS names a file that does not exist. Check its path.

FUNDING_BASE_URL=api.service.example/rest
  FUNDING_BASE_URL has no scheme. Begin it with https:// and the host.
FUNDING_AUTH_URL=http://login.service.example
  FUNDING_AUTH_URL is not an https URL. Use https. Only the sandbox accepts http.
FUNDING_AUTH_URL=https://user:${canary}@login.service.example
FUNDING_AUTH_URL=https://api.service.example/?x=1
  FUNDING_AUTH_URL is not a plain URL. Use https://host/path, without a query or a user.
FUNDING_BASE_URL=https://localhost:8082/rest
  FUNDING_BASE_URL points to this machine. Use the public URL.
FUNDING_AUTH_URL=https://localhost:8082
  FUNDING_AUTH_URL points to this machine. Use the public URL.
FUNDING_CLIENT_SECRET=sandbox-secret
  FUNDING_CLIENT_SECRET has the sandbox's value. Use your value from the funding service.

PUBLIC_URL=http://apply.partner.test
  PUBLIC_URL is not an https URL. Use https. Only the sandbox accepts http.
PUBLIC_URL=https://partner.test/?apply
PUBLIC_URL=https://partner.test/%61pply
PUBLIC_URL=https://partner.test/widget
  PUBLIC_URL has a path that is not plain. Use segments of letters, digits, and -._~, such as /funding, none of them named widget.
PUBLIC_URL=partner.test/funding
  PUBLIC_URL contains an origin without a scheme. Write https://www.example.com.
PUBLIC_URL=https://apply.localhost
  PUBLIC_URL points to this machine. Use the public URL.

ALLOWED_ORIGINS=
  ALLOWED_ORIGINS is not set. Set it, or set CROSS_SITE_ORIGINS if all pages are on other sites.
ALLOWED_ORIGINS=,
  ALLOWED_ORIGINS contains no origin. List origins, separated by commas.
ALLOWED_ORIGINS=http://partner.example
  ALLOWED_ORIGINS is not an https URL. Use https. Only the sandbox accepts http.
ALLOWED_ORIGINS=https://www.partner.example/apply
  ALLOWED_ORIGINS contains an origin with a path or a query. Write only the scheme and the host, such as https://www.example.com.
ALLOWED_ORIGINS=*
ALLOWED_ORIGINS=https://*.partner.example/x
  ALLOWED_ORIGINS contains a wildcard. List each origin, such as https://www.example.com.
ALLOWED_ORIGINS=www.partner.example
  ALLOWED_ORIGINS contains an origin without a scheme. Write https://www.example.com.
ALLOWED_ORIGINS=https://WWW.partner.example
  ALLOWED_ORIGINS contains an invalid origin. Use a scheme and a lowercase host, such as https://www.example.com.
ALLOWED_ORIGINS=https://www.partner.example,https://www.partner.example/
  ALLOWED_ORIGINS contains an origin twice. Remove one of them.
CROSS_SITE_ORIGINS=https://*.other.example
  CROSS_SITE_ORIGINS contains a wildcard. List each origin, such as https://www.example.com.
CROSS_SITE_ORIGINS=http://other.example
  CROSS_SITE_ORIGINS is not an https URL. Use https. Only the sandbox accepts http.
CROSS_SITE_ORIGINS=https://other.example https://partner.example/
  CROSS_SITE_ORIGINS repeats an origin of ALLOWED_ORIGINS. List it in ALLOWED_ORIGINS only if the page is on the BFF's site, else here only.
CROSS_SITE_ORIGINS=https://apply.partner.example
  CROSS_SITE_ORIGINS contains the origin of PUBLIC_URL. Remove it: the BFF always accepts its own pages.

BFF_HOST=localhost
  BFF_HOST is not an IP address. Set it to one address, such as 127.0.0.1, without a port. Unset it for all.
BFF_PORT=http
BFF_PORT=-1
BFF_PORT=99999
  BFF_PORT is not a port. Set it to a number from 0 to 65535.
BFF_PORT=tcp://10.0.0.1:8081
  BFF_PORT is not a port. Set it to a number from 0 to 65535, or enableServiceLinks to false in Kubernetes.

SESSION_KEYS=${key}
  SESSION_KEYS contains a key without an id. Write 1:<key>, or 2:<new key>,1:<old key> to change the key.
SESSION_KEYS=1:${urlKey.toString('base64url')}
  SESSION_KEYS contains a key in base64url. Write + instead of -, and / instead of _.
DATA_KEYS=1:${hexKey}
  DATA_KEYS contains a key in hexadecimal digits. Keys are in Base64. Create one: openssl rand -base64 32
DATA_KEYS=1:${toKey(canary)}
  DATA_KEYS contains a weak key: it has 11 bytes instead of 32. Create one: openssl rand -base64 32
DATA_KEYS=1:${toKey('passwordpasswordpasswordpassword')}
DATA_KEYS=1:${toKey('a'.repeat(32))}
  DATA_KEYS contains a weak key: it is not random. Create one: openssl rand -base64 32
DATA_KEYS=1:${key}${key}
  DATA_KEYS contains a key that is not Base64, or two keys without a comma between them. Create one: openssl rand -base64 32
DATA_KEYS=1:${key},2:${key}
  DATA_KEYS contains a key twice. Remove one of them. Create one: openssl rand -base64 32
DATA_KEYS=1:${key},1:${strongKey(8)}
  DATA_KEYS contains an id twice. Give each key its own id.
DATA_KEYS=01:${key}
  DATA_KEYS contains an id with a leading zero. Write 1 instead of 01.
DATA_KEYS= ,
  DATA_KEYS contains no key. Write 1:<key>. Create one: openssl rand -base64 32
DATA_KEYS=1:${strongKey(1)}
  DATA_KEYS shares a key with SESSION_KEYS. Create a key: openssl rand -base64 32
SESSION_KEYS=1:${developmentSessionKey}
  SESSION_KEYS contains a development key, which is public. Create a key: openssl rand -base64 32
DATA_KEYS=1:${developmentDataKey}
  DATA_KEYS contains a development key, which is public. Create a key: openssl rand -base64 32

DATABASE_URL=
  DATABASE_URL is not set. Set it, or DATABASE_URL_FILE.
DATABASE_URL=mysql://user:${canary}@db/funding
DATABASE_URL=/var/lib/store.db
DATABASE_URL=file:
  DATABASE_URL is neither a file: nor a postgres: URL. Use file: and a path on a local disk, or postgres://user:password@host/database.
DATABASE_URL=postgres:
DATABASE_URL=postgres://user:${canary}@db.partner.test
DATABASE_URL=postgres:///store?password=${canary}
DATABASE_URL=postgres://user:${canary}%zz@%zz/store
DATABASE_URL=postgres://user:${canary}#1@db.partner.example/funding
  DATABASE_URL is not a PostgreSQL URL. Use postgres://user:password@host/database. Write @ and # in the password as %40 and %23.
DATABASE_URL=postgres://user:${canary}@db.partner.example/funding
DATABASE_URL=postgres://user:p@ss@[2001:db8::1]:5432/funding
DATABASE_URL=postgres://user:p@localhost/store?host=db.partner.test
DATABASE_URL=postgres://user:p@127.0.0.1.partner.test/store
DATABASE_URL=${tls}?sslmode=disable
DATABASE_URL=${tls}?sslmode=prefer
DATABASE_URL=${tls}?sslmode=no-verify
DATABASE_URL=${tls}?uselibpqcompat=true&sslmode=require
DATABASE_URL=${tls}?sslmode=verify-full&sslmode=disable
  DATABASE_URL connects to another machine without verified TLS. Add sslmode=verify-full, and sslrootcert=<path> for a private certificate authority.
DATABASE_URL=file::memory:
  DATABASE_URL keeps the store in memory only. Use file: and a path on a local disk.
DATABASE_URL=file:${folder}/nowhere/store.db
  DATABASE_URL points to no existing store (STORE_NEW): ${folder}/nowhere/store.db. If a store should be there, mount its disk or correct DATABASE_URL. If this is the first start, create the store with "check --new-store".
DATABASE_URL=file:${folder}
  DATABASE_URL points to a folder or a device (STORE_NOT_A_FILE). Name a file.
DATABASE_URL=file:${settingsFile}
  DATABASE_URL points to a file that is not a database (SQLITE_NOTADB). Name another file.
FUNDING_ENVIRONMENT=staging | DATABASE_URL=postgres://user:${canary}@localhost:1/store
  DATABASE_URL names a PostgreSQL server that does not answer (ECONNREFUSED). Check the host, the port, and firewalls, and that the server runs.
STORE_ID=1f3870be
  STORE_ID is not the id of a store. Copy the id from the output of "check".

TRUSTED_PROXIES=
  TRUSTED_PROXIES is not set. Set it to the addresses or ranges of your proxies as the BFF sees them, or to none if browsers connect to the BFF directly.
TRUSTED_PROXIES= ,
  TRUSTED_PROXIES contains no address. List your proxies, or set it to none.
TRUSTED_PROXIES=proxy.internal
TRUSTED_PROXIES=10.0.0.0/8, 10.0.0.0/99
TRUSTED_PROXIES=none 10.0.0.0/8
  TRUSTED_PROXIES contains an invalid CIDR range. List addresses or ranges such as 10.0.0.0/24, without names and ports, or set it to none.
TRUSTED_PROXIES=10.0.0.5/8
TRUSTED_PROXIES=2001:db8::5/64
  TRUSTED_PROXIES contains a CIDR range whose address has bits after the prefix. Write the first address of the range, or the address without a prefix.
TRUSTED_PROXIES=0.0.0.0/0
  TRUSTED_PROXIES contains a range of all addresses, so that anybody could forge an address. List your proxies.

METRICS_TOKEN=fifteen-letters
METRICS_TOKEN=two words, long
  METRICS_TOKEN is not a token of at least 16 letters, digits, and -._~+/. Create one: openssl rand -base64 32
CLAMD_URL=localhost:3310
  CLAMD_URL is not the address of a scanner. Use tcp://host:3310 or unix:/run/clamav/clamd.ctl.
CHALLENGE_PROVIDER=recaptcha
  CHALLENGE_PROVIDER is not a known provider. Use turnstile or hcaptcha.
CHALLENGE_PROVIDER=turnstile | CHALLENGE_SITE_KEY=site
  CHALLENGE_SECRET is not set. Set it, or CHALLENGE_SECRET_FILE.
${hcaptcha}
  CHALLENGE_SITE_KEY is not set. Set it.
${hcaptcha} | CHALLENGE_SITE_KEY=site | CHALLENGE_VERIFY_URL=http://a.test
  CHALLENGE_VERIFY_URL is not an https URL. Use https. Only the sandbox accepts http.
CHALLENGE_SITE_KEY=site
CHALLENGE_SECRET=${canary}
CHALLENGE_VERIFY_URL=https://siteverify.partner.test/check
  CHALLENGE_PROVIDER is not set, but other CHALLENGE_ variables are. Set it to turnstile or hcaptcha, or unset the others.

WEBHOOK_URL=http://crm.partner.test | WEBHOOK_SECRETS=${webhookSecret}
  WEBHOOK_URL is not an https URL. Use https. Only the sandbox accepts http.
WEBHOOK_URL=https://a:b@crm.partner.test | WEBHOOK_SECRETS=${webhookSecret}
WEBHOOK_URL=crm.partner.test/x | WEBHOOK_SECRETS=${webhookSecret}
  WEBHOOK_URL is not a URL of a webhook. Use https://host/path, without a user, a password, or a fragment.
WEBHOOK_SECRETS=${webhookSecret}
  WEBHOOK_URL is not set. Set it, or unset WEBHOOK_SECRETS.
${webhook}
  WEBHOOK_SECRETS is not set. Write whsec_ and 24 to 64 random bytes in Base64. Create them: openssl rand -base64 32
${webhook} | WEBHOOK_SECRETS=${key}
${webhook} | WEBHOOK_SECRETS=whsec_${toKey('16 random bytes.')}
  WEBHOOK_SECRETS is not a list of secrets. Write whsec_ and 24 to 64 random bytes in Base64. Create them: openssl rand -base64 32
${webhook} | WEBHOOK_SECRETS=whsec_${toKey('secretsecretsecretsecretsecretse')}
  WEBHOOK_SECRETS contains a weak secret. Write whsec_ and 24 to 64 random bytes in Base64. Create them: openssl rand -base64 32
${webhook} | WEBHOOK_SECRETS=${webhookSecret} ${webhookSecret}
  WEBHOOK_SECRETS contains a secret twice. Remove one of them.

WIDGET_FOLDER=/nowhere
  WIDGET_FOLDER names a folder without a built widget. Run npm run build, or copy dist/widget next to dist/bff. Set it to none if another server serves the widget.
WIDGET_FOLDER=none | WIDGET_ARCHIVE=/tmp/widgets
  WIDGET_ARCHIVE is set, but WIDGET_FOLDER is none. Unset it: the server that serves the element keeps earlier versions.
BFF_HOOKS=/nowhere/hooks.js
  BFF_HOOKS names a module that cannot be loaded (ERR_MODULE_NOT_FOUND). Import it with node to see the error.

NODE_TLS_REJECT_UNAUTHORIZED=0
  NODE_TLS_REJECT_UNAUTHORIZED turns off TLS verification. Unset it.
NODE_DEBUG=http
  NODE_DEBUG writes traffic to standard error. Unset it.
NODE_DEBUG_NATIVE=tls
  NODE_DEBUG_NATIVE writes traffic to standard error. Unset it.
NODE_OPTIONS=--enable-source-maps --inspect=0.0.0.0:9229
  NODE_OPTIONS contains an option that opens a debugger. Remove the option.
NODE_OPTIONS="--heapsnapshot-signal=SIGUSR2"
  NODE_OPTIONS contains an option that writes memory to disk. Remove the option.
NODE_OPTIONS=--report_on_fatalerror
  NODE_OPTIONS contains an option that writes reports that contain the environment. Remove the option.
NODE_OPTIONS=--tls-keylog=/tmp/keys
  NODE_OPTIONS contains an option that writes TLS keys to disk. Remove the option.
NODE_OPTIONS=--insecure-http-parser
  NODE_OPTIONS contains an option that allows request smuggling. Remove the option.
NODE_OPTIONS=--require /srv/.pnp.cjs --experimental-loader file:///srv/.pnp.loader.mjs
FUNDING_ENVIRONMENT=sandbox | NODE_OPTIONS=--require /srv/.pnp.cjs
  Yarn replaces Node's file system, so documents cannot be stored. Write nodeLinker: node-modules into .yarnrc.yml, and run yarn install.
`;

const httpsUrl =
  'must be an https URL with a lowercase host, without spaces and a user name, such as https://www.example.com/terms';
const invalidText = 'must be a text, or texts such as {"en": "…", "es": "…"}';

/**
 * Changes of a settings file, as `path=JSON`. The sentence begins with the path of the last change. A sentence that begins with a
 * period continues the path.
 */
const wrongSettings = `
documents.maxByte=1
  is not a setting. Did you mean maxBytes?
consents.0.textt="Terms."
  is not a setting. Did you mean text?
color="red"
documents.inspection.threads=2
consents.0.links.0.title="Terms"
  is not a setting. Remove it
creditCheckNotice={"en":"Hello","fr":"Bonjour"}
  .fr is not a setting. Remove it
documents.maxFiles="20"
documents.undoSeconds="30s"
fundingNeed.minimum="$5,000"
fundingNeed.minimum=1.5
  must be a whole number, without quotation marks, units, and separators, such as 5000
documents.inspection.processes=0
delivery.maxConcurrent=0
limits.handoffCodesPerHourPerAddress=0
fundingNeed.minimum=0
documents.maxBytes=0
  must be at least 1
retention.recordDays=1
retention.recordDays=-1
  must be at least 2
retention.undeliveredDays=3
  must be at least 4
retention.undeliveredDays=40 | retention.evidenceDays=39
  must be at least recordDays, undeliveredDays, and rejectedDays
documents.inspection.timeoutSeconds=31
  must be at most 30
documents.inspection.memoryMegabytes=255
  must be at least 256
documents.maxBytes=104857600 | documents.maxTotalBytes=104857600 | documents.inspection.memoryMegabytes=400
  must be at least 128 MiB plus four times maxBytes
documents.maxTotalBytes=10485759
documents.maxBytes=2000 | documents.maxTotalBytes=1000
  must be at least maxBytes
fundingNeed.maximum=1000000000
  must be at most 999999999
fundingNeed.minimum=500 | fundingNeed.maximum=499
  must be at least minimum
delivery.maxConcurrent=257
  must be at most 256
page.apply="yes"
  must be true or false, without quotation marks

locales=["en","xx"]
  .1 must be one of en, es
locales=["xx-CA"]
  .0 must be one of en, es
locales=["en","en-US"]
  must not repeat a language
locales=[]
businessTypes=[]
fundingReasons.0.label=""
documents.checklist.0.categories=[]
consents.0.links.0.label=""
  must not be empty
fundingReasons.0.label={"en":"Rent","es":""}
  .es must not be empty
fundingReasons.0.label=7
  ${invalidText}
fundingReasons.0.label=
consents.0.links.0.url=
  is missing. Add it
fundingReasons.0.label={"es":"Alquiler"}
creditCheckNotice={"es":"Hola"}
  .en is missing. Add it
consents.0.label={"en":"Terms","es":"${'x'.repeat(301)}"}
  .es must be at most 300 characters
consents.0.links.0.label="${'x'.repeat(301)}"
  must be at most 300 characters
consents.0.links.0.url="https://partner.example/${'x'.repeat(2000)}"
  must be at most 2000 characters
consents.0.label="Terms\\n\\nof use"
consents.0.links.0.label="Dos\\nlíneas"
page.name="Rosa\\nLLC"
  must be one line
consents.0.text={"en":"The terms.\\n\\nTerms: https://a.test\\nPrivacy: https://a.test"}
  .en must not end with lines of URLs. Use links for them
consents.0.text={"en":"Terms.","es":"Los términos.\\n\\nTérminos: https://a.test"}
  .es must not end with lines of URLs. Use links for them
consents.1={"id":"terms","version":"1","label":"Terms","text":"The terms.","required":true} | consents
  must not repeat an id
consents.0.id="contact" | consents.0.required=true
  must be false: consent to calls is never a condition of applying (47 CFR 64.1200)
consents.0.links=[${Array.from({ length: 6 }, () => '{"label":"A","url":"https://a.test"}').join(',')}]
  must be at most 5 entries
documents.checklist.0.categories=["other","psf"]
  .1 must be a category for applicants. Add it to showInternalCategories
documents.checklist.1={"id":"tax","label":"A","categories":["other"],"count":1} | documents.checklist
  must not repeat an id

page.accent="teal"
  must be a color of six hexadecimal digits, such as #0b5c66
page.accent="#ffff00"
page.background="#fbf7f0" | page.accent="#777777"
  must be darker: its contrast with the background must be 4.5:1
page.background="#8a8a8a"
  must be lighter: the contrast of the text #1f1c18 must be 7:1
page.font="Comic Sans MS"
  must be one of system, humanist, geometric, grotesque, serif, old-style, slab
page.font="humanst"
  must be one of system, humanist, geometric, grotesque, serif, old-style, slab. Did you mean humanist?
serviceTexts.duplicate.0="("
serviceTexts.duplicate.0="already\\\\-there"
  must be a regular expression

page.homeUrl={"en":"javascript:alert(1)"}
  .en ${httpsUrl}
consents.0.links.0.url="javascript:alert(1)//https://partner.example/"
consents.0.links.0.url="data:text/html,<p>Terms</p>"
consents.0.links.0.url="http://partner.example/terms"
consents.0.links.0.url="http://localhost.partner.example/terms"
consents.0.links.0.url="http://127.partner.example/terms"
consents.0.links.0.url="ftp://partner.example/terms"
consents.0.links.0.url="//partner.example/terms"
consents.0.links.0.url="/terms"
consents.0.links.0.url="https://user@partner.example/terms"
consents.0.links.0.url="https://user:word@partner.example/terms"
consents.0.links.0.url="https://partner.example\\\\@bank.example/terms"
consents.0.links.0.url="https:partner.example/terms"
consents.0.links.0.url="https:///partner.example/terms"
consents.0.links.0.url=" https://partner.example/terms"
consents.0.links.0.url="https://partner.example/terms of use"
consents.0.links.0.url="https://partner.example/te\\nrms"
consents.0.links.0.url="https://partner.example/\u{202e}smret"
consents.0.links.0.url="https://Partner.example/terms"
consents.0.links.0.url=""
  ${httpsUrl}
`;

/** Settings files that are not JSON. */
const wrongJson = `
{
  line 1, column 2 ends too early. Add the missing value and brackets.
{\\n  "locales": ["en"],\\n}
  line 2, column 20 has a comma before }. Remove the comma.
{\\n  // our languages\\n  "locales": ["en"]\\n}
  line 2, column 3 has a comment. JSON has no comments: remove it.
{ 'locales': ['en'] }
  line 1, column 3 has a quotation mark that is not ". Use " for texts and names.
{ "locales": [“en”] }
  line 1, column 15 has a quotation mark that is not ". Use " for texts and names.
{ locales: ["en"] }
  line 1, column 3 has a name without quotation marks. Write it in ".
{\\n  "locales": ["en"]\\n  "page": {}\\n}
  line 3, column 3 lacks a comma, or a }, before this place. Add it.
{ "locales": ["en"]
  line 1, column 20 ends without a }. Add it.
{\\n  "locales": ["en"],\\n  "locales": ["es"]\\n}
  line 3, column 3 repeats the setting locales. Remove one of them.
[]
  the file must be an object, in { }.
`;

it.each(toRows(wrongVariables))('a start with %s says: %s', async (change, sentence) => {
  const variables = {
    ...production,
    DATABASE_URL: `file:${join(folder, 'store.db')}`,
    FUNDING_SETTINGS: settingsFile,
    WIDGET_FOLDER: 'none',
    ...Object.fromEntries(toAssignments(change).map(([name, value]) => [name, value || undefined])),
  };
  const error: unknown = await createBff({
    variables: Object.fromEntries(Object.entries(variables).filter(([, value]) => value)),
    log: { write: () => undefined },
  }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ problems: [sentence] });
  for (const secret of [canary, key]) expect(String(error)).not.toContain(secret);
});

describe('the settings file', () => {
  const terms = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
  const valid = {
    locales: ['en', 'es'],
    fundingReasons: [{ value: 'Rent', label: 'Rent' }],
    consents: [{ ...terms, links: [{ label: 'Terms of use', url: 'https://a.test' }] }],
    documents: {
      checklist: [{ id: 'tax', label: 'Tax', categories: ['business-tax-return'], count: 1 }],
    },
  };

  it.each(toRows(wrongSettings))('with %s is refused: %s', (change, sentence) => {
    const changed = structuredClone(valid) as Record<string, unknown>;
    let place = '';
    for (const [path, value] of toAssignments(change)) {
      if (value !== undefined) setPath(changed, path.split('.'), value);
      place = path;
    }
    const problem = sentence.startsWith('.') ? place + sentence : `${place} ${sentence}`;
    expect(parseSettings(JSON.stringify(changed))).toEqual({ problems: [problem] });
  });

  const listFor = (text: string, environment = 'production') =>
    listProblems(
      { ...production, FUNDING_ENVIRONMENT: environment },
      { '/etc/funding/settings.json': text },
    );

  it.each([
    ...toRows(wrongJson),
    ['', 'line 1, column 1 ends without a value. Write at least {}.'],
    [JSON.stringify({ ...settings, color: 1 }), 'color is not a setting. Remove it.'],
  ])('%s is refused: %s', (text, sentence) => {
    expect(listFor(text.replaceAll(String.raw`\n`, '\n'))).toEqual([
      `FUNDING_SETTINGS names an invalid file: ${sentence}`,
    ]);
  });

  const [firstConsent] = settings.consents;
  const withConsent = (changes: object) => ({
    consents: [{ ...firstConsent, ...changes }, ...settings.consents.slice(1)],
  });
  const bilingual = { en: 'Our counsel wrote this.', es: 'Lo escribió nuestra asesoría legal.' };
  const inBoth = (changes: object = {}) => ({
    locales: ['en', 'es'],
    offers: { notQualifiedNotice: bilingual },
    consents: settings.consents.map((consent) => ({
      ...consent,
      label: bilingual,
      text: bilingual,
      ...changes,
    })),
  });
  const mark = '[Placeholder – replace before production] Terms';
  const ownText = 'Use the text that your counsel approved';
  const translate = 'Translate its label, its text, and the labels of its links, or set locales';
  const link = { label: 'Terms', url: 'http://localhost:8080/terms' };

  /** Settings that production refuses, although another environment accepts them. */
  it.each<[string, object, string]>([
    [
      'a fictional phone number',
      { support: { phone: '717-555-0148' } },
      'has the fictional phone number of an example in support.phone. Use your own.',
    ],
    [
      'a fictional phone number in a text',
      withConsent({ text: 'Call (717) 555-0148 to withdraw.' }),
      'has the fictional phone number of an example in consents.0.text. Use your own.',
    ],
    [
      'an address that nobody owns',
      { support: { email: 'help@partner.example' } },
      'has the fictional host of an example in support.email. Use your own.',
    ],
    [
      'a link to a host that nobody owns',
      { page: { privacyUrl: 'https://www.partner.example/privacy' } },
      'has the fictional host of an example in page.privacyUrl. Use your own.',
    ],
    [
      'the demonstration bank',
      { bankConnection: 'demonstration', aggregatorName: 'FinLink' },
      'uses the demonstration bank. Set bankConnection to off or host.',
    ],
    [
      'a default consent',
      withConsent({ version: 'placeholder-1' }),
      `has a placeholder text in the consent credit-authorization. ${ownText}, with a version of its own.`,
    ],
    [
      'a placeholder in a link',
      withConsent({ links: [{ label: mark, url: 'https://www.partner.test' }] }),
      `has a placeholder text in the consent credit-authorization. ${ownText}, with a version of its own.`,
    ],
    [
      'a placeholder as a notice',
      { offers: { notQualifiedNotice: mark } },
      `has a placeholder text in offers.notQualifiedNotice. ${ownText}.`,
    ],
    [
      'a placeholder as the credit check notice',
      { creditCheckNotice: mark },
      `has a placeholder text in creditCheckNotice. ${ownText}, or remove it.`,
    ],
    [
      'no notice',
      { offers: { notQualifiedNotice: ' ' } },
      `lacks offers.notQualifiedNotice, the notice to applicants who do not qualify (12 CFR 1002.9). ${ownText}, or set offers.noticeElsewhere to true if applicants get the notice another way.`,
    ],
    ...['The creditor is …', { ...bilingual, es: '' }, { ...bilingual, en: '' }].map(
      (notQualifiedNotice): [string, object, string] => [
        `the notice ${JSON.stringify(notQualifiedNotice)}`,
        { ...inBoth(), offers: { notQualifiedNotice, noticeElsewhere: true } },
        'lacks a translation of offers.notQualifiedNotice. Translate it, or set locales to ["en"].',
      ],
    ),
  ])('with %s is refused in production only', (_what, changes, sentence) => {
    const text = JSON.stringify({ ...settings, ...changes });
    expect(listFor(text)).toEqual([`FUNDING_SETTINGS ${sentence}`]);
    expect(listFor(text, 'staging')).toEqual([]);
  });

  it.each([
    ['text', { text: bilingual.en }],
    ['label', { label: bilingual.en }],
    ['link', { links: [{ label: 'Terms', url: 'https://www.partner.test' }] }],
  ])('with a %s of consents in one language is refused in production', (_part, changes) => {
    const problems = listFor(JSON.stringify({ ...settings, ...inBoth(changes) }));
    expect(problems).toHaveLength(settings.consents.length);
    expect(problems[0]).toContain('lacks a translation of the consent credit-authorization');
    expect(problems[0]).toContain(translate);
    expect(listFor(JSON.stringify({ ...settings, ...inBoth() }))).toEqual([]);
  });

  it.each<[string, object]>([
    ['consents.0.links.0.url', withConsent({ links: [link] })],
    ['page.homeUrl', { page: { homeUrl: link.url } }],
    ['page.privacyUrl', { page: { privacyUrl: link.url } }],
  ])('with a link to this machine in %s is refused outside the sandbox', (place, changes) => {
    const text = JSON.stringify({ ...settings, ...changes });
    expect(listFor(text, 'staging')).toEqual([
      `FUNDING_SETTINGS links to this machine in ${place}. Use a public URL.`,
    ]);
    expect(listProblems({ ...sandbox, FUNDING_SETTINGS: 'a' }, { a: text })).toEqual([]);
  });

  it('needs the name of an aggregator for a bank connection', () => {
    const connected = { ...settings, bankConnection: 'host' };
    expect(listFor(JSON.stringify(connected))).toEqual([
      'FUNDING_SETTINGS connects banks, but aggregatorName is not set. Set it to the name that the funding service uses, or set bankConnection to off.',
    ]);
    expect(listFor(JSON.stringify({ ...connected, aggregatorName: 'FinLink' }))).toEqual([]);
  });
});

const sandbox = { FUNDING_ENVIRONMENT: 'sandbox' };

it.each([
  [
    '--inspect',
    'staging',
    'The node command line contains an option that opens a debugger. Remove the option.',
  ],
  ['--require=./.pnp.cjs', 'sandbox', expect.stringMatching(/^Yarn replaces Node's file system/)],
])('the option %s of node is refused in %s', (option, environment, problem) => {
  const variables = { FUNDING_ENVIRONMENT: environment };
  const result = readConfig({ variables, nodeOptions: [option], readFile: () => '' });
  expect(result).toMatchObject({ problems: expect.arrayContaining([problem]) });
});

describe('the file of a secret', () => {
  const { FUNDING_PASSWORD: _left, ...others } = production;
  const variables = { ...others, FUNDING_PASSWORD_FILE: '/run/secrets/edited' };

  it.each([
    ['\r\n', 'names an empty file. Write the value into it.'],
    [
      Buffer.from(`\uFEFF${canary}`, 'utf16le').toString(),
      'names a file that is not text in UTF-8. Save it as UTF-8.',
    ],
  ])('is refused with the content %j', (text, sentence) => {
    expect(listProblems(variables, { '/run/secrets/edited': text })).toEqual([
      `FUNDING_PASSWORD_FILE ${sentence}`,
    ]);
  });
});

describe('all problems', () => {
  it('are reported at once, without the values', () => {
    const wrong = Object.fromEntries(Object.keys(production).map((name) => [name, 'canary-value']));
    const problems = listProblems({ ...wrong, FUNDING_ENVIRONMENT: 'production' });
    expect(problems.length).toBeGreaterThan(6);
    expect(problems.join('\n')).not.toContain('canary');
  });

  it('are reported although the environment is invalid', () => {
    const variables = { FUNDING_ENVIRONMENT: 'prod', BFF_PORT: 'http', CLAMD_URL: 'nowhere' };
    const names = listProblems(variables).map((problem) => problem.split(' ')[0]);
    expect(names).toEqual(['FUNDING_ENVIRONMENT', 'BFF_PORT', 'CLAMD_URL']);
  });

  it('of the settings file are reported with their paths', () => {
    const label = { en: '', es: 'canary', xx: 'canary' };
    const fundingReasons = [{ value: 'Rent', label }];
    expect(parseSettings(JSON.stringify({ fundingReasons }))).toEqual({
      problems: [
        'fundingReasons.0.label.en must not be empty',
        'fundingReasons.0.label.xx is not a setting. Remove it',
      ],
    });
  });
});

/** Pairs of a change and its sentence. The sentence of a group is indented. */
function toRows(text: string): [string, string][] {
  const rows: [string, string][] = [];
  let changes: string[] = [];
  for (const line of text.split('\n').filter((written) => written.trim() !== '')) {
    if (line.startsWith('  ')) {
      rows.push(...changes.map((change): [string, string] => [change, line.trim()]));
      changes = [];
    } else changes.push(line);
  }
  return rows;
}

/** `name=value | name=value`. */
function toAssignments(change: string): readonly (readonly [string, string | undefined])[] {
  return change.split(' | ').map((assignment) => {
    const [, name = '', value] = /^([^=]+)(?:=([^]*))?$/.exec(assignment) ?? [];
    return [name, value] as const;
  });
}

/** Sets or, without JSON, removes the value at a path. */
function setPath(target: Record<string, unknown>, path: readonly string[], json: string): void {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    target[name] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {};
    setPath(target[name] as Record<string, unknown>, rest, json);
  } else if (json === '') delete target[name];
  else target[name] = JSON.parse(json);
}
