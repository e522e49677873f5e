// The files beside an SQLite store that hold the encrypted content of attachments. The store holds the key of each file.

import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { toErrorCode } from '../runtime/error-code.ts';
import { StoreError } from './database.ts';

export interface ContentFiles {
  /** Absolute path. */
  readonly folder: string;
  toPath(attachmentId: string): string;
  /** Creates the file of an attachment, for this user only. */
  create(attachmentId: string): Promise<FileHandle>;
  /** Returns undefined if there is no such file. */
  open(attachmentId: string): Promise<FileHandle | undefined>;
  /** Resolves when the file, and its name in the folder, are on disk. */
  sync(file: FileHandle): Promise<void>;
  /** The ids of the attachments that have a file. */
  list(): Promise<readonly string[]>;
  remove(attachmentId: string): Promise<void>;
}

/** @param path of the folder, which is created with the first file. */
export function createContentFiles(path: string): ContentFiles {
  const folder = resolve(path);
  const toPath = (attachmentId: string) => join(folder, attachmentId);
  const openNew = (attachmentId: string) =>
    open(toPath(attachmentId), constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);

  return {
    folder,
    toPath,
    create: (attachmentId) =>
      guardFile(async () => {
        try {
          return await openNew(attachmentId);
        } catch (error) {
          if (toErrorCode(error) !== 'ENOENT') throw error;
          await mkdir(folder, { mode: 0o700, recursive: true });
          await syncFolder(dirname(folder));
          return openNew(attachmentId);
        }
      }),
    open: (attachmentId) => ignoreMissing(() => open(toPath(attachmentId)), undefined),
    sync: (file) =>
      guardFile(async () => {
        await file.datasync();
        await syncFolder(folder);
      }),
    list: () => ignoreMissing(() => readdir(folder), []),
    remove: (attachmentId) => guardFile(() => rm(toPath(attachmentId), { force: true })),
  };
}

/** Appends the parts. A full disk can take only some of them. */
export function writeWhole(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return guardFile(async () => {
    const { bytesWritten } = await file.writev(parts);
    if (bytesWritten < bytes) throw new RangeError('The disk took only a part of a chunk');
  });
}

/** Reads on, until the memory is full or the file ends. Returns the number of bytes. */
export function readWhole(file: FileHandle, memory: Uint8Array): Promise<number> {
  return guardFile(async () => {
    for (let filled = 0; ;) {
      const { bytesRead } = await file.read(memory, filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled === memory.byteLength) return filled;
    }
  });
}

/** Turns a full disk or a lost volume into `STORE_UNAVAILABLE`. */
async function guardFile<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new StoreError('STORE_UNAVAILABLE', 'The files of the store cannot be used.', error);
  }
}

function ignoreMissing<Result, Missing>(
  work: () => Promise<Result>,
  missing: Missing,
): Promise<Result | Missing> {
  return guardFile(async () => {
    try {
      return await work();
    } catch (error) {
      if (toErrorCode(error) === 'ENOENT') return missing;
      throw error;
    }
  });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
