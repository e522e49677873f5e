import { describe, expect, it } from 'vitest';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import { createTokenCache, type TokenResult } from '../../../bff/funding-service/token.ts';
import type { TransportBody, TransportResult } from '../../../bff/funding-service/transport.ts';
import {
  type PartnerOperation,
  partnerOperations,
} from '../../../shared/funding-service/operations.ts';
import type { ConnectionReuse } from '../../../bff/funding-service/transport.ts';
import { createResponse, createScriptedTransport } from '../../support/scripted-transport.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { createManualTime } from '../../support/manual-time.ts';
import {
  calls,
  createClientConfig,
  failureOf,
  id,
  leadId,
  partner,
  setUpClient,
  successes,
  tokenA,
} from './client-set-up.ts';

const common = { Authorization: 'Bearer A', 'Content-Type': 'application/json' };

describe('a request', () => {
  it.each<[PartnerOperation, string, object, string, ConnectionReuse]>([
    ['create-lead', '/creditapp', partner, '{"ID":"x"}', 'recent'],
    [
      'pre-approval-offer',
      '/creditapp/getPreApprovalOffer',
      { ...partner, ApplicationID: leadId },
      '',
      'idle',
    ],
    ['contact-user', '/creditapp/contactUser', { ...partner, ApplicationID: leadId }, '', 'idle'],
    [
      'asset-report',
      '/finlink/asset-report/',
      {},
      `{"applicationId":"${leadId}","assetReportJson":{"report": {"n": 1.0}}}`,
      'recent',
    ],
    [
      'upload-file',
      '/UploadFileApiV1',
      {},
      `{"leadId":"${leadId}","file":{"name":"statement","ext":"pdf","category":"Bank Statements - Mar","file":"JVBERg=="}}`,
      'fresh',
    ],
  ])(
    'of %s has the documented path, headers, and body',
    async (operation, path, headers, body, reuse) => {
      const { service, requests } = setUpClient({
        answers: [createResponse(200, successes[operation])],
      });
      expect(await calls[operation](service)).toMatchObject({ kind: 'accepted' });
      expect(requests).toHaveLength(1);
      const [request] = requests;
      expect(request!.url).toBe(`https://service.example/rest${path}`);
      expect(request!.headers).toEqual({ ...common, ...headers });
      expect(await bodyText(request!.body)).toBe(body);
      expect(request!.reuse).toBe(reuse);
    },
  );

  it('has a short timeout if an applicant waits for it', async () => {
    const totals: Record<string, number | undefined> = {};
    for (const operation of partnerOperations) {
      const { service, requests } = setUpClient({
        answers: [createResponse(200, successes[operation])],
      });
      await calls[operation](service);
      totals[operation] = requests[0]!.timeouts?.totalMs;
    }
    expect(totals).toEqual({
      'create-lead': undefined,
      'pre-approval-offer': 20_000,
      'contact-user': 20_000,
      'asset-report': undefined,
      'upload-file': undefined,
    });
  });

  it('contains the lead byte for byte', async () => {
    const leadJson = '{ "Company" : "Ü",\n"AnnualRevenue":1.0 }';
    const { service, requests } = setUpClient({
      answers: [createResponse(200, successes['create-lead'])],
    });
    await service.createLead(leadJson, id);
    expect(requests[0]!.body).toBe(leadJson);
  });
});

