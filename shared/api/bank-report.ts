// The request body of `POST /v1/asset-report`: a complete report, as the aggregation provider returns it.
// This file is separate because the widget only sends the report and never loads its schema.

import * as z from 'zod/mini';

/** Maximum size of the request body. */
export const maxBankReportBytes = 8 * 1024 * 1024;

/**
 * Only what proves that this is a report is checked (spec, "Asset report record"); the rest is passed on unchanged,
 * because its structure is the aggregation provider's own.
 */
export const bankReportSchema = z.looseObject({
  report: z.looseObject({
    asset_report_id: z.string().check(z.minLength(1)),
    items: z.array(z.looseObject({ accounts: z.array(z.looseObject({})) })).check(z.minLength(1)),
  }),
});

export type BankReport = z.infer<typeof bankReportSchema>;
