// Files on their way to the BFF: two at a time, each patiently, and each of them can be given up.

import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { FailureCode, FundingApi, Result } from '../api/funding-api.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import type { QueuedDocument } from './queued-document.ts';
import { createRetry } from '../app/retry.ts';

export interface DocumentUploads {
  /** Whether there is a place for this one; none for one that has its place already. */
  readonly canBegin: (id: number) => boolean;
  /** Answers undefined when it was given up. */
  readonly send: (
    document: QueuedDocument,
    show: ShowUpload,
  ) => Promise<Result<DocumentStatus> | undefined>;
  /** Without an id all of them. */
  readonly giveUp: (id?: number) => void;
}

/** @param isHalf once for each file that is so long on its way. */
export type ShowUpload = (
  changes: Partial<Pick<QueuedDocument, 'state' | 'share' | 'waitsForCheck'>>,
  isHalf?: boolean,
) => void;

const parallelUploads = 2;

export function createDocumentUploads(
  api: Pick<FundingApi, 'uploadDocument'>,
  polling: PollingEnvironment,
): DocumentUploads {
  const retryWhileBusy = createRetry(polling);
  const running = new Map<number, AbortController>();
  return {
    canBegin: (id) => running.size < parallelUploads && !running.has(id),
    async send({ id, file, category }, show) {
      const abort = new AbortController();
      const { signal } = abort;
      running.set(id, abort);
      let saidHalf = false;
      const onProgress = (share: number) => {
        const isHalf = share >= 0.5 && share < 1 && !saidHalf;
        saidHalf ||= isHalf;
        show({ share }, isHalf);
      };
      const send = () => {
        show({ state: 'sending', share: 0, waitsForCheck: false });
        return api.uploadDocument({ file, category, signal, onProgress });
      };
      const onWait = (code: FailureCode) => {
        show({ state: 'queued', share: 0, waitsForCheck: code === 'inspection-unavailable' });
      };
      const result = await retryWhileBusy(send, { signal, onWait });
      running.delete(id);
      return result.ok || !signal.aborted ? result : undefined;
    },
    giveUp(id) {
      for (const [other, abort] of running) if (id === undefined || id === other) abort.abort();
    },
  };
}
