// The files an applicant has chosen, on their way to the BFF: two at a time, each with its own progress and end.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { DocumentStatus } from '../../shared/api/documents.ts';
import type { Failure, FailureCode, FundingApi } from '../api/api.ts';
import type { PollingEnvironment } from './polling.ts';
import { createPatience, longestPauseMs, type SendPatiently } from './send-patiently.ts';

/** Why a file cannot be sent, found before or after sending it. */
export type DocumentProblem =
  | { readonly kind: 'type' }
  | { readonly kind: 'size' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'count' }
  | { readonly kind: 'space' }
  | { readonly kind: 'cancelled' }
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
  readonly file: File;
  readonly category: string;
  readonly state: 'chosen' | 'queued' | 'sending' | 'failed';
  /** 0 to 1. */
  readonly share: number;
  readonly problem: DocumentProblem | undefined;
  readonly lacksCategory: boolean;
}

/** Something worth saying aloud (WCAG 2.2, 4.1.3). */
export type DocumentNews =
  | { readonly kind: 'half' | 'received' | 'done' | 'removed'; readonly name: string }
  | { readonly kind: 'failed'; readonly file: File; readonly problem: DocumentProblem };

const parallelUploads = 2;

/** `queued` is what the applicant still has in hand, `sent` what the BFF has. */
export class DocumentQueue {
  queued: readonly QueuedDocument[] = [];
  sent: readonly DocumentStatus[];
  /** The applicant was about to leave with files that are not sent. */
  warnsOfUnsent = false;
  readonly #api: Pick<FundingApi, 'uploadDocument'>;
  readonly #polling: PollingEnvironment;
  readonly #sendPatiently: SendPatiently;
  readonly #limits: Configuration['documents'];
  readonly #onChange: (news?: DocumentNews) => void;
  readonly #aborts = new Map<number, AbortController>();
  #lastId = 0;

  constructor(options: {
    readonly api: Pick<FundingApi, 'uploadDocument'>;
    readonly polling: PollingEnvironment;
    readonly limits: Configuration['documents'];
    readonly sent: readonly DocumentStatus[];
    readonly onChange: (news?: DocumentNews) => void;
  }) {
    this.#api = options.api;
    this.#polling = options.polling;
    this.#sendPatiently = createPatience(options.polling);
    this.#limits = options.limits;
    this.#onChange = options.onChange;
    this.sent = options.sent;
  }

  /** Another application begins: what went with the last one is not part of it. Files in hand stay. */
  forgetSent(): void {
    this.sent = [];
    this.#onChange();
  }

  add(files: readonly File[]): void {
    this.warnsOfUnsent = false;
    for (const file of files) {
      const problem = this.#check(file) ?? this.#findLack(file);
      this.#lastId += 1;
      const added: QueuedDocument = {
        id: this.#lastId,
        file,
        category: '',
        state: problem ? 'failed' : 'chosen',
        share: 0,
        problem,
        lacksCategory: false,
      };
      this.queued = [...this.queued, added];
      this.#onChange(problem && { kind: 'failed', file, problem });
    }
  }

  /** Takes over where earlier documents stand now. */
  takeSent(sent: readonly DocumentStatus[]): void {
    const known = new Set(sent.map(({ number }) => number));
    // One that arrived while this list was on its way is not in it yet.
    this.sent = [...sent, ...this.sent.filter(({ number }) => !known.has(number))];
    this.#onChange();
  }

  choose(id: number, category: string): void {
    this.#change(id, { category, lacksCategory: false, problem: undefined });
    this.#onChange();
  }

