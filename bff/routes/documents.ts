// `/v1/documents`: one raw body a file, streamed into the journal; and the list of what was given.

import { Hono, type Context } from 'hono';
import type { DocumentStatus } from '../../shared/api/documents.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import type { DocumentCategoryId } from '../../shared/application/document-categories.ts';
import { AppError } from '../app-error.ts';
import { toDocumentName, type DocumentName } from '../documents/document-name.ts';
import type { BffEnv } from '../gate/context.ts';
import { listCategories } from './configuration.ts';
import { requireLiveApplication } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createDocumentReceiver } from './receive-document.ts';
import { readUploadLength } from './upload-length.ts';
import { toUploader } from './uploader.ts';
import { viewDocument, viewDocuments } from './views.ts';
import { waitForChild } from './wait-for-child.ts';

/** Of the percent-encoded header: a byte becomes three signs, and file systems allow 255 characters of up to four bytes. */
const maxNameLength = 4096;

export function documentsRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { config, journal } = dependencies;
  const categories = listCategories(config.settings);
  const receiveDocument = createDocumentReceiver(dependencies);

  return new Hono<BffEnv>()
    .post('/', async (c) => {
      const name = readName(c);
      const category = readCategory(c, categories);
      const session = c.get('session');
      const application = await requireLiveApplication(journal, session);
      const child = await receiveDocument({
        requestId: c.get('requestId'),
        uploader: toUploader(c, dependencies),
        application,
        name,
        category,
        expectedBytes: readUploadLength(c, 'document', config.settings.documents.maxBytes),
        source: c.req.raw.body ?? new Blob([]).stream(),
      });
      const waited = await waitForChild(application, child, dependencies);
      return answer(c, viewDocument(waited, application, dependencies));
    })
    .get('/', async (c) => {
      const application = await journal.findCurrentApplication(c.get('session').row.id);
      return c.json({
        documents: application ? await viewDocuments(application, dependencies) : [],
      });
    });
}

function answer(c: Context<BffEnv>, document: DocumentStatus): Response {
  if (document.status === 'rejected') throw new AppError(document.problem ?? 'document-rejected');
  return c.json(document, document.status === 'delivered' ? 201 : 202);
}

function readName(c: Context<BffEnv>): DocumentName {
  const header = c.req.header(apiHeaders.documentName) ?? '';
  const fileName = header.length > maxNameLength ? undefined : decodePercent(header);
  if (!fileName || fileName.trim() === '') throw new AppError('document-name-invalid');
  return toDocumentName(fileName);
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function readCategory(
  c: Context<BffEnv>,
  categories: readonly { readonly id: DocumentCategoryId }[],
): DocumentCategoryId {
  const given = c.req.header(apiHeaders.documentCategory);
  const category = categories.find(({ id }) => id === given);
  if (!category) throw new AppError('document-category-invalid');
  return category.id;
}
