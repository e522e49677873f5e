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
  type ParseSuccess,
  parseUploaded,
  readBoolean,
  readNumber,
  readText,
  toOffers,
} from '../../../bff/funding-service/responses.ts';
import { failureStatuses } from '../../../sandbox/state.ts';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import { errorRows, fillText, toFailure } from '../../support/error-rows.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';
import { createResponse } from '../../support/scripted-transport.ts';

type Headers = Readonly<Record<string, string>>;

const now = Date.parse('2026-05-04T10:00:00Z');
const referenceId = '0199a0b1-0000-7000-8000-00000000000a';
const shortId = 'a0B5e000004xYz1';
const longId = 'a0B5e000004xYz1EAC';
const created = {
  IsSuccessful: true,
  ResponseText: 'Application created.',
  ApplicationID: longId,
  ReferenceID: referenceId,
  pURL: 'https://service.example/a',
};
const page = '<html><body>Gateway</body></html>';
const unknown = { kind: 'unknown' };
const authentication = { kind: 'authentication' };
const accepted = (value: unknown) => ({ kind: 'accepted', value });
const refused = (reason: string, field?: string) => ({
  kind: 'refused',
  refusal: field === undefined ? { reason } : { reason, field },
});

/** The operation's own body of a failure, and an error of the platform. */
const failed = (text: string) => toFailure('create-lead', text);
const platform = (errorCode: string, message = 'x') => [{ errorCode, message }];

function classify<Value>(
  operation: PartnerOperation,
  parseSuccess: ParseSuccess<Value>,
  body: unknown,
  status = 200,
  headers: Headers = {},
): Outcome<Value> {
  const context = { operation, patterns: defaultTextPatterns, now };
  return classifyResponse(createResponse(status, body, headers), context, parseSuccess);
}

const classifyLead = (status: number, body: unknown, headers?: Headers) =>
  classify('create-lead', parseLeadCreated(referenceId), body, status, headers);

describe.each(failureStatuses)('an error of the specification, failures in the %s', (style) => {
  it.each(errorRows)('is classified: $row', (errorRow) => {
    const { operation, status, meaning } = errorRow;
    const text = fillText(errorRow, 'AnnualRevenue');
    const hasField = meaning === 'missing-field' || meaning === 'invalid-field';
    const expected = refused(meaning, hasField ? 'AnnualRevenue' : undefined);
    const body = toFailure(operation, text);
    const outcome = classify(operation, () => undefined, body, style === 'http' ? status : 200);
    expect(outcome).toEqual(meaning === 'authentication' ? authentication : expected);
  });
});

