// Takes one document: while there is a place and space for it, and only what the inspection accepts.

import type { DocumentCategoryId } from '../../shared/application/document-categories.ts';
import { AppError } from '../app-error.ts';
import type { DocumentName } from '../documents/document-name.ts';
import { lookAtBeginning, lookAtName } from '../documents/first-look.ts';
import type { InspectionRefusal } from '../documents/document-refusals.ts';
import { InspectionFault, type WholeDocument } from '../documents/inspection-process.ts';
import type { Verdict } from '../documents/inspection-pool.ts';
import type { Uploader } from '../documents/upload-places.ts';
import type { ApplicationRow, ChildRow } from '../journal/records.ts';
import { sealName } from '../journal/sealed-name.ts';
import type { RouteDependencies } from './dependencies.ts';
import { receiveChild } from './receive-child.ts';

/** A child starts within a second, and what is overloaded has finished a few documents by then. */
const retryAfterSeconds = 10;

export interface GivenDocument {
  readonly requestId: string;
  readonly uploader: Uploader;
  readonly application: ApplicationRow;
  readonly name: DocumentName;
  readonly category: DocumentCategoryId;
  readonly expectedBytes: number;
  readonly source: AsyncIterable<Uint8Array>;
}

/** The document as it is kept from now on. Throws an `AppError` that says why it is not. */
export type ReceiveDocument = (given: GivenDocument) => Promise<ChildRow>;

export function createDocumentReceiver(dependencies: RouteDependencies): ReceiveDocument {
  return async function receiveDocument(given) {
    const { requestId, application, name, expectedBytes } = given;
    const { extensions } = dependencies.config.settings.documents;
    const refusal = lookAtName(name.extension, extensions);
    if (refusal) throw noteRefusal(refusal, requestId, dependencies);
    await requireSpace(application, expectedBytes, dependencies);
    // While the document arrives, a child starts.
    dependencies.inspections.prepare();
    return receive(given, dependencies);
  };
}

async function receive(
  { requestId, uploader, application, name, category, expectedBytes, source }: GivenDocument,
  dependencies: RouteDependencies,
): Promise<ChildRow> {
  const { config, sealing, ids, clock } = dependencies;
  const { maxBytes, maxFiles, maxTotalBytes, extensions, scripts } = config.settings.documents;
  const { extension } = name;
  const seal = sealing.open(application.id, application.key);
  const id = ids.createId();
  return receiveChild(
    {
      requestId,
      uploader,
      application,
      seal,
      source,
      maxBytes,
      expectedBytes,
      maxTotalBytes,
      limit: maxFiles,
      child: {
        id,
        applicationId: application.id,
        kind: 'document',
        category,
        createdAt: clock(),
      },
      lookAtBeginning(first) {
        const refusal = lookAtBeginning(first, extension, extensions);
        if (refusal) throw noteRefusal(refusal, requestId, dependencies);
      },
      async inspect({ content, bytes, sha256 }) {
        const options = { allowedExtensions: extensions, scripts };
        const document = { extension, options, bytes, content };
        const verdict = await inspect(document, requestId, dependencies);
        if (verdict.kind !== 'accepted') throw noteRefusal(verdict, requestId, dependencies);
        // The extension that is sent on is the content's own, not what the file's name says.
        return {
          sealedName: sealName(seal, id, { name: name.name, extension: verdict.extension }),
          sameness: [name.name, category, sha256],
        };
      },
    },
    dependencies,
  );
}

/** A fault of ours is a refusal for now: the browser keeps the file and sends it again. */
async function inspect(
  document: WholeDocument,
  requestId: string,
  { inspections, refusals, log }: RouteDependencies,
): Promise<Verdict> {
  let attempt = 0;
  try {
    return await inspections.inspect(document, (failure) => {
      attempt += 1;
      refusals.countInspectionFailure(failure.reason);
      log({ event: 'inspection-failed', requestId, attempt, ...failure });
    });
  } catch (error) {
    if (!(error instanceof InspectionFault)) throw error;
    const { reason } = error;
    // The failure of the last attempt was counted above.
    if (reason !== 'interrupted') refusals.countInspectionFailure(reason);
    log({ event: 'inspection-unavailable', requestId, reason, error });
    throw new AppError('inspection-unavailable', { retryAfterSeconds, cause: error });
  }
}

/** The name stays out of it. */
function noteRefusal(
  verdict: InspectionRefusal | Extract<Verdict, { kind: 'not-checked' }>,
  requestId: string,
  { refusals, log }: RouteDependencies,
): AppError {
  const { code, detail } =
    verdict.kind === 'refused'
      ? verdict
      : ({ code: 'document-not-checked', detail: verdict.reason } as const);
  refusals.countDocumentRefusal(code);
  log({ event: 'document-refused', requestId, code, detail });
  return new AppError(code);
}

/** Early, before anything is received; what comes in at the same time is measured when it is whole. */
async function requireSpace(
  { id }: ApplicationRow,
  expectedBytes: number,
  { config, journal }: RouteDependencies,
): Promise<void> {
  const { maxTotalBytes } = config.settings.documents;
  const children = await journal.listChildren(id, 'document');
  const kept = children.filter(({ state }) => state !== 'rejected' && state !== 'erased');
  const bytes = kept.reduce((sum, child) => sum + child.bytes, 0);
  // One that is as long may be the same again, which takes no space.
  const mayBeThere = kept.some((child) => child.bytes === expectedBytes);
  if (bytes + expectedBytes > maxTotalBytes && !mayBeThere) {
    throw new AppError('document-space-exhausted');
  }
}
