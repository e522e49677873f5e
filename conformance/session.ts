// A polite conversation with the funding service: one call at a time, a delay between calls, and hard limits.

import type { Environment } from '../shared/api/configuration.ts';
import type { Operation, PartnerOperation } from '../shared/funding-service/operations.ts';
import { toAssetReportPath } from '../shared/funding-service/operations.ts';
import type { ServiceConfig } from '../bff/config/config.ts';
import type { Settings } from '../bff/config/settings.ts';
import { createFundingService } from '../bff/funding-service/client.ts';
import { createTextPatterns, type TextPatterns } from '../bff/funding-service/failure-texts.ts';
import type {
  FundingService,
  FundingServiceEvent,
} from '../bff/funding-service/funding-service.ts';
import { parseJson, readId, readObject, readText } from '../bff/funding-service/responses.ts';
import { createPasswordGrant, type TokenCache } from '../bff/funding-service/token.ts';
import type {
  Transport,
  TransportBody,
  TransportRequest,
  TransportResponse,
} from '../bff/funding-service/transport.ts';
import { createId } from '../bff/runtime/ids.ts';
import { type Answer, listValues, readAnswer } from './answer.ts';
import { createMask, type Mask } from './mask.ts';
import { Interrupted, NotTestable, Stop } from './probe.ts';
import { findProductionSign } from './production-signs.ts';
import type { ChosenValues, LeadOptions, TestLead } from './test-data.ts';

export interface Limits {
  /** Between two calls. */
  readonly delayMs: number;
  readonly maxCalls: number;
  readonly maxLeads: number;
}

/** Accounts lock after repeated refusals. The BFF, too, makes at most three in 15 minutes (`token.ts`). */
export const maxRefusedLogins = 3;
const refusalWindowMs = 15 * 60_000;
/** A token is valid for two hours; a run takes minutes. */
const tokenAgeMs = 60 * 60_000;
/** A call of the BFF may take 150 s. A service that is this slow can't be tested. */
const timeouts = { headersMs: 60_000, bodyMs: 30_000, totalMs: 90_000 };
const maxFailuresInARow = 3;

/** Knowledge of the run, and the records that it has created. Part of the report file, so that a run can be resumed. */
export interface Facts {
  readonly leads: CreatedLead[];
  readonly documents: { readonly documentId: string; readonly applicationId: string }[];
  readonly assetReports: { readonly assetReportId: string; readonly applicationId: string }[];
  /** `at`: epoch milliseconds. `isOwn`: a login with the partner's own credentials. */
  readonly refusedLogins: { readonly at: number; readonly isOwn: boolean }[];
  /** Replaces the default of a field whose values the specification does not show. */
  readonly values: Partial<Record<'BusinessType' | 'CreditScore' | 'LoanReason', string>> & {
    foundedMonthFormat?: Settings['lead']['foundedMonthFormat'];
    businessAgeFormat?: Settings['lead']['businessAgeFormat'];
  };
  /** Values that Create Lead refused, by field. */
  readonly refused: Record<string, string[]>;
  /** Masked descriptions of failures by probe, to recognize them in combinations. */
  readonly messages: Record<string, string>;
  /** Of every answer of a partner operation. */
  readonly calls: CallFact[];
}

interface CreatedLead {
  readonly applicationId: string;
  /** The lead's `ID`, which the service calls ReferenceID. */
  readonly id: string;
  readonly probe: string;
  readonly createdAt: string;
}

export interface CallFact {
  readonly operation: Operation;
  readonly status: number;
  readonly form: Answer['form'];
  readonly isFailure: boolean;
  readonly durationMs: number;
  /** Names of response headers about limits and versions. */
  readonly headers: readonly string[];
}

export function createFacts(): Facts {
  return {
    leads: [],
    documents: [],
    assetReports: [],
    refusedLogins: [],
    values: {},
    refused: {},
    messages: {},
    calls: [],
  };
}

export interface SessionOptions {
  readonly environment: Environment;
  readonly service: ServiceConfig;
  readonly settings: Settings;
  readonly transport: Transport;
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly limits: Limits;
  readonly facts?: Facts;
  readonly isInterrupted?: () => boolean;
  /** Called before each call. */
  readonly onCall?: (operation: Operation, request: TransportRequest) => void;
}

