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
import { defaultTextPatterns } from '../../../bff/funding-service/failure-texts.ts';
import { decide } from '../../../bff/delivery/retry-policy.ts';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import { leadAddressSchema, leadSchema } from '../../../shared/funding-service/lead.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import type { DeliveryKind } from '../../../bff/store/store.ts';
import platforms from '../../fixtures/failure-texts.json' with { type: 'json' };
import { createClaim } from './claims.ts';

interface FailureText {
  readonly text: string;
  /** The platform's error code, when its error arrays contain one. */
  readonly code?: string;
}

/**
 * Texts that say nothing about an application: outages, limits, permissions, locks, automation, and proxies. They come from public
 * bug reports and the platforms' documentation.
 */
const failureTexts: readonly FailureText[] = Object.values(platforms).flat();

/** HTTP statuses of real failures. */
const failureStatuses = [200, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503] as const;

/** Response bodies that contain the text of a failure. */
const failureShapes: Readonly<Record<string, (failure: FailureText) => unknown>> = {
  'the operation’s own body': ({ text }) => ({
    IsSuccessful: false,
    success: false,
    ResponseText: text,
    ResponseMessage: text,
    message: text,
  }),
  'the operation’s body without a flag': ({ text }) => ({ ResponseText: text, message: text }),
  'an error array': ({ text, code = 'UNKNOWN_EXCEPTION' }) => [{ errorCode: code, message: text }],
  'a single message': ({ text }) => ({ message: text }),
  'a page': ({ text }) => `<html><body><h1>${text}</h1></body></html>`,
};

type Decide = (status: number, body: unknown) => string;

const operations = {
  'create-lead': decideBy('create-lead', 'application', parseLeadCreated('0199a0b1-0000')),
  'upload-file': decideBy('upload-file', 'document', parseUploaded('L1')),
  'asset-report': decideBy('asset-report', 'bank-report', parseAssetReport),
  'contact-user': decideBy('contact-user', 'contact', parseContactEnabled),
};

/** Returns the state of a row after one response to its first attempt. */
function decideBy(
  operation: PartnerOperation,
  kind: DeliveryKind,
  parseSuccess: ParseSuccess<unknown>,
): Decide {
  const context = { operation, patterns: defaultTextPatterns, now: 0 };
  return (status, body) => {
    const outcome = classifyResponse(createResponse(status, body), context, parseSuccess);
    if (outcome.kind === 'accepted') return 'accepted';
    return decide(outcome, createClaim(kind), () => 0.5).state;
  };
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
  const parts = Object.keys(leadAddressSchema.shape).map((part) => `BusinessAddress.${part}`);
  const fields = [...Object.keys(leadSchema.shape), ...parts, 'category', 'file'];
  const texts = failureTexts.map(({ text }) => text).filter((text) => text !== '');
  const clauses = [...texts, ...texts.flatMap((text) => text.split(/[.:;]\s+/))];
  const words = texts.flatMap((text) => text.split(/\s+/));
  const joints = [' while saving ', ' for ', ': ', ' on field ', ', ', ' [', ' of ', ' in ', ' '];
  const someWords = fc.array(fc.constantFrom(...words, ...fields), { maxLength: 8 });
  const sentence = fc
    .tuple(
      fc.constantFrom(...clauses),
      fc.constantFrom(...joints),
      fc.constantFrom(...fields),
      fc.constantFrom('', ...joints),
      fc.oneof(
        fc.constantFrom(...clauses),
        someWords.map((some) => some.join(' ')),
      ),
    )
    .map((pieces) => pieces.join(''));

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
