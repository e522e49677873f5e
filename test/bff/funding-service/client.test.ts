import { describe, expect, it } from 'vitest';
import {
  type PartnerOperation,
  partnerOperations,
} from '../../../shared/funding-service/operations.ts';
import type { TokenResult } from '../../../bff/funding-service/token.ts';
import type {
  StreamedBody,
  TransportBody,
  TransportResult,
} from '../../../bff/funding-service/transport.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import {
  calls,
  failureOf,
  id,
  leadId,
  partner,
  setUpClient,
  successes,
  tokenA,
} from './client-set-up.ts';

const common = { Authorization: 'Bearer A', 'Content-Type': 'application/json' };

describe('what is sent', () => {
  it.each<[PartnerOperation, string, object, string, boolean]>([
    ['create-lead', '/creditapp', partner, '{"ID":"x"}', true],
    [
      'pre-approval-offer',
      '/creditapp/getPreApprovalOffer',
      { ...partner, ApplicationID: leadId },
      '',
      false,
    ],
    ['contact-user', '/creditapp/contactUser', { ...partner, ApplicationID: leadId }, '', false],
    [
      'asset-report',
      '/finlink/asset-report/',
      {},
      `{"applicationId":"${leadId}","assetReportJson":{"report": {"n": 1.0}}}`,
      true,
    ],
    [
      'upload-file',
      '/UploadFileApiV1',
      {},
      `{"leadId":"${leadId}","file":{"name":"statement","ext":"pdf","category":"Bank Statements - Mar","file":"JVBERg=="}}`,
      true,
    ],
  ])('%s: address, headers, body and connection', async (operation, path, headers, body, fresh) => {
    const { service, requests } = setUpClient({
      answers: [createResponse(200, successes[operation])],
    });
    expect(await calls[operation](service)).toMatchObject({ kind: 'accepted' });
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request!.url).toBe(`https://service.example/rest${path}`);
    expect(request!.headers).toEqual({ ...common, ...headers });
    expect(await bodyText(request!.body)).toBe(body);
    expect(request!.freshConnection).toBe(fresh);
  });

  it('waits long for what is filed, and not for what an applicant waits for', async () => {
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

  it('is the lead byte for byte', async () => {
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
    ['a list with INVALID_SESSION_ID', createResponse(401, [{ errorCode: 'INVALID_SESSION_ID' }])],
    [
      'the text of the specification in a 200',
      createResponse(200, failureOf('create-lead', 'Invalid username and password')),
    ],
  ])('is renewed once after %s, and the call sent again', async (_name, refusal) => {
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

  it('is told by a text from the settings as well', async () => {
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

  it('ends the attempt when it is refused again, and names the settings', async () => {
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

  it.each<[TokenResult, unknown]>([
    [{ kind: 'refused' }, { kind: 'authentication' }],
    [
      { kind: 'throttled', retryAfterMs: 5 },
      { kind: 'throttled', retryAfterMs: 5 },
    ],
    [{ kind: 'unreachable' }, { kind: 'not-sent' }],
  ])('when the login is %j ends as %j, sent or not', async (result, expected) => {
    const before = setUpClient({ answers: [createResponse(200, {})], tokens: [result] });
    expect(await before.service.createLead('{}', id)).toEqual(expected);
    expect(before.requests).toHaveLength(0);
    const startTimer = setUpClient({
      answers: [createResponse(401, '')],
      tokens: [tokenA, result],
    });
    expect(await startTimer.service.createLead('{}', id)).toEqual(expected);
    expect(startTimer.requests).toHaveLength(1);
  });
});

describe('a connection that broke', () => {
  it.each<[TransportResult, unknown]>([
    [{ kind: 'not-sent', failure: 'ECONNREFUSED' }, { kind: 'not-sent' }],
    [{ kind: 'interrupted', failure: 'UND_ERR_SOCKET' }, { kind: 'unknown' }],
  ])('%j ends as %j and is not tried again here', async (answer, expected) => {
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

describe('what the log is told', () => {
  it('names the settings of wrong partner headers', async () => {
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

  it('is never the text of an answer, an identifier or a value', async () => {
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

async function bodyText(body: TransportBody | undefined): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? '';
  const chunks: Uint8Array[] = [];
  for await (const chunk of (body as StreamedBody).open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
