// The steps that are loaded while an earlier one is shown: those behind the first, then those after the submission.

import type { ReactiveControllerHost } from 'lit';
import type { FlowParts } from './flow/flow-parts.ts';
import { isFormStep, type StepId } from './app/steps.ts';
import type { Language } from './language.ts';
import type { AfterSubmission } from './steps/after-submission.ts';
import type { FurtherSteps } from './steps/further-steps.ts';
import type { OffersStep } from './steps/offers-step.ts';

type LateChunk = 'further' | 'after';
type LateStepsHost = ReactiveControllerHost & { readonly shadowRoot: ShadowRoot | null };

export class LateSteps {
  further: FurtherSteps | undefined;
  after: AfterSubmission | undefined;
  offers: OffersStep | undefined;
  readonly #failed = new Set<LateChunk>();
  /** On its way, or there; what has failed may begin again. */
  readonly #begun: { [name in LateChunk]?: Promise<void> | undefined } = {};
  readonly #host: LateStepsHost;
  readonly #language: Language;
  readonly #onParts: (Parts: typeof FlowParts) => void;

  /** @param onParts is given what the steps after the submission came with. */
  constructor(host: LateStepsHost, language: Language, onParts: (Parts: typeof FlowParts) => void) {
    this.#host = host;
    this.#language = language;
    this.#onParts = onParts;
  }

  /** Something that is asked for cannot be loaded. */
  get hasFailed(): boolean {
    return this.#failed.size > 0;
  }

  /** Nothing is shown in another language, or in parts, before the first step can be shown whole, or it is known that it never can. */
  canShow(step: StepId): boolean {
    const { isShown, isPending } = this.#language;
    if (isShown || isPending) return isShown;
    if (step === 'start' || step === 'funding-need' || this.hasFailed) return true;
    return (isFormStep(step) ? this.further : this.offers) !== undefined;
  }

  /**
   * Fetches early what is needed next, so that it is there then, whatever becomes of the connection.
   *
   * @param step that is shown; undefined at the end, which is told by what follows the submission.
   */
  prepare(step: StepId | undefined): void {
    void this.loadFurther();
    if (!step || step === 'review' || (step !== 'start' && !isFormStep(step)))
      void this.loadAfter();
  }

  loadFurther(): Promise<void> {
    return (this.#begun.further ??= this.#try('further', async () => {
      this.further = (await import('./steps/further-steps.ts')).furtherSteps;
    }));
  }

  loadAfter(): Promise<void> {
    return (this.#begun.after ??= this.#try('after', async () => {
      const [{ afterSubmission }, { offersStep }] = await Promise.all([
        import('./steps/after-submission.ts'),
        import('./steps/offers-step.ts'),
      ]);
      await this.#language.addLate({ ...afterSubmission.messages, ...offersStep.messages });
      for (const { styleSheet } of [afterSubmission.styles, offersStep.styles])
        if (styleSheet) this.#host.shadowRoot?.adoptedStyleSheets.push(styleSheet);
      this.after = afterSubmission;
      this.offers = offersStep;
      this.#onParts(afterSubmission.FlowParts);
    }));
  }

  async #try(name: LateChunk, load: () => Promise<void>): Promise<void> {
    this.#failed.delete(name);
    try {
      await load();
    } catch {
      // A browser may remember a failed module for good, so that only a reload of the page helps; the session survives it.
      this.#failed.add(name);
      this.#begun[name] = undefined;
    }
    this.#host.requestUpdate();
  }
}
