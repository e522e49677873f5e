// What is said aloud without moving the focus (WCAG 2.2, 4.1.3).

import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';

/** The live region is there from the first drawing and is written to by hand: nothing else draws what is in it. */
export class Announcer implements ReactiveController {
  readonly #host: LitElement;
  readonly #readPlace: () => string;
  #said: readonly string[] = [];
  #place = '';
  #heading = '';

  /** @param readPlace what the heading belongs to; a heading that changes together with it is no news. */
  constructor(host: LitElement, readPlace: () => string) {
    this.#host = host;
    this.#readPlace = readPlace;
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

  /** A heading that changes while its step stays is news, for example "You have 3 offers". */
  hostUpdated(): void {
    const place = this.#readPlace();
    const heading = this.#host.renderRoot.querySelector('#step-heading')?.textContent?.trim() ?? '';
    const isNews = place === this.#place && heading !== this.#heading && this.#heading !== '';
    this.#heading = heading;
    this.#place = place;
    if (isNews) this.say(heading);
  }
}
