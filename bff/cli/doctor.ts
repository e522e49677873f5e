// `doctor`: tests the BFF at PUBLIC_URL through its proxy, the way a browser would, and the funding service behind it. It prints a fix
// for each fault.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import {
  configurationSchema,
  type Environment,
  environments,
} from '../../shared/api/configuration.ts';
import { apiHeaders, apiPaths, apiResponseHeaders, pagePaths } from '../../shared/api/paths.ts';
import { problemCodes, type ProblemCode } from '../../shared/api/problem-codes.ts';
import { sessionSchema } from '../../shared/api/session.ts';
import { readWebhook, type WebhookConfig } from '../config/config.ts';
import { EnvironmentReader, isThisMachine } from '../config/environment-reader.ts';
import { type NameOfKind, variables } from '../config/variables.ts';
import { createWebhookSender } from '../events/send-webhook.ts';
import { createTestEvent } from '../events/webhook-event.ts';
import { toErrorCode } from '../runtime/error-code.ts';
import { tryParseJson } from '../runtime/json.ts';
import {
  type Call,
  type Command,
  type CommandIo,
  type CommandReport,
  readArguments,
  requireValid,
  UsageError,
} from './command.ts';
import { toCount } from './format.ts';

export const doctor: Command = {
  name: 'doctor',
  parameters: '[--origin <origin>] [--webhook]',
  summary: 'tests the running BFF through its proxy, as a browser would',
  about: [
    'Sends requests to `PUBLIC_URL` and prints a fix for each fault. It checks the origins and proxies of the configuration, TLS, `/livez` and `/readyz`, the CORS preflight, the session cookie, the session token, the pages of the BFF, and whether the proxy forwards long headers and whole documents. If the environment has the addresses of the funding service, as in the sandbox, it checks that the funding service answers there.',
  ],
  options: {
    origin: {
      type: 'string',
      about:
        'checks this origin only, for example `https://www.partner.example`. Default: every origin of `ALLOWED_ORIGINS` and `CROSS_SITE_ORIGINS`.',
    },
    webhook: {
      type: 'boolean',
      about:
        'also sends a signed event of type `webhook.test` to `WEBHOOK_URL`, and one with a wrong signature, which your system must refuse.',
    },
  },
  notes: [
    'It needs only `PUBLIC_URL` (and, for `--webhook`, `WEBHOOK_URL` and `WEBHOOK_SECRETS`), so it can also run outside of your network. For each origin it starts two sessions and ends them. It submits no application. The funding service gets two requests without credentials.',
  ],
  guide: 'troubleshoot.md',
  async run(call, io) {
    readArguments(call);
    return runDoctor(io, readOriginOption(call), call.options['webhook'] === true);
  },
};

interface Finding {
  /** A stable code, for example `preflight`. */
  readonly check: string;
  /** `warning`: not certainly a fault, or not testable now. Only `failed` changes the exit code. */
  readonly result: 'ok' | 'warning' | 'failed';
  /** Contains status codes, media types, and problem codes, but no value of an answer. */
  readonly message: string;
  readonly fix?: string;
  /** The origin of the page that the requests came from. */
  readonly origin?: string;
}

/** Ends a check. */
class Fault extends Error {
  readonly fix: string;
  readonly result: 'warning' | 'failed';

  constructor(message: string, fix: string, result: Fault['result'] = 'failed') {
    super(message);
    this.fix = fix;
    this.result = result;
  }
}

function readOriginOption({ options }: Call): string | undefined {
  const text = options['origin'];
  if (typeof text !== 'string') return undefined;
  const origin = text.replace(/\/$/, '');
  if (/^https?:/.test(origin) && URL.parse(origin)?.origin === origin) return origin;
  throw new UsageError('--origin is not an origin. It looks like https://www.partner.example.');
}

async function runDoctor(
  io: CommandIo,
  origin: string | undefined,
  testsWebhook: boolean,
): Promise<CommandReport> {
  const target = readTarget(io);
  const webhook = testsWebhook ? readWebhookTarget(io) : undefined;
  const findings = [...(await listFindings(target, origin))];
  if (webhook) findings.push(...(await checkWebhook(webhook, io)));
  const faults = findings.filter(({ result }) => result === 'failed').length;
  const summary = faults === 0 ? 'No faults.' : `${toCount(faults, 'fault')}.`;
  return {
    exitCode: faults === 0 ? 0 : 1,
    json: { publicUrl: target.publicUrl, faults, checks: findings },
    text: [...findings.map(toText), '', summary].join('\n'),
  };
}

