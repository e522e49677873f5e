// The files of the documents step: their uploads, changes, and removal, and the preparation of photos.

import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import { transientCodes, type Failure, type FailureCode } from '../api/funding-api.ts';
import {
  isHeld,
  readAttachments,
  readPhoneDocuments,
  toShownCategory,
  withoutRejected,
} from '../app/attachment-parts.ts';
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
import { heicName, isPhotoName, preparePhoto } from './prepare-photo.ts';
import { suggestCategory } from './suggest-category.ts';

const maxParallelUploads = 2;
/** Delays of the checks after a canceled upload. The BFF inspects most files within a second, and a busy one within half a minute. */
const canceledCheckDelaysMs = [1_000, 5_000, 30_000];
/** After these failures, the file can be sent with another category. */
const categoryCodes = new Set<FailureCode>(['document-rejected', 'document-category-invalid']);
/** After these failures, the same file can be sent again. */
const retryableCodes = new Set<FailureCode>([
  ...transientCodes,
  ...categoryCodes,
  'inspection-unavailable',
  'document-incomplete',
]);
/** A file that waits for its first upload, or for a new one. */
const waitingForUpload = { state: 'queued', progress: 0, problem: undefined } as const;

type Limits = Configuration['documents'];

export type DocumentsContext = StepContext & { readonly queue: DocumentQueue };

export type DocumentRow = QueuedDocument | UploadedDocument;

export type DocumentQueue = ReturnType<typeof createDocumentQueue>;

