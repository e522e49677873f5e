// One file an applicant has chosen: what it is, how far it is, why it is not sent, and what then can be done with it.

import type { FailureCode } from '../api/funding-api.ts';

/** Found before or after sending it. `heic`: what iPhones make of photos, and what the applicant can turn into another type. */
export type DocumentProblem =
  | { readonly kind: 'type' | 'heic' | 'size' | 'empty' | 'count' | 'space' | 'canceled' }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      /** Sending it again sooner is of no use. */
      readonly retryAfterMs?: number;
    };

/**
 * `chosen`: may still be changed or removed. `queued`: waits for its turn here, or for a place at the BFF. `failed`: can be sent again, unless the
 * file itself is the reason. What has been delivered leaves the queue and stands in `sent`.
 */
export interface QueuedDocument {
  readonly id: number;
  /** What is sent; of a photo, the one made ready for it. */
  readonly file: File;
  /** As it was chosen. */
  readonly original: File;
  readonly category: string;
  /** The category is a guess from the file's name, and nobody has changed it. */
  readonly isSuggested: boolean;
  readonly state: 'chosen' | 'queued' | 'sending' | 'failed';
  /** The photo is being made ready, and is sent after that. */
  readonly isPreparing: boolean;
  /** Where the photo was taken could not be taken out of it. */
  readonly keepsLocation: boolean;
  /** Of a photo, once there is one. */
  readonly thumbnail: HTMLCanvasElement | undefined;
  /** 0 to 1. */
  readonly share: number;
  /** The BFF could not check the file, which will be sent again by itself. */
  readonly waitsForCheck: boolean;
  readonly problem: DocumentProblem | undefined;
  /** Refused as it was chosen, and whatever becomes of the others. */
  readonly isUseless: boolean;
  readonly lacksCategory: boolean;
}

/** As it is when it has just been chosen. */
export function createQueuedDocument(
  given: Pick<QueuedDocument, 'id' | 'file' | 'category' | 'isPreparing' | 'problem'>,
): QueuedDocument {
  return {
    ...given,
    original: given.file,
    isSuggested: given.category !== '',
    state: given.problem ? 'failed' : 'chosen',
    keepsLocation: false,
    thumbnail: undefined,
    share: 0,
    waitsForCheck: false,
    isUseless: given.problem !== undefined && !isLacking(given),
    lacksCategory: false,
  };
}

/** Whether a failed file can be sent again as it is, and now. */
export function canRetry(document: QueuedDocument): boolean {
  const { state, problem } = document;
  const isHeld = problem?.kind === 'failed' && problem.retryAfterMs !== undefined;
  return state === 'failed' && isSendable(document) && !isHeld;
}

/** Another category may be all it takes, so the file can be sorted and sent once more. */
export function isAboutCategory(problem: DocumentProblem): boolean {
  return (
    problem.kind === 'failed' &&
    (problem.code === 'document-rejected' || problem.code === 'document-category-invalid')
  );
}

const retriable: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'network',
  'internal',
  'service-unavailable',
  'storage-unavailable',
  'inspection-unavailable',
  'too-many-requests',
  'too-busy',
  'document-incomplete',
]);

/** Whether it can be sent as it is, now or later. */
export function isSendable({ state, problem }: QueuedDocument): boolean {
  if (state !== 'failed' || problem?.kind === 'canceled') return true;
  return problem?.kind === 'failed' && retriable.has(problem.code);
}

/** It only has no room, and may have some once another one is removed. */
export function isLacking({ problem }: Pick<QueuedDocument, 'problem'>): boolean {
  return problem?.kind === 'count' || problem?.kind === 'space';
}

/** Whether it is the same file of the applicant's device, chosen once more. */
export function isSameFile(file: File, other: File | undefined): boolean {
  return (
    other?.name === file.name &&
    other.size === file.size &&
    other.lastModified === file.lastModified
  );
}

/** How much a photo will have is not known before it is ready. */
export function toBytes({
  file,
  isPreparing,
}: Pick<QueuedDocument, 'file' | 'isPreparing'>): number {
  return isPreparing ? 0 : file.size;
}