function toText({ check, result, message, fix, origin }: Finding): string {
  const subject = origin === undefined ? '' : `${origin}: `;
  const line = `${result.padEnd(7)}  ${check.padEnd(13)}  ${subject}${message}`;
  return fix === undefined ? line : `${line}\n${' '.repeat(9)}Fix: ${fix}`;
}

/** The BFF behind its proxy. */
type Target = ReturnType<typeof readTarget>;

/** Reads no secret: `doctor` also runs where only PUBLIC_URL is known. */
function readTarget(io: CommandIo) {
  const reader = new EnvironmentReader(io);
  const target = {
    fetch: io.fetch,
    ...reader.publicUrl('PUBLIC_URL'),
    allowedOrigins: reader.origins('ALLOWED_ORIGINS'),
    crossSiteOrigins: reader.origins('CROSS_SITE_ORIGINS'),
    /** `undefined` if TRUSTED_PROXIES is not set. */
    trustedProxies: reader.proxies('TRUSTED_PROXIES'),
    isSandbox: reader.isSandbox,
    authUrl: readServiceUrl(reader, 'FUNDING_AUTH_URL'),
    baseUrl: readServiceUrl(reader, 'FUNDING_BASE_URL'),
  };
  const problems = reader.problems();
  return requireValid<typeof target>(problems.length > 0 ? { problems } : target);
}

/** `undefined` if the variable is not set: `doctor` also runs outside of the network of the BFF. */
function readServiceUrl(reader: EnvironmentReader, name: NameOfKind<'baseUrl'>) {
  return reader.optional(name) === undefined ? undefined : reader.baseUrl(name);
}

function readWebhookTarget(io: CommandIo): WebhookConfig & { readonly environment: Environment } {
  const reader = new EnvironmentReader(io);
  const environment = environments.find((name) => name === reader.optional('FUNDING_ENVIRONMENT'));
  const webhook = readWebhook(reader);
  if (!webhook) reader.missing('WEBHOOK_URL', 'Set it, or run "doctor" without --webhook.');
  const problems = reader.problems();
  const target = { url: '', secrets: [], environment: environment ?? 'production', ...webhook };
  return requireValid<typeof target>(problems.length > 0 ? { problems } : target);
}

/** Other outcomes can have another cause than the signature, such as an error or a rate limit. */
const forgeryRefusals: ReadonlySet<string> = new Set([
  'http-400',
  'http-401',
  'http-403',
  'http-422',
]);

const secretsFix =
  'Check that your system has one of the secrets of WEBHOOK_SECRETS, verifies the unchanged bytes of the body, and has the right time.';
const pathFix = 'Correct the path in WEBHOOK_URL, or let your system accept POST there.';
const otherWebhookFix = 'Check WEBHOOK_URL, its certificate, and the log of your system.';

/** By the outcome of a signed event. */
const webhookFixes: Readonly<Record<string, string>> = {
  'http-400': secretsFix,
  'http-401': secretsFix,
  'http-403': secretsFix,
  'http-422': secretsFix,
  'http-404': pathFix,
  'http-405': pathFix,
  'http-410':
    'Your system wants no more events, and this answer stops the webhook. Correct WEBHOOK_URL, or answer 2xx.',
  'http-413': 'Let your system accept bodies of 64 KB.',
  'http-415': 'Let your system accept the content type application/json.',
  'http-429': 'Exempt the BFF from the rate limit of your system.',
};

/** Sends a correct event, then the same one with the signature of an unknown secret. */
async function checkWebhook(
  webhook: ReturnType<typeof readWebhookTarget>,
  { createTransport, clock }: CommandIo,
): Promise<readonly Finding[]> {
  const check = 'webhook';
  const transport = createTransport();
  const sendTest = (secrets: readonly string[]) => {
    const send = createWebhookSender({ webhook: { ...webhook, secrets }, transport, clock });
    const event = createTestEvent(webhook.environment, clock());
    return send(`evt_${randomUUID().replaceAll('-', '')}`, event, new AbortController().signal);
  };
  try {
    const signed = await sendTest(webhook.secrets);
    if (signed.kind !== 'sent') {
      const fix = `${webhookFixes[signed.outcome] ?? otherWebhookFix} See docs/operate/webhooks.md.`;
      const message = `WEBHOOK_URL did not accept a signed event (${signed.outcome}).`;
      return [{ check, result: 'failed', message, fix }];
    }
    const accepted: Finding = {
      check,
      result: 'ok',
      message: 'Your system accepts signed events.',
    };
    const forged = await sendTest([`whsec_${randomBytes(32).toString('base64')}`]);
    if (forged.kind === 'sent') {
      const message = 'WEBHOOK_URL accepted an event with a wrong signature.';
      const fix = 'Verify the signature before you use an event. Otherwise anyone can send one.';
      return [accepted, { check, result: 'failed', message, fix }];
    }
    if (forgeryRefusals.has(forged.outcome)) return [accepted];
    const message = `WEBHOOK_URL did not clearly refuse an event with a wrong signature (${forged.outcome}).`;
    const fix = 'Answer 400 or 401 to a wrong signature, and run the command again.';
    return [accepted, { check, result: 'warning', message, fix }];
  } finally {
    await transport.close();
  }
}

