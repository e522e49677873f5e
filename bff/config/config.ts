// The BFF's configuration, read once from the environment; every problem is found and named in one go.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, environments } from '../../shared/api/configuration.ts';
import { refuseUnsafeRuntime } from './unsafe-runtime.ts';
import { readStore, type StoreConfig } from './database-url.ts';
import { hasPlaceholderMark, isPlaceholder } from './default-settings.ts';
import {
  createReader,
  isThisMachine,
  type Keys,
  readClamdUrl,
  type Reader,
  readHeaderValue,
  readKeys,
  readOrigin,
  readOrigins,
  readPort,
  readProxies,
  readServiceUrl,
  readToken,
  type VariableSource,
} from './environment-reader.ts';
import { type Hooks, type ImportModule, readHooks } from './hooks.ts';
import { listTexts } from './localized-text.ts';
import {
  developmentDataKey,
  developmentSessionKey,
  sandboxCredentialNames,
  sandboxCredentials,
  toSandboxDefaults,
} from './sandbox-defaults.ts';
import {
  defaultAggregatorName,
  defaultSettings,
  isLocalLink,
  parseSettings,
  type Settings,
} from './settings.ts';
import { readWidgetFolder, type WidgetFolder } from './widget-folder.ts';

/** How to reach the funding service, and as whom. */
export interface ServiceConfig {
  /** Base address of the token operation, without a slash at its end. */
  readonly authUrl: string;
  /** Base address of the five partner operations, without a slash at its end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
  readonly partnerId: string;
  readonly partnerName: string;
}

export interface Config extends StoreConfig {
  readonly environment: Environment;
  readonly service: ServiceConfig;
  /** Exact origins of the pages that may hold the widget and are on the BFF's own site. */
  readonly allowedOrigins: readonly string[];
  /** Exact origins of such pages on other sites. */
  readonly crossSiteOrigins: readonly string[];
  /** The BFF's own origin as browsers see it. */
  readonly publicOrigin: string;
  readonly sessionKeys: Keys;
  /** Of the session key that seals. */
  readonly sessionKeyId: string;
  readonly dataKeys: Keys;
  /** Of the data key that wraps new applications. */
  readonly dataKeyId: string;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly port: number;
  /** Of the virus scanner that documents pass before they are sent, `tcp://host:port` or `unix:/path`; without it none is asked. */
  readonly clamdUrl: string | undefined;
  /** What tells people from programs before an application is taken. */
  readonly challenge: ChallengeConfig | undefined;
  /** Opens `/metrics`; without it the address answers in the sandbox only. */
  readonly metricsToken: string | undefined;
  readonly settings: Settings;
}

export type ConfigResult = { readonly config: Config } | { readonly problems: readonly string[] };

/** @param source the variables, and how to read the files that `…_FILE` and `FUNDING_SETTINGS` name. */
export function readConfig(source: VariableSource): ConfigResult {
  const environment = environments.find((name) => name === source.variables['FUNDING_ENVIRONMENT']);
  if (!environment) {
    const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(environments);
    const mend = `Set it to ${names}.`;
    return { problems: [`FUNDING_ENVIRONMENT is not set to an environment. ${mend}`] };
  }
  const isSandbox = environment === 'sandbox';
  const reader = createReader(source, isSandbox ? toSandboxDefaults(source.variables) : {});
  const publicOrigin = readOrigin(reader, 'PUBLIC_URL', isSandbox);
  const settings = readSettings(reader, environment);
  const config: Config = {
    environment,
    service: {
      authUrl: readServiceUrl(reader, 'FUNDING_AUTH_URL', isSandbox),
      baseUrl: readServiceUrl(reader, 'FUNDING_BASE_URL', isSandbox),
      clientId: reader.secret('FUNDING_CLIENT_ID'),
      clientSecret: reader.secret('FUNDING_CLIENT_SECRET'),
      username: reader.secret('FUNDING_USERNAME'),
      password: reader.secret('FUNDING_PASSWORD'),
      partnerId: readHeaderValue(reader, 'FUNDING_PARTNER_ID', reader.secret('FUNDING_PARTNER_ID')),
      partnerName: readHeaderValue(
        reader,
        'FUNDING_PARTNER_NAME',
        reader.text('FUNDING_PARTNER_NAME'),
      ),
    },
    ...readPageOrigins(reader, publicOrigin, isSandbox),
    publicOrigin,
    ...readSessionKeys(reader),
    ...readDataKeys(reader),
    ...readStore(reader, environment),
    trustedProxies: requireProxies(reader),
    clamdUrl: readClamdUrl(reader, 'CLAMD_URL'),
    port: readPort(reader, 'BFF_PORT', 8081),
    challenge: readChallenge(reader, isSandbox),
    metricsToken: readToken(reader, 'METRICS_TOKEN'),
    settings: settings ?? defaultSettings(),
  };
  if (!isSandbox) refuseSandboxValues(reader, config);
  if (!isSandbox) refuseUnsafeRuntime(reader, source);
  if (!isSandbox && settings) refuseDefaultAggregator(reader, settings);
  if (!isSandbox && settings) refuseLocalLinks(reader, settings);
  if (environment === 'production' && settings) refuseUnfinishedSettings(reader, settings);
  refuseSharedKeys(reader, config);
  const problems = reader.problems();
  return problems.length > 0 ? { problems } : { config };
}

