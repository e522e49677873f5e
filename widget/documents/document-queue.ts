// The files of the documents step: their uploads, the preparation of photos, and all changes of their state.

import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Failure, FailureCode } from '../api/funding-api.ts';
import { withoutRejected } from '../app/attachment-parts.ts';
import { toReference } from '../app/attachments.ts';
import type { FeatureEnvironment, StepContext } from '../app/feature.ts';
import { createRetry, maxRetryDelayMs } from '../app/retry.ts';
import {
  type AppState,
  type DocumentProblem,
  type DocumentsState,
  hasUnsentFiles,
  isSendable,
  type QueuedDocument,
  type UploadedDocument,
} from '../app/store.ts';
import { preparePhoto } from './prepare-photo.ts';
import { suggestCategory } from './suggest-category.ts';

const maxParallelUploads = 2;
const photoName = /\.(jpe?g|png)$/i;
/** After these failures, the file can be sent with another category. */
const categoryCodes = new Set<FailureCode>(['document-rejected', 'document-category-invalid']);
/** A file that waits for its first upload, or for a new one. */
const waitingForUpload = {
  state: 'queued',
  progress: 0,
  isHalfSent: false,
  problem: undefined,
} as const;

type Limits = Configuration['documents'];

export type DocumentsContext = StepContext & { readonly queue: DocumentQueue };

export type DocumentRow = QueuedDocument | UploadedDocument;

export type DocumentQueue = ReturnType<typeof createDocumentQueue>;

/**
 * Uploads the queued files two at a time, and prepares photos one after another.
 *
 * @param prepare must not reject.
 */