/**
 * Uploads files as soon as they are chosen, two at a time, and prepares photos one after another. The BFF holds each document for
 * a short time, in which it can be changed and removed.
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
  /** Timers of held documents. A new status of a document has a new timer. */
  const releases = new Map<DocumentStatus, number>();
  /** Sizes of canceled uploads by the id of the file, and the documents that the BFF had before. */
  const canceled = new Map<number, { bytes: number; numbers: ReadonlySet<number> }>();
  let preparation: Promise<void> = Promise.resolve();

  /** Changes a file if it is still queued. */
  function updateFile(id: number, changes: Partial<QueuedDocument>): void {
    const queued = store.state.documents.queued.map((document) =>
      document.id === id ? { ...document, ...changes } : document,
    );
    store.merge('documents', { queued });
  }

  function updateUploaded(id: number, changes: Partial<UploadedDocument>): void {
    const uploaded = store.state.documents.uploaded.map((document) =>
      document.id === id ? { ...document, ...changes } : document,
    );
    store.merge('documents', { uploaded });
  }

  function findQueued(id: number): QueuedDocument | undefined {
    return store.state.documents.queued.find((document) => document.id === id);
  }

  function findUploaded(id: number): UploadedDocument | undefined {
    return store.state.documents.uploaded.find((document) => document.id === id);
  }

  async function prepareNext({ id, original }: QueuedDocument): Promise<void> {
    const limits = store.state.form?.configuration.documents;
    if (!limits || findQueued(id)?.original !== original) return;
    const prepared = await prepare(original, limits);
    const document = findQueued(id);
    if (document?.original !== original) return;
    const { file, thumbnail, keepsLocation } = prepared;
    const photo = { file, thumbnail, keepsLocation, isPreparing: false };
    const changed = { ...document, ...photo };
    const fileProblem = prepared.isHeic ? ({ kind: 'heic' } as const) : undefined;
    const problem =
      document.problem ?? fileProblem ?? findLimitProblem(store.state.documents, changed, limits);
    updateFile(id, problem ? { ...photo, state: 'failed', problem } : photo);
    startUploads();
  }

  function startUploads(): void {
    if (!mayUpload(store.state)) return;
    for (const document of store.state.documents.queued) {
      if (uploads.size >= maxParallelUploads) return;
      const { id, state, isPreparing } = document;
      if (state === 'queued' && !isPreparing && !uploads.has(id)) void upload(document);
    }
  }

  async function upload(document: QueuedDocument): Promise<void> {
    const { id, file } = document;
    const reference = toReference(store.state);
    const abort = new AbortController();
    const { signal } = abort;
    uploads.set(id, abort);
    let sentCategory = '';
    const send = () => {
      sentCategory = findQueued(id)?.category ?? '';
      updateFile(id, { state: 'sending', progress: 0, waitsForScan: false });
      const onProgress = (progress: number) => updateFile(id, { progress });
      return api.uploadDocument({ file, category: sentCategory, signal, onProgress });
    };
    const result = await retryWhileBusy(send, {
      signal,
      onWait: (code) => {
        const waitsForScan = code === 'inspection-unavailable';
        updateFile(id, { state: 'queued', progress: 0, waitsForScan });
      },
    });
    uploads.delete(id);
    const queued = findQueued(id);
    // A response is ignored if its application was closed or replaced during the request, or its file was removed.
    if (queued && toReference(store.state) === reference) {
      if (result.ok) moveToUploaded(queued, result.value, sentCategory);
      else if (queued.isRemoving) removeWithUpload(queued);
      else updateFile(id, { waitsForScan: false, ...toFailed(id, result) });
    }
    startUploads();
  }

  function toFailed(id: number, { code, retryAfterMs = 0 }: Failure): Partial<QueuedDocument> {
    // The upload starts again with the connection.
    if (code === 'network' && store.state.isOffline) return waitingForUpload;
    const problem = { kind: 'failed', code, isRetryable: retryableCodes.has(code) } as const;
    if (retryAfterMs < maxRetryDelayMs) return { state: 'failed', problem };
    // A long rate limit blocks the file until its end.
    const timer = polling.setTimeout(() => endRateLimit(id), retryAfterMs);
    rateLimits.set(id, timer);
    return { state: 'failed', problem: { ...problem, retryAfterMs } };
  }

  function endRateLimit(id: number): void {
    rateLimits.delete(id);
    updateFile(id, waitingForUpload);
    startUploads();
  }

  /** Files that exceeded the total number or size are sent once another file is removed or rejected. */
  function releaseFittingFiles(): void {
    const limits = store.state.form?.configuration.documents;
    for (const document of store.state.documents.queued) {
      const { documents } = store.state;
      if (limits && lacksRoom(document.problem) && !findLimitProblem(documents, document, limits))
        updateFile(document.id, waitingForUpload);
    }
    startUploads();
  }

  /** The BFF has the file. Meanwhile, the applicant may have chosen another category, or removed the file. */
  function moveToUploaded(
    { id, original, thumbnail, category, isRemoving }: QueuedDocument,
    status: DocumentStatus,
    sentCategory: string,
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
    if (isRemoving) void removeUploaded(id);
    else if (category !== sentCategory) void changeCategory(id, category);
  }

  async function changeCategory(id: number, category: string): Promise<void> {
    const reference = toReference(store.state);
    const number = findUploaded(id)?.status.number;
    if (number === undefined || category === '') return;
    updateUploaded(id, { wantedCategory: category, problem: undefined });
    const result = await api.changeDocumentCategory(number, category);
    const current = findUploaded(id);
    if (toReference(store.state) !== reference || current?.wantedCategory !== category) return;
    updateUploaded(id, {
      wantedCategory: undefined,
      ...(result.ok ? { status: result.value } : toFailedChange(current, result)),
    });
  }

  /** @param onRemoved called before the next render. */
  async function removeUploaded(id: number, onRemoved?: () => void): Promise<void> {
    const reference = toReference(store.state);
    const document = findUploaded(id);
    if (!document || document.isRemoving) return;
    const { number } = document.status;
    updateUploaded(id, { isRemoving: true, problem: undefined });
    const result = await api.removeDocument(number);
    const current = findUploaded(id);
    if (toReference(store.state) !== reference || !current) return;
    if (result.ok) {
      const { uploaded, removed } = store.state.documents;
      store.merge('documents', {
        uploaded: uploaded.filter((document) => document.id !== id),
        removed: [...removed, number],
      });
      onRemoved?.();
    } else updateUploaded(id, { isRemoving: false, ...toFailedChange(current, result) });
  }

  function toFailedChange({ status }: UploadedDocument, { code }: Failure) {
    // It is too late. The next status check says whether the lender has it.
    const isFinal = code === 'document-sent' || code === 'document-missing';
    return { problem: code, status: isFinal ? { ...status, changeable: undefined } : status };
  }

  function removeQueued(id: number): void {
    const timer = rateLimits.get(id);
    if (timer !== undefined) polling.clearTimeout(timer);
    rateLimits.delete(id);
    const queued = store.state.documents.queued.filter((document) => document.id !== id);
    store.merge('documents', { queued, repeated: [], warnsOfUnsent: false });
  }

  /**
   * Removes a file whose upload was aborted or failed. The BFF may have got all of its bytes before, and would then deliver a
   * document that the applicant has canceled.
   */
  function removeWithUpload({ id, file }: QueuedDocument): void {
    const numbers = new Set(store.state.documents.uploaded.map(({ status }) => status.number));
    removeQueued(id);
    canceled.set(id, { bytes: file.size, numbers });
    void followCanceled(id);
  }

  async function followCanceled(id: number): Promise<void> {
    for (const delayMs of canceledCheckDelaysMs) {
      await new Promise<void>((resolve) => {
        polling.setTimeout(resolve, delayMs);
      });
      if (!canceled.has(id)) return;
      const read = isPhone(store.state) ? readPhoneDocuments : readAttachments;
      await read({ store, api });
    }
    canceled.delete(id);
  }

  /** Status checks may also list a canceled document. Another device or another upload may have sent one of the same size. */
  function removeListedCanceled(): void {
    const { documents } = store.state;
    for (const { id, status, original } of documents.uploaded) {
      const { bytes, number, fromPhone = false } = status;
      const isUploading = ({ state, file }: QueuedDocument) =>
        state === 'sending' && file.size === bytes;
      if (original || fromPhone !== isPhone(store.state) || documents.queued.some(isUploading))
        continue;
      const found = [...canceled].find(
        ([, one]) => one.bytes === bytes && !one.numbers.has(number),
      );
      if (!found) continue;
      canceled.delete(found[0]);
      void removeUploaded(id);
    }
  }

  /** When the time for changes of a document is over, status checks find out whether it was delivered. */
  function followReleases(): void {
    const { uploaded } = store.state.documents;
    for (const [status, timer] of releases) {
      if (uploaded.some((document) => document.status === status)) continue;
      polling.clearTimeout(timer);
      releases.delete(status);
    }
    for (const { id, status } of uploaded) {
      const { changeable } = status;
      if (!changeable || !isHeld(status) || releases.has(status)) continue;
      const release = () => {
        updateUploaded(id, {
          status: { ...status, changeable: { ...changeable, heldSeconds: 0 } },
        });
      };
      releases.set(status, polling.setTimeout(release, changeable.heldSeconds * 1000));
    }
  }

  return {
    /** Adds files with their problems and suggested categories, and uploads them. Ignores files that were chosen before. */
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
        // The BFF answers the upload of the same file with the same document, which must not be removed then.
        for (const [id, { bytes }] of canceled) if (bytes === file.size) canceled.delete(id);
      }
      store.merge('documents', { queued, repeated, nextId, warnsOfUnsent: false });
      for (const document of queued) {
        if (document.id < documents.nextId || !document.isPreparing) continue;
        // One after another: decoding a photo takes 50 to 200 MB of memory.
        preparation = preparation.then(() => prepareNext(document));
      }
      startUploads();
    },

    setCategory(id: number, category: string): void {
      store.merge('documents', { warnsOfUnsent: false });
      const queued = findQueued(id);
      if (!queued) return void changeCategory(id, category);
      // A file that was refused for its category is sent again.
      const isAgain = queued.state === 'failed';
      updateFile(id, { category, ...(isAgain && waitingForUpload) });
      startUploads();
    },

    /**
     * Removes a file that is not with the lender yet.
     *
     * @param onRemoved called when the file is gone, before the next render.
     */
    remove(id: number, onRemoved?: () => void): void {
      const document = findQueued(id);
      if (!document) return void removeUploaded(id, onRemoved);
      // The BFF may have the whole file, so its document has to be removed when the response arrives.
      if (document.state === 'sending' && document.progress === 1) {
        return updateFile(id, { isRemoving: true });
      }
      const upload = uploads.get(id);
      upload?.abort();
      if (upload) removeWithUpload(document);
      else removeQueued(id);
      onRemoved?.();
    },

    retry(id: number): void {
      updateFile(id, { ...waitingForUpload, wasRetried: true });
      startUploads();
    },

    /** Warns once before the applicant leaves the step with unsent files, or without categories. Returns whether it warned. */
    warnOfUnsent(): boolean {
      const { documents } = store.state;
      const isIncomplete = hasUnsentFiles(documents) || lacksCategories(documents);
      const warnsOfUnsent = isIncomplete && !documents.warnsOfUnsent;
      store.merge('documents', { warnsOfUnsent });
      return warnsOfUnsent;
    },

    react(before: AppState, after: AppState): void {
      const reference = toReference(before);
      if (reference !== undefined && reference !== toReference(after)) {
        for (const running of uploads.values()) running.abort();
        canceled.clear();
        for (const document of store.state.documents.queued) {
          if (document.state === 'sending') updateFile(document.id, waitingForUpload);
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
      if (before.documents !== after.documents) {
        if (canceled.size > 0) removeListedCanceled();
        releaseFittingFiles();
        followReleases();
      }
      if (!mayUpload(before) && mayUpload(after)) {
        for (const { id, problem } of store.state.documents.queued) {
          if (before.isOffline && problem?.kind === 'failed' && problem.code === 'network')
            updateFile(id, waitingForUpload);
        }
        startUploads();
      }
    },
  };
}

