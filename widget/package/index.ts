// The entry `.` of the npm package: everything that an adopter's program uses. Importing it registers nothing.

import {
  FundingErrorEvent,
  FundingExitEvent,
  FundingReadyEvent,
  FundingStepEvent,
} from '../app/events.ts';
import {
  FundingBankRequestEvent,
  FundingDocumentEvent,
  FundingOfferChosenEvent,
  FundingOffersEvent,
  FundingSubmittedEvent,
} from '../app/later-events.ts';

export * from '../index.ts';

/** The name of the element that `funding-application/define` registers. */
export const tagName = 'funding-application';

/** The names of all events of the element, for example to send each one to an analytics service. */
export const eventNames = [
  FundingReadyEvent.eventName,
  FundingStepEvent.eventName,
  FundingSubmittedEvent.eventName,
  FundingDocumentEvent.eventName,
  FundingOffersEvent.eventName,
  FundingOfferChosenEvent.eventName,
  FundingBankRequestEvent.eventName,
  FundingErrorEvent.eventName,
  FundingExitEvent.eventName,
] as const;