/** Skips checks that would only repeat an earlier fault. */
async function listFindings(target: Target, only: string | undefined): Promise<readonly Finding[]> {
  const findings: Finding[] = [];

  /** Returns false if the check failed. A check without a message does not apply. */
  async function run(
    check: string,
    work: () => string | undefined | void | Promise<string | undefined | void>,
    origin?: string,
  ): Promise<boolean> {
    const page = origin === undefined ? {} : { origin };
    try {
      const message = await work();
      if (message !== undefined) findings.push({ check, result: 'ok', message, ...page });
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { result, message, fix } = error;
      findings.push({ check, result, message, fix, ...page });
      return result !== 'failed';
    }
  }

  const isReachable = await run('address', () => checkAddress(target));
  if (await run('service', () => checkFundingService(target, 'FUNDING_AUTH_URL'))) {
    await run('service', async () => {
      await checkFundingService(target, 'FUNDING_BASE_URL');
      return target.authUrl && `The funding service answers at ${target.authUrl}.`;
    });
  }
  if (!isReachable) return findings;
  await run('readiness', () => checkReadiness(target));
  await run('proxies', () => checkProxies(target));
  await run('pages', () => checkPages(target));
  const { publicOrigin, allowedOrigins, crossSiteOrigins } = target;
  const listed = [...allowedOrigins, ...crossSiteOrigins];
  const origins = only === undefined ? listed : [only];
  const allowed: Page[] = [];
  for (const origin of new Set(origins.length > 0 ? origins : [publicOrigin])) {
    const site = crossSiteOrigins.includes(origin) ? 'cross-site' : guessSite(origin, publicOrigin);
    const page: Page = { ...target, origin, site };
    const isAllowed =
      (await run('origin', () => checkListing(page), origin)) &&
      (await run('preflight', () => checkPreflight(page), origin)) &&
      (await run('cors', () => checkConfiguration(page), origin));
    if (!isAllowed) continue;
    await run('cookie', () => checkCookie(page), origin);
    await run('session-token', () => checkSessionToken(page), origin);
    allowed.push(page);
  }
  const [page] = allowed;
  if (page === undefined) return findings;
  await run('header-size', () => checkHeaderSize(page));
  await run('body-size', () => checkBodySize(page));
  return findings;
}

type Answer = Awaited<ReturnType<typeof send>>;

/** Without an answer, `status` is 0, and `failure` is the reason, for example `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
async function send({ fetch }: Target, url: string, init: RequestInit = {}) {
  // An upload of 10 MiB over a slow connection takes longer.
  const signal = AbortSignal.timeout(init.body ? 120_000 : timeoutSeconds * 1000);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const { status, headers } = response;
    return { status, headers, text: await response.text(), failure: undefined };
  } catch (error) {
    return { status: 0, headers: new Headers(), text: '', failure: toFailureCode(error) };
  }
}

const timeoutSeconds = 15;

/** `fetch` reports a network or TLS error as the cause of a `TypeError`. */
function toFailureCode(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = toErrorCode(cause) ?? '';
  return /^\w{1,60}$/.test(code) ? code : 'unknown';
}

function parse<Schema extends z.ZodMiniType>({ text }: Answer, schema: Schema) {
  return schema.safeParse(tryParseJson(text)).data;
}

/** `undefined` if the answer is not a problem document of the BFF. */
function toProblemCode(answer: Answer): ProblemCode | undefined {
  return parse(answer, z.object({ code: z.enum(problemCodes) }))?.code;
}

