// The BFF's configuration: environment variables, settings file, built widget, and hooks, with all problems at once.

import { readFileSync } from 'node:fs';
import { type Environment, environments } from '../../shared/api/configuration.ts';
import { isPostgresUrl, readStoreConfig, type StoreConfig } from './database-url.ts';
import {
  createWebhookSecret,
  EnvironmentReader,
  isThisMachine,
  type KeyList,
  type PublicUrl,
  type VariableSource,
} from './environment-reader.ts';
import { type Hooks, readHooks } from './hooks.ts';
import {
  developmentDataKey,
  developmentSessionKey,
  sandboxCredentials,
} from './sandbox-defaults.ts';
import { defaultSettings, listRefusedSettings, parseSettings, type Settings } from './settings.ts';
import { refusePlugAndPlay, refuseUnsafeRuntime } from './unsafe-runtime.ts';
import { readWidgetFolder, type WidgetFolder } from './widget-folder.ts';

export interface Config extends StoreConfig, PublicUrl {
  readonly environment: Environment;
  readonly service: ServiceConfig;
  /** Exact origins of host pages on the BFF's own site. */
  readonly allowedOrigins: readonly string[];
  /** Exact origins of host pages on other sites. */
  readonly crossSiteOrigins: readonly string[];
  readonly sessionKeys: KeyList;
  readonly dataKeys: KeyList;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** The address to listen on; `undefined` for all addresses of the machine. */
  readonly host: string | undefined;
  readonly port: number;
  /** The virus scanner, `tcp://host:port` or `unix:/path`; `undefined` turns scanning off. */
  readonly clamdUrl: string | undefined;
  readonly challenge: ChallengeConfig | undefined;
  /** The bearer token of `/metrics`. Without a token, only the sandbox serves metrics. */
  readonly metricsToken: string | undefined;
  /** The partner's system that receives events. */
  readonly webhook: WebhookConfig | undefined;
  readonly settings: Settings;
}

/** Both providers accept the same form and return the same fields. */
const verifyUrls = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const;

export type ServiceConfig = Readonly<ReturnType<typeof readService>>;
export type WebhookConfig = Readonly<NonNullable<ReturnType<typeof readWebhook>>>;
export type ChallengeConfig = Readonly<NonNullable<ReturnType<typeof readChallenge>>>;

interface Problems {
  readonly problems: readonly string[];
}

const createKey = 'Create a key: openssl rand -base64 32';

export function readConfig(source: VariableSource): { readonly config: Config } | Problems {
  const asked = source.variables['FUNDING_ENVIRONMENT']?.trim();
  const environment = environments.find((name) => name === asked);
  if (!environment) return { problems: listProblemsWithoutEnvironment(source) };
  const reader = new EnvironmentReader(source);
  const config: Config = {
    environment,
    service: readService(reader),
    allowedOrigins: reader.origins('ALLOWED_ORIGINS'),
    crossSiteOrigins: reader.origins('CROSS_SITE_ORIGINS'),
    ...reader.publicUrl('PUBLIC_URL'),
    sessionKeys: reader.keys('SESSION_KEYS'),
    dataKeys: reader.keys('DATA_KEYS'),
    ...readStoreConfig(reader, environment),
    trustedProxies: reader.proxies('TRUSTED_PROXIES') ?? [],
    host: reader.host('BFF_HOST'),
    port: reader.port('BFF_PORT'),
    clamdUrl: reader.clamdUrl('CLAMD_URL'),
    challenge: readChallenge(reader),
    metricsToken: reader.token('METRICS_TOKEN'),
    webhook: readWebhook(reader),
    settings: readSettings(reader, environment),
  };
  checkNetwork(reader, config);
  checkSharedKeys(reader, config);
  refusePlugAndPlay(reader, source);
  if (environment !== 'sandbox') {
    refuseSandboxValues(reader, config);
    refuseUnsafeRuntime(reader, source);
  }
  if (reader.mount.serverless === true && !isPostgresUrl(config.databaseUrl)) {
    const fix = 'Use a PostgreSQL database: postgres://user:password@host/database.';
    reader.problem(
      'DATABASE_URL',
      `names a file, which serverless functions do not share and lose when they end. ${fix}`,
    );
  }
  reader.refuseUnknown();
  const problems = reader.problems();
  return problems.length > 0 ? { problems } : { config };
}