describe('a refused token', () => {
  it.each<[string, TransportResult]>([
    ['401', createResponse(401, '')],
    ['INVALID_SESSION_ID', createResponse(401, [{ errorCode: 'INVALID_SESSION_ID' }])],
    [
      'the text of the spec with status 200',
      createResponse(200, failureOf('create-lead', 'Invalid username and password')),
    ],
  ])('is renewed once after %s', async (_name, refusal) => {
    for (const operation of partnerOperations) {
      const answers = [refusal, createResponse(200, successes[operation])];
      const { service, requests, renewed, confirmed } = setUpClient({ answers });
      expect(await calls[operation](service)).toMatchObject({ kind: 'accepted' });
      expect(requests.map(({ headers }) => headers['Authorization'])).toEqual([
        'Bearer A',
        'Bearer B',
      ]);
      expect(await bodyText(requests[1]!.body)).toBe(await bodyText(requests[0]!.body));
      expect(renewed).toEqual(['A']);
      expect(confirmed).toEqual(['B']);
    }
  });

  it('is recognized by a text of the settings', async () => {
    const { service, renewed } = setUpClient({
      answers: [
        createResponse(200, failureOf('create-lead', 'Kein Zutritt')),
        createResponse(200, successes['create-lead']),
      ],
      serviceTexts: { invalidToken: ['^kein zutritt'] },
    });
    expect(await service.createLead('{}', id)).toMatchObject({ kind: 'accepted' });
    expect(renewed).toEqual(['A']);
  });

  it('is not renewed twice', async () => {
    const { service, requests, events } = setUpClient({ answers: [createResponse(401, '')] });
    expect(await service.contactUser(leadId)).toEqual({ kind: 'authentication' });
    expect(requests).toHaveLength(2);
    expect(events).toEqual([
      {
        event: 'renewed-token-refused',
        operation: 'contact-user',
        settings: ['FUNDING_USERNAME', 'FUNDING_PARTNER_ID', 'FUNDING_PARTNER_NAME'],
      },
      {
        event: 'call-ended',
        operation: 'contact-user',
        outcome: 'authentication',
        durationMs: 0,
        status: 401,
      },
    ]);
  });

  it.each<TokenResult>([
    { kind: 'authentication' },
    { kind: 'throttled', retryAfterMs: 5 },
    { kind: 'not-sent' },
  ])('ends like its login: %j', async (result) => {
    const before = setUpClient({ answers: [createResponse(200, {})], tokens: [result] });
    expect(await before.service.createLead('{}', id)).toEqual(result);
    expect(before.requests).toHaveLength(0);
    const during = setUpClient({ answers: [createResponse(401, '')], tokens: [tokenA, result] });
    expect(await during.service.createLead('{}', id)).toEqual(result);
    expect(during.requests).toHaveLength(1);
  });
});

describe('a failed connection', () => {
  it.each<[TransportResult, unknown]>([
    [{ kind: 'not-sent', failure: 'ECONNREFUSED' }, { kind: 'not-sent' }],
    [{ kind: 'interrupted', failure: 'UND_ERR_SOCKET' }, { kind: 'unknown' }],
  ])('with the result %j ends the call as %j', async (answer, expected) => {
    for (const operation of partnerOperations) {
      const { service, requests, events } = setUpClient({ answers: [answer] });
      expect(await calls[operation](service)).toEqual(expected);
      expect(requests).toHaveLength(1);
      expect(events).toMatchObject([
        {
          event: 'call-ended',
          operation,
          failure: answer.kind === 'response' ? undefined : answer.failure,
        },
      ]);
    }
  });
});

describe('the events of a call', () => {
  it('name the settings of wrong partner headers', async () => {
    const text = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
    const { service, events } = setUpClient({
      answers: [createResponse(200, failureOf('contact-user', text))],
    });
    await service.contactUser(leadId);
    expect(events).toMatchObject([
      {
        event: 'partner-headers-refused',
        settings: ['FUNDING_PARTNER_ID', 'FUNDING_PARTNER_NAME'],
      },
      { event: 'call-ended', outcome: 'refused', reason: 'partner-headers-missing' },
    ]);
  });

  it('contain no text, id, or value of the response', async () => {
    const secret = '123-45-6789';
    for (const operation of partnerOperations) {
      const text = `Invalid value ${secret} for Ssn of ${leadId}`;
      const { service, events } = setUpClient({
        answers: [createResponse(400, failureOf(operation, text))],
      });
      const outcome = JSON.stringify([await calls[operation](service), events]);
      expect(outcome).not.toContain(secret);
      expect(outcome).not.toContain(leadId);
    }
  });
});

