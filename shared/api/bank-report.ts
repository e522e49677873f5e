// The request body of `POST /v1/asset-report`: a complete report, as the aggregation provider returns it.
// This file is separate because the widget only sends the report and never loads its schema.

import * as z from 'zod/mini';

/** Maximum size of the request body. */
export const maxBankReportBytes = 8 * 1024 * 1024;

/**
 * Checks only the fields that every report has (spec, "Asset report record"). The BFF delivers all other fields unchanged,
 * because the aggregation provider defines them.
 */
export const bankReportSchema = z.looseObject({
  report: z.looseObject({
    asset_report_id: z.string().check(z.minLength(1)),
    items: z.array(z.looseObject({ accounts: z.array(z.looseObject({})) })).check(z.minLength(1)),
  }),
});

export type BankReport = z.infer<typeof bankReportSchema>;