/** The rules of the sandbox hold in every environment, so their problems are reported at once too. */
function listProblemsWithoutEnvironment(source: VariableSource): readonly string[] {
  const reader = new EnvironmentReader(source);
  const names = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(environments);
  const asked = reader.optional('FUNDING_ENVIRONMENT');
  if (asked === undefined) {
    reader.missing('FUNDING_ENVIRONMENT', `Set it to ${names}.`);
  } else if (!environments.some((name) => name === asked)) {
    reader.problem('FUNDING_ENVIRONMENT', `is not an environment. Set it to ${names}.`);
  }
  const variables = { ...source.variables, FUNDING_ENVIRONMENT: 'sandbox' };
  const others = readConfig({ ...source, variables });
  return [...new Set([...reader.problems(), ...('problems' in others ? others.problems : [])])];
}

/** The URLs of the funding service, without a trailing slash, and the partner's credentials. */
function readService(reader: EnvironmentReader) {
  const service = {
    partnerId: reader.secret('FUNDING_PARTNER_ID'),
    partnerName: reader.text('FUNDING_PARTNER_NAME'),
    /** Of the token operation. */
    authUrl: reader.baseUrl('FUNDING_AUTH_URL'),
    /** Of the other operations. */
    baseUrl: reader.baseUrl('FUNDING_BASE_URL'),
    clientId: reader.secret('FUNDING_CLIENT_ID'),
    clientSecret: reader.secret('FUNDING_CLIENT_SECRET'),
    username: reader.secret('FUNDING_USERNAME'),
    password: reader.secret('FUNDING_PASSWORD'),
  };
  // These are sent as HTTP headers: printable ASCII only (RFC 9110, section 5.5).
  const headers = {
    FUNDING_PARTNER_ID: service.partnerId,
    FUNDING_PARTNER_NAME: service.partnerName,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\x20-\x7e]*$/.test(value)) continue;
    const fix = "Use one line of printable ASCII, such as ' instead of ’.";
    reader.problem(name, `contains a character that is not valid in an HTTP header. ${fix}`);
  }
  return service;
}

function readChallenge(reader: EnvironmentReader) {
  const report = (problem: string) => reader.problem('CHALLENGE_PROVIDER', problem);
  const provider = reader.optional('CHALLENGE_PROVIDER');
  if (provider === undefined) {
    const others = [
      reader.optional('CHALLENGE_SITE_KEY'),
      reader.optionalSecret('CHALLENGE_SECRET'),
      reader.optional('CHALLENGE_VERIFY_URL'),
    ];
    if (others.some((value) => value !== undefined)) {
      const fix = 'Set it to turnstile or hcaptcha, or unset the others.';
      report(`is not set, but other CHALLENGE_ variables are. ${fix}`);
    }
    return undefined;
  }
  if (provider !== 'turnstile' && provider !== 'hcaptcha') {
    report('is not a known provider. Use turnstile or hcaptcha.');
    return undefined;
  }
  const hasOwnUrl = reader.optional('CHALLENGE_VERIFY_URL') !== undefined;
  return {
    provider,
    /** Public: the page shows the challenge with this key. */
    siteKey: reader.text('CHALLENGE_SITE_KEY'),
    secret: reader.secret('CHALLENGE_SECRET'),
    verifyUrl: hasOwnUrl ? reader.baseUrl('CHALLENGE_VERIFY_URL') : verifyUrls[provider],
  };
}

