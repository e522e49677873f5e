import { describe, expect, it } from 'vitest';
import {
  parseAssetReport,
  parseContactEnabled,
  parseLeadCreated,
  parsePreApproval,
  parseUploaded,
  classifyResponse,
  type ResponseContext,
} from '../../../bff/funding-service/responses.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import { defaultTextPatterns } from '../../../bff/funding-service/failure-texts.ts';
import { createResponse } from '../../support/scripted-transport.ts';

const context: ResponseContext = {
  operation: 'create-lead',
  patterns: defaultTextPatterns,
  now: Date.parse('2026-05-04T10:00:00Z'),
};
const referenceId = '0199a0b1-0000-7000-8000-00000000000a';
const created = {
  IsSuccessful: true,
  ResponseText: 'Application created.',
  ApplicationID: 'a0B000000000001AAA',
  ReferenceID: referenceId,
  pURL: 'https://service.example/a',
};
const page = '<html><body>Gateway</body></html>';
const unknown = { kind: 'unknown' } as const;
const authentication = { kind: 'authentication' } as const;

function refused(reason: string, field?: string) {
  return { kind: 'refused', refusal: field === undefined ? { reason } : { reason, field } };
}

function readCreated(status: number, body: unknown, headers = {}): Outcome<unknown> {
  return classifyResponse(
    createResponse(status, body, headers),
    context,
    parseLeadCreated(referenceId),
  );
}

