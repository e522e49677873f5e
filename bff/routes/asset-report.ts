// `POST /v1/asset-report`: a complete report, checked to be one and passed on unchanged.

import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { assetReportSchema } from '../../shared/api/asset-report.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';
import { toStrictJson } from '../json.ts';
import { requireLiveApplication } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createHeldBytes } from './held-bytes.ts';
import { toReportPace } from './pace.ts';
import { receiveChild } from './receive-child.ts';
import { readAnnouncedBytes, readBytes, toText } from './request-body.ts';
import { viewAssetReport } from './views.ts';
import { waitForChild } from './wait-for-child.ts';

const maxBytes = 8 * 1024 * 1024;
/** Reports one application may have; each is a record of its own at the service (spec, "Asset report record"). */
const maxReports = 20;
/** Of all reports that are on their way into the journal: four of the longest, or some hundred as they usually are. */
const maxHeldBytes = 4 * maxBytes;

export function assetReportRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { journal, sealing, clock, ids } = dependencies;
  const limits = { maxBytes, pace: toReportPace(dependencies) };
  const holdBytes = createHeldBytes(maxHeldBytes);

  return new Hono<BffEnv>().post('/', async (c) => {
    const application = await requireLiveApplication(journal, c.get('session'));
    const announced = Math.min(readAnnouncedBytes(c) ?? maxBytes, maxBytes);
    const child = await holdBytes(announced, async () => {
      const bytes = await readBytes(c, limits);
      const reportId = readReportId(bytes);
      return receiveChild(
        {
          application,
          seal: sealing.open(application.id, application.key),
          source: Readable.from([bytes]),
          maxBytes,
          expectedBytes: bytes.byteLength,
          pace: limits.pace,
          limit: maxReports,
          child: {
            id: ids.createId(),
            applicationId: application.id,
            kind: 'asset-report',
            category: '',
            createdAt: clock(),
          },
          // Whatever else was written differently: its record at the service would be a second one.
          toSameness: () => [reportId],
        },
        dependencies,
      );
    });
    const waited = await waitForChild(application, child, dependencies);
    const report = viewAssetReport(waited, dependencies);
    if (report.status === 'rejected') throw new AppError('asset-report-rejected');
    return c.json(report, report.status === 'delivered' ? 201 : 202);
  });
}

/** Its text and what it says are let go with the return: each is a copy of the whole. */
function readReportId(bytes: Uint8Array): string {
  const text = toText(bytes);
  const parsed = assetReportSchema.safeParse(text === undefined ? undefined : toStrictJson(text));
  if (!parsed.success) throw new AppError('asset-report-invalid');
  return parsed.data.report.asset_report_id;
}
