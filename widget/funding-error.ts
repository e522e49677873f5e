// What a method of the element rejects with.

import type { FailureCode } from './api/api.ts';

/** `code` is a problem code of the BFF, or `network` when it could not be reached. */
export class FundingError extends Error {
  override readonly name = 'FundingError';
  readonly code: FailureCode;

  constructor(code: FailureCode) {
    super(`Funding request failed: ${code}`);
    this.code = code;
  }
}
