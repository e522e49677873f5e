// Failures of real platforms, in each shape and with each status. None is a rejection, so none deletes content.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseAssetReport,
  parseContactEnabled,
  parseLeadCreated,
  parseUploaded,
  classifyResponse,
  type ParseSuccess,
} from '../../../bff/funding-service/responses.ts';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import { defaultTextPatterns } from '../../../bff/funding-service/failure-texts.ts';
import { decide } from '../../../bff/delivery/retry-policy.ts';
import { leadAddressSchema, leadSchema } from '../../../shared/funding-service/lead.ts';
import { failureShapes, failureStatuses, failureTexts } from '../../support/failure-texts.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import type { DeliveryKind } from '../../../bff/store/store.ts';
import { createClaim } from './claims.ts';

const reference = '0199a0b1-0000-7000-8000-00000000000a';

/** The state of a row after one response to its first attempt. */
const operations = {
  'create-lead': (status: number, body: unknown) =>
    decideFirst('application', read('create-lead', status, body, parseLeadCreated(reference))),
  'upload-file': (status: number, body: unknown) =>
    decideFirst('document', read('upload-file', status, body, parseUploaded('L1'))),
  'asset-report': (status: number, body: unknown) =>
    decideFirst('bank-report', read('asset-report', status, body, parseAssetReport)),
  'contact-user': (status: number, body: unknown) =>
    decideFirst('contact', read('contact-user', status, body, parseContactEnabled)),
};

function read<Value>(
  operation: PartnerOperation,
  status: number,
  body: unknown,
  parseSuccess: ParseSuccess<Value>,
): Outcome<Value> {
  const context = { operation, patterns: defaultTextPatterns, now: 0 };
  return classifyResponse(createResponse(status, body), context, parseSuccess);
}

function decideFirst(kind: DeliveryKind, outcome: Outcome<unknown>): string {
  if (outcome.kind === 'accepted') return 'accepted';
  return decide(outcome, createClaim(kind), () => 0.5).state;
}

describe.each(Object.entries(operations))('a row that %s sends', (_operation, decide) => {
  it.each(failureTexts)('waits after "$text"', (failure) => {
    for (const [shape, toBody] of Object.entries(failureShapes)) {
      for (const status of failureStatuses) {
        const decision = decide(status, toBody(failure));
        expect(decision, `${shape}, status ${status}`).toBe('waiting');
      }
    }
  });
});

describe('a text composed of words of real platforms', () => {
  const fields = [
    ...Object.keys(leadSchema.shape),
    ...Object.keys(leadAddressSchema.shape).map((part) => `BusinessAddress.${part}`),
    'category',
    'file',
  ];
  const texts = failureTexts.map(({ text }) => text).filter((text) => text !== '');
  const clauses = [...texts, ...texts.flatMap((text) => text.split(/[.:;]\s+/))];
  const words = texts.flatMap((text) => text.split(/\s+/));
  const joints = [' while saving ', ' for ', ': ', ' on field ', ', ', ' [', ' of ', ' in ', ' '];
  const sentence = fc
    .tuple(
      fc.constantFrom(...clauses),
      fc.constantFrom(...joints),
      fc.constantFrom(...fields),
      fc.constantFrom('', ...joints),
      fc.oneof(
        fc.constantFrom(...clauses),
        fc
          .array(fc.constantFrom(...words, ...fields), { maxLength: 8 })
          .map((some) => some.join(' ')),
      ),
    )
    .map((parts) => parts.join(''));

  it('rejects no row', () => {
    fc.assert(
      fc.property(
        sentence,
        fc.constantFrom(...failureStatuses),
        fc.constantFrom(...Object.values(failureShapes)),
        fc.constantFrom(...Object.values(operations)),
        (text, status, toBody, decide) => decide(status, toBody({ text })) !== 'rejected',
      ),
      { numRuns: 20_000 },
    );
  });
});

describe('a documented text', () => {
  const refuse = (text: string) => ({
    IsSuccessful: false,
    ResponseText: text,
    ResponseMessage: text,
  });
  const rejecting: readonly [keyof typeof operations, string, string][] = [
    ['create-lead', 'spec, Errors', 'Missing required field: Ssn'],
    ['create-lead', 'spec, Errors: wording not shown', 'Invalid value for field: AnnualRevenue'],
    ['create-lead', 'spec, Errors: wording not shown', 'Invalid value for AnnualRevenue: abc'],
    ['create-lead', 'spec, Errors: wording not shown', 'Invalid AnnualRevenue'],
    ['create-lead', 'spec, Errors: wording not shown', 'AnnualRevenue must be numeric'],
    ['create-lead', 'spec, Errors: wording not shown', 'BusinessAddress.State is not valid'],
    ['upload-file', 'spec, Errors: wording not shown', 'Error: Category is not allowed'],
    ['upload-file', 'spec, Errors: wording not shown', 'Error: Invalid category: Passport'],
  ];

  it.each(rejecting)('rejects a row that %s sends (%s): %s', (operation, _source, text) => {
    const decide = operations[operation];
    const ends = Object.fromEntries(
      failureStatuses.map((status) => [status, decide(status, refuse(text))]),
    );
    const rejectedAt = failureStatuses.filter((status) => ends[status] === 'rejected');
    expect(rejectedAt).toEqual([200, 400, 422]);
    // Without the flag, or as an error of the platform, the same text is no proof.
    for (const body of [
      { ResponseText: text },
      { message: text },
      [{ errorCode: 'X', message: text }],
    ]) {
      for (const status of failureStatuses) expect(decide(status, body)).not.toBe('rejected');
    }
  });

  it('rejects a bank report without report data', () => {
    const body = { success: false, message: 'Invalid Asset Report JSON - missing report data' };
    const decide = operations['asset-report'];
    expect([200, 400, 403, 500].map((status) => decide(status, body))).toEqual([
      'rejected',
      'rejected',
      'waiting',
      'waiting',
    ]);
  });
});
