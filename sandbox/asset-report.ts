// Submit Asset Report (spec, operation 5): stores each submission as a separate record.

import { bankReportSchema } from '../shared/api/bank-report.ts';
import { toFieldErrors } from '../shared/application/field-errors.ts';
import {
  assetReportJsonSchema,
  type AssetReportJson,
} from '../shared/funding-service/asset-report.ts';
import type { AssetReportResponse } from '../shared/funding-service/operations.ts';
import { checkAccess } from './authentication.ts';
import {
  createErrorResult,
  isMissing,
  parseObject,
  type OperationRequest,
  type OperationResult,
} from './operation.ts';
import { findTaggedError } from './scenarios.ts';
import { createRecordId, type AssetReportRecord, type SandboxContext } from './state.ts';

export function submitAssetReport(
  request: OperationRequest,
  context: SandboxContext,
): OperationResult {
  const accessError = checkAccess('asset-report', request.headers, context);
  if (accessError) return createErrorResult(accessError);
  const body = parseObject(request.body);
  if (!body) return createErrorResult('asset-report/report-invalid');
  const { assetReportJson } = body;
  if (isMissing(body.applicationId))
    return createErrorResult('asset-report/application-id-missing');
  if (isMissing(assetReportJson)) return createErrorResult('asset-report/report-missing');
  const subject = String(body.applicationId);
  const lead = context.state.leads.get(subject);
  if (!lead) return createErrorResult('asset-report/application-not-found', { subject });
  const { applicationId } = lead;
  // The spec has an error for a report without data, but none for an incomplete report, so the sandbox accepts that.
  if (!bankReportSchema.safeParse(assetReportJson).success) {
    return createErrorResult('asset-report/report-invalid', { applicationId });
  }
  const taggedError = findTaggedError(lead.tags, 'asset-report');
  if (taggedError) return createErrorResult(taggedError, { applicationId, subject: applicationId });

  const assetReportId = createRecordId('assetReport', context.randomBytes);
  const record = toReportRecord({
    assetReportId,
    applicationId,
    receivedAtMs: context.clock.now(),
    receivedText: sliceTopLevelValue(request.body, 'assetReportJson') ?? '',
  });
  context.state.assetReports.set(assetReportId, record);
  const response: AssetReportResponse = {
    success: true,
    message: 'Asset report submitted successfully',
    assetReportId,
  };
  return { kind: 'success', applicationId, body: { ...response } };
}

/** The record of a received report, whose text is valid JSON. */
export function toReportRecord(
  received: Pick<
    AssetReportRecord,
    'assetReportId' | 'applicationId' | 'receivedAtMs' | 'receivedText'
  >,
): AssetReportRecord {
  const assetReportJson: unknown = JSON.parse(received.receivedText);
  const complete = assetReportJsonSchema.safeParse(assetReportJson);
  return {
    ...received,
    assetReportJson,
    completeReport: complete.data,
    incomplete: complete.success
      ? []
      : toFieldErrors(complete.error.issues).map(({ pointer }) => pointer),
  };
}

export interface BankingMetrics {
  readonly institutions: readonly string[];
  readonly accounts: number;
  readonly transactions: number;
  /** USD; the sum of all known balances. */
  readonly currentBalance: number;
  /** USD; the sum of all incoming transactions, which have negative amounts in the report. */
  readonly deposits: number;
}

/** A few examples of the metrics that the funding service extracts for underwriting (spec, operation 5). */
export function toBankingMetrics({ report }: AssetReportJson): BankingMetrics {
  const accounts = report.items.flatMap((item) => item.accounts);
  const transactions = accounts.flatMap((account) => account.transactions);
  return {
    institutions: report.items.map((item) => item.institution_name),
    accounts: accounts.length,
    transactions: transactions.length,
    currentBalance: sumDollars(accounts.map(({ balances }) => balances.current ?? 0)),
    deposits: sumDollars(transactions.map(({ amount }) => Math.max(0, -amount))),
  };
}

function sumDollars(amounts: readonly number[]): number {
  const total = amounts.reduce((subtotal, amount) => subtotal + amount, 0);
  return Math.round(total * 100) / 100;
}

/**
 * Returns the unparsed text of a top-level property, so that numbers and escapes keep their spelling. `json` must be a valid JSON
 * text. If a key is repeated, the last value counts, as in `JSON.parse`.
 */
export function sliceTopLevelValue(json: string, key: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  let currentKey: string | undefined;
  let valueStart = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = findStringEnd(json, at);
      if (depth === 1 && currentKey === undefined) {
        currentKey = String(JSON.parse(json.slice(at, end)));
      }
      at = end - 1;
    } else if (character === ':' && depth === 1) {
      valueStart = at + 1;
    } else if ((character === ',' || character === '}') && depth === 1) {
      if (currentKey === key) found = json.slice(valueStart, at).trim();
      currentKey = undefined;
      if (character === '}') depth -= 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return found;
}

/** The index after the closing quote of the string that starts at `start`. */
function findStringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
