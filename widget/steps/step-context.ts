// What every step is given to draw itself.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { SummaryEntry } from '../fields/error-summary.ts';
import type { FieldContext } from '../fields/field.ts';
import type { IndustryCombobox } from '../fields/industry-combobox.ts';
import type { FlowController } from '../flow/flow-controller.ts';
import type { FlowState } from '../flow/state.ts';
import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/text.ts';

export interface StepContext {
  readonly t: Translate;
  readonly format: Format;
  readonly flow: FlowController;
  readonly state: FlowState;
  readonly configuration: Configuration;
  /** What is wrong on the step that is shown, in its order. */
  readonly entries: readonly SummaryEntry[];
  readonly fields: FieldContext;
  readonly industry: IndustryCombobox;
  readonly isShown: (path: string) => boolean;
  readonly toggleShown: (path: string) => void;
  /** Puts the focus on a field, for example one that still lacks something. */
  readonly focusField: (path: string) => void;
  /** Sends an event from the element; `false` when the host page prevented what usually follows. */
  readonly dispatch: (event: Event) => boolean;
  /** Tells the host page that the applicant wants to connect a bank with the page's own aggregator. */
  readonly requestBank: () => void;
}