function readSessionKeys(reader: Reader): Pick<Config, 'sessionKeys' | 'sessionKeyId'> {
  const { keys, firstId } = readKeys(reader, 'SESSION_KEYS');
  return { sessionKeys: keys, sessionKeyId: firstId };
}

function readDataKeys(reader: Reader): Pick<Config, 'dataKeys' | 'dataKeyId'> {
  const { keys, firstId } = readKeys(reader, 'DATA_KEYS');
  return { dataKeys: keys, dataKeyId: firstId };
}

/** Nobody can guess it: behind a proxy that is not named all applicants are one, with one limit and one address as evidence. */
function requireProxies(reader: Reader): readonly string[] {
  const proxies = readProxies(reader, 'TRUSTED_PROXIES');
  if (proxies === undefined) {
    const what = 'the addresses or ranges of what stands before the BFF, as the BFF sees them';
    const mend = `Set it to ${what}, or to none where browsers reach the BFF itself.`;
    reader.problem('TRUSTED_PROXIES', 'is not set', mend);
  }
  return proxies ?? [];
}

/** `undefined` when the file is there and cannot be used; what it would have said is then not asked for. */
function readSettings(reader: Reader, environment: Environment): Settings | undefined {
  const text = reader.file('FUNDING_SETTINGS');
  if (text === undefined && reader.optional('FUNDING_SETTINGS') !== undefined) return undefined;
  const result = text === undefined ? { settings: defaultSettings() } : parseSettings(text);
  if ('problems' in result) {
    for (const problem of result.problems) {
      const what = `names a file with a mistake: ${problem}`;
      reader.problem('FUNDING_SETTINGS', what, 'Mend the file.');
    }
    return undefined;
  }
  const bankConnection = environment === 'sandbox' ? 'demonstration' : 'off';
  return { ...result.settings, bankConnection: result.settings.bankConnection ?? bankConnection };
}

function refuseSandboxValues(reader: Reader, config: Config): void {
  const { service } = config;
  const credentials = {
    FUNDING_CLIENT_ID: service.clientId,
    FUNDING_CLIENT_SECRET: service.clientSecret,
    FUNDING_USERNAME: service.username,
    FUNDING_PASSWORD: service.password,
    FUNDING_PARTNER_ID: service.partnerId,
    FUNDING_PARTNER_NAME: service.partnerName,
  };
  for (const name of sandboxCredentialNames) {
    if (credentials[name] === sandboxCredentials[name]) {
      reader.problem(
        name,
        "holds the sandbox's value",
        "Set your own, from the service's operator.",
      );
    }
  }
  const addresses = {
    FUNDING_AUTH_URL: service.authUrl,
    FUNDING_BASE_URL: service.baseUrl,
    PUBLIC_URL: config.publicOrigin,
  };
  for (const [name, url] of Object.entries(addresses)) {
    if (URL.canParse(url) && isThisMachine(new URL(url).hostname)) {
      reader.problem(name, 'points at this machine', 'Set the public address.');
    }
  }
  for (const [name, keys] of [
    ['SESSION_KEYS', config.sessionKeys],
    ['DATA_KEYS', config.dataKeys],
  ] as const) {
    const values = Object.values(keys);
    if (values.includes(developmentSessionKey) || values.includes(developmentDataKey)) {
      reader.problem(name, 'holds a development key, which is public', newKey);
    }
  }
}

