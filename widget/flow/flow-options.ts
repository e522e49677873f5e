// What a flow is given when it is made.

import type { BeginningOptions } from './beginning.ts';
import type { FlowPartsListener } from './flow-parts.ts';
import type { PageEnvironment } from './page-life.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import type { SubmissionOptions } from './submission.ts';

/** What the element is told besides "draw again". */
export interface FlowListener extends FlowPartsListener {
  /** Another step is shown: the heading takes the focus. */
  readonly onStep: () => void;
  /** Continue found something wrong: the error summary takes the focus. */
  readonly onErrors: () => void;
}

export interface FlowOptions extends FlowListener, SubmissionOptions, BeginningOptions {
  readonly polling: PollingEnvironment;
  readonly page: PageEnvironment;
  readonly now: () => Date;
  /** The language the BFF is asked for; undefined leaves it to the BFF. */
  readonly locale?: (() => string | undefined) | undefined;
}
