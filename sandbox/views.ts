// The sandbox's records as its control endpoints show them: JSON, times in ISO 8601.

import type { AssetReportJson } from '../shared/funding-service/asset-report.ts';
import type { AssetReportRecord, CallRecord, DocumentRecord, LeadRecord } from './state.ts';

export function toTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function toLeadView({ createdAtMs, history, ...record }: LeadRecord) {
  return {
    ...record,
    createdAt: toTime(createdAtMs),
    history: history.map(({ atMs, event }) => ({ at: toTime(atMs), event })),
  };
}

/** Without the bytes, which have an address of their own. */
export function toDocumentView({ receivedAtMs, content, ...record }: DocumentRecord) {
  return { ...record, receivedAt: toTime(receivedAtMs), bytes: content.byteLength };
}

/** `metrics` is null for a report that is not complete. */
export function toAssetReportView({ receivedAtMs, completeReport, ...record }: AssetReportRecord) {
  return {
    ...record,
    receivedAt: toTime(receivedAtMs),
    metrics: completeReport === undefined ? null : toBankingMetrics(completeReport),
  };
}

export function toCallView({ atMs, fault, applicationId, ...record }: CallRecord) {
  return {
    ...record,
    at: toTime(atMs),
    fault: fault ?? null,
    applicationId: applicationId ?? null,
  };
}

export interface BankingMetrics {
  readonly institutions: readonly string[];
  readonly accounts: number;
  readonly transactions: number;
  /** USD; the sum over accounts whose balance is known. */
  readonly currentBalance: number;
  /** USD; money that came in, which the report writes as negative amounts. */
  readonly deposits: number;
}

/** A taste of what the service extracts for underwriting (spec, operation 5). */
export function toBankingMetrics({ report }: AssetReportJson): BankingMetrics {
  const accounts = report.items.flatMap((item) => item.accounts);
  const transactions = accounts.flatMap((account) => account.transactions);
  return {
    institutions: report.items.map((item) => item.institution_name),
    accounts: accounts.length,
    transactions: transactions.length,
    currentBalance: sum(accounts.map(({ balances }) => balances.current ?? 0)),
    deposits: sum(transactions.map(({ amount }) => Math.max(0, -amount))),
  };
}

function sum(amounts: readonly number[]): number {
  const total = amounts.reduce((subtotal, amount) => subtotal + amount, 0);
  return Math.round(total * 100) / 100;
}
