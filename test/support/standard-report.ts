// An asset report of a large aggregation provider: every member that its published OpenAPI schema of
// `/asset_report/get` (version 2020-09-14) requires, and no member of reports "with Insights".

export interface StandardReportOptions {
  readonly accounts?: number;
  /** Number of transactions in each account. */
  readonly transactions?: number;
}

const currency = { iso_currency_code: 'USD', unofficial_currency_code: null };

export function createStandardReport({
  accounts = 2,
  transactions = 3,
}: StandardReportOptions = {}) {
  return {
    report: {
      asset_report_id: '0199c0de-0000-4000-8000-00000000a55e',
      client_report_id: null,
      date_generated: '2026-03-01T12:00:00Z',
      days_requested: 90,
      user: {
        client_user_id: null,
        first_name: 'Ana',
        middle_name: null,
        last_name: 'Brandt',
        ssn: null,
        phone_number: null,
        email: null,
      },
      items: [
        {
          item_id: 'item-1',
          institution_name: 'First Sample Bank',
          institution_id: 'ins_1',
          date_last_updated: '2026-03-01T11:58:00Z',
          accounts: Array.from({ length: accounts }, (_none, index) =>
            createAccount(`account-${index + 1}`, transactions),
          ),
        },
      ],
    },
    warnings: [],
    request_id: 'request-1',
  };
}

function createAccount(accountId: string, transactions: number) {
  return {
    account_id: accountId,
    balances: {
      available: null,
      current: 110.25,
      limit: null,
      margin_loan_amount: null,
      ...currency,
    },
    mask: null,
    name: 'Checking',
    official_name: null,
    type: 'depository',
    subtype: 'checking',
    days_available: 90,
    transactions: Array.from({ length: transactions }, (_none, index) => ({
      transaction_id: `${accountId}-transaction-${index + 1}`,
      account_id: accountId,
      amount: index % 2 === 0 ? -1500.5 : 89.4,
      date: '2026-02-28',
      pending: false,
      // Banks omit the description of some transactions.
      original_description: index % 3 === 2 ? null : 'ACH CREDIT CARD SETTLEMENT 0042',
      ...currency,
    })),
    owners: [{ names: ['Ana Brandt'], phone_numbers: [], emails: [], addresses: [] }],
    historical_balances: [{ date: '2026-02-28', current: 110.25, ...currency }],
  };
}