export interface RawCall {
  readonly body?: unknown;
  /** Replace the usual headers. `undefined` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export type Session = ReturnType<typeof createSession>;

export function createSession(options: SessionOptions) {
  const { environment, service, settings, limits, clock, sleep } = options;
  const { isInterrupted = () => false } = options;
  const facts = options.facts ?? createFacts();
  const mask: Mask = createMask(service);
  const patterns: TextPatterns = createTextPatterns(settings.serviceTexts);
  let calls = 0;
  let failuresInARow = 0;
  let probe = '';
  let operation: Operation = 'token';
  let last: TransportResponse | undefined;
  let token: { readonly text: string; readonly at: number } | undefined;
  let loginBody: Readonly<Record<string, unknown>> | undefined;
  let loginEvent: FundingServiceEvent | undefined;

  const transport: Transport = async (request) => {
    if (calls >= limits.maxCalls) {
      throw new Stop(`The run has made ${calls} calls, its limit. Raise it with --max-calls.`);
    }
    if (isInterrupted()) throw new Interrupted();
    if (calls > 0) await sleep(limits.delayMs);
    if (isInterrupted()) throw new Interrupted();
    calls += 1;
    options.onCall?.(operation, request);
    const startedAt = clock();
    const result = await options.transport({
      ...request,
      reuse: 'fresh',
      timeouts: { ...timeouts, ...request.timeouts },
    });
    if (result.kind === 'response') {
      failuresInARow = 0;
      last = result;
      facts.calls.push(toCallFact(operation, result, clock() - startedAt));
      return result;
    }
    failuresInARow += 1;
    if (
      result.kind === 'not-sent' ||
      operation === 'token' ||
      failuresInARow >= maxFailuresInARow
    ) {
      throw new Stop(describeFailure(request.url, result.failure));
    }
    throw new NotTestable(`There was no answer (${result.failure}).`);
  };

  function toAnswer(
    partnerOperation: PartnerOperation,
    response: TransportResponse,
    sent: ReadonlyMap<string, string>,
  ): Answer {
    const context = { operation: partnerOperation, patterns, now: clock(), sent };
    const answer = readAnswer(response, context);
    const fact = facts.calls.at(-1);
    if (fact) {
      const isFailure = answer.outcome.kind !== 'accepted' && answer.flag !== true;
      facts.calls[facts.calls.length - 1] = { ...fact, form: answer.form, isFailure };
    }
    if (answer.outcome.kind === 'throttled') {
      const seconds = Math.ceil((answer.outcome.retryAfterMs ?? 60_000) / 1_000);
      throw new Stop(
        `The funding service asks for fewer calls (HTTP ${response.status}). Wait ${seconds} seconds, then add --resume, and raise --delay-ms.`,
      );
    }
    recordLead(answer);
    const url = URL.parse(readText(answer.body['pURL']) ?? '');
    if (url) stopAtProduction(url.href, 'A tracking URL');
    return answer;
  }

  function recordLead(answer: Answer): void {
    if (answer.operation !== 'create-lead') return;
    const applicationId = readId(answer.body['ApplicationID']);
    if (applicationId === undefined || answer.flag === false) return;
    if (facts.leads.some((lead) => lead.applicationId === applicationId)) return;
    const createdAt = new Date(clock()).toISOString();
    facts.leads.push({ applicationId, id: answer.sent.get('ID') ?? '', probe, createdAt });
  }

  function stopAtProduction(url: string, source: string): void {
    if (environment === 'sandbox') return;
    const sign = findProductionSign(url);
    if (sign === undefined) return;
    throw new Stop(
      `${source} names the host ${new URL(url).hostname}, in which “${sign}” is a sign of production. The run has ended. Check FUNDING_AUTH_URL, FUNDING_BASE_URL, and the credentials.`,
    );
  }

  /** Throws a `Stop` if the login is refused or unreadable. */
  async function logIn(): Promise<TransportResponse> {
    if (countRefusals(true) >= maxRefusedLogins) {
      throw new Stop(
        `The funding service has refused ${maxRefusedLogins} logins within 15 minutes. Accounts lock after repeated refusals. Wait 15 minutes, then add --resume.`,
      );
    }
    operation = 'token';
    loginEvent = undefined;
    const requestToken = createPasswordGrant(service, transport, {
      clock,
      onEvent: (event) => {
        if (event.event !== 'instance-url-ignored') loginEvent = event;
      },
    });
    const at = clock();
    const result = await requestToken();
    if (!last) throw new Stop('The login had no answer.');
    if (result.kind !== 'token') throw new Stop(describeLogin(last));
    token = { text: result.token, at };
    mask.add('access token', result.token);
    const body = readObject(parseJson(last.text)) ?? {};
    loginBody = body;
    mask.add('signature', readText(body['signature']) ?? '');
    for (const name of ['instance_url', 'id']) {
      const url = URL.parse(readText(body[name]) ?? '');
      if (url) stopAtProduction(url.href, `${name} of the token response`);
    }
    return last;
  }

