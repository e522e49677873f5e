// The types of documents that can be told by their content, by their extensions: lower-case, without dot.

/** What a partner may accept. `jpeg` is the same type as `jpg`; one of them accepts both. */
export const documentExtensions = [
  'pdf',
  'jpg',
  'jpeg',
  'png',
  'docx',
  'xlsx',
  'txt',
  'csv',
] as const;

/** What a partner accepts by default: office files may carry more than can be seen, and text has no mark of its own. */
export const defaultDocumentExtensions = ['pdf', 'jpg', 'jpeg', 'png'] as const;

/** One extension for all spellings of a type, in any case. */
export function toTypeExtension(extension: string): string {
  const lower = extension.toLowerCase();
  return lower === 'jpeg' ? 'jpg' : lower;
}