/** The name is a part of the report's address: with a wrong one the service has no operation there. */
function refuseDefaultAggregator(reader: Reader, settings: Settings): void {
  if (settings.bankConnection === 'off' || settings.aggregatorName !== defaultAggregatorName)
    return;
  reader.problem(
    'FUNDING_SETTINGS',
    'connects banks and leaves aggregatorName at its default',
    "Set it to the name from the service's operator, or bankConnection to off.",
  );
}

function refuseLocalLinks(reader: Reader, { consents }: Settings): void {
  for (const [line, { links = [] }] of consents.entries()) {
    for (const [place, link] of links.entries()) {
      if (!isLocalLink(link)) continue;
      const what = `points at this machine: consents.${line}.links.${place}.url`;
      reader.problem('FUNDING_SETTINGS', what, 'Set the public address.');
    }
  }
}

function refuseUnfinishedSettings(reader: Reader, settings: Settings): void {
  for (const consent of settings.consents) {
    if (isPlaceholder(consent)) {
      reader.problem(
        'FUNDING_SETTINGS',
        `leaves the placeholder text of the consent ${consent.id}`,
        'Write the text your counsel approved, with a version of its own.',
      );
    }
    // Nobody consents to a text in a language they asked not to read.
    const { label, text, links = [] } = consent;
    const texts = [label, text, ...links.map((link) => link.label)];
    if (settings.locales.some((locale) => texts.some((words) => words[locale] === undefined))) {
      reader.problem(
        'FUNDING_SETTINGS',
        `offers a language that the consent ${consent.id} is not written in`,
        'Write its label and its text in each of locales, the labels of its links too, or set locales to ["en"].',
      );
    }
  }
  refuseUnfinishedNotice(reader, settings);
  if (settings.bankConnection === 'demonstration') {
    const mend = 'Set bankConnection to off or host.';
    reader.problem('FUNDING_SETTINGS', 'asks for the demonstration bank', mend);
  }
}

/** Who is refused has to be told by whom, and what the law gives them (12 CFR 1002.9), in a language they read. */
function refuseUnfinishedNotice(reader: Reader, { offers, locales }: Settings): void {
  const { notQualifiedNotice: notice, noticeElsewhere } = offers;
  if (listTexts(notice).every((text) => text.trim() === '')) {
    if (noticeElsewhere) return;
    reader.problem(
      'FUNDING_SETTINGS',
      'leaves offers.notQualifiedNotice empty, the notice to applicants who do not qualify (12 CFR 1002.9)',
      'Write the text your counsel approved, or set offers.noticeElsewhere to true where they get it by letter.',
    );
  } else if (hasPlaceholderMark(notice)) {
    reader.problem(
      'FUNDING_SETTINGS',
      'leaves the placeholder text of offers.notQualifiedNotice',
      'Write the text your counsel approved.',
    );
  } else if (locales.some((locale) => (notice[locale]?.trim() ?? '') === '')) {
    reader.problem(
      'FUNDING_SETTINGS',
      'offers a language that offers.notQualifiedNotice is not written in',
      'Write it in each of locales, or set locales to ["en"].',
    );
  }
}

function refuseSharedKeys(reader: Reader, config: Config): void {
  const sessionKeys = new Set(Object.values(config.sessionKeys));
  if (Object.values(config.dataKeys).some((key) => sessionKeys.has(key))) {
    reader.problem('DATA_KEYS', 'shares a key with SESSION_KEYS', newKey);
  }
}

const newKey = 'Make a new one: openssl rand -base64 32';

export interface ServingSource extends VariableSource {
  /** Where the widget lies unless WIDGET_FOLDER says otherwise. */
  readonly builtWidget: string;
  readonly importModule: ImportModule;
}

export interface ServingParts {
  readonly config: Config;
  /** `undefined` where something else serves it. */
  readonly widget: WidgetFolder | undefined;
  readonly hooks: Hooks;
}