/** For example `403 origin-refused`, `502 text/html`, or `ECONNRESET`. */
function describe(answer: Answer): string {
  if (answer.failure !== undefined) return answer.failure;
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';', 1);
  const media = /^[\w.+/-]{1,60}$/.test(type) ? type : 'no media type';
  return `${answer.status} ${toProblemCode(answer) ?? media}`;
}

/** Throws a `Fault` for any other answer; `message` has no period. */
function expectStatus(answer: Answer, status: number, message: string, fix: string): void {
  if (answer.status !== status) throw toFault(answer, message, fix);
}

function toFault(answer: Answer, message: string, fix: string): Fault {
  switch (toProblemCode(answer)) {
    case 'too-many-requests':
    case 'too-busy':
      return new Fault(
        'A rate limit of the BFF prevents this check.',
        'Run doctor again in a few minutes, with --origin for one origin.',
        'warning',
      );
    case 'origin-refused':
      return new Fault(
        'The BFF refuses this origin.',
        'If a list of the BFF has the origin, restart the BFF, and forward Origin and Sec-Fetch-Site unchanged. nginx: remove proxy_set_header Origin.',
      );
    default:
      return new Fault(`${message} (${describe(answer)}).`, fix);
  }
}

/** Why there was no answer, by the code of the failure. The first pattern that matches counts. */
const connectionFailures = [
  ['refused', /^ECONNREFUSED$/],
  ['name', /^(ENOTFOUND|EAI_AGAIN)$/],
  ['time', /TIMEDOUT|TIMEOUT|^TimeoutError$/],
  ['expired', /EXPIRED/],
  ['host', /ALTNAME/],
  ['chain', /LEAF|ISSUER|SELF_SIGNED/],
  ['tls', /EPROTO|SSL/],
] as const;

type ConnectionFailure = (typeof connectionFailures)[number][0];

/** The sentence after the address, and the fix. */
type ConnectionTexts = readonly [message: string, fix: string];

function toConnectionTexts(
  failure: string,
  texts: Readonly<Record<ConnectionFailure | 'other', ConnectionTexts>>,
): ConnectionTexts {
  const [kind = 'other'] = connectionFailures.find(([, pattern]) => pattern.test(failure)) ?? [];
  return texts[kind];
}

/** How to start a program of the BFF on this machine. A release contains no sandbox. */
const programs = import.meta.url.endsWith('.ts')
  ? { bff: 'npm run bff', sandbox: 'npm run sandbox' }
  : { bff: 'npx funding-application-bff', sandbox: 'npx funding-application-bff sandbox' };

/** The command that starts the sandbox at this address. */
function toSandboxCommand(url: string): string {
  const { port } = new URL(url);
  const isDefault = port === variables.SANDBOX_PORT.default;
  return isDefault ? programs.sandbox : `SANDBOX_PORT=${port} ${programs.sandbox}`;
}

function describeBffFailure({ publicUrl, isSandbox }: Target, failure: string): ConnectionTexts {
  const isLocal = isSandbox && isThisMachine(new URL(publicUrl).hostname);
  const start = isLocal ? `Start the BFF: ${programs.bff}` : 'Start the proxy, and open its port';
  return toConnectionTexts(failure, {
    refused: ['Nothing listens there', `${start}. Or correct PUBLIC_URL.`],
    name: [
      'The host name is unknown',
      'Add a DNS record (A, AAAA, or CNAME) for the host, or correct PUBLIC_URL.',
    ],
    time: [
      `There is no answer within ${timeoutSeconds} seconds`,
      'Open the port in the firewall, and check that the proxy reaches the BFF.',
    ],
    expired: ['The certificate has expired', 'Renew the certificate, then reload the proxy.'],
    host: [
      'The certificate is for another host name',
      'Get a certificate for this host name, or correct PUBLIC_URL.',
    ],
    chain: [
      'The certificate cannot be verified',
      'Serve a certificate from a public authority together with its intermediate certificates. nginx: ssl_certificate …/fullchain.pem;',
    ],
    tls: [
      'TLS fails there',
      'Enable TLS on this port, or correct PUBLIC_URL. nginx: listen 443 ssl;',
    ],
    other: ['The connection fails', 'Check the proxy and the firewall, or correct PUBLIC_URL.'],
  });
}

