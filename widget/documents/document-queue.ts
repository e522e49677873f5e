// The files of the documents step: their uploads, the preparation of photos, and the changes of their slice.

import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Failure } from '../api/funding-api.ts';
import { hasUnsentFiles, isSendable, toReference } from '../app/attachments.ts';
import type { FeatureEnvironment, StepContext } from '../app/feature.ts';
import { createRetry, maxRetryDelayMs } from '../app/retry.ts';
import type {
  AppState,
  DocumentProblem,
  DocumentsState,
  QueuedDocument,
  SentDocument,
} from '../app/state.ts';
import type { PreparedPhoto, preparePhoto } from './prepare-photo.ts';
import { suggestCategory } from './suggest-category.ts';

const maxParallelUploads = 2;
const photoName = /\.(jpe?g|png)$/i;
/** A file that waits for its first upload, or for a new one. */
const queuedUpload = {
  state: 'queued',
  progress: 0,
  isHalfSent: false,
  problem: undefined,
} as const;

type Limits = Configuration['documents'];

export type DocumentsContext = StepContext & { readonly queue: DocumentQueue };

export type DocumentRow = QueuedDocument | SentDocument;

export type DocumentQueue = ReturnType<typeof createDocumentQueue>;

/**
 * Uploads the queued files two at a time, and prepares photos one after another.
 *
 * @param prepare must not reject.
 */
export function createDocumentQueue(
  { store, api, polling }: Pick<FeatureEnvironment, 'store' | 'api' | 'polling'>,
  prepare = loadAndPreparePhoto,
) {
  const retryWhileBusy = createRetry(polling);
  /** Uploads in progress by the id of the file. */
  const uploads = new Map<number, AbortController>();
  /** Timers of files that a rate limit blocks, by the id of the file. */
  const rateLimits = new Map<number, number>();
  let preparation: Promise<void> = Promise.resolve();

  function update(change: (documents: DocumentsState) => DocumentsState): void {
    store.update((state) => {
      const documents = change(state.documents);
      return documents === state.documents ? state : { ...state, documents };
    });
  }

  function updateDocument(id: number, changes: Partial<QueuedDocument>): void {
    update((documents) => withDocument(documents, id, changes));
  }

  async function prepareNext({ id, original }: QueuedDocument): Promise<void> {
    const isQueued = () => findQueued(store.state.documents, id)?.original === original;
    const limits = store.state.form?.configuration.documents;
    if (!limits || !isQueued()) return;
    const photo = await prepare(original, limits);
    if (!isQueued()) return;
    update((documents) => withPhoto(documents, id, photo, limits));
    startUploads();
  }

  function startUploads(): void {
    for (const document of store.state.documents.queued) {
      if (uploads.size >= maxParallelUploads) return;
      const { id, state, isPreparing } = document;
      if (state === 'queued' && !isPreparing && !uploads.has(id)) void upload(document);
    }
  }

  async function upload(document: QueuedDocument): Promise<void> {
    const { id, file, category } = document;
    const reference = toReference(store.state);
    const abort = new AbortController();
    const { signal } = abort;
    uploads.set(id, abort);
    const onProgress = (progress: number) =>
      update((documents) => withProgress(documents, id, progress));
    const send = () => {
      updateDocument(id, { state: 'sending', progress: 0, waitsForScan: false });
      return api.uploadDocument({ file, category, signal, onProgress });
    };
    const result = await retryWhileBusy(send, {
      signal,
      onWait: (code) => {
        const waitsForScan = code === 'inspection-unavailable';
        updateDocument(id, { state: 'queued', progress: 0, waitsForScan });
      },
    });
    uploads.delete(id);
    // A response for an application that was closed or replaced meanwhile is ignored.
    if (toReference(store.state) === reference) {
      if (result.ok) {
        update((documents) => withReceipt(documents, document, result.value));
      } else {
        const problem = signal.aborted ? ({ kind: 'canceled' } as const) : toProblem(id, result);
        update((documents) => withProblem(documents, id, problem));
      }
    }
    startUploads();
  }

  /** A long rate limit blocks the file until its end. */
  function toProblem(id: number, { code, retryAfterMs = 0 }: Failure): DocumentProblem {
    if (retryAfterMs < maxRetryDelayMs) return { kind: 'failed', code };
    const timer = polling.setTimeout(() => endRateLimit(id), retryAfterMs);
    rateLimits.set(id, timer);
    return { kind: 'failed', code, retryAfterMs };
  }

  function endRateLimit(id: number): void {
    rateLimits.delete(id);
    updateDocument(id, { state: 'chosen', problem: undefined });
  }

  return {
    add(files: readonly File[]): void {
      const { form, documents } = store.state;
      if (!form) return;
      update((current) => withFiles(current, files, form.configuration.documents));
      for (const document of store.state.documents.queued) {
        if (document.id < documents.nextId || !document.isPreparing) continue;
        // One after another: decoding a photo takes 50 to 200 MB of memory.
        preparation = preparation.then(() => prepareNext(document));
      }
    },

    setCategory(id: number, category: string): void {
      const isSuggested = false;
      updateDocument(id, { category, isSuggested, lacksCategory: false, problem: undefined });
    },

    remove(id: number): void {
      const limits = store.state.form?.configuration.documents;
      if (limits) update((documents) => withoutDocument(documents, id, limits));
    },

    cancel(id: number): void {
      const running = uploads.get(id);
      if (running) running.abort();
      else updateDocument(id, { state: 'chosen' });
    },

    retry(id: number): void {
      updateDocument(id, queuedUpload);
      startUploads();
    },

    /** Sends all chosen files. If a category is missing, sends none and returns the id of the first file without one. */
    send(): number | undefined {
      update(withUploadsQueued);
      startUploads();
      return store.state.documents.queued.find(({ lacksCategory }) => lacksCategory)?.id;
    },

    /** Whether the applicant may leave the step. With unsent files, the first call warns and returns false. */
    mayLeave(): boolean {
      const { documents } = store.state;
      const mayLeave = !hasUnsentFiles(documents) || documents.warnsOfUnsent;
      store.merge('documents', { warnsOfUnsent: !mayLeave });
      return mayLeave;
    },

    react(before: AppState, after: AppState): void {
      const reference = toReference(before);
      if (reference !== undefined && reference !== toReference(after)) {
        for (const running of uploads.values()) running.abort();
        update(withoutUploads);
      }
      if (!after.form || !after.isConnected) {
        for (const [id, timer] of rateLimits) {
          polling.clearTimeout(timer);
          endRateLimit(id);
        }
      }
      if (after.documents.warnsOfUnsent && after.form?.step !== 'documents') {
        store.merge('documents', { warnsOfUnsent: false });
      }
    },
  };
}