export async function readServingParts(
  source: ServingSource,
): Promise<ServingParts | { readonly problems: readonly string[] }> {
  const read = readConfig(source);
  const reader = createReader(source, {});
  const widget = readWidgetFolder(reader, source.builtWidget);
  const hooks = await readHooks(reader, source.importModule);
  const problems = [...('problems' in read ? read.problems : []), ...reader.problems()];
  return 'config' in read && problems.length === 0
    ? { config: read.config, widget, hooks }
    : { problems };
}

/** A path as the operator writes it, from the working folder; Node 24 takes TypeScript as well. */
export const importFromDisk: ImportModule = (path) =>
  import(/* @vite-ignore */ pathToFileURL(resolve(path)).href);

export interface PageOrigins {
  /** Pages on the BFF's own site; the session's cookie never leaves that site. */
  readonly allowedOrigins: readonly string[];
  /** Pages on other sites, whose browsers may not keep our cookie. */
  readonly crossSiteOrigins: readonly string[];
}

/** One of the two lists has to name a page, and none may stand in both: its cookie would be of two kinds. */
export function readPageOrigins(
  reader: Reader,
  publicOrigin: string,
  allowHttp: boolean,
): PageOrigins {
  const allowedOrigins = readOrigins(reader, 'ALLOWED_ORIGINS', allowHttp);
  const crossSiteOrigins = readOrigins(reader, 'CROSS_SITE_ORIGINS', allowHttp);
  if (!['ALLOWED_ORIGINS', 'CROSS_SITE_ORIGINS'].some((name) => reader.optional(name))) {
    const mend = 'Set it, or CROSS_SITE_ORIGINS where every page is on another site.';
    reader.problem('ALLOWED_ORIGINS', 'is not set', mend);
  }
  if (crossSiteOrigins.some((origin) => allowedOrigins.includes(origin))) {
    const mend = "Keep it in ALLOWED_ORIGINS when the page is on the BFF's site, else here.";
    reader.problem('CROSS_SITE_ORIGINS', 'repeats an origin of ALLOWED_ORIGINS', mend);
  }
  if (publicOrigin !== '' && crossSiteOrigins.includes(publicOrigin)) {
    const mend = "Take it out: the BFF's own pages may always ask.";
    reader.problem('CROSS_SITE_ORIGINS', 'holds the origin of PUBLIC_URL', mend);
  }
  return { allowedOrigins, crossSiteOrigins };
}

/** Their verification addresses; both take the same form and answer in the same way. */
const verifyUrls = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const;

export type ChallengeProvider = keyof typeof verifyUrls;

export interface ChallengeConfig {
  readonly provider: ChallengeProvider;
  /** Public: the page shows the challenge with it. */
  readonly siteKey: string;
  readonly secret: string;
  readonly verifyUrl: string;
}

/** `undefined` without CHALLENGE_PROVIDER; the other variables are then a mistake, since nothing would be checked. */
export function readChallenge(reader: Reader, allowHttp: boolean): ChallengeConfig | undefined {
  const name = reader.optional('CHALLENGE_PROVIDER');
  if (name === undefined) {
    refuseOrphans(reader);
    return undefined;
  }
  const provider = name === 'turnstile' || name === 'hcaptcha' ? name : undefined;
  if (provider === undefined) {
    reader.problem('CHALLENGE_PROVIDER', 'is not known', 'Set it to turnstile or hcaptcha.');
    return undefined;
  }
  const hasUrl = reader.optional('CHALLENGE_VERIFY_URL') !== undefined;
  return {
    provider,
    siteKey: reader.text('CHALLENGE_SITE_KEY'),
    secret: reader.secret('CHALLENGE_SECRET'),
    verifyUrl: hasUrl
      ? readServiceUrl(reader, 'CHALLENGE_VERIFY_URL', allowHttp)
      : verifyUrls[provider],
  };
}

function refuseOrphans(reader: Reader): void {
  const isSet =
    reader.optional('CHALLENGE_VERIFY_URL') !== undefined ||
    reader.optional('CHALLENGE_SITE_KEY') !== undefined ||
    reader.optionalSecret('CHALLENGE_SECRET') !== undefined;
  if (!isSet) return;
  const mend = 'Set it to turnstile or hcaptcha, or unset the others.';
  reader.problem('CHALLENGE_PROVIDER', 'is not set, though other CHALLENGE_ variables are', mend);
}