describe('readAnswer', () => {
  it.each<[string, number, unknown, unknown]>([
    ['401 with a page', 401, page, authentication],
    ['401 with nothing', 401, '', authentication],
    ['401 without the flag', 401, { message: 'x' }, authentication],
    [
      'the platform: session',
      401,
      [{ errorCode: 'INVALID_SESSION_ID', message: 'x' }],
      authentication,
    ],
    ['the same with another status', 403, [{ errorCode: 'INVALID_SESSION_ID' }], authentication],
    [
      'login refused in a 200',
      200,
      { IsSuccessful: false, ResponseText: 'Invalid username and password' },
      authentication,
    ],
    [
      'token refused in a 200',
      200,
      { IsSuccessful: false, ResponseText: 'Invalid token' },
      authentication,
    ],
    ['500 with a page', 500, page, unknown],
    ['502 with nothing', 502, '', unknown],
    ['504 with a page', 504, page, unknown],
    ['503 without Retry-After', 503, page, unknown],
    ['500 of the platform', 500, [{ errorCode: 'UNKNOWN_EXCEPTION', message: 'x' }], unknown],
    ['500 with a flag of success', 500, created, unknown],
    [
      '500 with an unknown failure',
      500,
      { IsSuccessful: false, ResponseText: 'Null pointer' },
      unknown,
    ],
    [
      '500 with a known failure',
      500,
      { IsSuccessful: false, ResponseText: 'Missing required field: Company' },
      unknown,
    ],
    [
      '500 that denies the application',
      500,
      { IsSuccessful: false, ResponseText: 'Application not found' },
      unknown,
    ],
    ['404 with a page', 404, page, refused('request-malformed')],
    ['404 with nothing', 404, '', refused('request-malformed')],
    [
      '405 with a text and no flag',
      405,
      { message: 'Method POST is not allowed' },
      refused('request-malformed'),
    ],
    [
      '405 of the platform',
      405,
      [{ errorCode: 'METHOD_NOT_ALLOWED', message: "HTTP Method 'POST' not allowed." }],
      refused('request-malformed'),
    ],
    [
      '404 that the operation answers',
      404,
      { ResponseText: 'Application not found' },
      refused('application-not-found'),
    ],
    [
      '404 with the flag',
      404,
      { IsSuccessful: false, ResponseText: 'Application not found' },
      refused('application-not-found'),
    ],
    [
      '404 of the platform',
      404,
      [{ errorCode: 'NOT_FOUND', message: 'Could not find a match for URL' }],
      refused('request-malformed'),
    ],
    [
      'a known text from the platform',
      400,
      [{ errorCode: 'APEX_ERROR', message: 'Duplicate ID' }],
      refused('duplicate-id'),
    ],
    ['413', 413, page, refused('too-large')],
    ['400 with a text and no flag', 400, { ResponseText: 'Duplicate ID' }, refused('duplicate-id')],
    ['400 with an unknown text', 400, { message: 'Nope' }, refused('unrecognized')],
    [
      '400 with a missing field and no flag',
      400,
      { ResponseText: 'Missing required field: Company' },
      refused('unrecognized', 'Company'),
    ],
    [
      '403 with a missing field',
      403,
      { IsSuccessful: false, ResponseText: 'Missing required field: Company' },
      refused('unrecognized', 'Company'),
    ],
    [
      '422 with a missing field',
      422,
      { IsSuccessful: false, ResponseText: 'Missing required field: Company' },
      refused('missing-field', 'Company'),
    ],
    [
      'a missing field told by the platform',
      400,
      [{ errorCode: 'APEX_ERROR', message: 'Missing required field: Company' }],
      unknown,
    ],
    ['400 with neither', 400, {}, unknown],
    ['400 with a flag of success', 400, created, unknown],
    ['a redirect', 302, '', unknown],
    ['a redirect with the proof of success', 302, created, unknown],
    ['a moved address with the proof of success', 301, created, unknown],
    ['a page with 200', 200, page, unknown],
    ['200 with nothing', 200, '', unknown],
    ['200 cut off', 200, '{"IsSuccessful":true,"Respo', unknown],
    ['200 with a list', 200, [], unknown],
    ['200 with null', 200, null, unknown],
    ['a failure without a text', 200, { IsSuccessful: false }, refused('unrecognized')],
    [
      'a failure flagged as text',
      200,
      { IsSuccessful: 'False', ResponseText: 'Duplicate ID' },
      refused('duplicate-id'),
    ],
    [
      'JSON inside a JSON string',
      200,
      JSON.stringify(JSON.stringify({ IsSuccessful: false, ResponseText: 'Duplicate ID' })),
      refused('duplicate-id'),
    ],
  ])('reads %s', (_name, status, body, expected) => {
    expect(readCreated(status, body)).toEqual(expected);
  });

  it.each<[string, number, unknown, Record<string, string>, number | undefined]>([
    ['429', 429, page, {}, undefined],
    ['429 with seconds', 429, page, { 'retry-after': '30' }, 30_000],
    ['429 with a date', 429, page, { 'retry-after': 'Mon, 04 May 2026 10:01:00 GMT' }, 60_000],
    ['429 with a flag of failure', 429, { IsSuccessful: false }, {}, undefined],
    ['503 with Retry-After', 503, page, { 'retry-after': '5' }, 5_000],
    ['503 with an unreadable Retry-After', 503, page, { 'retry-after': 'soon' }, undefined],
    [
      '403 with REQUEST_LIMIT_EXCEEDED',
      403,
      [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'TotalRequests Limit exceeded.' }],
      {},
      undefined,
    ],
    [
      'the same code in a text',
      200,
      {
        IsSuccessful: false,
        ResponseText: 'REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.',
      },
      {},
      undefined,
    ],
  ])('reads %s as throttling', (_name, status, body, headers, retryAfterMs) => {
    expect(readCreated(status, body, headers)).toEqual({ kind: 'throttled', retryAfterMs });
  });
});

describe('proveLeadCreated', () => {
  const value = { applicationId: created.ApplicationID, trackingUrl: created.pURL };

  it.each<[string, object, unknown]>([
    ['everything there', {}, value],
    ['the flag as text', { IsSuccessful: 'True' }, value],
    ['our ID in capitals', { ReferenceID: referenceId.toUpperCase() }, value],
    ['no ReferenceID', { ReferenceID: undefined }, value],
    ['ReferenceID null', { ReferenceID: null }, value],
    ['no flag, but our ID', { IsSuccessful: undefined }, value],
    ['no tracking address', { pURL: null }, { ...value, trackingUrl: undefined }],
    ['a numeric ApplicationID', { ApplicationID: 417 }, { ...value, applicationId: '417' }],
  ])('accepts an answer with %s', (_name, change, expected) => {
    expect(readCreated(200, { ...created, ...change })).toEqual({
      kind: 'accepted',
      value: expected,
    });
  });

  it.each<[string, object]>([
    ['no ApplicationID', { ApplicationID: undefined }],
    ['ApplicationID null', { ApplicationID: null }],
    ['an empty ApplicationID', { ApplicationID: ' ' }],
    ['an ApplicationID that could not stand in a header', { ApplicationID: 'a\r\nX: 1' }],
    ["another application's ReferenceID", { ReferenceID: 'other' }],
    ['neither flag nor ReferenceID', { IsSuccessful: null, ReferenceID: null }],
  ])('leaves an answer with %s unknown', (_name, change) => {
    expect(readCreated(201, { ...created, ...change })).toEqual(unknown);
  });
});