  remove(id: number): void {
    this.warnsOfUnsent = false;
    const document = this.#find(id);
    this.queued = this.queued.filter((candidate) => candidate.id !== id);
    for (const waiting of this.queued.filter(isLacking)) {
      if (!this.#findLack(waiting.file)) this.#letChoose(waiting.id);
    }
    if (document) this.#onChange({ kind: 'removed', name: document.file.name });
  }

  cancel(id: number): void {
    this.#aborts.get(id)?.abort();
    if (this.#find(id)?.state === 'queued') this.#change(id, { state: 'chosen' });
    this.#onChange();
  }

  cancelAll(): void {
    this.queued = [];
    for (const abort of this.#aborts.values()) abort.abort();
  }

  retry(id: number): void {
    this.#change(id, { state: 'queued', share: 0, problem: undefined });
    this.#onChange();
    this.#fill();
  }

  /** Whether there are files in hand that could still be sent. */
  get hasUnsent(): boolean {
    return this.queued.some(isSendable);
  }

  /** False once: then there are files left to send, and that is said. */
  mayLeave(): boolean {
    const mayLeave = !this.hasUnsent || this.warnsOfUnsent;
    this.warnsOfUnsent = !mayLeave;
    this.#onChange();
    return mayLeave;
  }

  /** Sends all chosen files; answers the ids of those that still lack a category, and then sends none. */
  send(): readonly number[] {
    this.warnsOfUnsent = false;
    const lacking = this.queued
      .filter((document) => document.state === 'chosen' && document.category === '')
      .map(({ id }) => id);
    this.queued = this.queued.map((document) =>
      document.state !== 'chosen'
        ? document
        : lacking.length > 0
          ? { ...document, lacksCategory: lacking.includes(document.id) }
          : { ...document, state: 'queued', problem: undefined },
    );
    this.#onChange();
    if (lacking.length === 0) this.#fill();
    return lacking;
  }

  #fill(): void {
    const free = parallelUploads - this.#aborts.size;
    const waiting = this.queued.filter(
      ({ id, state }) => state === 'queued' && !this.#aborts.has(id),
    );
    const next = waiting.slice(0, Math.max(0, free));
    for (const document of next) void this.#upload(document);
  }

  async #upload({ id, file, category }: QueuedDocument): Promise<void> {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    const { signal } = abort;
    let saidHalf = false;
    const onProgress = (share: number) => {
      this.#change(id, { share });
      const isHalf = share >= 0.5 && share < 1 && !saidHalf;
      saidHalf ||= isHalf;
      this.#onChange(isHalf ? { kind: 'half', name: file.name } : undefined);
    };
    const show = (state: 'queued' | 'sending') => {
      this.#change(id, { state, share: 0 });
      this.#onChange();
    };
    const send = () => {
      show('sending');
      return this.#api.uploadDocument({ file, category, signal, onProgress });
    };
    const result = await this.#sendPatiently(send, { signal, onWait: () => show('queued') });
    this.#aborts.delete(id);
    if (result.ok) {
      this.queued = this.queued.filter((candidate) => candidate.id !== id);
      const others = this.sent.filter(({ number }) => number !== result.value.number);
      this.sent = [...others, result.value];
      const kind = result.value.status === 'delivered' ? 'done' : 'received';
      this.#onChange({ kind, name: file.name });
    } else {
      const problem: DocumentProblem = signal.aborted
        ? { kind: 'cancelled' }
        : this.#toProblem(id, result);
      this.#change(id, { state: isAboutCategory(problem) ? 'chosen' : 'failed', problem });
      this.#onChange({ kind: 'failed', file, problem });
    }
    this.#fill();
  }

  /** A file that may not be sent for a long while can be sent again after it. */
  #toProblem(id: number, { code, retryAfterMs = 0 }: Failure): DocumentProblem {
    if (retryAfterMs < longestPauseMs) return { kind: 'failed', code };
    this.#polling.setTimeout(() => {
      this.#letChoose(id);
      this.#onChange();
    }, retryAfterMs);
    return { kind: 'failed', code, retryAfterMs };
  }

  #letChoose(id: number): void {
    this.#change(id, { state: 'chosen', problem: undefined });
  }

  /** What the application has not left for one more file; those that were refused do not count. */
  #findLack({ size }: File): DocumentProblem | undefined {
    const { maxFiles, maxTotalBytes = Infinity } = this.#limits;
    const kept = this.sent.filter(({ status }) => status !== 'rejected').map(({ bytes }) => bytes);
    const inHand = this.queued.filter(isSendable).map(({ file }) => file.size);
    if (kept.length + inHand.length >= maxFiles) return { kind: 'count' };
    const bytes = [...kept, ...inHand].reduce((sum, one) => sum + one, size);
    return bytes > maxTotalBytes ? { kind: 'space' } : undefined;
  }

  #check(file: File): DocumentProblem | undefined {
    const dot = file.name.lastIndexOf('.');
    const extension = dot > 0 ? file.name.slice(dot + 1).toLowerCase() : '';
    if (!this.#limits.extensions.includes(extension)) return { kind: 'type' };
    if (file.size === 0) return { kind: 'empty' };
    if (file.size > this.#limits.maxBytes) return { kind: 'size' };
    return undefined;
  }

  #find(id: number): QueuedDocument | undefined {
    return this.queued.find((document) => document.id === id);
  }

  #change(id: number, changes: Partial<QueuedDocument>): void {
    this.queued = this.queued.map((document) =>
      document.id === id ? { ...document, ...changes } : document,
    );
  }
}

/** Whether a failed file can be sent again as it is, and now. */
export function canRetry(document: QueuedDocument): boolean {
  const { state, problem } = document;
  const isHeld = problem?.kind === 'failed' && problem.retryAfterMs !== undefined;
  return state === 'failed' && isSendable(document) && !isHeld;
}

/** Another category may be all it takes, so the file can be sorted and sent once more. */
function isAboutCategory(problem: DocumentProblem): boolean {
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
  'too-many-requests',
  'too-busy',
  'document-incomplete',
]);

/** Whether it can be sent as it is, now or later. */
function isSendable({ state, problem }: QueuedDocument): boolean {
  if (state !== 'failed' || problem?.kind === 'cancelled') return true;
  return problem?.kind === 'failed' && retriable.has(problem.code);
}

function isLacking({ problem }: QueuedDocument): boolean {
  return problem?.kind === 'count' || problem?.kind === 'space';
}
