// Messages for screen readers about changes that do not move the focus (WCAG 2.2, 4.1.3).

import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { Feature, Wording } from './feature.ts';
import type { AppState, Store } from './store.ts';

export interface AnnouncerOptions {
  readonly store: Store;
  readonly getWording: () => Wording;
  /** The chunks and features with messages of their own. */
  readonly getFeatures: () => readonly Pick<Feature, 'toAnnouncements'>[];
}

/** The live region exists from the first render. Its text is set here and never by a template. */
export class Announcer implements ReactiveController {
  readonly #host: LitElement;
  readonly #options: AnnouncerOptions;
  #messages: readonly string[] = [];
  #state: AppState;
  #heading = '';
  #isHeadingRead = false;

  constructor(host: LitElement, options: AnnouncerOptions) {
    this.#host = host;
    this.#options = options;
    this.#state = options.store.state;
    host.addController(this);
  }

  /** @param lang the language of the messages. */
  render(lang: string): TemplateResult {
    return html`<p class="visually-hidden" id="announcement" role="status" lang=${lang}></p>`;
  }

  hostUpdated(): void {
    const before = this.#state;
    const after = this.#options.store.state;
    this.#state = after;
    const hasNewHeading = this.#hasNewHeading(after);
    // Messages about another step are outdated. They may even name a file of an application that was closed. The outcome of a
    // submission is an alert or takes the focus.
    const isOutdated =
      before.form?.step !== after.form?.step ||
      (before.form?.isSubmitting && !after.form?.isSubmitting) ||
      (hasNewHeading && !this.#heading);
    if (isOutdated) return this.#clear();
    const wording = this.#options.getWording();
    this.#announce([
      ...(hasNewHeading ? [this.#heading] : []),
      ...toAnnouncements(before, after, wording),
      ...this.#options
        .getFeatures()
        .flatMap((feature) => feature.toAnnouncements?.(before, after, wording) ?? []),
    ]);
  }

  /**
   * Returns true if the heading has changed while its step stays, for example to "You have 3 offers", unless it has just received
   * the focus, which reads it anyway.
   */
  #hasNewHeading({ form }: AppState): boolean {
    const title = this.#host.renderRoot.querySelector('#step-heading');
    const heading = title?.textContent?.trim() ?? '';
    const isRead = title !== null && this.#host.shadowRoot?.activeElement === title;
    // The first heading of a form is found by itself. The message of a form that could not be loaded is not.
    const isChanged = heading !== this.#heading && (this.#heading !== '' || !form);
    const isNew = isChanged && (this.#isHeadingRead || !isRead);
    this.#heading = heading;
    this.#isHeadingRead = isRead;
    return isNew;
  }

  /** Messages in the same tick are joined. */
  #announce(messages: readonly string[]): void {
    if (messages.length === 0) return;
    if (this.#messages.length === 0) setTimeout(() => (this.#messages = []));
    this.#messages = [...this.#messages, ...messages];
    this.#write(this.#messages.join(' '));
  }

  #clear(): void {
    this.#messages = [];
    this.#write('');
  }

  #write(text: string): void {
    const region = this.#host.renderRoot.querySelector('#announcement');
    if (region && region.textContent !== text) region.textContent = text;
  }
}

function toAnnouncements(before: AppState, after: AppState, { t }: Wording): readonly string[] {
  const isWarned = ({ isOffline, session }: AppState) => isOffline || session.notice !== undefined;
  return [
    ...(isWarned(before) && !isWarned(after) ? [t('status.cleared')] : []),
    // A screen reader does not read the button again when its label changes.
    ...(!before.form?.isSubmitting && after.form?.isSubmitting ? [t('review.submitting')] : []),
  ];
}
