// The manifest of the corpus: where each file comes from, and the expected verdict.

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Reasons for a refusal. `damaged` includes files that open only after a repair, which the strict mode refuses. */
export const refusalKinds = [
  'password',
  'damaged',
  'attachment',
  'launch',
  'media',
  'remote',
  'script',
  'xfa',
  'type',
  'macro',
  'embedded-object',
] as const;
export type RefusalKind = (typeof refusalKinds)[number];

/** `strict` is the mode that a partner turns on with the setting `documents.scripts: "refuse"`. */
export const modes = ['default', 'strict'] as const;
export type Mode = (typeof modes)[number];

/** `either`: the reference programs disagree, or the policy does not cover the file. `why` gives the reason. */
const verdictSchema = z.enum(['accept', 'refuse', 'either']);
const sha256Schema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const corpusFileSchema = z.strictObject({
  sha256: sha256Schema,
  bytes: z.int(),
  class: z.string(),
  extension: z.string(),
  /** A URL pinned to a commit, or `npm:<package>@<version>/<path in the tarball>`. */
  source: z.string().check(z.regex(/^(https:\/\/|npm:)/)),
  /** The file consists of the first `bytes` bytes of `source`, which has this hash. */
  cutFrom: z.optional(sha256Schema),
  /** According to the source. The files are not part of this project. */
  license: z.string(),
  default: verdictSchema,
  strict: verdictSchema,
  /** Accepted reasons for a refusal. */
  kinds: z.optional(z.array(z.enum(refusalKinds))),
  /** Replaces `kinds` in the strict mode. */
  strictKinds: z.optional(z.array(z.enum(refusalKinds))),
  why: z.optional(z.string()),
  /** Why the inspection's verdict differs from the expected one. Most are broken files from the tests of a library. */
  deviation: z.optional(z.string()),
  /** Not used while the inspection is developed, so that a final measurement is unbiased. */
  heldOut: z.boolean(),
});
export type CorpusFile = z.infer<typeof corpusFileSchema>;

export function readManifest(): CorpusFile[] {
  const text = readFileSync(new URL('manifest.ndjson', import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => corpusFileSchema.parse(JSON.parse(line)));
}
