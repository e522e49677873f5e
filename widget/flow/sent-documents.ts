// The files the BFF has: where each stands, and the row it is shown in, with the file of this device it was.

import type { DocumentStatus } from '../../shared/api/attachments.ts';
import { isSameFile, type QueuedDocument } from './queued-document.ts';

/** Of a file that this page has sent, also what it was. */
type Row = Pick<QueuedDocument, 'id'> & Partial<Pick<QueuedDocument, 'original' | 'thumbnail'>>;

interface Known {
  readonly row: Row;
  readonly told: DocumentStatus['status'];
}

/** Tells of each file once when the BFF has it, and once when it is known what became of it. */
export class SentDocuments {
  list: readonly DocumentStatus[] = [];
  readonly #createRowId: () => number;
  readonly #onStatus: (status: DocumentStatus) => void;
  /** By the BFF's number. */
  readonly #known = new Map<number, Known>();

  /** @param given was there before this page, and was told by another one. */
  constructor(
    given: readonly DocumentStatus[],
    createRowId: () => number,
    onStatus: (status: DocumentStatus) => void,
  ) {
    this.#createRowId = createRowId;
    this.#onStatus = onStatus;
    this.list = given;
    for (const { number, status } of given) this.#remember(number, status);
  }

  forget(): void {
    this.list = [];
    this.#known.clear();
  }

  /** Takes over where all of them stand. */
  take(list: readonly DocumentStatus[]): void {
    const listed = new Set(list.map(({ number }) => number));
    // One that arrived while this list was on its way is not in it yet.
    this.list = [...list, ...this.list.filter(({ number }) => !listed.has(number))];
    for (const status of list) this.#tell(status);
  }

  /** One has arrived, and stays in the row it had. */
  add(status: DocumentStatus, row: Row): void {
    this.list = [...this.list.filter(({ number }) => number !== status.number), status];
    this.#tell(status, row);
  }

  rowOf(number: number): Row {
    return this.#known.get(number)?.row ?? { id: 0 };
  }

  has(file: File): boolean {
    return this.list.some(
      ({ number, status }) =>
        status !== 'rejected' && isSameFile(file, this.rowOf(number).original),
    );
  }

  #tell(status: DocumentStatus, row?: Row): void {
    const told = this.#known.get(status.number)?.told;
    const isNews = told === undefined || (told === 'received' && status.status !== told);
    this.#remember(status.number, isNews ? status.status : told, row);
    if (isNews) this.#onStatus(status);
  }

  #remember(number: number, told: DocumentStatus['status'], given?: Row): void {
    const row = given ?? this.#known.get(number)?.row ?? { id: this.#createRowId() };
    this.#known.set(number, { row, told });
  }
}
