// Why a document is refused for what it is, as problem codes.

import type { ProblemCode } from '../../shared/api/problem.ts';

export const documentRefusals = [
  'document-empty',
  'document-type-refused',
  'document-type-mismatch',
  'document-active-content',
  'document-damaged',
  'document-unsafe',
  'document-not-checked',
  'document-too-many-pixels',
  'document-infected',
] as const satisfies readonly ProblemCode[];

export type DocumentRefusal = (typeof documentRefusals)[number];
