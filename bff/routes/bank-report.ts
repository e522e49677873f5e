// `POST /v1/asset-report`: a complete report, checked to be one and passed on unchanged.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { bankReportStatusSchema } from '../../shared/api/attachments.ts';
import { bankReportSchema, maxBankReportBytes } from '../../shared/api/bank-report.ts';
import type { Uploader } from '../documents/upload-semaphore.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import type { Ids } from '../runtime/ids.ts';
import { toStrictJson } from '../runtime/json.ts';
import type { ApplicationRow, AttachmentRow } from '../store/store.ts';
import {
  requireLiveApplication,
  waitForAttachment,
  type WaitOptions,
} from './current-application.ts';
import { componentRef, describeSchema, json } from './openapi.ts';
import { toText } from './request-body.ts';
import {
  readUploadLength,
  receiveAttachment,
  toUploader,
  type UploadOptions,
  type StoredUpload,
} from './upload.ts';
import { viewAssetReport, type ViewOptions } from './views.ts';

export interface AssetReportRoutesOptions extends UploadOptions, ViewOptions, WaitOptions {
  readonly ids: Ids;
  readonly findRateLimitAddress: FindClientAddress;
}

export function assetReportRoutes(options: AssetReportRoutesOptions): Hono<BffEnv> {
  const { store } = options;
  const receiveReport = createReportReceiver(options);

  return new Hono<BffEnv>().post('/', describeSubmit, async (c) => {
    const session = c.get('session');
    const application = await requireLiveApplication(store, session);
    const attachment = await receiveReport({
      requestId: c.get('requestId'),
      uploader: toUploader(c, options.findRateLimitAddress),
      application,
      expectedBytes: readUploadLength(c, 'bank-report', maxBankReportBytes),
      source: c.req.raw.body ?? new Blob([]).stream(),
    });
    const waited = await waitForAttachment(application, attachment, options);
    const report = viewAssetReport(waited, options);
    if (report.status === 'rejected') throw new AppError('asset-report-rejected');
    return c.json(report, report.status === 'delivered' ? 201 : 202);
  });
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

/** Maximum reports of one application. The funding service makes a record of each (spec, "Asset report record"). */
const maxReports = 20;

export interface GivenReport {
  readonly requestId: string;
  readonly uploader: Uploader;
  readonly application: ApplicationRow;
  readonly expectedBytes: number;
  readonly source: AsyncIterable<Uint8Array>;
}

/** Returns the stored report. Throws an `AppError` if the report is refused. */
export type ReceiveReport = (given: GivenReport) => Promise<AttachmentRow>;

export function createReportReceiver(options: AssetReportRoutesOptions): ReceiveReport {
  const { encryption, ids, clock } = options;
  const runInTurn = createTurns();

  return async function receiveReport(given) {
    const { requestId, uploader, application, expectedBytes, source } = given;
    return receiveAttachment(
      {
        requestId,
        uploader,
        application,
        cipher: encryption.unwrapKey(application.id, application.key),
        source,
        maxBytes: maxBankReportBytes,
        expectedBytes,
        limit: maxReports,
        attachment: {
          id: ids.createId(),
          applicationId: application.id,
          kind: 'bank-report',
          category: '',
          createdAt: clock(),
        },
        async inspect(whole) {
          await runInTurn(() => checkReport(whole));
          // A retry after a lost response sends the same bytes. The report's id does not identify a report: an
          // aggregator may return other content under it, and the BFF must not answer "delivered" for that content.
          return { sameness: [whole.sha256] };
        },
      },
      options,
    );
  };
}

/**
 * Runs one check at a time: parsing a report takes up to some hundred megabytes of memory and half a second. The number of
 * concurrent uploads limits how many checks wait.
 */
function createTurns(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Throws `asset-report-invalid` unless the upload is JSON that holds report data. */
async function checkReport(whole: StoredUpload): Promise<void> {
  const text = toText(await readBytes(whole));
  const report = text === undefined ? undefined : toStrictJson(text);
  if (!bankReportSchema.safeParse(report).success) throw new AppError('asset-report-invalid');
}

async function readBytes({ content, bytes }: StoredUpload): Promise<Uint8Array> {
  const whole = new Uint8Array(bytes);
  let offset = 0;
  for await (const piece of content()) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
