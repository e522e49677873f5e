import { describe, expect, it } from 'vitest';
import { defaultTextPatterns } from '../../../bff/funding-service/failure-texts.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import {
  classifyResponse,
  findCandidateId,
  isHtml,
  parseAssetReport,
  parseContactEnabled,
  parseJson,
  parseLeadCreated,
  parsePreApproval,
  parseUploaded,
  readBoolean,
  readNumber,
  readObject,
  readText,
  type ResponseContext,
  toOffers,
} from '../../../bff/funding-service/responses.ts';
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

describe('classifyResponse', () => {
  it.each<[string, number, unknown, unknown]>([
    ['an HTML page with status 401', 401, page, authentication],
    ['an empty body with status 401', 401, '', authentication],
    ['status 401 without the flag', 401, { message: 'x' }, authentication],
    [
      'an INVALID_SESSION_ID error of the platform',
      401,
      [{ errorCode: 'INVALID_SESSION_ID', message: 'x' }],
      authentication,
    ],
    [
      'INVALID_SESSION_ID with another status',
      403,
      [{ errorCode: 'INVALID_SESSION_ID' }],
      authentication,
    ],
    [
      'a refused login with status 200',
      200,
      { IsSuccessful: false, ResponseText: 'Invalid username and password' },
      authentication,
    ],
    [
      'a refused token with status 200',
      200,
      { IsSuccessful: false, ResponseText: 'Invalid token' },
      authentication,
    ],
    ['an HTML page with status 500', 500, page, unknown],
    ['an empty body with status 502', 502, '', unknown],
    ['an HTML page with status 504', 504, page, unknown],
    ['status 503 without Retry-After', 503, page, unknown],
    [
      'a platform error with status 500',
      500,
      [{ errorCode: 'UNKNOWN_EXCEPTION', message: 'x' }],
      unknown,
    ],
    ['a success with status 500', 500, created, unknown],
    [
      'an unknown failure with status 500',
      500,
      { IsSuccessful: false, ResponseText: 'Null pointer' },
      unknown,
    ],
    [
      'a missing field with status 500',
      500,
      { IsSuccessful: false, ResponseText: 'Missing required field: Company' },
      unknown,
    ],
    [
      'an unknown application with status 500',
      500,
      { IsSuccessful: false, ResponseText: 'Application not found' },
      unknown,
    ],
    ['an HTML page with status 404', 404, page, refused('request-malformed')],
    ['an empty body with status 404', 404, '', refused('request-malformed')],
    [
      'status 405 without the flag',
      405,
      { message: 'Method POST is not allowed' },
      refused('request-malformed'),
    ],
    [
      'a platform error with status 405',
      405,
      [{ errorCode: 'METHOD_NOT_ALLOWED', message: "HTTP Method 'POST' not allowed." }],
      refused('request-malformed'),
    ],
    [
      "the operation's own 404 without the flag",
      404,
      { ResponseText: 'Application not found' },
      refused('application-not-found'),
    ],
    [
      "the operation's own 404",
      404,
      { IsSuccessful: false, ResponseText: 'Application not found' },
      refused('application-not-found'),
    ],
    [
      'a platform error with status 404',
      404,
      [{ errorCode: 'NOT_FOUND', message: 'Could not find a match for URL' }],
      refused('request-malformed'),
    ],
    [
      'a known text in a platform error',
      400,
      [{ errorCode: 'APEX_ERROR', message: 'Duplicate ID' }],
      refused('duplicate-id'),
    ],
    ['status 413', 413, page, refused('too-large')],
    [
      'a known text without the flag',
      400,
      { ResponseText: 'Duplicate ID' },
      refused('duplicate-id'),
    ],
    ['an unknown text without the flag', 400, { message: 'Nope' }, refused('unrecognized')],
    [
      'a missing field without the flag',
      400,
      { ResponseText: 'Missing required field: Company' },
      refused('unrecognized', 'Company'),
    ],
    [
      'a missing field with status 403',
      403,
      { IsSuccessful: false, ResponseText: 'Missing required field: Company' },
      refused('unrecognized', 'Company'),
    ],
    [
      'a missing field with status 422',
      422,
      { IsSuccessful: false, ResponseText: 'Missing required field: Company' },
      refused('missing-field', 'Company'),
    ],
    [
      'a missing field in a platform error',
      400,
      [{ errorCode: 'APEX_ERROR', message: 'Missing required field: Company' }],
      unknown,
    ],
    ['status 400 with an empty object', 400, {}, unknown],
    ['a success with status 400', 400, created, unknown],
    ['a redirect', 302, '', unknown],
    ['a redirect with a success', 302, created, unknown],
    ['a moved URL with a success', 301, created, unknown],
    ['an HTML page with status 200', 200, page, unknown],
    ['an empty body with status 200', 200, '', unknown],
    ['incomplete JSON', 200, '{"IsSuccessful":true,"Respo', unknown],
    ['a list', 200, [], unknown],
    ['null', 200, null, unknown],
    ['a failure without a message', 200, { IsSuccessful: false }, refused('unrecognized')],
    [
      'a failure flag as text',
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
  ])('classifies %s', (_name, status, body, expected) => {
    expect(readCreated(status, body)).toEqual(expected);
  });

  it.each<[string, number, unknown, Record<string, string>, number | undefined]>([
    ['status 429', 429, page, {}, undefined],
    ['Retry-After in seconds', 429, page, { 'retry-after': '30' }, 30_000],
    [
      'Retry-After as a date',
      429,
      page,
      { 'retry-after': 'Mon, 04 May 2026 10:01:00 GMT' },
      60_000,
    ],
    ['status 429 with a failure', 429, { IsSuccessful: false }, {}, undefined],
    ['status 503 with Retry-After', 503, page, { 'retry-after': '5' }, 5_000],
    ['status 503 with an invalid Retry-After', 503, page, { 'retry-after': 'soon' }, undefined],
    [
      'REQUEST_LIMIT_EXCEEDED of the platform',
      403,
      [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'TotalRequests Limit exceeded.' }],
      {},
      undefined,
    ],
    [
      'REQUEST_LIMIT_EXCEEDED in a message',
      200,
      {
        IsSuccessful: false,
        ResponseText: 'REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.',
      },
      {},
      undefined,
    ],
  ])('classifies as throttled: %s', (_name, status, body, headers, retryAfterMs) => {
    expect(readCreated(status, body, headers)).toEqual({ kind: 'throttled', retryAfterMs });
  });
});

