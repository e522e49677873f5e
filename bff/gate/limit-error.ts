// A refusal that a limit made: an answer like any other, but counted instead of being written to the log one by one.

import { AppError } from '../app-error.ts';

export class LimitError extends AppError {
  constructor(code: 'too-many-requests' | 'too-busy', retryAfterSeconds: number) {
    super(code, { retryAfterSeconds });
  }
}
