// What a host page may want to hear of an application; nothing in it was given by the applicant.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { Offers } from '../../shared/api/offers.ts';
import type { FlowProblem } from './state.ts';
import type { StepId } from '../app/steps.ts';

/**
 * `submitted`: the BFF has the application; told again when its status changes. `document`: the BFF has a file, or it is known what the
 * service made of it. `offers`: a decision has come, or another number of offers. `problem`: something the applicant wanted did not
 * work. `exit`: the applicant has ended the session or cleared the answers.
 */
export type FlowEvent =
  | {
      readonly kind: 'submitted';
      readonly reference: string;
      readonly status: ApplicationStatus['status'];
    }
  | {
      readonly kind: 'document';
      readonly number: number;
      readonly category: string;
      readonly status: DocumentStatus['status'];
    }
  | { readonly kind: 'offers'; readonly decision: Offers['decision']; readonly count: number }
  | { readonly kind: 'problem'; readonly code: FlowProblem; readonly isRetryable: boolean }
  | { readonly kind: 'exit'; readonly reason: 'finished' | 'cleared'; readonly step: StepId };

const retryable: ReadonlySet<FlowProblem> = new Set<FlowProblem>([
  'network',
  'internal',
  'too-many-requests',
  'too-busy',
  'too-soon',
  'service-unavailable',
  'storage-unavailable',
  'inspection-unavailable',
  'application-pending',
  'challenge-required',
  'challenge-unavailable',
  'submit-unanswered',
  'session-refused',
  'offline',
]);

/** Whether doing the same once more may help. */
export function isRetryable(code: FlowProblem): boolean {
  return retryable.has(code);
}