function describeServiceFailure(name: string, url: string, target: Target, failure: string) {
  const { hostname } = new URL(url);
  const isLocal = target.isSandbox && isThisMachine(hostname);
  const sandbox = toSandboxCommand(url);
  const correct = `or correct ${name}.`;
  const renewal = `Check the clock of this machine, and ask the support of the funding service, ${correct}`;
  return toConnectionTexts(failure, {
    refused: [
      'Nothing listens there',
      isLocal ? `Start the sandbox: ${sandbox}` : `Open the firewall for ${hostname}, ${correct}`,
    ],
    name: ['The host name is unknown here', `Check the DNS server of this machine, ${correct}`],
    time: [
      `There is no answer within ${timeoutSeconds} seconds`,
      isLocal
        ? `Stop the program that holds the port, and start the sandbox: ${sandbox}`
        : `Allow outgoing connections to ${hostname} in the firewall, ${correct}`,
    ],
    expired: ['The certificate has expired', renewal],
    host: [
      'The certificate is for another host name',
      `Set ${name} to the host of the funding service.`,
    ],
    chain: [
      'The certificate cannot be verified',
      `If a proxy of your network decrypts TLS, exempt ${hostname}, or name the certificate of its authority in NODE_EXTRA_CA_CERTS. Otherwise correct ${name}.`,
    ],
    tls: ['TLS fails there', `Use the scheme and the port of the funding service in ${name}.`],
    other: ['The connection fails', `Check the network of this machine, ${correct}`],
  });
}

async function checkAddress(target: Target): Promise<string> {
  const { publicUrl, basePath } = target;
  const answer = await send(target, `${publicUrl}/livez`);
  if (parse(answer, z.object({ status: z.literal('alive') }))) {
    return `The BFF answers at ${publicUrl}.`;
  }
  const { failure } = answer;
  if (failure !== undefined) {
    const [message, fix] = describeBffFailure(target, failure);
    throw new Fault(`PUBLIC_URL (${publicUrl}) cannot be reached. ${message} (${failure}).`, fix);
  }
  throw new Fault(
    `/livez is not answered by the BFF (${describe(answer)}).`,
    `Forward every path${basePath && ` below ${basePath}/`} to the BFF, without a redirect or a login. nginx: location ${basePath}/ { proxy_pass http://127.0.0.1:<BFF_PORT>; }`,
  );
}

/** Requests that the funding service refuses, because they have no credentials, with the form of its refusals. */
const serviceRequests = {
  FUNDING_AUTH_URL: {
    path: '/services/oauth2/token',
    type: 'application/x-www-form-urlencoded',
    refusal: z.object({ error: z.string() }),
  },
  FUNDING_BASE_URL: {
    path: '/creditapp/getPreApprovalOffer',
    type: 'application/json',
    refusal: z.union([
      z.object({ IsSuccessful: z.boolean() }),
      z.object({ success: z.boolean() }),
      z.object({ errorCode: z.string() }),
      z.array(z.object({ errorCode: z.string() })),
    ]),
  },
} as const;

async function checkFundingService(
  target: Target,
  name: keyof typeof serviceRequests,
): Promise<void> {
  const url = name === 'FUNDING_AUTH_URL' ? target.authUrl : target.baseUrl;
  if (url === undefined) return;
  const { path, type, refusal } = serviceRequests[name];
  const headers = { 'content-type': type };
  const answer = await send(target, url + path, { method: 'POST', headers });
  if (answer.failure !== undefined) {
    const [message, fix] = describeServiceFailure(name, url, target, answer.failure);
    throw new Fault(
      `The funding service cannot be reached at ${url} (${name}). ${message} (${answer.failure}).`,
      fix,
    );
  }
  if (answer.status === 404 || !parse(answer, refusal)) {
    const { isSandbox } = target;
    if (!isSandbox && isOtherRefusal(answer)) {
      throw new Fault(
        `${url} (${name}) refuses the request in a form that is not documented (${describe(answer)}).`,
        `If this is the funding service, ignore it. Otherwise correct ${name}, which ends before ${path}.`,
        'warning',
      );
    }
    throw new Fault(
      `${url} (${name}) is not the funding service (${describe(answer)}).`,
      isSandbox && isThisMachine(new URL(url).hostname)
        ? `Correct ${name}, or stop the program that answers, and start the sandbox: ${toSandboxCommand(url)}`
        : `Correct ${name}, which ends before ${path}. If a proxy of your network answers, let it forward these requests.`,
    );
  }
}

/** A refusal in JSON, which a real funding service may word in its own way. A proxy that blocks answers with a page. */
function isOtherRefusal({ status, text }: Answer): boolean {
  return status >= 400 && status < 500 && status !== 404 && tryParseJson(text) !== undefined;
}