export function readWebhook(reader: EnvironmentReader) {
  const url = reader.webhookUrl('WEBHOOK_URL');
  const secrets = reader.webhookSecrets('WEBHOOK_SECRETS');
  if (url === undefined) {
    if (secrets.length > 0) {
      reader.missing('WEBHOOK_URL', 'Set it, or unset WEBHOOK_SECRETS.');
    }
    return undefined;
  }
  if (secrets.length === 0) {
    reader.missing('WEBHOOK_SECRETS', createWebhookSecret);
  }
  /** Each event is signed with all secrets. */
  return { url, secrets };
}

/** Returns the default settings, with a problem, if the file or the option cannot be used. */
function readSettings(reader: EnvironmentReader, environment: Environment): Settings {
  const path = reader.optional('FUNDING_SETTINGS');
  const given = reader.mount.settings;
  const name = given === undefined ? 'FUNDING_SETTINGS' : 'settings';
  if (given !== undefined && path !== undefined) {
    reader.problem('FUNDING_SETTINGS', 'and the option settings are both set. Unset one of them.');
  }
  const text = given === undefined ? readSettingsFile(reader, path) : toJsonText(given);
  const result = text === undefined ? { problems: [] } : parseSettings(text);
  if ('problems' in result) {
    for (const problem of result.problems) {
      const clause =
        given === undefined
          ? `names an invalid file: ${problem}.`
          : `is not valid: ${problem.replace('the file', 'the option')}.`;
      // A question ends with its mark.
      reader.problem(name, clause.replace(/\?\.$/, '?'));
    }
    return defaultSettings();
  }
  const defaultBank = environment === 'sandbox' ? 'demonstration' : 'off';
  const { bankConnection = defaultBank, ...others } = result.settings;
  const settings = { ...others, bankConnection };
  for (const problem of listRefusedSettings(settings, environment)) {
    reader.problem(name, problem);
  }
  return settings;
}

/** Returns `undefined` if the file cannot be read. */
function readSettingsFile(reader: EnvironmentReader, path: string | undefined): string | undefined {
  const noFile = reader.isMisspelled('FUNDING_SETTINGS') ? undefined : '{}';
  return path === undefined ? noFile : reader.readFile(path, 'FUNDING_SETTINGS');
}

/** The settings as the file would have them, so that both have the same rules. */
function toJsonText(settings: object): string {
  try {
    return JSON.stringify(settings);
  } catch {
    // A circular object. The text is not JSON, which the caller reports.
    return '';
  }
}

function checkNetwork(reader: EnvironmentReader, config: Config): void {
  const { allowedOrigins, crossSiteOrigins, publicOrigin } = config;
  if (!reader.optional('ALLOWED_ORIGINS') && !reader.optional('CROSS_SITE_ORIGINS')) {
    const fix = 'Set it, or set CROSS_SITE_ORIGINS if all pages are on other sites.';
    reader.missing('ALLOWED_ORIGINS', fix);
  }
  // The list of an origin decides the attributes of its cookie.
  if (crossSiteOrigins.some((origin) => allowedOrigins.includes(origin))) {
    const fix = "List it in ALLOWED_ORIGINS only if the page is on the BFF's site, else here only.";
    reader.problem('CROSS_SITE_ORIGINS', `repeats an origin of ALLOWED_ORIGINS. ${fix}`);
  }
  // There is no safe default: if a proxy is missing, all applicants share its address and its rate limit.
  if (!reader.optional('TRUSTED_PROXIES')) {
    const fix =
      'Set it to the addresses or ranges of your proxies as the BFF sees them, or to none if browsers connect to the BFF directly.';
    reader.missing('TRUSTED_PROXIES', fix);
  }
  if (publicOrigin !== '' && crossSiteOrigins.includes(publicOrigin)) {
    const fix = 'Remove it: the BFF always accepts its own pages.';
    reader.problem('CROSS_SITE_ORIGINS', `contains the origin of PUBLIC_URL. ${fix}`);
  }
}

