// `POST /v1/asset-report`: checks a bank report and stores it for delivery, unchanged.

import { buffer } from 'node:stream/consumers';
import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { type BankReportStatus, bankReportStatusSchema } from '../../shared/api/attachments.ts';
import { bankReportSchema, maxBankReportBytes } from '../../shared/api/bank-report.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { parseStrictJson } from '../runtime/json.ts';
import type { AttachmentRow } from '../store/store.ts';
import { isDelayed, requireActiveApplication } from './application.ts';
import {
  readUploadLength,
  receiveAttachment,
  type StoredContent,
  toDeliveryStatus,
  type UploadDependencies,
} from './attachments.ts';
import { componentRef, deliveryResponses, describeSchema, json } from './openapi.ts';

/** Maximum reports of one application. The funding service makes a record of each (spec, "Asset report record"). */
const maxReports = 20;

export function bankReportRoutes(options: UploadDependencies): Hono<BffEnv> {
  const { fundingService } = options;
  const checkReport = createReportCheck();

  return new Hono<BffEnv>().post('/', describeSubmit, async (c) => {
    const application = requireActiveApplication(c);
    const attachment = await receiveAttachment(c, options, {
      application,
      kind: 'bank-report',
      category: '',
      bytes: readUploadLength(c, 'bank-report', maxBankReportBytes),
      limit: maxReports,
      async inspect(content, contentTag) {
        await checkReport(content);
        // A retry after a lost response sends the same bytes. The report's id does not identify a report: an aggregator
        // may return other content under it, and the BFF must not answer "delivered" for that content.
        return { identity: [contentTag] };
      },
    });
    const report = viewBankReport(attachment, fundingService);
    if (report.status === 'rejected') throw new AppError('asset-report-rejected');
    return c.json(report, report.status === 'delivered' ? 201 : 202);
  });
}

export function viewBankReport(
  attachment: AttachmentRow,
  fundingService: FundingService,
): BankReportStatus {
  return {
    status: toDeliveryStatus(attachment),
    delayed: isDelayed(attachment, 'asset-report', fundingService),
  };
}

/**
 * Creates a function that throws `asset-report-invalid` unless an upload is JSON with report data. Checks run one after another:
 * parsing a report takes up to some hundred megabytes of memory and half a second. The number of concurrent uploads limits how
 * many checks wait.
 */
function createReportCheck(): (content: StoredContent) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();

  async function check(content: StoredContent): Promise<void> {
    const report = parseStrictJson(await buffer(content.read()));
    if (!bankReportSchema.safeParse(report).success) throw new AppError('asset-report-invalid');
  }

  return (content) => {
    const result = last.then(() => check(content));
    last = result.catch(() => undefined);
    return result;
  };
}

describeSchema('AssetReport', bankReportSchema);
describeSchema('AssetReportStatus', bankReportStatusSchema, {
  status:
    '`received`: stored, not delivered yet. `delivered`: the funding service has it. `rejected`: the funding service rejected it.',
  delayed: 'Whether delivery takes longer than usual.',
});

const describeSubmit = describeRoute({
  summary: 'Submit an asset report',
  description: `Submits the report exactly as the aggregation provider returns it, at most ${maxBankReportBytes} bytes. The BFF checks only the properties of the schema, and delivers all others unchanged. Each report becomes a record of its own at the funding service. The same bytes again are the same report.`,
  parameters: [componentRef('parameters/ContentLength')],
  requestBody: { required: true, ...json(bankReportSchema) },
  responses: deliveryResponses(bankReportStatusSchema),
});
