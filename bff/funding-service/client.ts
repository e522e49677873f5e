// The five partner operations over a transport: addresses, headers, one retry after a renewed token.

import {
  toAssetReportPath,
  type PartnerOperation,
} from '../../shared/funding-service/operations.ts';
import type { Config } from '../config/config.ts';
import {
  type ParseSuccess,
  parseAssetReport,
  parseContactEnabled,
  parseLeadCreated,
  parsePreApproval,
  parseUploaded,
  classifyResponse,
} from './responses.ts';
import { createBreakers } from './breakers.ts';
import { createTextPatterns, defaultTextPatterns, type TextPatterns } from './failure-texts.ts';
import type { FundingService, OnFundingServiceEvent, Outcome } from './funding-service.ts';
import {
  createPasswordGrant,
  createTokenCache,
  type TokenCache,
  type TokenResult,
} from './token.ts';
import type { Transport, TransportBody, TransportTimeouts } from './transport.ts';
import { createUploadBody } from './upload-body.ts';

export interface FundingServiceOptions {
  readonly transport: Transport;
  readonly token: TokenCache;
  /** FUNDING_BASE_URL, with or without a slash at its end. */
  readonly baseUrl: string;
  readonly partnerId: string;
  readonly partnerName: string;
  /** Completes the asset report's path, for example `aggregator`. */
  readonly aggregatorName: string;
  /** By operation; default: short where somebody waits for the answer, else the transport's own. */
  readonly timeouts?: OperationTimeouts;
  /** Default `defaultTextPatterns`. */
  readonly texts?: TextPatterns;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

export type OperationTimeouts = Readonly<
  Partial<Record<PartnerOperation, Partial<TransportTimeouts>>>
>;

/** An applicant waits for these, and asking again costs nothing. */
const waitedForTimeouts = { headersMs: 15_000, bodyMs: 10_000, totalMs: 20_000 } as const;
const defaultTimeouts: OperationTimeouts = {
  'pre-approval-offer': waitedForTimeouts,
  'contact-user': waitedForTimeouts,
};

interface Call<Value> {
  readonly operation: PartnerOperation;
  readonly path: string;
  /** Beyond Authorization and Content-Type (spec, "Common headers for partner operations"). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: TransportBody | undefined;
  /** Doing it twice leaves two records: a connection of its own keeps its outcome clear. */
  readonly freshConnection: boolean;
  readonly parseSuccess: ParseSuccess<Value>;
}

interface Attempt<Value> {
  readonly outcome: Outcome<Value>;
  readonly status?: number;
  readonly failure?: string;
}

/** The service over any transport; nothing is sent before an operation is called. */
export function createFundingService(options: FundingServiceOptions): FundingService {
  const { transport, token: tokens, clock, onEvent } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const patterns = options.texts ?? defaultTextPatterns;
  const partnerHeaders = { PartnerId: options.partnerId, PartnerName: options.partnerName };
  const breakers = createBreakers({ loginPausedUntil: tokens.pausedUntil, clock, onEvent });

  function perform<Value>(call: Call<Value>): Promise<Outcome<Value>> {
    return breakers[call.operation].call(() => attemptAndReport(call));
  }

  async function attemptAndReport<Value>(call: Call<Value>): Promise<Outcome<Value>> {
    const startedAt = clock();
    const attempt = await attemptWithRenewal(call);
    report(call.operation, attempt, clock() - startedAt);
    return attempt.outcome;
  }

  async function attemptWithRenewal<Value>(call: Call<Value>): Promise<Attempt<Value>> {
    const first = await tokens.get();
    if (first.kind !== 'token') return { outcome: toOutcome(first) };
    const attempt = await attemptOnce(call, first.token);
    if (attempt.outcome.kind !== 'authentication') return attempt;
    const second = await tokens.renew(first.token);
    if (second.kind !== 'token') return { ...attempt, outcome: toOutcome(second) };
    const secondAttempt = await attemptOnce(call, second.token);
    if (secondAttempt.outcome.kind === 'authentication') {
      onEvent({
        event: 'renewed-token-refused',
        operation: call.operation,
        settings: refusedTokenSettings,
      });
    }
    return secondAttempt;
  }

  async function attemptOnce<Value>(call: Call<Value>, token: string): Promise<Attempt<Value>> {
    const result = await transport({
      url: `${baseUrl}${call.path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...call.headers,
      },
      body: call.body,
      freshConnection: call.freshConnection,
      timeouts: timeouts[call.operation] ?? {},
    });
    if (result.kind !== 'response') {
      const outcome = { kind: result.kind === 'not-sent' ? 'not-sent' : 'unknown' } as const;
      return { outcome, failure: result.failure };
    }
    const context = { operation: call.operation, patterns, now: clock() };
    const outcome = classifyResponse(result, context, call.parseSuccess);
    // A refusal is as good as an acceptance here: the operation itself spoke, so the token was taken.
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') tokens.confirm(token);
    return { outcome, status: result.status };
  }

  function report(
    operation: PartnerOperation,
    attempt: Attempt<unknown>,
    durationMs: number,
  ): void {
    const { outcome, ...rest } = attempt;
    const reason = outcome.kind === 'refused' ? outcome.refusal.reason : undefined;
    if (reason === 'partner-headers-missing') {
      onEvent({ event: 'partner-headers-refused', operation, settings: partnerSettings });
    }
    onEvent({
      event: 'call-ended',
      operation,
      outcome: outcome.kind,
      durationMs,
      ...rest,
      ...(reason ? { reason } : {}),
    });
  }

  return {
    readiness: (operation) => breakers[operation].readiness(),
    createLead: (leadJson, referenceId) =>
      perform({
        operation: 'create-lead',
        path: '/creditapp',
        headers: partnerHeaders,
        body: leadJson,
        freshConnection: true,
        parseSuccess: parseLeadCreated(referenceId),
      }),
    getPreApprovalOffer: (applicationId) =>
      perform({
        operation: 'pre-approval-offer',
        path: '/creditapp/getPreApprovalOffer',
        headers: { ...partnerHeaders, ApplicationID: applicationId },
        body: undefined,
        freshConnection: false,
        parseSuccess: parsePreApproval,
      }),
    contactUser: (applicationId) =>
      perform({
        operation: 'contact-user',
        path: '/creditapp/contactUser',
        headers: { ...partnerHeaders, ApplicationID: applicationId },
        body: undefined,
        freshConnection: false,
        parseSuccess: parseContactEnabled,
      }),
    submitAssetReport: (applicationId, reportJson) =>
      perform({
        operation: 'asset-report',
        path: toAssetReportPath(options.aggregatorName),
        headers: {},
        body: `{"applicationId":${JSON.stringify(applicationId)},"assetReportJson":${reportJson}}`,
        freshConnection: true,
        parseSuccess: parseAssetReport,
      }),
    uploadFile: (applicationId, file) =>
      perform({
        operation: 'upload-file',
        path: '/UploadFileApiV1',
        headers: {},
        body: createUploadBody(applicationId, file),
        freshConnection: true,
        parseSuccess: parseUploaded(applicationId),
      }),
  };
}

const partnerSettings = ['FUNDING_PARTNER_ID', 'FUNDING_PARTNER_NAME'] as const;
const refusedTokenSettings = ['FUNDING_USERNAME', ...partnerSettings] as const;

/** No token means that the operation itself was not sent. */
function toOutcome(result: Exclude<TokenResult, { kind: 'token' }>): Outcome<never> {
  if (result.kind === 'refused') return { kind: 'authentication' };
  if (result.kind === 'throttled') return result;
  return { kind: 'not-sent' };
}

export interface ConnectOptions {
  readonly config: Pick<Config, 'service' | 'settings' | 'dataKeys'>;
  readonly transport: Transport;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

/** Nothing is sent before the first call. */
export function connectFundingService(options: ConnectOptions): FundingService {
  const { config, transport, clock, onEvent } = options;
  const { service, settings } = config;
  const grant = createPasswordGrant({ ...service, transport, clock, onEvent });
  return createFundingService({
    transport,
    token: createTokenCache({
      grant,
      clock,
      onEvent,
    }),
    baseUrl: service.baseUrl,
    partnerId: service.partnerId,
    partnerName: service.partnerName,
    aggregatorName: settings.aggregatorName,
    texts: createTextPatterns(settings.serviceTexts),
    clock,
    onEvent,
  });
}
