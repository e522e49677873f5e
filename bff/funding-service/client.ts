// The funding service over a transport: URLs, headers, one retry with a renewed token, and the circuit breakers.

import {
  type PartnerOperation,
  toAssetReportPath,
} from '../../shared/funding-service/operations.ts';
import type { Config } from '../config/config.ts';
import { createBreakers } from './breakers.ts';
import { createLeadLimit } from './lead-limit.ts';
import { createTextPatterns } from './failure-texts.ts';
import type { ClientContext, FundingService, Outcome } from './funding-service.ts';
import {
  classifyResponse,
  parseAssetReport,
  parseContactEnabled,
  parseLeadCreated,
  parsePreApproval,
  type ParseSuccess,
  parseUploaded,
} from './responses.ts';
import { createPasswordGrant, createTokenCache, type TokenCache } from './token.ts';
import type { ConnectionReuse, Transport, TransportBody } from './transport.ts';
import { createUploadBody } from './upload-body.ts';

export interface FundingServiceOptions extends ClientContext {
  readonly config: Pick<Config, 'service' | 'settings'>;
  readonly transport: Transport;
  /** Default: a cache that logs in with the password grant. */
  readonly tokens?: TokenCache;
}

/** An applicant waits for these operations, and they can be repeated without harm. */
const repeatable: ReadonlySet<PartnerOperation> = new Set([
  'pre-approval-offer',
  'contact-user',
] as const);
const repeatableTimeouts = { headersMs: 15_000, bodyMs: 10_000, totalMs: 20_000 } as const;

interface Call<Value> {
  readonly operation: PartnerOperation;
  readonly path: string;
  /** Besides Authorization and Content-Type (spec, "Common headers for partner operations"). */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: TransportBody;
  readonly parseSuccess: ParseSuccess<Value>;
}

interface CallResult<Value> {
  readonly outcome: Outcome<Value>;
  readonly status?: number;
  readonly failure?: string;
}

/** Sends nothing before the first call. */
export function createFundingService(options: FundingServiceOptions): FundingService {
  const { transport, clock, onEvent } = options;
  const { service, settings } = options.config;
  const requestToken = createPasswordGrant(service, transport, options);
  const tokens = options.tokens ?? createTokenCache(requestToken, options);
  const patterns = createTextPatterns(settings.serviceTexts);
  const partnerHeaders = { PartnerId: service.partnerId, PartnerName: service.partnerName };
  const breakers = createBreakers(tokens.pausedUntil, options);
  const leadLimit = createLeadLimit(settings.delivery.maxConcurrent, (limit) =>
    onEvent({ event: 'lead-limit-reduced', limit }),
  );

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
    if (first.kind !== 'token') return { outcome: first };
    const result = await sendObserved(call, first.token);
    if (result.outcome.kind !== 'authentication') return result;
    const second = await tokens.renew(first.token);
    if (second.kind !== 'token') return { ...result, outcome: second };
    const secondResult = await sendObserved(call, second.token);
    if (secondResult.outcome.kind === 'authentication') {
      const { operation } = call;
      onEvent({ event: 'renewed-token-refused', operation, settings: refusedTokenSettings });
    }
    return secondResult;
  }

  /** Only leads follow the load: they are nearly all calls, and other operations have other limits. */
  function sendObserved<Value>(call: Call<Value>, token: string): Promise<CallResult<Value>> {
    if (call.operation !== 'create-lead') return send(call, token);
    return leadLimit.observe(() => send(call, token));
  }

  async function send<Value>(call: Call<Value>, token: string): Promise<CallResult<Value>> {
    const { operation, path, headers, body, parseSuccess } = call;
    const isRepeatable = repeatable.has(operation);
    const result = await transport({
      url: `${service.baseUrl}${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body,
      reuse: chooseReuse(call),
      ...(isRepeatable ? { timeouts: repeatableTimeouts } : {}),
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
    const event = 'call-ended';
    onEvent({ event, operation, outcome: outcome.kind, reason, durationMs, ...details });
  }

  return {
    readiness: (operation) => breakers[operation].readiness(),
    maxConcurrentLeads: leadLimit.current,
    createLead: (leadJson, referenceId) =>
      perform({
        operation: 'create-lead',
        path: '/creditapp',
        headers: partnerHeaders,
        body: leadJson,
        parseSuccess: parseLeadCreated(referenceId),
      }),
    getPreApprovalOffer: (applicationId) =>
      perform({
        operation: 'pre-approval-offer',
        path: '/creditapp/getPreApprovalOffer',
        headers: { ...partnerHeaders, ApplicationID: applicationId },
        parseSuccess: parsePreApproval,
      }),
    contactUser: (applicationId) =>
      perform({
        operation: 'contact-user',
        path: '/creditapp/contactUser',
        headers: { ...partnerHeaders, ApplicationID: applicationId },
        parseSuccess: parseContactEnabled,
      }),
    submitAssetReport: (applicationId, reportJson) =>
      perform({
        operation: 'asset-report',
        path: toAssetReportPath(settings.aggregatorName),
        body: `{"applicationId":${JSON.stringify(applicationId)},"assetReportJson":${reportJson}}`,
        parseSuccess: parseAssetReport,
      }),
    uploadFile: (applicationId, file) =>
      perform({
        operation: 'upload-file',
        path: '/UploadFileApiV1',
        body: createUploadBody(applicationId, file),
        parseSuccess: parseUploaded(applicationId),
      }),
  };
}

/** A repeated call of an operation that is not repeatable creates a second record, so the outcome must rarely be unknown. */
function chooseReuse({ operation, body }: Call<unknown>): ConnectionReuse {
  if (repeatable.has(operation)) return 'idle';
  return typeof body === 'string' ? 'recent' : 'fresh';
}

const partnerSettings = ['FUNDING_PARTNER_ID', 'FUNDING_PARTNER_NAME'] as const;
const refusedTokenSettings = ['FUNDING_USERNAME', ...partnerSettings] as const;