  function describeLogin(response: TransportResponse): string {
    if (/\block(ed|out)\b/i.test(response.text)) {
      countRefusal(true);
      return 'The funding service refused the login and says that the account is locked. Ask it to unlock the account, and wait before you try again.';
    }
    switch (loginEvent?.event) {
      case 'login-refused':
        countRefusal(true);
        return `The funding service refused the login (HTTP ${response.status}, ${loginEvent.refusal}). Check ${loginEvent.settings.join(' and ')}.`;
      case 'login-throttled':
        return `The funding service refuses logins for now (HTTP ${response.status}). Wait 15 minutes, then add --resume.`;
      case 'login-unreachable':
        return `The login failed with HTTP ${response.status}. The funding service may be down. Try again later with --resume.`;
      default:
        return `The answer at FUNDING_AUTH_URL is not a token response (HTTP ${response.status}). Check FUNDING_AUTH_URL.`;
    }
  }

  function countRefusal(isOwn: boolean): void {
    facts.refusedLogins.push({ at: clock(), isOwn });
  }

  /** Within the window. `isOwn`: only logins of the partner's own account. */
  function countRefusals(isOwn: boolean): number {
    return facts.refusedLogins.filter(
      (refusal) => clock() - refusal.at < refusalWindowMs && (refusal.isOwn || !isOwn),
    ).length;
  }

  /** Sends a deliberately wrong login. Throws `NotTestable` if another refusal could lock an account. */
  async function sendWrongLogin(
    parameters: Readonly<Record<string, string>>,
    contentType = 'application/x-www-form-urlencoded',
  ): Promise<TransportResponse> {
    // Another grant is refused before anybody looks at the user.
    const namesUser = 'username' in parameters && parameters['grant_type'] === 'password';
    if (namesUser && countRefusals(false) >= maxRefusedLogins) {
      throw new NotTestable(
        `Another refused login could lock an account: ${maxRefusedLogins} in 15 minutes are the limit.`,
      );
    }
    operation = 'token';
    if (namesUser) countRefusal(false);
    await transport({
      url: `${service.authUrl}/services/oauth2/token`,
      headers: { 'Content-Type': contentType },
      body: new URLSearchParams(parameters).toString(),
    });
    if (!last) throw new NotTestable('There was no answer.');
    return last;
  }

  async function getToken(): Promise<string> {
    if (!token || clock() - token.at > tokenAgeMs) await logIn();
    return token?.text ?? '';
  }

  /** Sends a request with the usual headers, and the changes of the call. */
  async function send(partnerOperation: PartnerOperation, call: RawCall = {}): Promise<Answer> {
    const headers: Record<string, string | undefined> = {
      Authorization: `Bearer ${await getToken()}`,
      'Content-Type': 'application/json',
      ...(withPartnerHeaders.has(partnerOperation)
        ? { PartnerId: service.partnerId, PartnerName: service.partnerName }
        : {}),
      ...call.headers,
    };
    const { body } = call;
    const sent = listValues(body);
    if (typeof headers['ApplicationID'] === 'string') {
      (sent as Map<string, string>).set('ApplicationID', headers['ApplicationID']);
    }
    operation = partnerOperation;
    await transport({
      url: `${service.baseUrl}${toPath(partnerOperation)}`,
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
      body: toBody(body),
    });
    if (!last) throw new NotTestable('There was no answer.');
    return toAnswer(partnerOperation, last, sent);
  }

  function toPath(partnerOperation: PartnerOperation): string {
    return partnerOperation === 'asset-report'
      ? toAssetReportPath(settings.aggregatorName)
      : paths[partnerOperation];
  }

