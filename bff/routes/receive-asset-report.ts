// Takes one asset report: it comes in as a document does, and is read whole only in its turn.

import { assetReportSchema } from '../../shared/api/asset-report.ts';
import { AppError } from '../app-error.ts';
import type { Uploader } from '../documents/upload-places.ts';
import type { ApplicationRow, ChildRow } from '../journal/records.ts';
import { toStrictJson } from '../json.ts';
import type { RouteDependencies } from './dependencies.ts';
import { receiveChild, type WholeUpload } from './receive-child.ts';
import { toText } from './request-body.ts';

export const maxReportBytes = 8 * 1024 * 1024;
/** Reports one application may have; each is a record of its own at the service (spec, "Asset report record"). */
const maxReports = 20;

export interface GivenReport {
  readonly requestId: string;
  readonly uploader: Uploader;
  readonly application: ApplicationRow;
  readonly expectedBytes: number;
  readonly source: AsyncIterable<Uint8Array>;
}

/** The report as it is kept from now on. Throws an `AppError` that says why it is not. */
export type ReceiveReport = (given: GivenReport) => Promise<ChildRow>;

export function createReportReceiver(dependencies: RouteDependencies): ReceiveReport {
  const { sealing, ids, clock } = dependencies;
  const takeTurn = createTurns();

  return async function receiveReport(given) {
    const { requestId, uploader, application, expectedBytes, source } = given;
    return receiveChild(
      {
        requestId,
        uploader,
        application,
        seal: sealing.open(application.id, application.key),
        source,
        maxBytes: maxReportBytes,
        expectedBytes,
        limit: maxReports,
        child: {
          id: ids.createId(),
          applicationId: application.id,
          kind: 'asset-report',
          category: '',
          createdAt: clock(),
        },
        // Whatever else was written differently: its record at the service would be a second one.
        inspect: async (whole) => ({ sameness: [await takeTurn(() => readReportId(whole))] }),
      },
      dependencies,
    );
  };
}

/**
 * One after the other: to know what a report says takes some hundred megabytes and half a second at worst. How many may wait
 * is limited by the places for uploads.
 */
function createTurns(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Its bytes, its text and what it says are let go with the return: each is a copy of the whole. */
async function readReportId(whole: WholeUpload): Promise<string> {
  const text = toText(await gather(whole));
  const parsed = assetReportSchema.safeParse(text === undefined ? undefined : toStrictJson(text));
  if (!parsed.success) throw new AppError('asset-report-invalid');
  return parsed.data.report.asset_report_id;
}

async function gather({ content, bytes }: WholeUpload): Promise<Uint8Array> {
  const gathered = new Uint8Array(bytes);
  let filled = 0;
  for await (const piece of content()) {
    gathered.set(piece, filled);
    filled += piece.byteLength;
  }
  return gathered;
}
