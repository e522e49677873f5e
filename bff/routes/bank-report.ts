// `POST /v1/asset-report`: checks a bank report and stores it for delivery, unchanged.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { type BankReportStatus, bankReportStatusSchema } from '../../shared/api/attachments.ts';
import { bankReportSchema, maxBankReportBytes } from '../../shared/api/bank-report.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import type { Ids } from '../runtime/ids.ts';
import { parseStrictJson } from '../runtime/json.ts';
import type { AttachmentRow } from '../store/store.ts';
import {
  isDelayed,
  requireActiveApplication,
  toDeliveryStatus,
  type ViewOptions,
  waitForAttachment,
  type WaitOptions,
} from './current-application.ts';
import { componentRef, describeSchema, json } from './openapi.ts';
import {
  readUploadLength,
  receiveAttachment,
  toUploader,
  type UploadOptions,
  type StoredUpload,
} from './upload.ts';

/** Maximum reports of one application. The funding service makes a record of each (spec, "Asset report record"). */
const maxReports = 20;

export interface BankReportRoutesOptions extends UploadOptions, ViewOptions, WaitOptions {
  readonly ids: Ids;
  readonly findRateLimitAddress: FindClientAddress;
}

export function bankReportRoutes(options: BankReportRoutesOptions): Hono<BffEnv> {
  const { store, encryption, ids, clock, fundingService } = options;
  const checkReport = createReportCheck();

  return new Hono<BffEnv>().post('/', describeSubmit, async (c) => {
    const application = await requireActiveApplication(store, c.get('session'));
    const upload = {
      requestId: c.get('requestId'),
      uploader: toUploader(c, options.findRateLimitAddress),
      application,
      cipher: encryption.unwrapKey(application.id, application.key),
      source: c.req.raw.body ?? new Blob([]).stream(),
      maxBytes: maxBankReportBytes,
      expectedBytes: readUploadLength(c, 'bank-report', maxBankReportBytes),
      limit: maxReports,
      attachment: {
        id: ids.createId(),
        applicationId: application.id,
        kind: 'bank-report',
        category: '',
        createdAt: clock(),
      },
      async inspect(whole: StoredUpload) {
        await checkReport(whole);
        // A retry after a lost response sends the same bytes. The report's id does not identify a report: an aggregator
        // may return other content under it, and the BFF must not answer "delivered" for that content.
        return { identity: [whole.sha256] };
      },
    } as const;
    const stored = await receiveAttachment(upload, options);
    const report = viewBankReport(
      await waitForAttachment(application, stored, options),
      fundingService,
    );
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
function createReportCheck(): (upload: StoredUpload) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();

  async function check({ content, bytes }: StoredUpload): Promise<void> {
    const received = new Uint8Array(bytes);
    let offset = 0;
    for await (const piece of content()) {
      received.set(piece, offset);
      offset += piece.byteLength;
    }
    const isReport = bankReportSchema.safeParse(parseStrictJson(received)).success;
    if (!isReport) throw new AppError('asset-report-invalid');
  }

  return (upload) => {
    const result = last.then(() => check(upload));
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
  responses: {
    201: { description: 'The funding service has it.', ...json(bankReportStatusSchema) },
    202: { description: 'The BFF stored it and will deliver it.', ...json(bankReportStatusSchema) },
  },
});