  /** Makes a call with the BFF's own client, which proves that the service accepts its requests. */
  async function callWithClient(
    partnerOperation: PartnerOperation,
    sent: Readonly<Record<string, unknown>>,
    call: (client: FundingService) => Promise<unknown>,
  ): Promise<Answer> {
    const text = await getToken();
    const tokens: TokenCache = {
      get: async () => ({ kind: 'token', token: text }),
      // The probe reports the refusal. Another login would count towards a lockout.
      renew: async () => ({ kind: 'authentication' }),
      confirm: () => undefined,
      pausedUntil: () => 0,
    };
    operation = partnerOperation;
    last = undefined;
    await call(
      createFundingService({
        config: { service, settings },
        transport,
        tokens,
        clock,
        onEvent: () => undefined,
      }),
    );
    if (!last) throw new NotTestable('There was no answer.');
    return toAnswer(partnerOperation, last, listValues(sent));
  }

  function requireLead(): { readonly applicationId: string; readonly id: string } {
    const [lead] = facts.leads;
    if (!lead) throw new NotTestable('The service accepted no lead, which this request needs.');
    return lead;
  }

  function reserveLead(): void {
    if (facts.leads.length < limits.maxLeads) return;
    throw new NotTestable(
      `It could create a lead, and the run has created ${limits.maxLeads}, its limit. Raise it with --max-leads.`,
    );
  }

  function toLeadOptions(): LeadOptions {
    const { values } = facts;
    const chosen: ChosenValues = {
      BusinessType: values.BusinessType ?? settings.businessTypes[0]?.value ?? '',
      CreditScore: values.CreditScore ?? settings.creditScores[0]?.value ?? '',
      LoanReason: values.LoanReason ?? settings.fundingReasons[0]?.value ?? '',
    };
    const { lead } = settings;
    return {
      id: createId(clock()),
      now: new Date(clock()),
      chosen,
      settings: {
        ...lead,
        leadSource: lead.leadSource ?? service.partnerName,
        foundedMonthFormat: values.foundedMonthFormat ?? lead.foundedMonthFormat,
        businessAgeFormat: values.businessAgeFormat ?? lead.businessAgeFormat,
      },
    };
  }

  return {
    environment,
    service,
    settings,
    facts,
    mask,
    patterns,
    clock,
    sleep,
    logIn,
    sendWrongLogin,
    getToken,
    /** The last token response of this process. Contains secrets. */
    loginBody: () => loginBody,
    send,
    callWithClient,
    requireLead,
    /** Call it before a request that can create a lead. Throws `NotTestable` at the limit. */
    reserveLead,
    toLeadOptions,
    countCalls: () => calls,
    beginProbe(id: string): void {
      probe = id;
    },
    /** Sends a lead; a failure to be. Counts towards the limit of leads, because the service may accept it. */
    async sendLead(lead: TestLead | string, call: RawCall = {}): Promise<Answer> {
      reserveLead();
      return send('create-lead', { ...call, body: lead });
    },
  };
}

const withPartnerHeaders: ReadonlySet<PartnerOperation> = new Set([
  'create-lead',
  'pre-approval-offer',
  'contact-user',
] as const);

const paths: Readonly<Record<Exclude<PartnerOperation, 'asset-report'>, string>> = {
  'create-lead': '/creditapp',
  'pre-approval-offer': '/creditapp/getPreApprovalOffer',
  'contact-user': '/creditapp/contactUser',
  'upload-file': '/UploadFileApiV1',
};

function toBody(body: unknown): TransportBody | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return JSON.stringify(body);
}

const limitHeaders = /rate.?limit|limit-info|retry-after|quota|version|deprecation|sunset/i;

function toCallFact(
  operation: Operation,
  { status, headers }: TransportResponse,
  durationMs: number,
): CallFact {
  const names = Object.keys(headers).filter((name) => limitHeaders.test(name));
  return { operation, status, form: 'object', isFailure: false, durationMs, headers: names };
}

const tlsFailures = /CERT|SELF_SIGNED|TLS|SSL|ALTNAME|UNABLE_TO|EPROTO/;

function describeFailure(url: string, failure: string): string {
  const { host } = new URL(url);
  if (tlsFailures.test(failure)) {
    return `The TLS connection to ${host} failed (${failure}). Check its certificate, or name your certificate authority in NODE_EXTRA_CA_CERTS.`;
  }
  if (/TIMEOUT|TimeoutError/i.test(failure)) {
    return `${host} did not answer in time (${failure}). Try again later with --resume.`;
  }
  return `${host} cannot be reached (${failure}). Check FUNDING_AUTH_URL, FUNDING_BASE_URL, and your network.`;
}
