// `POST /v1/asset-report`: a complete report, checked to be one and passed on unchanged.

import { Hono } from 'hono';
import { assetReportSchema } from '../../shared/api/asset-report.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';
import { toJson } from '../json.ts';
import { requireLiveApplication } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { toUploadPace } from './pace.ts';
import { receiveChild } from './receive-child.ts';
import { readText } from './request-body.ts';
import { viewAssetReport } from './views.ts';

const maxBytes = 8 * 1024 * 1024;
/** Reports one application may have; each is a record of its own at the service (spec, "Asset report record"). */
const maxReports = 20;

export function assetReportRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { journal, sealing, clock, ids } = dependencies;
  const limits = { maxBytes, pace: toUploadPace(dependencies) };

  return new Hono<BffEnv>().post('/', async (c) => {
    const application = await requireLiveApplication(journal, c.get('session'));
    const text = await readText(c, limits);
    const parsed = assetReportSchema.safeParse(text === undefined ? undefined : toJson(text));
    if (text === undefined || !parsed.success) throw new AppError('asset-report-invalid');
    const bytes = new TextEncoder().encode(text);
    const child = await receiveChild(
      {
        application,
        seal: sealing.open(application.id, application.key),
        source: new Blob([bytes]).stream(),
        maxBytes,
        expectedBytes: bytes.byteLength,
        limit: maxReports,
        inspect: () => ({
          id: ids.createId(),
          applicationId: application.id,
          kind: 'asset-report',
          category: '',
          sealedName: undefined,
          createdAt: clock(),
        }),
        // Whatever else was written differently: its record at the service would be a second one.
        toSameness: () => [parsed.data.report.asset_report_id],
      },
      dependencies,
    );
    const report = viewAssetReport(child, dependencies);
    if (report.status === 'rejected') throw new AppError('asset-report-rejected');
    return c.json(report, report.status === 'delivered' ? 201 : 202);
  });
}
