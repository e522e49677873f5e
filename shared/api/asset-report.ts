// `POST /v1/asset-report`: a complete asset report, as the aggregation provider returns it.

import * as z from 'zod/mini';

/** Maximum size of the request body. */
export const maxAssetReportBytes = 8 * 1024 * 1024;

/**
 * Only what proves that this is a report is checked (spec, "Asset report record"); the rest is passed on unchanged,
 * because its structure is the aggregation provider's own.
 */
export const assetReportSchema = z.looseObject({
  report: z.looseObject({
    asset_report_id: z.string().check(z.minLength(1)),
    items: z.array(z.looseObject({ accounts: z.array(z.looseObject({})) })).check(z.minLength(1)),
  }),
});

export type AssetReport = z.infer<typeof assetReportSchema>;
