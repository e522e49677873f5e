// Changes of the documents, the bank report, and the contact request that concern the whole application.

import type { Session } from '../../shared/api/session.ts';
import {
  emptyBank,
  emptyContact,
  emptyDocuments,
  emptyOffers,
  type AppState,
  type DocumentsState,
  type UploadedDocument,
} from './store.ts';

/** The phone of a handoff gets its documents only. */
type Attachments = Pick<Session, 'documents'> & Partial<Pick<Session, 'assetReport' | 'contact'>>;

/** Identifies the application. A response that arrives after it has changed belongs to an earlier application. */
export function toReference({ form }: AppState): string | undefined {
  return form?.application?.reference;
}

/**
 * Applies the BFF's list of attachments. It never turns a final status back into `received`.
 *
 * @param before the state when the list was requested.
 */
export function withAttachments(
  state: AppState,
  attachments: Attachments,
  before: AppState = state,
): AppState {
  const { documents, assetReport, contact } = attachments;
  return {
    ...state,
    documents: withUploadedDocuments(state.documents, documents, before.documents),
    bank: assetReport ? { ...state.bank, report: assetReport } : state.bank,
    contact:
      // A request in progress is newer than this response.
      contact && state.contact.status !== 'sending'
        ? { ...state.contact, status: contact.status, problem: undefined }
        : state.contact,
  };
}

/**
 * Removes everything that belongs to the application, because it was rejected or another one begins. Files that are not sent
 * yet stay.
 */
export function withoutAttachments(state: AppState): AppState {
  const { queued, nextId } = state.documents;
  return {
    ...state,
    documents: { ...emptyDocuments, queued, nextId },
    bank: emptyBank,
    contact: emptyContact,
    offers: emptyOffers,
  };
}

function withUploadedDocuments(
  state: DocumentsState,
  statuses: Attachments['documents'],
  before: DocumentsState,
): DocumentsState {
  let { nextId } = state;
  const present = statuses.filter(({ number }) => !state.removed.includes(number));
  const listed = present.map((status): UploadedDocument => {
    const known = state.uploaded.find((document) => document.status.number === status.number);
    if (!known) return { id: nextId++, status };
    const isStale =
      status.status === 'received' &&
      (known.status.status !== 'received' || hasChangedSince(before, known));
    return { ...known, isUnlisted: false, status: isStale ? known.status : status };
  });
  const numbers = new Set(present.map(({ number }) => number));
  // A document that arrived while this response was on its way is in the next one.
  const others = state.uploaded
    .filter(({ status, isUnlisted }) => !numbers.has(status.number) && !isUnlisted)
    .map((document) => ({ ...document, isUnlisted: true }));
  return { ...state, uploaded: [...listed, ...others], nextId };
}

/** Returns true if the applicant has added the document or changed its category since then, or was changing it. */
function hasChangedSince(before: DocumentsState, { status, wantedCategory }: UploadedDocument) {
  const earlier = before.uploaded.find((document) => document.status.number === status.number);
  return (
    earlier?.status.category !== status.category ||
    earlier.wantedCategory !== undefined ||
    wantedCategory !== undefined
  );
}
