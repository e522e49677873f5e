// The funding service of the spec as one Hono app: the token operation at its root, the five partner operations below /rest.

import { Hono } from 'hono';
import { toAssetReportPath } from '../shared/funding-service/operations.ts';
import { toPlatformResponse } from './answers.ts';
import { submitAssetReport } from './asset-report.ts';
import { createConsole } from './console.ts';
import { contactUser } from './contact-user.ts';
import { createContext, type SandboxContext, type SandboxOptions } from './context.ts';
import { createControl } from './control.ts';
import { createLead } from './create-lead.ts';
import { getPreApprovalOffer } from './pre-approval-offer.ts';
import { serveOperation } from './serve-operation.ts';
import { getAccessToken } from './token.ts';
import { createTrackingPage } from './tracking-page.ts';
import { uploadFile } from './upload-file.ts';

export interface Sandbox {
  readonly app: Hono;
  /** The sandbox's clock and state, for tests that run in its process. */
  readonly context: SandboxContext;
}

/** Below the sandbox's origin; the base address of the partner operations. */
export const basePath = '/rest';

export const tokenPath = '/services/oauth2/token';

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const context = createContext(options);
  const app = new Hono();
  // Hono matches decoded paths, so an aggregator's name with a space in it is registered decoded too.
  const assetReportPath = decodeURI(toAssetReportPath(context.settings.aggregatorName));

  app.post(tokenPath, serveOperation('token', getAccessToken, context));
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

  app.notFound(() =>
    toPlatformResponse(404, 'NOT_FOUND', 'Could not find a match for URL or method'),
  );
  return { app, context };
}