function checkSharedKeys(reader: EnvironmentReader, { sessionKeys, dataKeys }: Config): void {
  const values = Object.values(sessionKeys.keys);
  const isShared = Object.values(dataKeys.keys).some((key) => values.includes(key));
  if (isShared) reader.problem('DATA_KEYS', `shares a key with SESSION_KEYS. ${createKey}`);
}

function refuseSandboxValues(reader: EnvironmentReader, config: Config): void {
  refuseSandboxService(reader, config.service);
  refuseLocalUrl(reader, 'PUBLIC_URL', config.publicUrl);
  const keyLists = { SESSION_KEYS: config.sessionKeys, DATA_KEYS: config.dataKeys };
  for (const [name, { keys }] of Object.entries(keyLists)) {
    const values = Object.values(keys);
    if (values.includes(developmentSessionKey) || values.includes(developmentDataKey)) {
      reader.problem(name, `contains a development key, which is public. ${createKey}`);
    }
  }
}

function refuseSandboxService(reader: EnvironmentReader, service: ServiceConfig): void {
  const credentials = {
    FUNDING_CLIENT_ID: service.clientId,
    FUNDING_CLIENT_SECRET: service.clientSecret,
    FUNDING_USERNAME: service.username,
    FUNDING_PASSWORD: service.password,
    FUNDING_PARTNER_ID: service.partnerId,
    FUNDING_PARTNER_NAME: service.partnerName,
  } satisfies Record<keyof typeof sandboxCredentials, string>;
  for (const [name, value] of Object.entries(sandboxCredentials)) {
    // `Object.entries` returns any string as a name. Both objects have the same names.
    if (credentials[name as keyof typeof credentials] === value) {
      reader.problem(name, "has the sandbox's value. Use your value from the funding service.");
    }
  }
  refuseLocalUrl(reader, 'FUNDING_AUTH_URL', service.authUrl);
  refuseLocalUrl(reader, 'FUNDING_BASE_URL', service.baseUrl);
}

function refuseLocalUrl(reader: EnvironmentReader, name: string, url: string): void {
  if (!isThisMachine(URL.parse(url)?.hostname ?? '')) return;
  reader.problem(name, 'points to this machine. Use the public URL.');
}

/**
 * Reads only what calls to the funding service need, for programs that serve no applicants. The reader gets the problems. The
 * values must not be used if it has any.
 */
export function readFundingService(
  reader: EnvironmentReader,
  environment: Environment,
): Pick<Config, 'service' | 'settings'> {
  const service = readService(reader);
  const settings = readSettings(reader, environment);
  if (environment !== 'sandbox') refuseSandboxService(reader, service);
  return { service, settings };
}

/** Everything that a process needs to serve. */
export interface ServingParts {
  readonly config: Config;
  /** `undefined` if another server serves the widget. */
  readonly widget: WidgetFolder | undefined;
  readonly hooks: Hooks;
}

export async function readServingParts(source: VariableSource): Promise<ServingParts | Problems> {
  const read = readConfig(source);
  const reader = new EnvironmentReader(source);
  const widget = readWidgetFolder(reader);
  const hooks = await readHooks(reader);
  const problems = [...('problems' in read ? read.problems : []), ...reader.problems()];
  return 'config' in read && problems.length === 0
    ? { config: read.config, widget, hooks }
    : { problems };
}

/** Tells the operator if a challenge turns `/apply` off. */
export function describeMissingApplyPage({
  config,
  widget,
  hooks,
}: ServingParts): string | undefined {
  const hasChallenge = config.challenge !== undefined || hooks.challenge !== undefined;
  if (!widget || !config.settings.page.apply || !hasChallenge) return undefined;
  return 'The page /apply is off, because only a page of yours can show the challenge. Put the element on your page. To remove this message, set page.apply to false in FUNDING_SETTINGS.';
}

/** The environment and the files of this process. */
export const processSource: VariableSource = {
  variables: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
};
