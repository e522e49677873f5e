import { describe, expect, it } from 'vitest';
import {
  findCandidateId,
  parseLeadCreated,
  classifyResponse,
} from '../../../bff/funding-service/responses.ts';
import { defaultTextPatterns } from '../../../bff/funding-service/failure-texts.ts';
import { createResponse } from '../../support/scripted-transport.ts';

const short = 'a0B5e000004xYz1';
const long = 'a0B5e000004xYz1EAC';
const referenceId = '0199a0b1-0000-7000-8000-00000000000a';
const text = 'Duplicate ID submitted earlier';

describe('findCandidateId', () => {
  it.each<[string, object, string]>([
    ['a field', { ApplicationID: long }, long],
    ['a field of another spelling', { applicationId: short }, short],
    ['a field with an id of any form', { ApplicationID: '417' }, '417'],
    ['the lead id', { leadId: long }, long],
    [
      'the query of the tracking address',
      { pURL: `https://x.example/apply?ref=mail&id=${long}` },
      long,
    ],
    ['its query by name', { pURL: 'https://x.example/apply?applicationId=417' }, '417'],
    ['the path of the tracking address', { pURL: `https://x.example/apply/${short}` }, short],
    ['the message', { ResponseText: `Duplicate ID, see record ${long}.` }, long],
    ['a field before the rest', { pURL: `https://x.example/${short}`, ApplicationID: long }, long],
  ])('reads it from %s', (_name, body, expected) => {
    const answer = { IsSuccessful: false, ResponseText: text, ReferenceID: referenceId, ...body };
    expect(findCandidateId(JSON.stringify(answer))).toBe(expected);
  });

  it('reads it from an error of the platform', () => {
    const message = `duplicate value found: ID__c duplicates value on record with id: ${short}`;
    expect(findCandidateId(JSON.stringify([{ errorCode: 'DUPLICATE_VALUE', message }]))).toBe(
      short,
    );
  });

  it.each<[string, unknown]>([
    ['nothing but the echo of our own reference', {}],
    ['empty fields', { ApplicationID: null, pURL: null }],
    ['a field with blanks', { ApplicationID: 'not available' }],
    ['a tracking address that is none', { pURL: `apply ${long} here` }],
    ['long words', { ResponseText: 'Duplicate: acknowledgement notwithstandingly' }],
    ['a longer run of characters', { ResponseText: `Duplicate ${long}0` }],
    ['an id of another length', { ResponseText: 'Duplicate a0B5e000004xYz1E' }],
    ['parts of a name with dashes', { ResponseText: `Duplicate x-${short}-y` }],
  ])('finds none in %s', (_name, body) => {
    const answer = { IsSuccessful: false, ResponseText: text, ReferenceID: referenceId };
    expect(findCandidateId(JSON.stringify({ ...answer, ...(body as object) }))).toBeUndefined();
  });

  it.each(['', 'null', '[]', '<html>a0B5e000004xYz1</html>'])('finds none in %j', (answerText) => {
    expect(findCandidateId(answerText)).toBeUndefined();
  });
});

describe('a refusal', () => {
  const read = (responseText: string) =>
    classifyResponse(
      createResponse(400, { IsSuccessful: false, ResponseText: responseText, ApplicationID: long }),
      { operation: 'create-lead', patterns: defaultTextPatterns, now: 0 },
      parseLeadCreated(referenceId),
    );

  it('as duplicate carries the candidate and nothing of the text', () => {
    expect(read(`Duplicate ID for Jane Doe, 123-45-6789`)).toEqual({
      kind: 'refused',
      refusal: { reason: 'duplicate-id', candidateId: long },
    });
  });

  it('for another reason carries none', () => {
    expect(read('Missing required field: Company')).toEqual({
      kind: 'refused',
      refusal: { reason: 'missing-field', field: 'Company' },
    });
  });
});
