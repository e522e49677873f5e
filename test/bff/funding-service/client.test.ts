import { describe, expect, it } from 'vitest';
import type { TokenResult } from '../../../bff/funding-service/token.ts';
import type {
  ConnectionReuse,
  TransportBody,
  TransportResult,
} from '../../../bff/funding-service/transport.ts';
import {
  type PartnerOperation,
  partnerOperations,
} from '../../../shared/funding-service/operations.ts';
import { toFailure } from '../../support/error-rows.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import { calls, leadId, setUpClient, successes, toToken } from './client-set-up.ts';

const partner = { PartnerId: 'P-7', PartnerName: 'Harbor Partners' };
const leadHeaders = { ...partner, ApplicationID: leadId };
const reportBody = `{"applicationId":"${leadId}","assetReportJson":{"report": {"n": 1.0}}}`;
const uploadBody = `{"leadId":"${leadId}","file":{"name":"statement","ext":"pdf","category":"Bank Statements - Mar","file":"JVBERg=="}}`;

const connectionRefused: TransportResult = { kind: 'not-sent', failure: 'ECONNREFUSED' };
const tokenRefused = createResponse(401, '');
const ready = { kind: 'ready' };
const unavailable = (retryAfterMs: number) => ({ kind: 'unavailable', retryAfterMs });
const success = (operation: PartnerOperation) => createResponse(200, successes[operation]);

const leadBody = '{ "Company" : "Ü", "AnnualRevenue":1.0 }';

describe('a request', () => {
  // Path, headers, body, which connections may be used, and the timeout if an applicant waits.
  it.each<[PartnerOperation, string, object, string, ConnectionReuse, number | undefined]>([
    ['create-lead', '/creditapp', partner, leadBody, 'recent', undefined],
    ['pre-approval-offer', '/creditapp/getPreApprovalOffer', leadHeaders, '', 'idle', 20_000],
    ['contact-user', '/creditapp/contactUser', leadHeaders, '', 'idle', 20_000],
    ['asset-report', '/finlink/asset-report/', {}, reportBody, 'recent', undefined],
    ['upload-file', '/UploadFileApiV1', {}, uploadBody, 'fresh', undefined],
  ])('of %s follows the specification', async (operation, path, headers, text, reuse, totalMs) => {
    const { service, requests } = setUpClient({ answers: [success(operation)] });
    expect(await calls[operation](service)).toMatchObject({ kind: 'accepted' });
    const [{ url, body, ...request }] = requests as [(typeof requests)[0]];
    expect(url).toBe(`https://service.example/rest${path}`);
    expect(await toText(body)).toBe(text);
    expect([request.reuse, request.timeouts?.totalMs]).toEqual([reuse, totalMs]);
    const common = { Authorization: 'Bearer A', 'Content-Type': 'application/json' };
    expect(request.headers).toEqual({ ...common, ...headers });
    expect(requests).toHaveLength(1);
  });
});

describe('a refused token', () => {
  const inText = toFailure('create-lead', 'Invalid username and password');

  it.each<[string, TransportResult]>([
    ['401', tokenRefused],
    ['the text of the spec with status 200', createResponse(200, inText)],
  ])('is renewed once after %s', async (_name, refusal) => {
    for (const operation of partnerOperations) {
      const answers = [refusal, success(operation), refusal, success(operation)];
      const { service, requests } = setUpClient({ answers });
      // The second call would meet a pause if the first one had not confirmed its token.
      for (let call = 0; call < 2; call += 1) {
        expect(await calls[operation](service)).toMatchObject({ kind: 'accepted' });
      }
      const tokens = requests.map(({ headers }) => headers['Authorization']);
      expect(tokens).toEqual(['Bearer A', 'Bearer B', 'Bearer B', 'Bearer C']);
      expect(await toText(requests[1]!.body)).toBe(await toText(requests[0]!.body));
    }
  });

  it('is recognized by a text of the settings', async () => {
    const refusal = createResponse(200, toFailure('create-lead', 'Kein Zutritt'));
    const settings = { serviceTexts: { invalidToken: ['^kein zutritt'] } };
    const { service } = setUpClient({ answers: [refusal, success('create-lead')], settings });
    expect(await calls['create-lead'](service)).toMatchObject({ kind: 'accepted' });
  });

  it('is not renewed twice', async () => {
    const { service, requests, events } = setUpClient({ answers: [tokenRefused] });
    expect(await service.contactUser(leadId)).toEqual({ kind: 'authentication' });
    expect(requests).toHaveLength(2);
    expect(events.slice(-2)).toMatchObject([
      {
        event: 'renewed-token-refused',
        operation: 'contact-user',
        settings: ['FUNDING_USERNAME', 'FUNDING_PARTNER_ID', 'FUNDING_PARTNER_NAME'],
      },
      { event: 'call-ended', outcome: 'authentication', durationMs: 0, status: 401 },
    ]);
    // No operation accepted the renewed token, so the next call meets a pause of the login.
    expect(await service.contactUser(leadId)).toEqual({ kind: 'authentication' });
    expect(requests).toHaveLength(3);
  });

  it.each<TokenResult>([
    { kind: 'authentication' },
    { kind: 'throttled', retryAfterMs: 5 },
    { kind: 'not-sent' },
  ])('ends the call like its login: %j', async (result) => {
    const before = setUpClient({ answers: [tokenRefused], logins: [result] });
    expect(await calls['create-lead'](before.service)).toEqual(result);
    expect(before.requests).toHaveLength(0);
    const during = setUpClient({ answers: [tokenRefused], logins: [toToken('A'), result] });
    expect(await calls['create-lead'](during.service)).toEqual(result);
    expect(during.requests).toHaveLength(1);
  });
});

