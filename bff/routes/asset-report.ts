// `POST /v1/asset-report`: a complete report, checked to be one and passed on unchanged.

import { Hono } from 'hono';
import { maxAssetReportBytes } from '../../shared/api/asset-report.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';
import { requireLiveApplication } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createReportReceiver } from './receive-asset-report.ts';
import { readUploadLength } from './upload-length.ts';
import { toUploader } from './uploader.ts';
import { viewAssetReport } from './views.ts';
import { waitForChild } from './wait-for-child.ts';

export function assetReportRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { journal } = dependencies;
  const receiveReport = createReportReceiver(dependencies);

  return new Hono<BffEnv>().post('/', async (c) => {
    const session = c.get('session');
    const application = await requireLiveApplication(journal, session);
    const child = await receiveReport({
      requestId: c.get('requestId'),
      uploader: toUploader(c, dependencies),
      application,
      expectedBytes: readUploadLength(c, 'asset-report', maxAssetReportBytes),
      source: c.req.raw.body ?? new Blob([]).stream(),
    });
    const waited = await waitForChild(application, child, dependencies);
    const report = viewAssetReport(waited, dependencies);
    if (report.status === 'rejected') throw new AppError('asset-report-rejected');
    return c.json(report, report.status === 'delivered' ? 201 : 202);
  });
}
