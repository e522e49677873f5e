// The files an applicant has chosen: what each is, whether it can be sent, and what has become of it.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { FundingApi } from '../api/funding-api.ts';
import { findLack, findProblem } from './document-limits.ts';
import { createDocumentUploads, type DocumentUploads } from './document-uploads.ts';
import { HeldFiles } from './held-files.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import {
  createQueuedDocument,
  isAboutCategory,
  isLacking,
  isSameFile,
  isSendable,
  toBytes,
  type DocumentProblem,
  type QueuedDocument,
} from './queued-document.ts';
import type { Reception } from './reception.ts';
import { SentDocuments } from './sent-documents.ts';

/** A file keeps its row, and its place among the others, also once it is sent. */
export interface DocumentRow {
  readonly id: number;
  readonly thumbnail?: HTMLCanvasElement | undefined;
  readonly queued?: QueuedDocument;
  readonly sent?: DocumentStatus;
  /** As it was chosen on this page; absent of one that had been sent before. */
  readonly original?: File | undefined;
}

/** Something worth saying aloud (WCAG 2.2, 4.1.3). */
export type DocumentNews =
  | {
      readonly kind: 'added' | 'repeated' | 'half' | 'received' | 'done' | 'removed';
      readonly name: string;
    }
  | { readonly kind: 'failed'; readonly file: File; readonly problem: DocumentProblem };

export interface DocumentQueueOptions {
  readonly api: Pick<FundingApi, 'uploadDocument'>;
  readonly polling: PollingEnvironment;
  readonly limits: Configuration['documents'];
  readonly sent: readonly DocumentStatus[];
  readonly onChange: (news?: DocumentNews) => void;
  /** The BFF has a file, or it is known what became of it; each once. */
  readonly onStatus: (status: DocumentStatus) => void;
}

const photoName = /\.(jpe?g|png)$/i;

/** `queued` is what the applicant still has in hand, `sent` what the BFF has. */
export class DocumentQueue {
  queued: readonly QueuedDocument[] = [];
  /** Names of files that were chosen once more, and were left out. */
  repeated = '';
  /** The applicant was about to leave with files that are not sent. */
  warnsOfUnsent = false;
  readonly #options: DocumentQueueOptions;
  readonly #uploads: DocumentUploads;
  readonly #sent: SentDocuments;
  readonly #held: HeldFiles;
  #preparing: Promise<void> = Promise.resolve();
  #lastId = 0;

  constructor(options: DocumentQueueOptions) {
    this.#options = options;
    this.#uploads = createDocumentUploads(options.api, options.polling);
    this.#held = new HeldFiles(options.polling, (id) => this.#letChoose(id));
    this.#sent = new SentDocuments(options.sent, () => this.#createId(), options.onStatus);
  }

  get sent(): readonly DocumentStatus[] {
    return this.#sent.list;
  }

