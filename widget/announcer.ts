// What is said aloud without moving the focus (WCAG 2.2, 4.1.3).

import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { FlowController } from './flow/flow-controller.ts';
import type { StepId } from './app/steps.ts';
import type { Language } from './language.ts';

/** The live region is there from the first drawing and is written to by hand: nothing else draws what is in it. */
export class Announcer implements ReactiveController {
  readonly #host: LitElement;
  readonly #language: Pick<Language, 't'>;
  readonly #readFlow: () => FlowController | undefined;
  #said: readonly string[] = [];
  #seen: Seen = {};

  constructor(
    host: LitElement,
    language: Pick<Language, 't'>,
    readFlow: () => FlowController | undefined,
  ) {
    this.#host = host;
    this.#language = language;
    this.#readFlow = readFlow;
    host.addController(this);
  }

  /** @param lang of the sentences. */
  render(lang: string): TemplateResult {
    return html`<p class="visually-hidden" id="announcement" role="status" lang=${lang}></p>`;
  }

  /** Of what is said in one turn nothing replaces the rest; nothing at all takes back everything. */
  say(sentence: string): void {
    if (this.#said.length === 0) setTimeout(() => (this.#said = []));
    this.#said = sentence === '' ? [] : [...this.#said, sentence];
    const region = this.#host.renderRoot.querySelector('#announcement');
    if (region) region.textContent = this.#said.join(' ');
  }

  /**
   * A heading that changes while its step stays is news, for example "You have 3 offers", or the same in another language;
   * not where it is read anyway, since the focus has just come to it. So are a warning that is over, and that the answers are
   * being sent: the name of a button alone is not read again. What was said on another step is no news: it may even name a
   * file of somebody who has finished.
   */
  hostUpdated(): void {
    const { t } = this.#language;
    const { state, life } = this.#readFlow() ?? {};
    const title = this.#host.renderRoot.querySelector('#step-heading');
    const before = this.#seen;
    const seen = {
      step: state?.step,
      heading: title?.textContent?.trim(),
      isRead: title !== null && this.#host.shadowRoot?.activeElement === title,
      isWarned: life?.connection.isOffline === true || life?.session.notice !== undefined,
      isSending: state?.isSubmitting,
    };
    this.#seen = seen;
    if (seen.step !== before.step) return this.say('');
    // A form that is there after a while is found; one that could not be loaded is not.
    const isNews = (before.heading || !seen.step) && seen.heading !== before.heading;
    if (isNews && (before.isRead || !seen.isRead)) this.say(seen.heading ?? '');
    if (before.isWarned && !seen.isWarned) this.say(t('status.cleared'));
    if (seen.isSending && !before.isSending) this.say(t('review.submitting'));
  }
}

interface Seen {
  readonly step?: StepId | undefined;
  readonly heading?: string | undefined;
  /** The focus is on it. */
  readonly isRead?: boolean;
  readonly isWarned?: boolean;
  readonly isSending?: boolean | undefined;
}