describe('classifyResponse', () => {
  it.each<[number, unknown, unknown]>([
    [401, page, authentication],
    [401, { message: 'x' }, authentication],
    [401, platform('INVALID_SESSION_ID'), authentication],
    [403, platform('invalid_session_id'), authentication],
    [403, platform('INVALID_AUTH_HEADER'), authentication],
    [403, platform('INVALID_LOGIN'), authentication],
    [200, failed('Invalid username and password'), authentication],
    [200, failed('Invalid token'), authentication],
    [500, page, unknown],
    [502, '', unknown],
    [503, page, unknown],
    [500, platform('UNKNOWN_EXCEPTION'), unknown],
    [500, created, unknown],
    [500, failed('Null pointer'), unknown],
    [500, failed('Missing required field: Company'), unknown],
    [500, failed('Application not found'), unknown],
    [404, page, refused('request-malformed')],
    [404, '', refused('request-malformed')],
    [405, { message: 'Method POST is not allowed' }, refused('request-malformed')],
    [405, platform('METHOD_NOT_ALLOWED', 'HTTP Method not allowed'), refused('request-malformed')],
    [404, { ResponseText: 'Application not found' }, refused('application-not-found')],
    [404, { ResponseText: 'Missing Application ID' }, refused('application-id-missing')],
    [404, failed('Application not found'), refused('application-not-found')],
    [404, platform('NOT_FOUND', 'Could not find a match for URL'), refused('request-malformed')],
    [400, platform('APEX_ERROR', 'Duplicate ID'), refused('duplicate-id')],
    [413, page, refused('too-large')],
    [400, { ResponseText: 'Duplicate ID' }, refused('duplicate-id')],
    [400, { message: 'Nope' }, refused('unrecognized')],
    // A text ends in a rejection only with the flag, and with a status of the operation itself.
    [400, failed('Missing required field: Company'), refused('missing-field', 'Company')],
    [422, failed('Missing required field: Company'), refused('missing-field', 'Company')],
    [403, failed('Missing required field: Company'), refused('unrecognized', 'Company')],
    [400, { ResponseText: 'Missing required field: Company' }, refused('unrecognized', 'Company')],
    [400, platform('APEX_ERROR', 'Missing required field: Company'), unknown],
    [400, {}, unknown],
    [400, created, unknown],
    [302, '', unknown],
    [302, created, unknown],
    [200, page, unknown],
    [200, '', unknown],
    [200, '{"IsSuccessful":true,"Respo', unknown],
    [200, [], unknown],
    [200, null, unknown],
    [200, { IsSuccessful: false }, refused('unrecognized')],
    [200, { IsSuccessful: 'False', ResponseText: 'Duplicate ID' }, refused('duplicate-id')],
    [200, JSON.stringify(JSON.stringify(failed('Duplicate ID'))), refused('duplicate-id')],
  ])('reads %i %j as %j', (status, body, expected) => {
    expect(classifyLead(status, body)).toEqual(expected);
  });

  it.each<[number, unknown, Headers, number | undefined]>([
    [429, page, {}, undefined],
    [429, page, { 'retry-after': '30' }, 30_000],
    [429, page, { 'retry-after': 'Mon, 04 May 2026 10:01:00 GMT' }, 60_000],
    [429, { IsSuccessful: false }, {}, undefined],
    [503, page, { 'retry-after': '5' }, 5_000],
    [503, page, { 'retry-after': 'soon' }, undefined],
    [403, platform('REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.'), {}, undefined],
    [200, failed('REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.'), {}, undefined],
  ])('reads %i %j with %j as throttled', (status, body, headers, retryAfterMs) => {
    expect(classifyLead(status, body, headers)).toEqual({ kind: 'throttled', retryAfterMs });
  });
});

describe('a success of Create Lead', () => {
  const value = { applicationId: longId, trackingUrl: created.pURL };

  it.each<[object, unknown]>([
    [{}, accepted(value)],
    [{ IsSuccessful: ' True ' }, accepted(value)],
    [{ ReferenceID: referenceId.toUpperCase() }, accepted(value)],
    [{ ReferenceID: null }, accepted(value)],
    [{ IsSuccessful: undefined }, accepted(value)],
    [{ pURL: null }, accepted({ ...value, trackingUrl: undefined })],
    [{ ApplicationID: 417 }, accepted({ ...value, applicationId: '417' })],
    [{ ApplicationID: null }, unknown],
    [{ ApplicationID: ' ' }, unknown],
    [{ ApplicationID: 'a\r\nX: 1' }, unknown],
    [{ ApplicationID: 'a'.repeat(101) }, unknown],
    [{ ReferenceID: 'other' }, unknown],
    [{ IsSuccessful: null, ReferenceID: null }, unknown],
    [{ IsSuccessful: 'yes', ReferenceID: null }, unknown],
  ])('with the change %j', (change, expected) => {
    expect(classifyLead(201, { ...created, ...change })).toEqual(expected);
  });
});

describe('a success of Get Pre-Approval Offer', () => {
  const status = (PreApproval_Status: string) => ({ PreApproval_Status, PreApproval_Offers: [] });
  const preApproval = (text: string) =>
    accepted({ status: text, offers: [], referenceId, trackingUrl: undefined });

  it.each<[unknown, string, unknown]>([
    [status('Not Qualified'), 'Application found.', preApproval('not-qualified')],
    [status('Qualified'), 'Application found.', preApproval('qualified')],
    [{ PreApproval_Status: 'not qualified' }, '', preApproval('not-qualified')],
    [null, 'No related pre-approval offers have been created yet', preApproval('qualified')],
    [null, 'Application found.', unknown],
    [status('Pending'), 'Application found.', unknown],
  ])('with the data %j and the text %j', (data, text, expected) => {
    const body = { ...created, ResponseText: text, pURL: null, PreApproval_Data: data };
    expect(classify('pre-approval-offer', parsePreApproval, body)).toEqual(expected);
  });
});

