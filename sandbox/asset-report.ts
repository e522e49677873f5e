// Submit Asset Report (spec, operation 5): a separate record for each submission, the JSON kept unchanged.

import { bankReportSchema } from '../shared/api/bank-report.ts';
import { toFieldErrors } from '../shared/application/field-errors.ts';
import { assetReportJsonSchema } from '../shared/funding-service/asset-report.ts';
import type { AssetReportResponse } from '../shared/funding-service/operations.ts';
import { checkAccess } from './access.ts';
import type { SandboxContext } from './context.ts';
import { createRecordId } from './ids.ts';
import { isMissing, parseObject, refuse, type Answer, type Received } from './operation.ts';
import { sliceTopLevelValue } from './raw-json.ts';
import { toPlannedRow } from './scenarios.ts';

export function submitAssetReport(received: Received, context: SandboxContext): Answer {
  const denied = checkAccess('asset-report', received.headers, context);
  if (denied) return refuse(denied);
  const body = parseObject(received.text);
  if (!body) return refuse('asset-report/report-invalid');
  const { applicationId, assetReportJson } = body;
  if (isMissing(applicationId)) return refuse('asset-report/application-id-missing');
  if (isMissing(assetReportJson)) return refuse('asset-report/report-missing');
  const record = context.state.leads.get(String(applicationId));
  if (!record) {
    return refuse('asset-report/application-not-found', { subject: String(applicationId) });
  }
  // Refused is only what holds no report data. What a complete report would hold besides is noted, not demanded: the
  // specification shows no message for it.
  if (!bankReportSchema.safeParse(assetReportJson).success) {
    return refuse('asset-report/report-invalid', { applicationId: record.applicationId });
  }
  const planned = toPlannedRow(record.tags, 'asset-report');
  if (planned) {
    return refuse(planned, { applicationId: record.applicationId, subject: record.applicationId });
  }

  const complete = assetReportJsonSchema.safeParse(assetReportJson);
  const assetReportId = createRecordId('assetReport', context.randomBytes);
  context.state.assetReports.set(assetReportId, {
    assetReportId,
    applicationId: record.applicationId,
    receivedAtMs: context.clock.now(),
    receivedText: sliceTopLevelValue(received.text, 'assetReportJson') ?? '',
    assetReportJson,
    completeReport: complete.data,
    incomplete: complete.success
      ? []
      : toFieldErrors(complete.error.issues).map(({ pointer }) => pointer),
  });
  const answer: AssetReportResponse = {
    success: true,
    message: 'Asset report submitted successfully',
    assetReportId,
  };
  return { kind: 'done', applicationId: record.applicationId, body: { ...answer } };
}
