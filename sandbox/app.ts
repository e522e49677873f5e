// The sandbox as one Hono app: the token operation, the partner operations below /rest, the console, and the control API.

import { Hono } from 'hono';
import { toAssetReportPath } from '../shared/funding-service/operations.ts';
import { submitAssetReport } from './asset-report.ts';
import { createConsole } from './console.ts';
import { contactUser } from './contact-user.ts';
import { createControl } from './control.ts';
import { createLead } from './create-lead.ts';
import { serveOperation, toPlatformError } from './operation.ts';
import { getPreApprovalOffer } from './pre-approval-offer.ts';
import { createContext, type SandboxContext, type SandboxOptions } from './state.ts';
import { getAccessToken } from './token.ts';
import { createTrackingPage } from './tracking-page.ts';
import { uploadFile } from './upload-file.ts';

export interface Sandbox {
  readonly app: Hono;
  /** Gives tests in the same process access to the clock and the state. */
  readonly context: SandboxContext;
}

/** The path of the base URL, below which the partner operations are served. */
export const basePath = '/rest';

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const context = createContext(options);
  const app = new Hono();
  // Hono matches decoded paths, and an aggregator's name may contain a space.
  const assetReportPath = decodeURI(toAssetReportPath(context.settings.aggregatorName));

  app.post('/services/oauth2/token', serveOperation('token', getAccessToken, context));
  const operations = new Hono()
    .post('/creditapp', serveOperation('create-lead', createLead, context))
    .post(
      '/creditapp/getPreApprovalOffer',
      serveOperation('pre-approval-offer', getPreApprovalOffer, context),
    )
    .post('/creditapp/contactUser', serveOperation('contact-user', contactUser, context))
    .post(assetReportPath, serveOperation('asset-report', submitAssetReport, context))
    .post('/UploadFileApiV1', serveOperation('upload-file', uploadFile, context));
  app.route(basePath, operations);

  app.get('/', (c) => c.redirect('/_sandbox/'));
  app.route('/apply', createTrackingPage(context));
  app.route('/', createConsole(context));
  app.route('/_sandbox', createControl(context));

  app.notFound(() => toPlatformError(404, 'NOT_FOUND', 'Could not find a match for URL or method'));
  return { app, context };
}
