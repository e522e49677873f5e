// What is said aloud of a file on its way.

import type { DocumentNews } from './flow/document-queue.ts';
import type { AfterSubmission } from './steps/after-submission.ts';
import type { StepContext } from './steps/step-context.ts';

type Words = Pick<StepContext, 't' | 'format' | 'configuration'>;

/** @param after the step the files are on; it knows why one failed. */
export function toDocumentSentence(
  words: Words,
  news: DocumentNews,
  after: AfterSubmission | undefined,
): string {
  const { t } = words;
  if (news.kind !== 'failed') return t(`documents.announce.${news.kind}`, { name: news.name });
  const { file, problem } = news;
  const reason = after?.toProblemSentence(words, file, problem) ?? '';
  return t('documents.announce.failed', { name: file.name, reason });
}
