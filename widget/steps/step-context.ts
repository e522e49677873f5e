// What every step is given to draw itself.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { Locale } from '../../shared/application/lists.ts';
import type { ErrorMessage, FieldContext } from '../fields/field.ts';
import type { Pickers } from '../fields/pickers.ts';
import type { FlowController } from '../flow/flow-controller.ts';
import type { FlowState } from '../flow/state.ts';
import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/text.ts';
import type { FundingSettings } from '../types.ts';

export interface StepContext {
  readonly t: Translate;
  readonly format: Format;
  /** The language that is shown. */
  readonly locale: Locale;
  readonly flow: FlowController;
  readonly state: FlowState;
  readonly configuration: Configuration;
  /** What the host page decides about this form. */
  readonly settings: FundingSettings;
  /** What is wrong on the step that is shown, in its order. */
  readonly entries: readonly ErrorMessage[];
  readonly fields: FieldContext;
  /** Undefined until the steps that have some are loaded. */
  readonly pickers: Pickers | undefined;
  /** The `aria-level` of a heading: 0 for the heading of the step, 1 and 2 for headings inside it. Never more than 6. */
  readonly headingLevel: (depth: 0 | 1 | 2) => number;
  readonly isShown: (path: string) => boolean;
  readonly toggleShown: (path: string) => void;
  /** Puts the focus on a field, for example one that still lacks something. */
  readonly focusField: (path: string) => void;
  /** Sends an event from the element; `false` when the host page prevented what usually follows. */
  readonly dispatch: (event: Event) => boolean;
  /** Tells the host page that the applicant wants to connect a bank with the page's own aggregator. */
  readonly requestBank: () => void;
}

/** What the steps behind the first one are given: they come with their pickers. */
export interface FurtherContext extends StepContext {
  readonly pickers: Pickers;
}