const loadAndPreparePhoto: typeof preparePhoto = async (file, limits) => {
  try {
    const { preparePhoto } = await import('./prepare-photo.ts');
    return await preparePhoto(file, limits);
  } catch {
    // The chunk could not be loaded, or the browser lacks the memory. The photo is sent unchanged.
    return { file, keepsLocation: true };
  }
};

/** All files in the order in which they were chosen. */
export function toRows({ queued, sent }: DocumentsState): readonly DocumentRow[] {
  return [...sent, ...queued].toSorted((one, other) => one.id - other.id);
}

function findQueued({ queued }: DocumentsState, id: number): QueuedDocument | undefined {
  return queued.find((document) => document.id === id);
}

/** Adds files with their problems and suggested categories. Photos must then be prepared. */
function withFiles(
  documents: DocumentsState,
  files: readonly File[],
  limits: Limits,
): DocumentsState {
  const start: DocumentsState = { ...documents, repeated: [], warnsOfUnsent: false };
  return files.reduce((current, file) => withFile(current, file, limits), start);
}

function withFile(documents: DocumentsState, file: File, limits: Limits): DocumentsState {
  const { queued, repeated, nextId: id } = documents;
  if (hasFile(documents, file)) return { ...documents, repeated: [...repeated, file.name] };
  const fileProblem = findFileProblem(file, limits);
  const isPreparing = !fileProblem && photoName.test(file.name);
  const problem = fileProblem ?? findLimitProblem(documents, { id, file, isPreparing }, limits);
  const categories = limits.categories.map((category) => category.id);
  const category = suggestCategory(file.name, categories);
  const document: QueuedDocument = {
    id,
    file,
    original: file,
    category,
    isSuggested: category !== '',
    state: problem ? 'failed' : 'chosen',
    isPreparing,
    keepsLocation: false,
    thumbnail: undefined,
    progress: 0,
    isHalfSent: false,
    waitsForScan: false,
    problem,
    isUnusable: problem !== undefined && !isLackOfRoom(problem),
    lacksCategory: false,
  };
  return { ...documents, queued: [...queued, document], nextId: id + 1 };
}

/** Changes one queued file. Returns the same state if the file is no longer queued. */
function withDocument(
  documents: DocumentsState,
  id: number,
  changes: Partial<QueuedDocument>,
): DocumentsState {
  if (!findQueued(documents, id)) return documents;
  const queued = documents.queued.map((document) =>
    document.id === id ? { ...document, ...changes } : document,
  );
  return { ...documents, queued };
}

/** Replaces a photo with the prepared one, whose size is now known. */
function withPhoto(
  documents: DocumentsState,
  id: number,
  { file, thumbnail, keepsLocation }: PreparedPhoto,
  limits: Limits,
): DocumentsState {
  const isPreparing = false;
  const changed = withDocument(documents, id, { file, thumbnail, keepsLocation, isPreparing });
  const problem =
    !findQueued(documents, id)?.problem &&
    findLimitProblem(changed, { id, file, isPreparing }, limits);
  return problem ? withProblem(changed, id, problem) : changed;
}

