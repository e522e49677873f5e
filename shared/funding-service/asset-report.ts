// The report in the request of Submit Asset Report, with every field of the spec ("Asset report record").

import * as z from 'zod/mini';

/**
 * The spec lists `name`, but aggregation providers return it only in enriched reports. Their standard reports have the bank's
 * `original_description` instead, which may be `null`.
 */
const transactionSchema = z
  .looseObject({
    transaction_id: z.string(),
    /** USD. Positive amounts are outgoing, as is the convention of aggregation providers. */
    amount: z.number(),
    date: z.string(),
    name: z.optional(z.nullable(z.string())),
    original_description: z.optional(z.nullable(z.string())),
  })
  .check(
    z.refine(
      (transaction) =>
        typeof transaction.name === 'string' || transaction.original_description !== undefined,
      {
        path: ['name'],
      },
    ),
  );

const ownerSchema = z.looseObject({
  names: z.array(z.string()),
  emails: z.array(z.looseObject({ data: z.string(), primary: z.boolean(), type: z.string() })),
});

const accountSchema = z.looseObject({
  account_id: z.string(),
  name: z.string(),
  official_name: z.nullable(z.string()),
  type: z.string(),
  subtype: z.nullable(z.string()),
  mask: z.nullable(z.string()),
  days_available: z.number(),
  balances: z.looseObject({ current: z.nullable(z.number()), available: z.nullable(z.number()) }),
  owners: z.array(ownerSchema),
  historical_balances: z.array(z.looseObject({ date: z.string(), current: z.number() })),
  transactions: z.array(transactionSchema),
});

const itemSchema = z.looseObject({
  institution_name: z.string(),
  accounts: z.array(accountSchema),
});

/** A complete report. Other fields of the aggregation provider are kept. */
export const assetReportJsonSchema = z.looseObject({
  report: z.looseObject({
    asset_report_id: z.string(),
    client_report_id: z.nullable(z.string()),
    /** ISO 8601. */
    date_generated: z.string(),
    days_requested: z.int(),
    items: z.array(itemSchema),
  }),
});

export type AssetReportJson = z.infer<typeof assetReportJsonSchema>;