describe('provePreApproval', () => {
  const read = (body: unknown) =>
    classifyResponse(
      createResponse(200, body),
      { ...context, operation: 'pre-approval-offer' },
      parsePreApproval,
    );
  const answer = (data: unknown, text = 'Application found.') => ({
    IsSuccessful: true,
    ResponseText: text,
    ReferenceID: referenceId,
    pURL: null,
    PreApproval_Data: data,
  });
  const preApproval = (status: string, offers: unknown[] = []) => ({
    kind: 'accepted',
    value: { status, offers, referenceId, trackingUrl: undefined },
  });

  it.each<[string, unknown, unknown]>([
    [
      'Not Qualified',
      answer({ PreApproval_Status: 'Not Qualified', PreApproval_Offers: [] }),
      preApproval('not-qualified'),
    ],
    [
      'Qualified without offers',
      answer({ PreApproval_Status: 'Qualified', PreApproval_Offers: [] }),
      preApproval('qualified'),
    ],
    [
      'offers null',
      answer({ PreApproval_Status: 'Qualified', PreApproval_Offers: null }),
      preApproval('qualified'),
    ],
    [
      'another case of letters',
      answer({ PreApproval_Status: 'not qualified' }),
      preApproval('not-qualified'),
    ],
    [
      'no data, but the text of "none yet"',
      answer(null, 'No related pre-approval offers have been created yet'),
      preApproval('qualified'),
    ],
    ['no data', answer(null), unknown],
    ['another status', answer({ PreApproval_Status: 'Pending' }), unknown],
  ])('reads %s', (_name, body, expected) => {
    expect(read(body)).toEqual(expected);
  });
});

describe('the other proofs', () => {
  const contact = { ...context, operation: 'contact-user' } as const;
  const report = { ...context, operation: 'asset-report' } as const;
  const upload = { ...context, operation: 'upload-file' } as const;
  const leadId = 'a0B000000000001';
  const uploaded = { IsSuccessful: true, DocumentId: 'd1', ReferenceID: leadId };
  const accepted = (value: unknown) => ({ kind: 'accepted', value });

  it.each<[unknown, unknown]>([
    [{ IsSuccessful: true, ResponseText: 'updated' }, accepted(undefined)],
    [{ IsSuccessful: 'true' }, accepted(undefined)],
    [{ ResponseText: 'updated' }, unknown],
  ])('contact: reads %j', (body, expected) => {
    expect(classifyResponse(createResponse(200, body), contact, parseContactEnabled)).toEqual(
      expected,
    );
  });

  it.each<[unknown, unknown]>([
    [{ success: true, assetReportId: 'r1' }, accepted({ assetReportId: 'r1' })],
    [{ success: true, assetReportId: null }, unknown],
    [{ success: true }, unknown],
    [{ success: false, assetReportId: null, message: 'x' }, refused('unrecognized')],
  ])('asset report: reads %j', (body, expected) => {
    expect(classifyResponse(createResponse(200, body), report, parseAssetReport)).toEqual(expected);
  });

  it.each<[unknown, unknown]>([
    [uploaded, accepted({ documentId: 'd1' })],
    [{ ...uploaded, ReferenceID: null }, accepted({ documentId: 'd1' })],
    [{ ...uploaded, ReferenceID: `${leadId}AAA` }, accepted({ documentId: 'd1' })],
    [{ ...uploaded, ReferenceID: 'a0B000000000002' }, unknown],
    [{ ...uploaded, DocumentId: null }, unknown],
  ])('upload: reads %j', (body, expected) => {
    expect(classifyResponse(createResponse(200, body), upload, parseUploaded(leadId))).toEqual(
      expected,
    );
  });
});
