// The length that an upload announces; without it, nothing could tell a whole one from a cut one.

import type { Context } from 'hono';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';
import { uploadProblems, type UploadKind } from './receive-child.ts';

/** Bytes, from 1 to the limit. Browsers always send the length of a file or a text. */
export function readUploadLength(c: Context<BffEnv>, kind: UploadKind, maxBytes: number): number {
  const text = c.req.header('content-length');
  if (text === undefined || !/^\d{1,15}$/.test(text))
    throw new AppError('document-length-required');
  const length = Number(text);
  if (length === 0) throw new AppError(uploadProblems[kind].empty);
  if (length > maxBytes) throw new AppError(uploadProblems[kind]['too-large']);
  return length;
}
