// The funding service over a transport: URLs, headers, one retry with a renewed token, and the circuit breakers.

import {
  type PartnerOperation,
  toAssetReportPath,
} from '../../shared/funding-service/operations.ts';
import type { Config } from '../config/config.ts';
import { createBreakers } from './breakers.ts';
import { createTextPatterns, defaultTextPatterns, type TextPatterns } from './failure-texts.ts';
import type { FundingService, OnFundingServiceEvent, Outcome } from './funding-service.ts';
import {
  classifyResponse,
  parseAssetReport,
  parseContactEnabled,
  parseLeadCreated,
  parsePreApproval,
  type ParseSuccess,
  parseUploaded,
} from './responses.ts';
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
  readonly tokens: TokenCache;
  /** FUNDING_BASE_URL, with or without a slash at the end. */
  readonly baseUrl: string;
  readonly partnerId: string;
  readonly partnerName: string;
  /** Part of the path of Submit Asset Report, for example `aggregator`. */
  readonly aggregatorName: string;
  /** Default: short for operations that an applicant waits for, the transport's own for the others. */
  readonly timeouts?: OperationTimeouts;
  /** Default `defaultTextPatterns`. */
  readonly textPatterns?: TextPatterns;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

export type OperationTimeouts = Readonly<
  Partial<Record<PartnerOperation, Partial<TransportTimeouts>>>
>;

/** An applicant waits for these operations, and they can be repeated without harm. */
const shortTimeouts = { headersMs: 15_000, bodyMs: 10_000, totalMs: 20_000 } as const;
const defaultTimeouts: OperationTimeouts = {
  'pre-approval-offer': shortTimeouts,
  'contact-user': shortTimeouts,
};

interface Call<Value> {
  readonly operation: PartnerOperation;
  readonly path: string;
  /** Besides Authorization and Content-Type (spec, "Common headers for partner operations"). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: TransportBody | undefined;
  /** True where a repeated call creates a second record, so that the outcome is rarely unknown. */
  readonly freshConnection: boolean;
  readonly parseSuccess: ParseSuccess<Value>;
}

interface CallResult<Value> {
  readonly outcome: Outcome<Value>;
  readonly status?: number;
  readonly failure?: string;
}

export function createFundingService(options: FundingServiceOptions): FundingService {
  const { transport, tokens, clock, onEvent } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const patterns = options.textPatterns ?? defaultTextPatterns;
  const partnerHeaders = { PartnerId: options.partnerId, PartnerName: options.partnerName };
  const breakers = createBreakers({ loginPausedUntil: tokens.pausedUntil, clock, onEvent });

  function perform<Value>(call: Call<Value>): Promise<Outcome<Value>> {
    return breakers[call.operation].call(async () => {
      const startedAt = clock();
      const result = await sendWithRenewal(call);
      report(call.operation, result, clock() - startedAt);
      return result.outcome;
    });
  }

  async function sendWithRenewal<Value>(call: Call<Value>): Promise<CallResult<Value>> {
    const first = await tokens.get();
    if (first.kind !== 'token') return { outcome: toOutcome(first) };
    const result = await send(call, first.token);
    if (result.outcome.kind !== 'authentication') return result;
    const second = await tokens.renew(first.token);
    if (second.kind !== 'token') return { ...result, outcome: toOutcome(second) };
    const secondResult = await send(call, second.token);
    if (secondResult.outcome.kind === 'authentication') {
      const { operation } = call;
      onEvent({ event: 'renewed-token-refused', operation, settings: refusedTokenSettings });
    }
    return secondResult;
  }

  async function send<Value>(call: Call<Value>, token: string): Promise<CallResult<Value>> {
    const { operation, path, headers, body, freshConnection, parseSuccess } = call;
    const result = await transport({
      url: `${baseUrl}${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body,
      freshConnection,
      timeouts: timeouts[operation] ?? {},
    });
    if (result.kind !== 'response') {
      const kind = result.kind === 'not-sent' ? 'not-sent' : 'unknown';
      return { outcome: { kind }, failure: result.failure };
    }
    const context = { operation, patterns, now: clock() };
    const outcome = classifyResponse(result, context, parseSuccess);
    // The operation itself refused, so it accepted the token.
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') tokens.confirm(token);
    return { outcome, status: result.status };
  }

  function report(
    operation: PartnerOperation,
    { outcome, ...details }: CallResult<unknown>,
    durationMs: number,
  ): void {
    const reason = outcome.kind === 'refused' ? outcome.refusal.reason : undefined;
    if (reason === 'partner-headers-missing') {
      onEvent({ event: 'partner-headers-refused', operation, settings: partnerSettings });
    }
    onEvent({
      event: 'call-ended',
      operation,
      outcome: outcome.kind,
      durationMs,
      ...details,
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

/** Without a token, the operation itself was not sent. */
function toOutcome(result: Exclude<TokenResult, { kind: 'token' }>): Outcome<never> {
  if (result.kind === 'refused') return { kind: 'authentication' };
  if (result.kind === 'throttled') return result;
  return { kind: 'not-sent' };
}

export interface ConnectOptions {
  readonly config: Pick<Config, 'service' | 'settings'>;
  readonly transport: Transport;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

/** The funding service of a configuration. Sends nothing before the first call. */
export function connectFundingService(options: ConnectOptions): FundingService {
  const { config, transport, clock, onEvent } = options;
  const { service, settings } = config;
  const requestToken = createPasswordGrant({ ...service, transport, clock, onEvent });
  return createFundingService({
    transport,
    tokens: createTokenCache({ requestToken, clock, onEvent }),
    baseUrl: service.baseUrl,
    partnerId: service.partnerId,
    partnerName: service.partnerName,
    aggregatorName: settings.aggregatorName,
    textPatterns: createTextPatterns(settings.serviceTexts),
    clock,
    onEvent,
  });
}