describe('a success of another operation', () => {
  const uploaded = { IsSuccessful: true, DocumentId: 'd1', ReferenceID: shortId };

  it.each<[PartnerOperation, ParseSuccess<string>, unknown, unknown]>([
    ['contact-user', parseContactEnabled, { IsSuccessful: true }, accepted('')],
    ['contact-user', parseContactEnabled, { ResponseText: 'updated' }, unknown],
    ['asset-report', parseAssetReport, { success: true, assetReportId: 'r1' }, accepted('r1')],
    ['asset-report', parseAssetReport, { success: true, assetReportId: null }, unknown],
    ['asset-report', parseAssetReport, { success: false }, refused('unrecognized')],
    ['upload-file', parseUploaded(shortId), uploaded, accepted('d1')],
    ['upload-file', parseUploaded(shortId), { ...uploaded, ReferenceID: null }, accepted('d1')],
    ['upload-file', parseUploaded(longId), uploaded, accepted('d1')],
    ['upload-file', parseUploaded(shortId), { ...uploaded, ReferenceID: longId }, accepted('d1')],
    ['upload-file', parseUploaded(shortId), { ...uploaded, ReferenceID: `${shortId}A` }, unknown],
    ['upload-file', parseUploaded('a0B5e000004xYz2'), uploaded, unknown],
    ['upload-file', parseUploaded(shortId), { ...uploaded, DocumentId: null }, unknown],
  ])('%s', (operation, parseSuccess, body, expected) => {
    expect(classify(operation, parseSuccess, body)).toEqual(expected);
  });
});