/** Offline, without an application, or while the element is not in the document, files wait. */
function mayUpload(state: AppState): boolean {
  const hasApplication = toReference(state) !== undefined || isPhone(state);
  return state.isConnected && !state.isOffline && hasApplication;
}

/** The phone of a handoff sends documents for an application that only the desktop has. */
function isPhone({ phone }: AppState): boolean {
  return phone.screen === 'documents';
}

const tryPreparePhoto: typeof preparePhoto = async (file, limits) => {
  try {
    return await preparePhoto(file, limits);
  } catch {
    // The browser lacks the memory. The photo is sent unchanged.
    return { file, keepsLocation: true, isHeic: false };
  }
};

/** All files in the order in which they were chosen. */
export function toRows({ queued, uploaded }: DocumentsState): readonly DocumentRow[] {
  return [...uploaded, ...queued].toSorted((one, other) => one.id - other.id);
}

/** Returns true if the applicant should choose what a file is. */
export function lacksCategories({ queued, uploaded }: DocumentsState): boolean {
  return (
    queued.some((document) => isSendable(document) && document.category === '') ||
    uploaded.some((document) => document.status.changeable && toShownCategory(document) === '')
  );
}

function toQueued(
  id: number,
  file: File,
  documents: DocumentsState,
  limits: Limits,
): QueuedDocument {
  const fileProblem = findFileProblem(file, limits);
  const isPreparing = !fileProblem && isPhotoName(file.name);
  const problem = fileProblem ?? findLimitProblem(documents, { id, file, isPreparing }, limits);
  const categories = limits.categories.map((category) => category.id);
  return {
    id,
    file,
    original: file,
    category: suggestCategory(file.name, categories),
    state: problem ? 'failed' : 'queued',
    isPreparing,
    keepsLocation: false,
    thumbnail: undefined,
    progress: 0,
    isRemoving: false,
    waitsForScan: false,
    problem,
    wasRetried: false,
  };
}

