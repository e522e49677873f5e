import { describe, expect, it } from 'vitest';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import { calls, failureOf, leadId, setUpClient } from './client-set-up.ts';

describe('every row of the table "Errors"', () => {
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
      `%s with ${style} instead of %i: %s`,
      async (operation, status, text, expected) => {
        const answer = createResponse(style === '200' ? 200 : status, failureOf(operation, text));
        const { service } = setUpClient({ answers: [answer] });
        expect(await calls[operation](service)).toEqual(expected);
      },
    );
  }
});