describe('toOffers', () => {
  // prettier-ignore
  const fields: readonly (readonly [string, string, unknown])[] = [
    ['OfferId', 'id', 'o-1'], ['Product', 'product', 'Term Loan'], ['Loan_Amount', 'amount', 50_000],
    ['Est_Term', 'termMonths', 24], ['Payment_Frequency', 'paymentFrequency', 'Weekly'],
    ['Est_Payment_Amount', 'paymentAmount', 540.25], ['Monthly_Rate', 'monthlyRate', 1.9],
    ['APR_Range_Low', 'aprLow', 18.5], ['APR_Range_High', 'aprHigh', 24],
    ['Fee_Range_Low', 'feeLow', 0], ['Fee_Range_High', 'feeHigh', 3],
    ['Funding_Disclosures', 'disclosures', 'Terms apply.'], ['Total_Cost_of_Loan', 'totalCost', 56_186],
    ['Cents_on_the_Dollar', 'centsOnTheDollar', 12.4], ['Total_Interest_Cost', 'totalInterest', 6186],
  ];
  const toWire = (change: (value: unknown) => unknown) =>
    Object.fromEntries(fields.map(([wire, , value]) => [wire, change(value)]));
  const parsed = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
  const nothing = { ...Object.fromEntries(fields.map(([, name]) => [name, null])), id: 'offer-1' };

  it.each<[string, unknown, unknown]>([
    ['values', toWire((value) => value), parsed],
    ['texts', toWire(String), parsed],
    ['nulls', toWire(() => null), nothing],
    ['nothing', {}, nothing],
    ['wrong types', { OfferId: 9, Loan_Amount: 'n/a' }, { ...nothing, id: '9' }],
    ['blank disclosures', { Funding_Disclosures: ' \n' }, nothing],
    [
      'disclosures with layout',
      { Funding_Disclosures: '\r\n Terms <b>apply</b>. \n' },
      { ...nothing, disclosures: '\r\n Terms <b>apply</b>. \n' },
    ],
  ])('parses an offer with %s', (_name, offer, expected) => {
    expect(toOffers([offer])).toEqual([expected]);
  });

  it('keeps the order, without items that are not objects', () => {
    const offers = toOffers([{ OfferId: 'b' }, null, 'x', { OfferId: 'a' }]);
    expect(offers.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it.each([[null], [{}], ['[]']])('returns no offers for %j', (value) => {
    expect(toOffers(value)).toEqual([]);
  });
});

describe('findCandidateId', () => {
  const text = 'Duplicate ID submitted earlier';
  const url = 'https://x.example/apply';

  it.each<[object, string | undefined]>([
    [{ ApplicationID: longId }, longId],
    [{ applicationId: shortId }, shortId],
    [{ app_id: '417' }, '417'],
    [{ leadId: longId }, longId],
    [{ pURL: `${url}?ref=mail&id=${longId}` }, longId],
    [{ pURL: `${url}?applicationId=417` }, '417'],
    [{ pURL: `${url}/${shortId}` }, shortId],
    [{ ResponseText: `Duplicate ID, see record ${longId}.` }, longId],
    [{ ResponseText: undefined, message: `duplicates record with id: ${shortId}` }, shortId],
    [{ pURL: `${url}/${shortId}`, ApplicationID: longId }, longId],
    [{ pURL: `${url}/${shortId}`, ResponseText: `see ${longId}` }, shortId],
    [{}, undefined],
    [{ ApplicationID: null, pURL: null }, undefined],
    [{ ApplicationID: 'not available' }, undefined],
    [{ pURL: `apply ${longId} here` }, undefined],
    [{ ResponseText: 'Duplicate: acknowledgement notwithstandingly' }, undefined],
    [{ ResponseText: `Duplicate ${longId}0` }, undefined],
    [{ ResponseText: 'Duplicate a0B5e000004xYz1E' }, undefined],
    [{ ResponseText: `Duplicate x-${shortId}` }, undefined],
    [{ ResponseText: `Duplicate ${shortId}-y` }, undefined],
  ])('in %j is %s', (body, expected) => {
    const answer = { IsSuccessful: false, ResponseText: text, ReferenceID: referenceId, ...body };
    expect(findCandidateId(answer)).toBe(expected);
  });

  it('is not searched beyond the first 2,000 characters', () => {
    const toAnswer = (length: number) => ({ ResponseText: `${'x'.repeat(length)} ${longId}` });
    expect(findCandidateId(toAnswer(1_000))).toBe(longId);
    expect(findCandidateId(toAnswer(2_000))).toBeUndefined();
  });

  it.each([
    ['Duplicate ID for Jane Doe, 123-45-6789', { reason: 'duplicate-id', candidateId: longId }],
    ['Missing required field: Company', { reason: 'missing-field', field: 'Company' }],
  ])('is a part of the refusal only after a duplicate: %s', (ResponseText, refusal) => {
    const body = { IsSuccessful: false, ResponseText, ApplicationID: longId };
    expect(classifyLead(400, body)).toEqual({ kind: 'refused', refusal });
  });
});

describe('a value of the wire', () => {
  it.each(readGroupedRows('wire-values.txt'))('is read: %s is %s', (json, expected) => {
    const [type = '', value] = expected.split(': ');
    const read = { number: readNumber, boolean: readBoolean, text: readText }[type]!;
    expect(String(read(JSON.parse(json)))).toBe(value);
  });

  it('is neither a number nor a text if it is NaN', () => {
    expect([readNumber(Number.NaN), readText(Number.NaN)]).toEqual([null, undefined]);
  });

  it.each([
    ['digits', '1'.repeat(200_000)],
    ['spaces', `1${' '.repeat(300_000)}1`],
    ['thousands', `1${',111'.repeat(100_000)}`],
  ])('is no number if it is a long text of %s', (_name, text) => {
    expect(readNumber(text)).toBeNull();
  });

  it.each<[string, unknown]>([
    ['\uFEFF{"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['"words"', 'words'],
    ['[1]', [1]],
    ['{"a":', undefined],
  ])('is parsed from JSON: %j as %j', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  it.each<[unknown, Headers, boolean]>([
    ['p', {}, true],
    [' <!doctype html>', { 'content-type': 'text/plain' }, true],
    [{}, {}, false],
  ])('is a page: %j with %j: %s', (body, headers, expected) => {
    expect(isHtml(createResponse(200, body, headers))).toBe(expected);
  });
});
