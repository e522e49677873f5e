// What is said aloud of a file on its way.

import type { DocumentNews } from '../flow/document-queue.ts';
import { toProblemSentence } from './document-row.ts';
import type { StepContext } from './step-context.ts';

export function toDocumentSentence(
  words: Pick<StepContext, 't' | 'format' | 'configuration'>,
  news: DocumentNews,
): string {
  const { t } = words;
  if (news.kind !== 'failed') return t(`documents.announce.${news.kind}`, { name: news.name });
  const { file, problem } = news;
  const reason = toProblemSentence(words, file, problem);
  return t('documents.announce.failed', { name: file.name, reason });
}
