// The public events of the element; none carries anything an applicant gave.

import type { StepId } from './flow/steps.ts';

/** Another step is shown. */
export class FundingStepEvent extends Event {
  static readonly eventName = 'funding-step';
  readonly step: StepId;

  constructor(step: StepId) {
    super(FundingStepEvent.eventName, { bubbles: true, composed: true });
    this.step = step;
  }
}

/**
 * The applicant wants to connect a bank and `bankConnection` is `host`: the page opens its own aggregator and gives the
 * finished report to `submitAssetReport()`.
 */
export class FundingBankRequestEvent extends Event {
  static readonly eventName = 'funding-bank-request';

  constructor() {
    super(FundingBankRequestEvent.eventName, { bubbles: true, composed: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    'funding-step': FundingStepEvent;
    'funding-bank-request': FundingBankRequestEvent;
  }
}
