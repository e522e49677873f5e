// What reached the funding service and what it took: the other history, kept beside the sandbox for as long as a campaign runs.

import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { Sandbox } from '../../sandbox/app.ts';
import { hashContent } from './history.ts';

/** A call that reached the service with its whole body, whatever became of it. */
export interface ServiceCall {
  /** Milliseconds of `performance.now()`, as in the applicants' history. */
  readonly at: number;
  readonly operation: PartnerOperation;
  /** The lead's own ID; Create Lead only. */
  readonly reference: string | undefined;
  /** The name of the lead's business; Create Lead only. */
  readonly applicant: string | undefined;
  /** Of all others: the ApplicationID they name. */
  readonly applicationId: string | undefined;
  /** SHA-256: of a lead's body as it came, of a file, of a report. */
  readonly content: string;
  /** HTTP status of the answer. */
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
  /** What the service holds. */
  readonly leads: readonly LedgerLead[];
  readonly attachments: readonly LedgerAttachment[];
}

export interface KeptLedger {
  /** The sandbox behind the ledger: serve this in its place. */
  fetch(request: Request): Promise<Response>;
  read(): Ledger;
}

/** The sandbox itself keeps its latest calls only, and no content of those it refuses. */
export function keepLedger({ app, context }: Sandbox): KeptLedger {
  const calls: ServiceCall[] = [];

  return {
    async fetch(request) {
      const operation = toOperation(new URL(request.url).pathname);
      if (operation === undefined || request.method !== 'POST') return app.fetch(request);
      const text = await request.clone().text();
      const at = performance.now();
      const response = await app.fetch(request);
      const subject = toSubject(operation, text, request.headers);
      calls.push({ at, operation, ...subject, status: response.status });
      return response;
    },

    read: () => ({
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

function toOperation(path: string): PartnerOperation | undefined {
  if (path.endsWith('/creditapp')) return 'create-lead';
  if (path.endsWith('/getPreApprovalOffer')) return 'pre-approval-offer';
  if (path.endsWith('/contactUser')) return 'contact-user';
  if (path.endsWith('/asset-report/')) return 'asset-report';
  return path.endsWith('/UploadFileApiV1') ? 'upload-file' : undefined;
}

type Subject = Pick<ServiceCall, 'reference' | 'applicant' | 'applicationId' | 'content'>;

/** Throws when a body is no JSON: nothing of ours sends such a one. */
function toSubject(operation: PartnerOperation, text: string, headers: Headers): Subject {
  const none = { reference: undefined, applicant: undefined };
  const body = text === '' ? {} : JSON.parse(text);
  switch (operation) {
    case 'create-lead':
      return {
        reference: body.ID,
        applicant: body.Company,
        applicationId: undefined,
        content: hashContent(text),
      };
    case 'upload-file':
      return {
        ...none,
        applicationId: body.leadId,
        content: hashContent(Buffer.from(body.file.file, 'base64')),
      };
    case 'asset-report':
      return {
        ...none,
        applicationId: body.applicationId,
        // Behind the ApplicationID the report stands as it was given.
        content: hashContent(text.slice(text.indexOf('"assetReportJson":') + 18, -1)),
      };
    case 'contact-user':
    case 'pre-approval-offer':
      return {
        ...none,
        applicationId: headers.get('ApplicationID') ?? undefined,
        content: hashContent(text),
      };
  }
}