async function checkReadiness(target: Target): Promise<string> {
  const fix = 'Run "check" on the machine of the BFF, and check the disk of its store.';
  const answer = await send(target, `${target.publicUrl}/readyz`);
  // Balancers inside of the network ask for it. The checks below find out whether the BFF works.
  if (answer.status === 404) return 'The proxy does not publish /readyz.';
  expectStatus(answer, 200, 'The BFF cannot take applications', fix);
  return 'The BFF can take applications.';
}

function checkProxies({ trustedProxies, publicOrigin }: Target): string | undefined {
  if (trustedProxies?.length === 0 && publicOrigin.startsWith('https:')) {
    throw new Fault(
      'TRUSTED_PROXIES is none, but a proxy provides TLS. All applicants may share its address and its rate limit.',
      'Set it to the address or range of the proxy, unless the proxy preserves client addresses.',
      'warning',
    );
  }
  return trustedProxies && 'TRUSTED_PROXIES has no obvious fault.';
}

/** The pages need paths that a proxy may not forward, and a policy that it may replace. */
async function checkPages(target: Target): Promise<string | undefined> {
  const { publicUrl, publicOrigin } = target;
  const fix = 'Forward /apply, /phone, /page/, /widget/, and /v1/ with all headers to the BFF.';
  const page = await send(target, publicUrl + pagePaths.phone);
  // The BFF does not serve the element, or the settings turn the page off.
  if (toProblemCode(page) === 'not-found') return undefined;
  expectStatus(page, 200, 'The page /phone is not answered by the BFF', fix);
  const policy = page.headers.get('content-security-policy') ?? '';
  if (!policy.includes(`script-src ${publicUrl}/widget/`)) {
    throw new Fault(
      'The Content-Security-Policy of the pages is not the one for PUBLIC_URL.',
      'Let the proxy keep the policy of the BFF, and start the BFF with this PUBLIC_URL.',
    );
  }
  const [, stylesheet = '/page/'] = /href="[^"]*(\/page\/[\da-f]+\.css)"/.exec(page.text) ?? [];
  const style = await send(target, publicUrl + stylesheet);
  expectStatus(style, 200, 'The stylesheet of the pages does not arrive', fix);
  const own: Page = { ...target, origin: publicOrigin, site: 'same-origin' };
  const headers = { 'content-type': 'application/json', [apiHeaders.phone]: '1' };
  // No handoff has a token of this form.
  const body = JSON.stringify({ token: 'doctor' });
  const claim = await request(own, 'POST', apiPaths.handoffClaim, headers, body);
  if (toProblemCode(claim) !== 'handoff-not-found') {
    throw toFault(claim, 'The BFF refuses the requests of its own pages', fix);
  }
  return 'The pages of the BFF arrive, with their policy.';
}

type Site = 'same-origin' | 'same-site' | 'cross-site';