describe('parseLeadCreated', () => {
  const value = { applicationId: created.ApplicationID, trackingUrl: created.pURL };

  it.each<[string, object, unknown]>([
    ['all fields', {}, value],
    ['the flag as text', { IsSuccessful: 'True' }, value],
    ['our ID in upper case', { ReferenceID: referenceId.toUpperCase() }, value],
    ['no ReferenceID', { ReferenceID: undefined }, value],
    ['ReferenceID null', { ReferenceID: null }, value],
    ['our ID and no flag', { IsSuccessful: undefined }, value],
    ['no tracking URL', { pURL: null }, { ...value, trackingUrl: undefined }],
    ['a numeric ApplicationID', { ApplicationID: 417 }, { ...value, applicationId: '417' }],
  ])('accepts a response with %s', (_name, change, expected) => {
    expect(readCreated(200, { ...created, ...change })).toEqual({
      kind: 'accepted',
      value: expected,
    });
  });

  it.each<[string, object]>([
    ['no ApplicationID', { ApplicationID: undefined }],
    ['ApplicationID null', { ApplicationID: null }],
    ['an empty ApplicationID', { ApplicationID: ' ' }],
    ['an ApplicationID that a header cannot hold', { ApplicationID: 'a\r\nX: 1' }],
    ["another application's ReferenceID", { ReferenceID: 'other' }],
    ['neither flag nor ReferenceID', { IsSuccessful: null, ReferenceID: null }],
  ])('returns unknown for a response with %s', (_name, change) => {
    expect(readCreated(201, { ...created, ...change })).toEqual(unknown);
  });
});