describe('each row of the table "Errors" of the spec', () => {
  const auth = { kind: 'authentication' };
  const refused = (reason: string, field?: string) => ({
    kind: 'refused',
    refusal: field === undefined ? { reason } : { reason, field },
  });
  const partnerMissing = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
  const rows: readonly (readonly [PartnerOperation, number, string, unknown])[] = [
    ['pre-approval-offer', 400, 'Missing Application ID', refused('application-id-missing')],
    ['contact-user', 400, 'Missing Application ID', refused('application-id-missing')],
    ['pre-approval-offer', 400, 'Invalid Application ID', refused('application-id-invalid')],
    ['pre-approval-offer', 404, 'Application not found', refused('application-not-found')],
    ['contact-user', 404, 'Application not found', refused('application-not-found')],
    ['pre-approval-offer', 401, 'Invalid username and password', auth],
    ['contact-user', 401, 'Invalid username and password', auth],
    ['pre-approval-offer', 403, 'Invalid username and password', auth],
    ['pre-approval-offer', 400, partnerMissing, refused('partner-headers-missing')],
    ['contact-user', 400, partnerMissing, refused('partner-headers-missing')],
    ['asset-report', 400, 'applicationId is required', refused('application-id-missing')],
    ['asset-report', 400, 'assetReportJson is required', refused('asset-report-missing')],
    ['asset-report', 404, `Application not found: ${leadId}`, refused('application-not-found')],
    [
      'asset-report',
      400,
      'Invalid Asset Report JSON - missing report data',
      refused('asset-report-invalid'),
    ],
    ['asset-report', 500, 'Asset report submission failed', refused('processing-failed')],
    [
      'create-lead',
      400,
      'Missing required field: AnnualRevenue',
      refused('missing-field', 'AnnualRevenue'),
    ],
    ['create-lead', 401, 'Invalid token', auth],
    [
      'create-lead',
      400,
      'Invalid value for AnnualRevenue',
      refused('invalid-field', 'AnnualRevenue'),
    ],
    ['create-lead', 409, 'Duplicate ID', refused('duplicate-id')],
    ...['leadId', 'file', 'name', 'ext', 'category'].map(
      (field) =>
        [
          'upload-file',
          400,
          `Error: Missing required field: ${field}`,
          refused('missing-field', field),
        ] as const,
    ),
    ['upload-file', 401, 'Invalid or expired token', auth],
    [
      'upload-file',
      404,
      'leadId does not match an existing lead',
      refused('application-not-found'),
    ],
    ['upload-file', 400, 'Category not allowed', refused('category-not-allowed')],
    ['upload-file', 400, 'Content is not valid Base64', refused('content-not-base64')],
  ];

  for (const style of ['200', '4xx'] as const) {
    it.each(rows)(
      `%s in style ${style}, status %i: %s`,
      async (operation, status, text, expected) => {
        const answer = createResponse(style === '200' ? 200 : status, failureOf(operation, text));
        const { service } = setUpClient({ answers: [answer] });
        expect(await calls[operation](service)).toEqual(expected);
      },
    );
  }
});

const connectionRefused: TransportResult = { kind: 'not-sent', failure: 'ECONNREFUSED' };
const login: TokenResult = { kind: 'token', token: 'A' };
const ready = { kind: 'ready' };

describe('maxConcurrentLeads', () => {
  const throttled = createResponse(429, '');

  it('falls when leads in progress are throttled', async () => {
    const { service, events } = setUpWithTokens({ answers: [throttled] });
    await Promise.all(Array.from({ length: 10 }, () => calls['create-lead'](service)));
    expect(service.maxConcurrentLeads()).toBe(5);
    const reductions = events.filter(({ event }) => event === 'lead-limit-reduced');
    expect(reductions).toEqual([{ event: 'lead-limit-reduced', limit: 5 }]);
  });

  it('stays when another operation is throttled', async () => {
    const { service } = setUpWithTokens({ answers: [throttled] });
    await Promise.all(Array.from({ length: 10 }, () => calls['upload-file'](service)));
    expect(service.maxConcurrentLeads()).toBe(64);
  });

  it('stays when the login is throttled', async () => {
    const { service } = setUpWithTokens({
      answers: [throttled],
      logins: [{ kind: 'throttled', retryAfterMs: 1_000 }],
    });
    await Promise.all(Array.from({ length: 10 }, () => calls['create-lead'](service)));
    expect(service.maxConcurrentLeads()).toBe(64);
  });
});

