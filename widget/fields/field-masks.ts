// Puts separators into amounts and numbers while they are typed, and formats them when they are left.

import type { LitElement, ReactiveController, ReactiveControllerHost } from 'lit';
import type { TypedFormat } from './typed-formats.ts';

interface Masks {
  readonly maskInput: (input: HTMLInputElement, name: TypedFormat) => () => void;
  readonly toSettled: (text: string, name: TypedFormat) => string;
}

type Host = ReactiveControllerHost & Pick<LitElement, 'renderRoot' | 'shadowRoot'>;

const marked = 'input[data-format]';

/** Works where the fields' events bubble up. Until the masks are loaded, and where they cannot be, everything stays as typed. */
export class FieldMasks implements ReactiveController {
  readonly #host: Host;
  readonly #load: () => Promise<Masks>;
  #loading: Promise<void> | undefined;
  #masks: Masks | undefined;
  #masked: { readonly input: HTMLInputElement; readonly end: () => void } | undefined;

  constructor(host: Host, load: () => Promise<Masks> = () => import('./masks.ts')) {
    this.#host = host;
    this.#load = load;
    host.addController(this);
  }

  hostConnected(): void {
    const { renderRoot } = this.#host;
    renderRoot.addEventListener('focusin', this.#handleFocus);
    renderRoot.addEventListener('focusout', this.#endMask);
    // Before the form takes the answer.
    renderRoot.addEventListener('change', this.#handleChange, { capture: true });
  }

  hostDisconnected(): void {
    const { renderRoot } = this.#host;
    renderRoot.removeEventListener('focusin', this.#handleFocus);
    renderRoot.removeEventListener('focusout', this.#endMask);
    renderRoot.removeEventListener('change', this.#handleChange, { capture: true });
    this.#endMask();
  }

  /** Loaded once a field is shown that needs them, not before. */
  hostUpdated(): void {
    if (this.#masked?.input.isConnected === false) this.#endMask();
    if (this.#loading || !this.#host.renderRoot.querySelector(marked)) return;
    this.#loading = this.#loadMasks();
  }

  async #loadMasks(): Promise<void> {
    try {
      this.#masks = await this.#load();
      this.#mask(this.#host.shadowRoot?.activeElement ?? null);
    } catch {
      // Typing works without; a browser may remember a failed module for good, so it is not asked for again.
    }
  }

  #handleFocus = ({ target }: Event): void => this.#mask(target);

  #handleChange = ({ target }: Event): void => {
    const format = toFormat(target);
    if (!format || !this.#masks) return;
    const text = this.#masks.toSettled(format.input.value, format.name);
    if (text !== format.input.value) format.input.value = text;
  };

  #mask(target: EventTarget | null): void {
    this.#endMask();
    const format = toFormat(target);
    if (!format || !this.#masks) return;
    const { input, name } = format;
    this.#masked = { input, end: this.#masks.maskInput(input, name) };
  }

  #endMask = (): void => {
    this.#masked?.end();
    this.#masked = undefined;
  };
}

/** The field and the format the template has marked it with; nothing for other fields. */
function toFormat(
  target: EventTarget | null,
): { readonly input: HTMLInputElement; readonly name: TypedFormat } | undefined {
  if (!(target instanceof HTMLInputElement) || !target.matches(marked)) return undefined;
  // Only the templates of the fields write this attribute, from this very union.
  return { input: target, name: target.dataset['format'] as TypedFormat };
}