describe('parsePreApproval', () => {
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
      'the status in lower case',
      answer({ PreApproval_Status: 'not qualified' }),
      preApproval('not-qualified'),
    ],
    [
      'the text for "no offers yet"',
      answer(null, 'No related pre-approval offers have been created yet'),
      preApproval('qualified'),
    ],
    ['no data', answer(null), unknown],
    ['another status', answer({ PreApproval_Status: 'Pending' }), unknown],
  ])('classifies %s', (_name, body, expected) => {
    expect(read(body)).toEqual(expected);
  });
});

describe('a parser', () => {
  const contact = { ...context, operation: 'contact-user' } as const;
  const report = { ...context, operation: 'asset-report' } as const;
  const upload = { ...context, operation: 'upload-file' } as const;
  const leadId = 'a0B000000000001';
  const uploaded = { IsSuccessful: true, DocumentId: 'd1', ReferenceID: leadId };
  const accepted = (value: unknown) => ({ kind: 'accepted', value });

  it.each<[unknown, unknown]>([
    [{ IsSuccessful: true, ResponseText: 'updated' }, accepted('')],
    [{ IsSuccessful: 'true' }, accepted('')],
    [{ ResponseText: 'updated' }, unknown],
  ])('parseContactEnabled reads %j', (body, expected) => {
    expect(classifyResponse(createResponse(200, body), contact, parseContactEnabled)).toEqual(
      expected,
    );
  });

  it.each<[unknown, unknown]>([
    [{ success: true, assetReportId: 'r1' }, accepted('r1')],
    [{ success: true, assetReportId: null }, unknown],
    [{ success: true }, unknown],
    [{ success: false, assetReportId: null, message: 'x' }, refused('unrecognized')],
  ])('parseAssetReport reads %j', (body, expected) => {
    expect(classifyResponse(createResponse(200, body), report, parseAssetReport)).toEqual(expected);
  });

  it.each<[unknown, unknown]>([
    [uploaded, accepted('d1')],
    [{ ...uploaded, ReferenceID: null }, accepted('d1')],
    [{ ...uploaded, ReferenceID: `${leadId}AAA` }, accepted('d1')],
    [{ ...uploaded, ReferenceID: 'a0B000000000002' }, unknown],
    [{ ...uploaded, DocumentId: null }, unknown],
  ])('parseUploaded reads %j', (body, expected) => {
    expect(classifyResponse(createResponse(200, body), upload, parseUploaded(leadId))).toEqual(
      expected,
    );
  });
});

const offer = {
  OfferId: 'o-1',
  Product: 'Term Loan',
  Loan_Amount: 50_000,
  Est_Term: 24,
  Payment_Frequency: 'Weekly',
  Est_Payment_Amount: 540.25,
  Monthly_Rate: 1.9,
  APR_Range_Low: 18.5,
  APR_Range_High: 24,
  Fee_Range_Low: 0,
  Fee_Range_High: 3,
  Funding_Disclosures: 'Terms apply.',
  Total_Cost_of_Loan: 56_186,
  Cents_on_the_Dollar: 12.4,
  Total_Interest_Cost: 6186,
};

const parsedOffer = {
  id: 'o-1',
  product: 'Term Loan',
  amount: 50_000,
  termMonths: 24,
  paymentFrequency: 'Weekly',
  paymentAmount: 540.25,
  monthlyRate: 1.9,
  aprLow: 18.5,
  aprHigh: 24,
  feeLow: 0,
  feeHigh: 3,
  disclosures: 'Terms apply.',
  totalCost: 56_186,
  centsOnTheDollar: 12.4,
  totalInterest: 6186,
};