describe('the log of a call', () => {
  it.each([
    [connectionRefused, 'not-sent'],
    [{ kind: 'interrupted', failure: 'UND_ERR_SOCKET' } as const, 'unknown'],
  ])('has the cause of a failed connection: %j', async (answer, outcome) => {
    for (const operation of partnerOperations) {
      const { service, requests, events } = setUpClient({ answers: [answer] });
      expect(await calls[operation](service)).toEqual({ kind: outcome });
      expect(requests).toHaveLength(1);
      const { failure } = answer;
      expect(events.at(-1)).toMatchObject({ event: 'call-ended', operation, outcome, failure });
    }
  });

  it('names the settings of wrong partner headers', async () => {
    const text = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
    const answer = createResponse(200, toFailure('contact-user', text));
    const { service, events } = setUpClient({ answers: [answer] });
    await service.contactUser(leadId);
    const settings = ['FUNDING_PARTNER_ID', 'FUNDING_PARTNER_NAME'];
    expect(events.slice(-2)).toMatchObject([
      { event: 'partner-headers-refused', settings },
      { event: 'call-ended', outcome: 'refused', reason: 'partner-headers-missing' },
    ]);
  });

  it('has no text, id, or value of the response', async () => {
    const secret = '123-45-6789';
    for (const operation of partnerOperations) {
      const text = `Invalid value ${secret} for Ssn of ${leadId}`;
      const answer = createResponse(400, toFailure(operation, text));
      const { service, events } = setUpClient({ answers: [answer] });
      const shown = JSON.stringify([await calls[operation](service), events]);
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(leadId);
    }
  });
});

describe('maxConcurrentLeads', () => {
  const throttled = createResponse(429, '');
  const throttledLogin: TokenResult = { kind: 'throttled', retryAfterMs: 1_000 };

  it.each<[string, PartnerOperation, TokenResult, number]>([
    ['falls when leads in progress are throttled', 'create-lead', toToken('A'), 5],
    ['stays when another operation is throttled', 'upload-file', toToken('A'), 64],
    ['stays when the login is throttled', 'create-lead', throttledLogin, 64],
  ])('%s', async (_name, operation, login, limit) => {
    const { service, events } = setUpClient({ answers: [throttled], logins: [login] });
    await Promise.all(Array.from({ length: 10 }, () => calls[operation](service)));
    expect(service.maxConcurrentLeads()).toBe(limit);
    const reductions = events.filter(({ event }) => event === 'lead-limit-reduced');
    expect(reductions).toEqual(limit === 64 ? [] : [{ event: 'lead-limit-reduced', limit }]);
  });
});

describe('an unavailable operation', () => {
  it('is not sent any more after five failures', async () => {
    for (const operation of partnerOperations) {
      const { service, requests, events } = setUpClient({ answers: [connectionRefused] });
      for (let call = 0; call < 5; call += 1) await calls[operation](service);
      expect(events.at(-1)).toEqual({ event: 'breaker-opened', operation });
      const eventsBefore = [...events];
      expect(await calls[operation](service)).toEqual({ kind: 'not-sent' });
      expect(requests).toHaveLength(5);
      expect(events).toEqual(eventsBefore);
      for (const other of partnerOperations) {
        expect(service.readiness(other)).toEqual(other === operation ? unavailable(30_000) : ready);
      }
    }
  });

  it.each<[string, TransportResult, TokenResult]>([
    ['no login succeeds', connectionRefused, { kind: 'not-sent' }],
    // Some operations report wrong partner headers in this way, so others may accept the token.
    ['it refuses each token', tokenRefused, toToken('A')],
  ])('is one for which %s', async (_name, answer, login) => {
    const { service } = setUpClient({ answers: [answer], logins: [login] });
    for (let call = 0; call < 5; call += 1) await calls['create-lead'](service);
    expect(service.readiness('create-lead')).toEqual(unavailable(30_000));
    expect(service.readiness('upload-file')).toEqual(ready);
  });

  it.each<[TokenResult, string, number]>([
    [{ kind: 'authentication' }, 'authentication', 60_000],
    [{ kind: 'throttled', retryAfterMs: 120_000 }, 'throttled', 120_000],
  ])('is any of them after the login %j', async (login, kind, pauseMs) => {
    const logins = [login, toToken('A')];
    const { service, requests, events, time } = setUpClient({
      answers: [success('create-lead')],
      logins,
    });
    expect(await calls['create-lead'](service)).toMatchObject({ kind });
    const eventsBefore = [...events];
    for (const operation of partnerOperations) {
      expect(service.readiness(operation)).toEqual(unavailable(pauseMs));
      expect(await calls[operation](service)).toEqual({ kind: 'not-sent' });
    }
    expect(requests).toEqual([]);
    expect(events).toEqual(eventsBefore);
    time.advance(pauseMs);
    expect(await calls['create-lead'](service)).toMatchObject({ kind: 'accepted' });
  });
});

async function toText(body: TransportBody | undefined): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? '';
  return (await collectChunks(body.open())).toString();
}
