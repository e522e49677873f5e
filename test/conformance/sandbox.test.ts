// The sandbox does what the specification says. The table of probes proves it, and the table covers the specification.

import { describe, expect, it } from 'vitest';
import { probes } from '../../conformance/probes.ts';
import { errorRows } from '../../sandbox/errors.ts';
import { failureStatuses } from '../../sandbox/state.ts';
import { runRig } from './conformance-rig.ts';

/** No request can show these, of any service. */
const untestable = [
  'asset-report/processing-failed',
  'limits/rate',
  'token/lifetime',
  'leads/do-not-contact',
  'leads/states',
  'events/callbacks',
  'asset-report/size-limit',
];

describe.each(failureStatuses)('the sandbox with the failure status %s', (failureStatus) => {
  it('differs from the specification in no row', async () => {
    const { code, report, sandbox } = await runRig({ sandbox: { failureStatus } });
    const list = (verdict: string) =>
      report.rows.filter((row) => row.verdict === verdict).map(({ id }) => id);
    expect(list('differs')).toEqual([]);
    expect(list('not-testable')).toEqual(untestable);
    expect(report.rows.map(({ id }) => id)).toEqual(probes.map(({ id }) => id));
    expect(report).toMatchObject({ state: 'complete', follows: { settings: {}, problems: [] } });
    expect(report.rows.filter(({ bff }) => bff === 'handled-with-settings')).toEqual([]);
    expect(report.facts.leads.map(({ applicationId }) => applicationId)).toEqual([
      ...sandbox.context.state.leads.keys(),
    ]);
    expect(code).toBe(0);
  });
});

describe('the table of probes', () => {
  it('has an id for each row', () => {
    const ids = probes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a probe for each error row of the sandbox', () => {
    const ids = new Set(probes.map(({ id }) => id));
    // These rows have one probe for each field.
    const perField: Readonly<Record<string, string>> = {
      'create-lead/missing-required-field': 'create-lead/missing-Company',
      'create-lead/invalid-field-value': 'create-lead/invalid-AnnualRevenue',
      'upload-file/missing-required-field': 'upload-file/missing-file.ext',
    };
    const missing = Object.keys(errorRows).filter((row) => !ids.has(perField[row] ?? row));
    expect(missing).toEqual([]);
  });

  /** Each statement of the specification that something is not shown, and rows about it. */
  const silences: Readonly<Record<string, readonly string[]>> = {
    'Fields of the lead record beyond those accepted at creation': ['create-lead/accepted'],
    'Fields of the document record and the asset report record': [
      'upload-file/accepted',
      'asset-report/accepted',
    ],
    'Transitions between PreApproval_Status values; other lead states': ['leads/states'],
    'Allowed values of CreditScore': ['create-lead/choices-CreditScore'],
    'Allowed values of BusinessType': ['create-lead/choices-BusinessType'],
    'Allowed values of LoanReason': ['create-lead/choices-LoanReason'],
    'Allowed values of BusinessAge': ['create-lead/format-BusinessAge'],
    'Allowed values of FoundedMonth': ['create-lead/format-FoundedMonth'],
    'Allowed values of the items of Files': ['create-lead/files'],
    'Allowed values of Product and Payment_Frequency': [
      'pre-approval-offer/values-Product',
      'pre-approval-offer/values-Payment_Frequency',
    ],
    'Name of the aggregation provider': [
      'asset-report/accepted',
      'upload-file/aggregator-category',
    ],
    'Lifetime in the token response': ['token/expires-in', 'token/lifetime'],
    'Events, notifications or callbacks': ['events/callbacks'],
    'Wording: invalid token': [
      'create-lead/authentication-invalid',
      'upload-file/authentication-invalid',
      'asset-report/authentication-invalid',
    ],
    'Wording: invalid field value': ['create-lead/invalid-AnnualRevenue'],
    'Wording: duplicate ID': ['create-lead/duplicate-id', 'create-lead/duplicate-id-answer'],
    'Wording: lead not found, category, Base64': [
      'upload-file/lead-not-found',
      'upload-file/category-not-allowed',
      'upload-file/content-not-base64',
    ],
    'HTTP status codes for failures': ['general/failure-status'],
    'Error body of the token operation': [
      'token/client-id-invalid',
      'token/client-secret-invalid',
      'token/user-invalid',
    ],
    'Rate limits': ['limits/rate', 'general/limit-headers'],
    'Request size limits, file size limits': ['upload-file/size-limit', 'asset-report/size-limit'],
    'Numeric bounds of fields': [
      'create-lead/bounds-LoanAmount',
      'create-lead/bounds-OwnershipPct',
    ],
    'Order of the checks': ['order/token-or-headers', 'order/missing-or-invalid'],
    'Versioning scheme, deprecation policy or version header': ['general/version-headers'],
  };

  it.each(Object.entries(silences))('has rows about: %s', (_statement, ids) => {
    expect(probes.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
  });
});