/** Returns true if the applicant can send a failed file again as it is. A rate limit must be over. */
export function canRetry({ state, problem }: QueuedDocument): boolean {
  return (
    state === 'failed' &&
    problem?.kind === 'failed' &&
    problem.isRetryable &&
    problem.retryAfterMs === undefined &&
    !categoryCodes.has(problem.code)
  );
}

/** Returns true if the applicant can choose the category. */
export function canChangeCategory(row: DocumentRow): boolean {
  if (!('file' in row)) return row.status.changeable !== undefined && !row.isRemoving;
  const { problem, isRemoving } = row;
  return (
    !isRemoving && (!problem || (problem.kind === 'failed' && categoryCodes.has(problem.code)))
  );
}

function findFileProblem(
  { name, size }: File,
  { extensions }: Limits,
): DocumentProblem | undefined {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  // The browser may be able to convert an iPhone photo to JPG.
  const isAccepted = extensions.includes(extension) || heicName.test(name);
  if (!isAccepted) return { kind: 'type' };
  return size === 0 ? { kind: 'empty' } : undefined;
}

function findLimitProblem(
  { queued, uploaded }: DocumentsState,
  document: Pick<QueuedDocument, 'id' | 'file' | 'isPreparing'>,
  { maxBytes, maxFiles, maxTotalBytes }: Limits,
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

/** Returns true if this file is queued or sent. The applicant can choose a rejected file again. */
function hasFile(
  { queued, uploaded }: DocumentsState,
  { name, size, lastModified }: File,
): boolean {
  return [...queued, ...withoutRejected(uploaded)].some(
    ({ original }) =>
      original?.name === name && original.size === size && original.lastModified === lastModified,
  );
}