describe('toOffers', () => {
  it('parses all fifteen fields', () => {
    expect(toOffers([offer])).toEqual([parsedOffer]);
    expect(Object.keys(offer)).toHaveLength(15);
  });

  it('parses numeric text', () => {
    const texts = Object.fromEntries(
      Object.entries(offer).map(([name, value]) => [name, String(value)]),
    );
    expect(toOffers([texts])).toEqual([parsedOffer]);
  });

  it('keeps disclosures unchanged', () => {
    const disclosures = '\r\n  Terms <b>apply</b>. \n\n';
    expect(toOffers([{ Funding_Disclosures: disclosures }])[0]?.disclosures).toBe(disclosures);
    expect(toOffers([{ Funding_Disclosures: ' \n' }])[0]?.disclosures).toBeNull();
  });

  it('reads absent fields as null', () => {
    const nothing = Object.fromEntries(Object.keys(parsedOffer).map((name) => [name, null]));
    expect(toOffers([{}])).toEqual([{ ...nothing, id: 'offer-1' }]);
    const nulls = Object.fromEntries(Object.keys(offer).map((name) => [name, null]));
    expect(toOffers([nulls])).toEqual([{ ...nothing, id: 'offer-1' }]);
    expect(toOffers([{ OfferId: 9, Loan_Amount: 'n/a' }])).toEqual([{ ...nothing, id: '9' }]);
  });

  it('leaves out items that are not objects', () => {
    const offers = toOffers([{ OfferId: 'b' }, null, 'x', { OfferId: 'a' }]);
    expect(offers.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it.each([[null], [undefined], [{}], ['[]']])('returns no offers for %j', (value) => {
    expect(toOffers(value)).toEqual([]);
  });
});

const shortId = 'a0B5e000004xYz1';
const longId = 'a0B5e000004xYz1EAC';
const duplicateText = 'Duplicate ID submitted earlier';

describe('findCandidateId', () => {
  it.each<[string, object, string]>([
    ['a field', { ApplicationID: longId }, longId],
    ['a field in lower case', { applicationId: shortId }, shortId],
    ['a numeric id', { ApplicationID: '417' }, '417'],
    ['a leadId field', { leadId: longId }, longId],
    [
      'the query of the tracking URL',
      { pURL: `https://x.example/apply?ref=mail&id=${longId}` },
      longId,
    ],
    [
      'the query of the tracking URL, by name',
      { pURL: 'https://x.example/apply?applicationId=417' },
      '417',
    ],
    ['the path of the tracking URL', { pURL: `https://x.example/apply/${shortId}` }, shortId],
    ['the message', { ResponseText: `Duplicate ID, see record ${longId}.` }, longId],
    [
      'a field rather than the tracking URL',
      { pURL: `https://x.example/${shortId}`, ApplicationID: longId },
      longId,
    ],
  ])('finds the id in %s', (_name, body, expected) => {
    const answer = {
      IsSuccessful: false,
      ResponseText: duplicateText,
      ReferenceID: referenceId,
      ...body,
    };
    expect(findCandidateId(answer)).toBe(expected);
  });

  it('finds the id in a platform error', () => {
    const message = `duplicate value found: ID__c duplicates value on record with id: ${shortId}`;
    expect(findCandidateId({ errorCode: 'DUPLICATE_VALUE', message })).toBe(shortId);
  });

  it.each<[string, unknown]>([
    ['our own reference', {}],
    ['empty fields', { ApplicationID: null, pURL: null }],
    ['a field with spaces', { ApplicationID: 'not available' }],
    ['an invalid tracking URL', { pURL: `apply ${longId} here` }],
    ['long words', { ResponseText: 'Duplicate: acknowledgement notwithstandingly' }],
    ['19 characters', { ResponseText: `Duplicate ${longId}0` }],
    ['16 characters', { ResponseText: 'Duplicate a0B5e000004xYz1E' }],
    ['a name with hyphens', { ResponseText: `Duplicate x-${shortId}-y` }],
  ])('finds no id in %s', (_name, body) => {
    const answer = { IsSuccessful: false, ResponseText: duplicateText, ReferenceID: referenceId };
    expect(findCandidateId({ ...answer, ...(body as object) })).toBeUndefined();
  });

  it('finds no id in an empty body', () => {
    expect(findCandidateId({})).toBeUndefined();
  });
});

describe('a refused duplicate', () => {
  const read = (responseText: string) =>
    classifyResponse(
      createResponse(400, {
        IsSuccessful: false,
        ResponseText: responseText,
        ApplicationID: longId,
      }),
      { operation: 'create-lead', patterns: defaultTextPatterns, now: 0 },
      parseLeadCreated(referenceId),
    );

  it('has the candidate id', () => {
    expect(read(`Duplicate ID for Jane Doe, 123-45-6789`)).toEqual({
      kind: 'refused',
      refusal: { reason: 'duplicate-id', candidateId: longId },
    });
  });

  it('has a candidate id for no other reason', () => {
    expect(read('Missing required field: Company')).toEqual({
      kind: 'refused',
      refusal: { reason: 'missing-field', field: 'Company' },
    });
  });
});

describe('readNumber', () => {
  it.each<[unknown, number | null]>([
    [12.5, 12.5],
    [0, 0],
    [-3, -3],
    ['12.5', 12.5],
    [' 12 ', 12],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['1.2E5', 120_000],
    ['$1,250.00', 1250],
    ['1,250,000', 1_250_000],
    ['-$40', -40],
    ['9.5%', 9.5],
    ['9.5 %', 9.5],
    ['12,5', null],
    ['1,25', null],
    ['', null],
    [' ', null],
    ['n/a', null],
    ['1e999', null],
    ['0x10', null],
    ['Infinity', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
    [undefined, null],
    [true, null],
    [[5], null],
    [{}, null],
  ])('reads %j as %j', (value, expected) => {
    expect(readNumber(value)).toBe(expected);
  });
});

describe('readNumber with a long text', () => {
  it.each([
    ['digits', '1'.repeat(200_000)],
    ['spaces', `1${' '.repeat(300_000)}1`],
    ['thousands', `1${',111'.repeat(100_000)}`],
  ])('returns null at once for %s', (_name, text) => {
    expect(readNumber(text)).toBeNull();
  });
});

describe('readBoolean', () => {
  it.each<[unknown, boolean | undefined]>([
    [true, true],
    [false, false],
    ['true', true],
    ['True', true],
    [' FALSE ', false],
    ['yes', undefined],
    ['', undefined],
    [1, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(readBoolean(value)).toBe(expected);
  });
});

describe('readText', () => {
  it.each<[unknown, string | undefined]>([
    ['a', 'a'],
    [' a ', 'a'],
    [17, '17'],
    ['', undefined],
    ['  ', undefined],
    [null, undefined],
    [undefined, undefined],
    [Number.NaN, undefined],
    [true, undefined],
    [{}, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(readText(value)).toBe(expected);
  });
});

describe('parseJson', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF{"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['"words"', 'words'],
    ['[1]', [1]],
    ['', undefined],
    ['{"a":', undefined],
    ['<html></html>', undefined],
  ])('parses %j', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });
});

describe('readObject', () => {
  it.each([[null], [undefined], ['a'], [1], [[]]])('returns undefined for %j', (value) => {
    expect(readObject(value)).toBeUndefined();
  });
});

describe('isHtml', () => {
  it('checks the content type, then the first character', () => {
    expect(isHtml(createResponse(200, '<p>'))).toBe(true);
    expect(isHtml(createResponse(200, ' <!doctype html>', { 'content-type': 'text/plain' }))).toBe(
      true,
    );
    expect(isHtml(createResponse(200, {}))).toBe(false);
  });
});