export function createDocumentQueue(
  { store, api, polling }: Pick<FeatureEnvironment, 'store' | 'api' | 'polling'>,
  prepare = tryPreparePhoto,
) {
  const retryWhileBusy = createRetry(polling);
  /** Uploads in progress by the id of the file. */
  const uploads = new Map<number, AbortController>();
  /** Timers of files that a rate limit blocks, by the id of the file. */
  const rateLimits = new Map<number, number>();
  let preparation: Promise<void> = Promise.resolve();

  /** Changes a file if it is still queued. */
  function updateFile(id: number, changes: Partial<QueuedDocument>): void {
    const queued = store.state.documents.queued.map((document) =>
      document.id === id ? { ...document, ...changes } : document,
    );
    store.merge('documents', { queued });
  }

  async function prepareNext({ id, original }: QueuedDocument): Promise<void> {
    const find = () =>
      store.state.documents.queued.find((other) => other.id === id && other.original === original);
    const limits = store.state.form?.configuration.documents;
    if (!limits || !find()) return;
    const { file, thumbnail, keepsLocation } = await prepare(original, limits);
    const document = find();
    if (!document) return;
    const photo = { file, thumbnail, keepsLocation, isPreparing: false };
    const changed = { ...document, ...photo };
    const problem = document.problem ?? findLimitProblem(store.state.documents, changed, limits);
    updateFile(id, problem ? { ...photo, state: 'failed', problem } : photo);
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
    const onProgress = (progress: number) => {
      const isHalfSent = progress >= 0.5 && progress < 1;
      updateFile(id, isHalfSent ? { progress, isHalfSent } : { progress });
    };
    const send = () => {
      updateFile(id, { state: 'sending', progress: 0, waitsForScan: false });
      return api.uploadDocument({ file, category, signal, onProgress });
    };
    const result = await retryWhileBusy(send, {
      signal,
      onWait: (code) => {
        const waitsForScan = code === 'inspection-unavailable';
        updateFile(id, { state: 'queued', progress: 0, waitsForScan });
      },
    });
    uploads.delete(id);
    // A response is ignored if its application was closed or replaced during the request.
    if (toReference(store.state) === reference) {
      if (result.ok) moveToUploaded(document, result.value);
      else updateFile(id, { waitsForScan: false, ...toFailed(id, result, signal.aborted) });
    }
    startUploads();
  }

  function toFailed(
    id: number,
    { code, retryAfterMs = 0 }: Failure,
    isCanceled: boolean,
  ): Partial<QueuedDocument> {
    if (isCanceled) return { state: 'failed', problem: { kind: 'canceled' } };
    const problem = { kind: 'failed', code } as const;
    if (categoryCodes.has(code)) return { state: 'chosen', problem };
    if (retryAfterMs < maxRetryDelayMs) return { state: 'failed', problem };
    // A long rate limit blocks the file until its end.
    const timer = polling.setTimeout(() => endRateLimit(id), retryAfterMs);
    rateLimits.set(id, timer);
    return { state: 'failed', problem: { ...problem, retryAfterMs } };
  }

  function endRateLimit(id: number): void {
    rateLimits.delete(id);
    updateFile(id, { state: 'chosen', problem: undefined });
  }

  /** Files that exceeded the total number or size can be sent once another file is removed or rejected. */
  function releaseFittingFiles(): void {
    const limits = store.state.form?.configuration.documents;
    for (const document of store.state.documents.queued) {
      const { documents } = store.state;
      if (limits && lacksRoom(document.problem) && !findLimitProblem(documents, document, limits))
        updateFile(document.id, { state: 'chosen', problem: undefined });
    }
  }

  /** The BFF has the file. */
  function moveToUploaded(
    { id, original, thumbnail }: QueuedDocument,
    status: DocumentStatus,
  ): void {
    const { queued, uploaded } = store.state.documents;
    // A status check may have reported this document before the response of its upload arrived.
    const known = uploaded.find((other) => other.status.number === status.number)?.status;
    const latest = known && known.status !== 'received' ? known : status;
    store.merge('documents', {
      queued: queued.filter((other) => other.id !== id),
      uploaded: [
        ...uploaded.filter((other) => other.status !== known),
        { id, status: latest, original, thumbnail },
      ],
    });
  }

  return {
    /** Adds files with their problems and suggested categories. Ignores files that were chosen before. */
    add(files: readonly File[]): void {
      const { form, documents } = store.state;
      if (!form) return;
      const limits = form.configuration.documents;
      const queued = [...documents.queued];
      const repeated: string[] = [];
      let { nextId } = documents;
      for (const file of files) {
        const current = { ...documents, queued };
        if (hasFile(current, file)) repeated.push(file.name);
        else queued.push(toQueued(nextId++, file, current, limits));
      }
      store.merge('documents', { queued, repeated, nextId, warnsOfUnsent: false });
      for (const document of queued) {
        if (document.id < documents.nextId || !document.isPreparing) continue;
        // One after another: decoding a photo takes 50 to 200 MB of memory.
        preparation = preparation.then(() => prepareNext(document));
      }
    },

    setCategory(id: number, category: string): void {
      updateFile(id, { category, isSuggested: false, lacksCategory: false, problem: undefined });
    },

    remove(id: number): void {
      const queued = store.state.documents.queued.filter((document) => document.id !== id);
      store.merge('documents', { queued, repeated: [], warnsOfUnsent: false });
    },

    cancel(id: number): void {
      const running = uploads.get(id);
      if (running) running.abort();
      else updateFile(id, { state: 'chosen' });
    },

    retry(id: number): void {
      updateFile(id, waitingForUpload);
      startUploads();
    },

    /** Sends all chosen files. If a category is missing, sends none and returns the id of the first file without one. */
    send(): number | undefined {
      const chosen = store.state.documents.queued.filter(({ state }) => state === 'chosen');
      const incomplete = chosen.find(({ category }) => category === '');
      store.merge('documents', { repeated: [], warnsOfUnsent: false });
      for (const { id, category } of chosen) {
        updateFile(id, incomplete ? { lacksCategory: category === '' } : waitingForUpload);
      }
      startUploads();
      return incomplete?.id;
    },

    /** Warns once of unsent files, before the applicant leaves the step. Returns whether it warned. */
    warnOfUnsent(): boolean {
      const { documents } = store.state;
      const warnsOfUnsent = hasUnsentFiles(documents) && !documents.warnsOfUnsent;
      store.merge('documents', { warnsOfUnsent });
      return warnsOfUnsent;
    },

    react(before: AppState, after: AppState): void {
      const reference = toReference(before);
      if (reference !== undefined && reference !== toReference(after)) {
        for (const running of uploads.values()) running.abort();
        for (const document of store.state.documents.queued) {
          if (isUploading(document)) updateFile(document.id, { state: 'chosen', progress: 0 });
        }
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
      if (before.documents !== after.documents) releaseFittingFiles();
    },
  };
}

const tryPreparePhoto: typeof preparePhoto = async (file, limits) => {
  try {
    return await preparePhoto(file, limits);
  } catch {
    // The browser lacks the memory. The photo is sent unchanged.
    return { file, keepsLocation: true };
  }
};

/** All files in the order in which they were chosen. */
export function toRows({ queued, uploaded }: DocumentsState): readonly DocumentRow[] {
  return [...uploaded, ...queued].toSorted((one, other) => one.id - other.id);
}

function toQueued(
  id: number,
  file: File,
  documents: DocumentsState,
  limits: Limits,
): QueuedDocument {
  const fileProblem = findFileProblem(file, limits);
  const isPreparing = !fileProblem && photoName.test(file.name);
  const problem = fileProblem ?? findLimitProblem(documents, { id, file, isPreparing }, limits);
  const categories = limits.categories.map((category) => category.id);
  const category = suggestCategory(file.name, categories);
  return {
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
    isUnusable: problem !== undefined && !lacksRoom(problem),
    lacksCategory: false,
  };
}

/** Whether the file waits for its upload, or is uploaded. */
export function isUploading({ state }: QueuedDocument): boolean {
  return state === 'queued' || state === 'sending';
}

/** Whether the applicant can send a failed file again without changing it. A rate limit must be over. */
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
  { queued, uploaded }: DocumentsState,
  document: Pick<QueuedDocument, 'id' | 'file' | 'isPreparing'>,
  { maxBytes, maxFiles, maxTotalBytes = Infinity }: Limits,
): DocumentProblem | undefined {
  const bytes = toBytes(document);
  if (bytes > maxBytes) return { kind: 'size' };
  const others = [
    ...withoutRejected(uploaded).map(({ status }) => status.bytes),
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

function lacksRoom(problem: DocumentProblem | undefined): boolean {
  return problem?.kind === 'count' || problem?.kind === 'space';
}

/** Whether this file is queued or sent. The applicant can choose a rejected file again. */
function hasFile(
  { queued, uploaded }: DocumentsState,
  { name, size, lastModified }: File,
): boolean {
  return [...queued, ...withoutRejected(uploaded)].some(
    ({ original }) =>
      original?.name === name && original.size === size && original.lastModified === lastModified,
  );
}