  /** In the order in which they were given, whatever has become of them. */
  get rows(): readonly DocumentRow[] {
    return [
      ...this.sent.map((sent) => ({ ...this.#sent.rowOf(sent.number), sent })),
      ...this.queued.map((queued) => ({ ...queued, queued })),
    ].toSorted((one, other) => one.id - other.id);
  }

  /** Another application begins: what went with the last one is not part of it. Files in hand stay. */
  forgetSent(): void {
    this.#sent.forget();
    this.#options.onChange();
  }

  add(files: readonly File[], reception?: Reception): void {
    const { onChange } = this.#options;
    const isRepeated = (file: File) =>
      this.#sent.has(file) || this.queued.some(({ original }) => isSameFile(file, original));
    this.warnsOfUnsent = false;
    const added: string[] = [];
    const repeated: string[] = [];
    const refused: DocumentNews[] = [];
    for (const file of files) {
      if (isRepeated(file)) {
        repeated.push(file.name);
        continue;
      }
      const problem = this.#addOne(file, reception);
      if (problem) refused.push({ kind: 'failed', file, problem });
      else added.push(file.name);
    }
    this.repeated = repeated.join(', ');
    if (added.length > 0) onChange({ kind: 'added', name: added.join(', ') });
    if (repeated.length > 0) onChange({ kind: 'repeated', name: this.repeated });
    for (const news of refused) onChange(news);
  }

  /** Takes over where earlier documents stand now. */
  takeSent(sent: readonly DocumentStatus[]): void {
    this.#sent.take(sent);
    this.#options.onChange();
  }

  choose(id: number, category: string): void {
    this.#change(id, { category, isSuggested: false, lacksCategory: false, problem: undefined });
  }

  remove(id: number): void {
    this.warnsOfUnsent = false;
    this.repeated = '';
    const document = this.#find(id);
    this.queued = this.queued.filter((candidate) => candidate.id !== id);
    for (const waiting of this.queued.filter(isLacking)) {
      if (!this.#findLack(toBytes(waiting), waiting.id)) this.#letChoose(waiting.id);
    }
    if (document) this.#options.onChange({ kind: 'removed', name: document.file.name });
  }

  cancel(id: number): void {
    this.#uploads.giveUp(id);
    if (this.#find(id)?.state === 'queued') this.#change(id, { state: 'chosen' });
  }

  cancelAll(): void {
    this.queued = [];
    this.stopWaiting();
    this.#uploads.giveUp();
  }

  /** No limit is waited for any more: what it held back can be tried, and is told again how long it takes. */
  stopWaiting(): void {
    this.#held.releaseAll();
  }

  retry(id: number): void {
    this.#change(id, { state: 'queued', share: 0, problem: undefined });
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
    this.#options.onChange();
    return mayLeave;
  }

  /** Sends all chosen files; answers the ids of those that still lack a category, and then sends none. */
  send(): readonly number[] {
    this.warnsOfUnsent = false;
    this.repeated = '';
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
    this.#options.onChange();
    if (lacking.length === 0) this.#fill();
    return lacking;
  }

  #addOne(file: File, reception?: Reception): DocumentProblem | undefined {
    const id = this.#createId();
    const category = reception?.suggest(file.name) ?? '';
    const useless = findProblem(file, this.#options.limits);
    const prepare = !useless && photoName.test(file.name) ? reception?.prepare : undefined;
    const isPreparing = prepare !== undefined;
    const problem = useless ?? this.#findLack(toBytes({ file, isPreparing }));
    const document = createQueuedDocument({ id, file, category, isPreparing, problem });
    this.queued = [...this.queued, document];
    // One after another: a photo of a phone takes 50 to 200 MB of memory while it is decoded.
    if (prepare) this.#preparing = this.#preparing.then(() => this.#prepare(document, prepare));
    return problem;
  }

  async #prepare({ id, original }: QueuedDocument, prepare: Reception['prepare']): Promise<void> {
    if (!this.#find(id)) return;
    const { file, thumbnail, keepsLocation } = await prepare(original);
    const document = this.#find(id);
    if (!document) return;
    const lack = document.problem ? undefined : this.#findLack(file.size, id);
    const ready = { file, thumbnail, keepsLocation, isPreparing: false };
    if (lack) this.#fail(id, file, lack, ready);
    else this.#change(id, ready);
    this.#fill();
  }

  #fill(): void {
    for (const document of this.queued) {
      const { id, state, isPreparing } = document;
      if (state === 'queued' && !isPreparing && this.#uploads.canBegin(id))
        void this.#upload(document);
    }
  }

  async #upload(document: QueuedDocument): Promise<void> {
    const { id, file, original, thumbnail } = document;
    const result = await this.#uploads.send(document, (changes, isHalf) =>
      this.#change(id, changes, isHalf ? { kind: 'half', name: file.name } : undefined),
    );
    if (result?.ok) {
      this.queued = this.queued.filter((candidate) => candidate.id !== id);
      this.#sent.add(result.value, { id, original, thumbnail });
      const kind = result.value.status === 'delivered' ? 'done' : 'received';
      this.#options.onChange({ kind, name: file.name });
    } else {
      this.#fail(id, file, result ? this.#held.toProblem(id, result) : { kind: 'canceled' });
    }
    this.#fill();
  }

  #fail(id: number, file: File, problem: DocumentProblem, changes?: Partial<QueuedDocument>): void {
    const state = isAboutCategory(problem) ? 'chosen' : 'failed';
    this.#change(
      id,
      { ...changes, state, problem, waitsForCheck: false },
      { kind: 'failed', file, problem },
    );
  }

  #letChoose(id: number): void {
    this.#change(id, { state: 'chosen', problem: undefined });
  }

  /** What the application has not left for a file of so many bytes; those that were refused do not count, nor does the file itself. */
  #findLack(size: number, id?: number): DocumentProblem | undefined {
    const kept = this.sent.filter(({ status }) => status !== 'rejected').map(({ bytes }) => bytes);
    const inHand = this.queued.filter((other) => other.id !== id && isSendable(other)).map(toBytes);
    return findLack(size, [...kept, ...inHand], this.#options.limits);
  }

  #createId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #find(id: number): QueuedDocument | undefined {
    return this.queued.find((document) => document.id === id);
  }

  #change(id: number, changes: Partial<QueuedDocument>, news?: DocumentNews): void {
    this.queued = this.queued.map((document) =>
      document.id === id ? { ...document, ...changes } : document,
    );
    this.#options.onChange(news);
  }
}