/** Compares the last two labels of the hosts. It takes `a.co.uk` and `b.co.uk` for one site, although they are two. */
function guessSite(origin: string, publicOrigin: string): Site {
  const [page, bff] = [new URL(origin), new URL(publicOrigin)];
  if (page.origin === bff.origin) return 'same-origin';
  const toSite = ({ protocol, hostname }: URL) =>
    protocol + (/^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.'));
  return toSite(page) === toSite(bff) ? 'same-site' : 'cross-site';
}

/** An origin in the wrong list gets a cookie that browsers block, or one that is less strict than possible. */
function checkListing(page: Page): string | undefined {
  const { origin, site, publicOrigin, allowedOrigins, crossSiteOrigins } = page;
  if (site === 'same-origin') return 'This is the origin of PUBLIC_URL.';
  if (allowedOrigins.length + crossSiteOrigins.length === 0) return undefined;
  const isSameSite = guessSite(origin, publicOrigin) === 'same-site';
  const [list, name] = isSameSite
    ? [allowedOrigins, 'ALLOWED_ORIGINS']
    : [crossSiteOrigins, 'CROSS_SITE_ORIGINS'];
  if (list.includes(origin)) return `${name} has the origin.`;
  const isInOther = [...allowedOrigins, ...crossSiteOrigins].includes(origin);
  const place = isSameSite ? 'on the same site as PUBLIC_URL' : 'on another site than PUBLIC_URL';
  throw new Fault(
    `${name} does not have the origin, which seems to be ${place}.`,
    `${isInOther ? 'Move' : 'Add'} it to ${name}, and restart the BFF.`,
    isInOther && isSameSite ? 'warning' : 'failed',
  );
}

/** A page in a browser. */
interface Page extends Target {
  readonly origin: string;
  readonly site: Site;
}

function request(
  page: Page,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: BodyInit | null = null,
): Promise<Answer> {
  const { publicUrl, origin, site } = page;
  const pageHeaders = {
    'user-agent': 'Mozilla/5.0 (compatible; funding-application doctor)',
    'sec-fetch-site': site,
    'sec-fetch-dest': 'empty',
    // Browsers omit Origin in a GET to the page's own origin.
    ...(method === 'GET' && site === 'same-origin' ? {} : { origin }),
    ...(method === 'OPTIONS' ? {} : { [apiHeaders.request]: '1' }),
  };
  return send(page, publicUrl + path, { method, headers: { ...pageHeaders, ...headers }, body });
}

const requestHeaders = ['authorization', 'content-type', ...Object.values(apiHeaders)];

async function checkPreflight(page: Page): Promise<string | undefined> {
  if (page.site === 'same-origin') return undefined;
  const headers = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': requestHeaders.join(','),
  };
  const answer = await request(page, 'OPTIONS', apiPaths.application, headers);
  const fix =
    'Forward OPTIONS requests to the BFF, without a login. nginx: remove if ($request_method = OPTIONS) { … }.';
  expectStatus(answer, 204, 'The CORS preflight fails', fix);
  expectCors(page, answer);
  const allowed = new Set(
    ['headers', 'methods'].flatMap((kind) =>
      (answer.headers.get(`access-control-allow-${kind}`) ?? '').toLowerCase().split(/,\s*/),
    ),
  );
  const required = [...requestHeaders, 'get', 'post', 'delete'];
  const missing = required.filter((name) => !allowed.has(name));
  if (missing.length === 0) return 'The CORS preflight succeeds.';
  throw new Fault(`The CORS preflight does not allow ${missing.join(', ')}.`, fix);
}

async function checkConfiguration(page: Page): Promise<string> {
  const fix =
    'Forward all requests below /v1/ to the BFF, with all methods and headers, and without a login.';
  const answer = await request(page, 'GET', apiPaths.configuration);
  if (!parse(answer, configurationSchema))
    throw toFault(answer, `${apiPaths.configuration} is not answered by the BFF`, fix);
  // The configuration needs no request header. The other routes do.
  const session = await request(page, 'GET', apiPaths.session);
  if (toProblemCode(session) === 'header-missing')
    throw toFault(session, `${apiPaths.session} lacks a header`, fix);
  expectCors(page, answer);
  expectContractVersion(page, answer);
  return 'The page can read the answers of the BFF.';
}

/** The CORS check of the Fetch standard. */
function expectCors({ origin, site }: Page, { headers }: Answer): void {
  if (site === 'same-origin') return;
  const isOriginAllowed = headers.get('access-control-allow-origin') === origin;
  if (isOriginAllowed && headers.get('access-control-allow-credentials') === 'true') return;
  const name = isOriginAllowed ? 'Access-Control-Allow-Credentials' : 'Access-Control-Allow-Origin';
  throw new Fault(
    `${name} is missing, repeated, or changed, so browsers block the answer.`,
    'Leave CORS headers to the BFF. nginx: remove add_header and proxy_hide_header Access-Control-….',
  );
}

/** The element takes an answer without a readable contract version for the answer of a proxy. */
function expectContractVersion({ site }: Page, { headers }: Answer): void {
  const name = apiResponseHeaders.contractVersion;
  const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase();
  const isReadable = site === 'same-origin' || exposed.split(/,\s*/).includes(name);
  if (headers.has(name) && isReadable) return;
  throw new Fault(
    'The page cannot read X-Funding-Contract-Version, so it refuses the answers of the BFF.',
    'Forward all headers of an answer unchanged. nginx: remove proxy_hide_header, and add_header Access-Control-Expose-Headers.',
  );
}

const forwardPost = 'Forward POST requests below /v1/ to the BFF.';

function startSession(page: Page, body: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return request(page, 'POST', apiPaths.session, headers, body);
}