describe('an operation that fails five times', () => {
  it('is not sent any more', async () => {
    for (const operation of partnerOperations) {
      const { service, requests, events } = setUpWithTokens({ answers: [connectionRefused] });
      for (let call = 0; call < 5; call += 1) await calls[operation](service);
      expect(events.at(-1)).toEqual({ event: 'breaker-opened', operation });
      const eventsBefore = [...events];
      expect(await calls[operation](service)).toEqual({ kind: 'not-sent' });
      expect(requests).toHaveLength(5);
      expect(events).toEqual(eventsBefore);
      for (const other of partnerOperations) {
        const expected =
          other === operation ? { kind: 'unavailable', retryAfterMs: 30_000 } : ready;
        expect(service.readiness(other)).toEqual(expected);
      }
    }
  });

  it('is ready again after a successful trial call', async () => {
    const outage = Array.from({ length: 5 }, () => connectionRefused);
    const answers = [...outage, createResponse(200, successes['contact-user'])];
    const { service, time } = setUpWithTokens({ answers });
    for (let call = 0; call < 5; call += 1) await calls['contact-user'](service);
    time.advance(30_000);
    expect(service.readiness('contact-user')).toEqual({ kind: 'half-open' });
    const trial = calls['contact-user'](service);
    expect(service.readiness('contact-user')).toEqual({
      kind: 'unavailable',
      retryAfterMs: undefined,
    });
    expect(await trial).toMatchObject({ kind: 'accepted' });
    expect(service.readiness('contact-user')).toEqual(ready);
  });

  it('is still sent if the failures are refusals', async () => {
    for (const operation of partnerOperations) {
      const refusal = createResponse(400, failureOf(operation, 'Application not found'));
      const { service, requests } = setUpWithTokens({ answers: [refusal] });
      for (let call = 0; call < 9; call += 1) await calls[operation](service);
      expect(requests).toHaveLength(9);
    }
  });

  it('is unavailable if no login succeeds', async () => {
    const { service, requests } = setUpWithTokens({
      answers: [connectionRefused],
      logins: [{ kind: 'not-sent' }],
    });
    for (let call = 0; call < 5; call += 1) await calls['create-lead'](service);
    expect(service.readiness('create-lead')).toEqual({ kind: 'unavailable', retryAfterMs: 30_000 });
    expect(requests).toEqual([]);
  });

  it('is unavailable if it refuses the token', async () => {
    const { service } = setUpWithTokens({ answers: [createResponse(401, '')] });
    for (let call = 0; call < 5; call += 1) {
      expect(await calls['create-lead'](service)).toEqual({ kind: 'authentication' });
    }
    expect(service.readiness('create-lead')).toEqual({ kind: 'unavailable', retryAfterMs: 30_000 });
    // Some operations report wrong partner headers in this way, so others may accept the token.
    expect(service.readiness('upload-file')).toEqual(ready);
  });
});

describe('a throttled response', () => {
  it('makes the operation unavailable', async () => {
    const { service, time } = setUpWithTokens({
      answers: [createResponse(429, '', { 'retry-after': '120' })],
    });
    await calls['upload-file'](service);
    expect(service.readiness('upload-file')).toEqual({
      kind: 'unavailable',
      retryAfterMs: 120_000,
    });
    expect(service.readiness('create-lead')).toEqual(ready);
    time.advance(120_000);
    expect(service.readiness('upload-file')).toEqual(ready);
  });

  it('makes every operation unavailable if it answers a login', async () => {
    const logins = [{ kind: 'throttled', retryAfterMs: 120_000 } as const];
    const { service, time } = setUpWithTokens({ answers: [connectionRefused], logins });
    await calls['upload-file'](service);
    for (const operation of partnerOperations) {
      expect(service.readiness(operation)).toEqual({ kind: 'unavailable', retryAfterMs: 120_000 });
    }
    time.advance(120_000);
    for (const operation of partnerOperations) expect(service.readiness(operation)).toEqual(ready);
  });
});

describe('a refused login', () => {
  it('makes every operation unavailable until the next login', async () => {
    const logins = [{ kind: 'authentication' } as const, login];
    const answers = [createResponse(200, successes['create-lead'])];
    const { service, requests, events, time } = setUpWithTokens({ answers, logins });
    expect(await calls['create-lead'](service)).toEqual({ kind: 'authentication' });
    const eventsBefore = [...events];
    for (const operation of partnerOperations) {
      expect(service.readiness(operation)).toEqual({ kind: 'unavailable', retryAfterMs: 60_000 });
      expect(await calls[operation](service)).toEqual({ kind: 'not-sent' });
    }
    expect(requests).toEqual([]);
    expect(events).toEqual(eventsBefore);
    time.advance(60_000);
    expect(await calls['create-lead'](service)).toMatchObject({ kind: 'accepted' });
  });
});

async function bodyText(body: TransportBody | undefined): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? '';
  return (await collectChunks(body.open())).toString();
}

interface TokenSetUp {
  /** In order; the last one repeats. */
  readonly answers: readonly TransportResult[];
  /** In order; the last one repeats. Default: every login succeeds. */
  readonly logins?: readonly TokenResult[];
}

function setUpWithTokens({ answers, logins = [login] }: TokenSetUp) {
  const time = createManualTime();
  const events: FundingServiceEvent[] = [];
  const onEvent = (event: FundingServiceEvent) => void events.push(event);
  const { transport, requests } = createScriptedTransport(...answers);
  let count = 0;
  const requestToken = () => {
    count += 1;
    return Promise.resolve(logins[Math.min(count, logins.length) - 1]!);
  };
  const service = createFundingService({
    config: createClientConfig(),
    transport,
    tokens: createTokenCache(requestToken, { clock: time.clock, onEvent }),
    clock: time.clock,
    onEvent,
  });
  return { service, requests, events, time };
}
