// The error of the element's methods.

import type { FailureCode } from './api/funding-api.ts';

/** The error of the element's methods. */
export class FundingError extends Error {
  override readonly name = 'FundingError';
  /** A problem code of the BFF, or `network` if the BFF did not answer. */
  readonly code: FailureCode;

  constructor(code: FailureCode) {
    super(`Funding request failed: ${code}`);
    this.code = code;
  }
}