async function checkCookie(page: Page): Promise<string> {
  const started = await startSession(page, '{}');
  expectStatus(started, 200, 'A session cannot be started', forwardPost);
  const lines = started.headers
    .getSetCookie()
    .filter((line) => /^(?:__Host-Http-funding|funding-session)-[0-9a-f]{8}=/.test(line));
  const [line] = lines;
  if (line === undefined || lines.length > 1) {
    throw new Fault(
      `The session cookie is ${line === undefined ? 'missing' : 'set twice'}.`,
      'Forward Set-Cookie unchanged. nginx: remove proxy_hide_header, proxy_ignore_headers, and add_header Set-Cookie.',
    );
  }
  const sent = { cookie: line.split(';', 1).join() };
  const known = await request(page, 'GET', apiPaths.session, sent);
  const ended = await request(page, 'DELETE', apiPaths.session, sent);
  expectCookieAttributes(line, page);
  expectStatus(
    known,
    200,
    'The session cookie does not reach the BFF',
    'Forward the header Cookie. Give all instances of the BFF the same SESSION_KEYS, PUBLIC_URL, and store.',
  );
  const fix = 'Forward DELETE requests below /v1/ to the BFF.';
  expectStatus(ended, 204, 'The session cannot be ended', fix);
  return 'The session cookie works.';
}

function expectCookieAttributes(line: string, { site, publicOrigin }: Page): void {
  const isSecure = publicOrigin.startsWith('https:');
  const [, ...attributes] = line.split(';').map((part) => part.trim().toLowerCase());
  const required = [
    'httponly',
    'path=/',
    ...(isSecure || site === 'cross-site' ? ['secure'] : []),
    ...(site === 'cross-site' ? ['samesite=none', 'partitioned'] : ['samesite=strict']),
  ];
  const missing = required.filter((attribute) => !attributes.includes(attribute));
  const hasDomain = attributes.some((attribute) => attribute.startsWith('domain='));
  if (missing.length === 0 && !hasDomain) return;
  const fault = hasDomain ? 'has a Domain attribute' : `lacks ${missing.join(', ')}`;
  throw new Fault(
    `The session cookie ${fault}.`,
    'Restart the BFF with this PUBLIC_URL, and forward Set-Cookie unchanged. nginx: remove proxy_cookie_domain, proxy_cookie_path, and proxy_cookie_flags.',
  );
}

/** Browsers that block the cookie send the session token in Authorization. */
async function checkSessionToken(page: Page): Promise<string> {
  const started = await startSession(page, '{"transport":"handle"}');
  const token = parse(started, sessionSchema)?.handle;
  if (token === undefined) {
    throw toFault(started, 'The BFF returns no session token', forwardPost);
  }
  const headers = { authorization: `Funding ${token}` };
  const known = await request(page, 'GET', apiPaths.session, headers);
  await request(page, 'DELETE', apiPaths.session, headers);
  const fix = 'Forward the header Authorization, and ask for no other login below /v1/.';
  expectStatus(known, 200, 'The session token does not reach the BFF', fix);
  return 'The session token works.';
}

/** A file name takes up to 4 KB, and the page's site may have its own cookies. The BFF accepts 16 KB. */
async function checkHeaderSize(page: Page): Promise<string> {
  const filler = 'x'.repeat(4_000);
  const headers = { [apiHeaders.documentName]: filler, cookie: `doctor=${filler}` };
  const result = await request(page, 'GET', apiPaths.configuration, headers);
  const fix = 'Accept 16 KB of request headers. nginx: large_client_header_buffers 4 16k;';
  expectStatus(result, 200, 'Request headers of 8 KB do not reach the BFF', fix);
  return 'Request headers of 8 KB reach the BFF.';
}

/** Without a session, the BFF answers 401 and stores nothing. */
async function checkBodySize(page: Page): Promise<string> {
  const configuration = await request(page, 'GET', apiPaths.configuration);
  const maxBytes = parse(configuration, configurationSchema)?.documents.maxBytes ?? 0;
  const mebibytes = Math.ceil(maxBytes / (1024 * 1024));
  const body = new Uint8Array(maxBytes);
  const headers = {
    'content-type': 'application/octet-stream',
    [apiHeaders.documentName]: 'doctor.pdf',
    [apiHeaders.documentCategory]: 'doctor',
  };
  const result = await request(page, 'POST', apiPaths.documents, headers, body);
  const fix = `Accept request bodies of ${mebibytes} MiB. nginx: client_max_body_size ${mebibytes}m; proxy_request_buffering off;`;
  expectStatus(result, 401, `Documents of ${mebibytes} MiB do not reach the BFF`, fix);
  return `Documents of ${mebibytes} MiB reach the BFF.`;
}
