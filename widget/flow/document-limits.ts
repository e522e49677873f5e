// What the BFF would refuse, found before a file is sent.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { DocumentProblem } from './queued-document.ts';

type Limits = Configuration['documents'];

/** What is wrong with a file whatever its size. */
export function findProblem(
  { name, size }: File,
  { extensions }: Limits,
): DocumentProblem | undefined {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  if (!extensions.includes(extension))
    return { kind: /^hei[cf]$/.test(extension) ? 'heic' : 'type' };
  return size === 0 ? { kind: 'empty' } : undefined;
}

/** @param others bytes of every other file that is sent or may be. */
export function findLack(
  bytes: number,
  others: readonly number[],
  { maxBytes, maxFiles, maxTotalBytes = Infinity }: Limits,
): DocumentProblem | undefined {
  if (bytes > maxBytes) return { kind: 'size' };
  if (others.length >= maxFiles) return { kind: 'count' };
  return others.reduce((sum, one) => sum + one, bytes) > maxTotalBytes
    ? { kind: 'space' }
    : undefined;
}
