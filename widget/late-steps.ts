// The steps that are loaded while an earlier one is shown: those behind the first, then those after the submission.

import type { ReactiveControllerHost } from 'lit';
import { isFormStep, type StepId } from './flow/steps.ts';
import type { Language } from './language.ts';
import type { AfterSubmission } from './steps/after-submission.ts';
import type { FurtherSteps } from './steps/further-steps.ts';
import type { OffersStep } from './steps/offers-step.ts';

type LateStepsHost = ReactiveControllerHost & { readonly shadowRoot: ShadowRoot | null };

export class LateSteps {
  further: FurtherSteps | undefined;
  after: AfterSubmission | undefined;
  offers: OffersStep | undefined;
  hasFailed = false;
  readonly #host: LateStepsHost;
  readonly #language: Language;

  constructor(host: LateStepsHost, language: Language) {
    this.#host = host;
    this.#language = language;
  }

  /** Nothing is shown in another language, or in parts, before the first step can be shown whole, or it is known that it never can. */
  canShow(step: StepId): boolean {
    const { isShown, isPending } = this.#language;
    if (isShown || isPending) return isShown;
    if (step === 'start' || step === 'funding-need' || this.hasFailed) return true;
    return (isFormStep(step) ? this.further : this.offers) !== undefined;
  }

  async loadFurther(): Promise<void> {
    if (this.further) return;
    await this.#try(async () => {
      this.further = (await import('./steps/further-steps.ts')).furtherSteps;
    });
  }

  async loadAfter(): Promise<void> {
    if (this.after) return;
    await this.#try(async () => {
      const [{ afterSubmission }, { offersStep }] = await Promise.all([
        import('./steps/after-submission.ts'),
        import('./steps/offers-step.ts'),
      ]);
      await this.#language.addLate({ ...afterSubmission.messages, ...offersStep.messages });
      for (const { styleSheet } of [afterSubmission.styles, offersStep.styles])
        if (styleSheet) this.#host.shadowRoot?.adoptedStyleSheets.push(styleSheet);
      this.after = afterSubmission;
      this.offers = offersStep;
    });
  }

  async #try(load: () => Promise<void>): Promise<void> {
    this.hasFailed = false;
    try {
      await load();
    } catch {
      // A browser may remember a failed module for good, so that only a reload of the page helps; the session survives it.
      this.hasFailed = true;
    }
    this.#host.requestUpdate();
  }
}
