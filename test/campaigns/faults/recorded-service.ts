// Serves the sandbox behind the fault proxy, and records the calls that reached it and the data that it accepted.

import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import { createSandbox, type Sandbox } from '../../../sandbox/app.ts';
import { listenApp } from '../../support/servers.ts';
import { type Plan, type SeenHead, startFaultProxy } from './fault-proxy.ts';
import { hashContent } from './history.ts';
import { findOperation } from './operation-paths.ts';

export interface ServiceHostOptions {
  /** Epoch milliseconds. Default: the system clock. */
  readonly clock?: () => number;
  /** Chooses the fault of each request. Default: passes all requests. */
  readonly choose?: (head: SeenHead) => Plan;
}

/** Offers are available immediately. */
export async function startServiceHost(options: ServiceHostOptions = {}) {
  const { clock, choose } = options;
  const sandbox = createSandbox({ offerDelayMs: 0, ...(clock ? { now: clock } : {}) });
  const ledger = recordLedger(sandbox);
  const listening = await listenApp(ledger.fetch);
  const { port } = listening;
  const proxy = await startFaultProxy({ port, ...(choose ? { choose } : {}) });
  return {
    proxy,
    /** Port of the sandbox, without the proxy. */
    port,
    readLedger: ledger.read,
    async close() {
      await proxy.close();
      await listening.close();
    },
  };
}

/** A call that reached the funding service with its complete body, with any response. */
export interface ServiceCall {
  /** Milliseconds of `performance.now()`, as in the history of the applicants. */
  readonly at: number;
  readonly operation: PartnerOperation;
  /** ID of the lead; Create Lead only. */
  readonly reference: string | undefined;
  /** Business name in the lead; Create Lead only. */
  readonly applicant: string | undefined;
  /** ApplicationID in the request; all operations except Create Lead. */
  readonly applicationId: string | undefined;
  /** SHA-256 of the lead's body, of the file, or of the report. */
  readonly content: string;
  /** HTTP status of the response. */
  readonly status: number;
}

export interface LedgerLead {
  readonly reference: string;
  readonly applicationId: string;
  readonly applicant: string;
}

export interface LedgerAttachment {
  /** DocumentId or assetReportId. */
  readonly serviceId: string;
  readonly kind: 'document' | 'bank-report';
  readonly applicationId: string;
  readonly content: string;
}

export interface Ledger {
  readonly calls: readonly ServiceCall[];
  /** Leads that the funding service accepted. */
  readonly leads: readonly LedgerLead[];
  readonly attachments: readonly LedgerAttachment[];
}

/** Needed because the sandbox keeps only its latest calls, and no content of refused calls. */
export function recordLedger({ app, context }: Sandbox) {
  const calls: ServiceCall[] = [];

  return {
    /** Handles a request with the sandbox and records it. Serve this instead of the sandbox. */
    async fetch(request: Request): Promise<Response> {
      const operation = findOperation(new URL(request.url).pathname);
      const isRecorded = operation !== undefined && operation !== 'token';
      if (!isRecorded || request.method !== 'POST') return app.fetch(request);
      const text = await request.clone().text();
      const at = performance.now();
      const response = await app.fetch(request);
      const subject = toSubject(operation, text, request.headers);
      calls.push({ at, operation, ...subject, status: response.status });
      return response;
    },

    read: (): Ledger => ({
      calls,
      leads: Array.from(context.state.leads.values(), ({ referenceId, applicationId, lead }) => ({
        reference: referenceId,
        applicationId,
        applicant: lead.Company,
      })),
      attachments: [
        ...Array.from(context.state.documents.values(), (record) => ({
          serviceId: record.documentId,
          kind: 'document' as const,
          applicationId: record.applicationId,
          content: record.sha256,
        })),
        ...Array.from(context.state.assetReports.values(), (record) => ({
          serviceId: record.assetReportId,
          kind: 'bank-report' as const,
          applicationId: record.applicationId,
          content: hashContent(record.receivedText),
        })),
      ],
    }),
  };
}

type Subject = Pick<ServiceCall, 'reference' | 'applicant' | 'applicationId' | 'content'>;

/** Throws when a body is not JSON. The BFF sends only JSON. */
function toSubject(operation: PartnerOperation, text: string, headers: Headers): Subject {
  const none = { reference: undefined, applicant: undefined, applicationId: undefined };
  const body = text === '' ? {} : JSON.parse(text);
  switch (operation) {
    case 'create-lead':
      return { ...none, reference: body.ID, applicant: body.Company, content: hashContent(text) };
    case 'upload-file': {
      const file = Buffer.from(body.file.file, 'base64');
      return { ...none, applicationId: body.leadId, content: hashContent(file) };
    }
    case 'asset-report': {
      // The report follows the ApplicationID unchanged.
      const report = text.slice(text.indexOf('"assetReportJson":') + 18, -1);
      return { ...none, applicationId: body.applicationId, content: hashContent(report) };
    }
    case 'contact-user':
    case 'pre-approval-offer': {
      const applicationId = headers.get('ApplicationID') ?? undefined;
      return { ...none, applicationId, content: hashContent(text) };
    }
  }
}
