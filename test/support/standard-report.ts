// An asset report of a large aggregation provider: every member that its published OpenAPI schema of
// `/asset_report/get` (version 2020-09-14) requires, and no member of reports "with Insights".

import standardReport from '../fixtures/standard-report.json' with { type: 'json' };

const [item] = standardReport.report.items;
const [account] = item!.accounts;
const [transaction] = account!.transactions;

/** @param transactions number of transactions in each account. */
export function createStandardReport({ accounts = 2, transactions = 3 } = {}) {
  const all = Array.from({ length: accounts }, (_none, index) =>
    createAccount(`account-${index + 1}`, transactions),
  );
  const report = { ...standardReport.report, items: [{ ...item!, accounts: all }] };
  return { ...standardReport, report };
}

function createAccount(accountId: string, transactions: number) {
  return {
    ...account!,
    account_id: accountId,
    transactions: Array.from({ length: transactions }, (_none, index) => ({
      ...transaction!,
      transaction_id: `${accountId}-transaction-${index + 1}`,
      account_id: accountId,
      amount: index % 2 === 0 ? -1500.5 : 89.4,
      // Banks omit the description of some transactions.
      original_description: index % 3 === 2 ? null : transaction!.original_description,
    })),
  };
}