/** Removes a file. Files that lacked its room can then be sent. */
function withoutDocument(before: DocumentsState, id: number, limits: Limits): DocumentsState {
  const queued = before.queued.filter((document) => document.id !== id);
  let documents: DocumentsState = { ...before, queued, repeated: [], warnsOfUnsent: false };
  for (const document of queued) {
    if (!isLackOfRoom(document.problem) || findLimitProblem(documents, document, limits)) continue;
    documents = withDocument(documents, document.id, { state: 'chosen', problem: undefined });
  }
  return documents;
}

/** Queues all chosen files for their upload. If a category is missing, marks those files and queues none. */
function withUploadsQueued(documents: DocumentsState): DocumentsState {
  const isChosen = ({ state }: QueuedDocument) => state === 'chosen';
  const isComplete = documents.queued.filter(isChosen).every(({ category }) => category !== '');
  const queued = documents.queued.map((document) => {
    if (!isChosen(document)) return document;
    const lacksCategory = document.category === '';
    return isComplete ? { ...document, ...queuedUpload } : { ...document, lacksCategory };
  });
  return { ...documents, queued, repeated: [], warnsOfUnsent: false };
}

/** Stops all uploads. Their files can be changed and sent again. */
function withoutUploads(documents: DocumentsState): DocumentsState {
  const queued = documents.queued.map((document): QueuedDocument =>
    isUploading(document) ? { ...document, state: 'chosen', progress: 0 } : document,
  );
  return { ...documents, queued };
}

/** @param progress 0 to 1. */
function withProgress(documents: DocumentsState, id: number, progress: number): DocumentsState {
  const isHalfSent =
    findQueued(documents, id)?.isHalfSent === true || (progress >= 0.5 && progress < 1);
  return withDocument(documents, id, { progress, isHalfSent });
}

/** An upload failed, or a file exceeds a limit. */
function withProblem(
  documents: DocumentsState,
  id: number,
  problem: DocumentProblem,
): DocumentsState {
  // After this failure, the file can be sent with another category.
  const isAboutCategory =
    problem.kind === 'failed' &&
    (problem.code === 'document-rejected' || problem.code === 'document-category-invalid');
  const state = isAboutCategory ? 'chosen' : 'failed';
  return withDocument(documents, id, { state, problem, waitsForScan: false });
}

/** The BFF has the file. */
function withReceipt(
  { queued, sent, ...documents }: DocumentsState,
  { id, original, thumbnail }: QueuedDocument,
  status: DocumentStatus,
): DocumentsState {
  // A status check may have reported this document before the response of its upload arrived.
  const known = sent.find((other) => other.status.number === status.number)?.status;
  const isStale = known !== undefined && known.status !== 'received';
  const document = { id, status: isStale ? known : status, original, thumbnail };
  return {
    ...documents,
    queued: queued.filter((other) => other.id !== id),
    sent: [...sent.filter((other) => other.status.number !== status.number), document],
  };
}

/** Whether the file waits for its upload, or is uploaded. */
export function isUploading({ state }: QueuedDocument): boolean {
  return state === 'queued' || state === 'sending';
}

/** Whether the applicant can send a failed file again, as it is and now. */
export function canRetry(document: QueuedDocument): boolean {
  const { state, problem } = document;
  const isRateLimited = problem?.kind === 'failed' && problem.retryAfterMs !== undefined;
  return state === 'failed' && isSendable(document) && !isRateLimited;
}

function findFileProblem(
  { name, size }: File,
  { extensions }: Limits,
): DocumentProblem | undefined {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  if (extensions.includes(extension)) return size === 0 ? { kind: 'empty' } : undefined;
  return { kind: /^hei[cf]$/.test(extension) ? 'heic' : 'type' };
}

function findLimitProblem(
  { queued, sent }: DocumentsState,
  document: Pick<QueuedDocument, 'id' | 'file' | 'isPreparing'>,
  { maxBytes, maxFiles, maxTotalBytes = Infinity }: Limits,
): DocumentProblem | undefined {
  const bytes = toBytes(document);
  if (bytes > maxBytes) return { kind: 'size' };
  const others = [
    ...sent.flatMap(({ status }) => (status.status === 'rejected' ? [] : [status.bytes])),
    ...queued.filter((other) => other.id !== document.id && isSendable(other)).map(toBytes),
  ];
  if (others.length >= maxFiles) return { kind: 'count' };
  const totalBytes = others.reduce((sum, one) => sum + one, bytes);
  return totalBytes > maxTotalBytes ? { kind: 'space' } : undefined;
}

/** The size of a photo is unknown until it is prepared. */
function toBytes({ file, isPreparing }: Pick<QueuedDocument, 'file' | 'isPreparing'>): number {
  return isPreparing ? 0 : file.size;
}

function isLackOfRoom(problem: DocumentProblem | undefined): boolean {
  return problem?.kind === 'count' || problem?.kind === 'space';
}

/** Whether this file is queued or sent. A rejected file can be chosen again. */
function hasFile({ queued, sent }: DocumentsState, { name, size, lastModified }: File): boolean {
  const accepted = sent.filter(({ status }) => status.status !== 'rejected');
  return [...queued, ...accepted].some(
    ({ original }) =>
      original?.name === name && original.size === size && original.lastModified === lastModified,
  );
}
