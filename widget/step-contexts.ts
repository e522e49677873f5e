// Puts together what a step is given to draw itself.

import type { LitElement } from 'lit';
import { FundingBankRequestEvent } from './events.ts';
import { createFieldContext, toSummaryEntries } from './field-context.ts';
import { toHeadingLevel } from './app/parts.ts';
import { FieldMasks } from './fields/field-masks.ts';
import type { Pickers } from './fields/pickers.ts';
import type { FlowController } from './flow/flow-controller.ts';
import type { FlowState } from './flow/state.ts';
import type { Language } from './language.ts';
import type { FundingSettings } from './types.ts';
import type { StepFocus } from './step-focus.ts';
import type { FurtherSteps } from './steps/further-steps.ts';
import type { StepContext } from './steps/step-context.ts';

export interface StepHost extends LitElement {
  readonly settings: FundingSettings | undefined;
  readonly headingLevel: number | undefined;
}

/** One for each element; holds what belongs to the drawing of a step alone. */
export class StepContexts {
  readonly #host: StepHost;
  readonly #language: Language;
  readonly #focus: StepFocus;
  #pickers: Pickers | undefined;
  #flow: FlowController | undefined;
  /** The fields whose hidden digits are shown. */
  readonly #shown = new Set<string>();

  constructor(host: StepHost, language: Language, focus: StepFocus) {
    this.#host = host;
    this.#language = language;
    this.#focus = focus;
    void new FieldMasks(host);
  }

  /** @param further undefined until the steps that have pickers are loaded. */
  create(flow: FlowController, state: FlowState, further: FurtherSteps | undefined): StepContext {
    const { t, format, locale } = this.#language;
    const entries = toSummaryEntries({ t, format }, state);
    const host = this.#host;
    this.#flow = flow;
    this.#pickers ??= further && this.#createPickers(further);
    return {
      t,
      format,
      locale,
      flow,
      state,
      configuration: state.configuration,
      settings: host.settings ?? {},
      entries,
      fields: createFieldContext(t, state, entries),
      pickers: this.#pickers,
      headingLevel: (depth) => toHeadingLevel(host.headingLevel, depth),
      isShown: (path) => this.#shown.has(path),
      toggleShown: (path) => {
        if (!this.#shown.delete(path)) this.#shown.add(path);
        host.requestUpdate();
      },
      focusField: (path) => void this.#focus.moveToField(path),
      dispatch: (event) => host.dispatchEvent(event),
      requestBank: () => host.dispatchEvent(new FundingBankRequestEvent()),
    };
  }

  #createPickers(further: FurtherSteps): Pickers {
    const host = this.#host;
    return new further.Pickers(
      host,
      (path, value, isSettled) => {
        this.#flow?.answer(path, value);
        if (isSettled) this.#flow?.settle();
      },
      () => host.settings?.simpleControls === true || matchMedia('(pointer: coarse)').matches,
    );
  }

  hideSecrets(): void {
    this.#shown.clear();
  }
}
