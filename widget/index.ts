// The exports for adopters. An import of this file registers nothing.

export { FundingApplication } from './funding-application.ts';
export {
  FundingErrorEvent,
  FundingExitEvent,
  FundingReadyEvent,
  FundingStepEvent,
} from './app/events.ts';
export * from './app/later-events.ts';
export type { Locale } from '../shared/application/lists.ts';
export type { FailureCode, FundingApi, Result } from './api/funding-api.ts';
export type { FormProblem } from './app/store.ts';
export type { StepId } from './app/navigation.ts';
export type { MessageKey } from './i18n/messages.ts';
export {
  FundingError,
  type FundingMessages,
  type FundingPrefill,
  type FundingSettings,
  type SolveChallenge,
} from './types.ts';
