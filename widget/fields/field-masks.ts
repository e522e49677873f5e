// Loads the masks when a field needs one, and applies them to the field that has the focus.

import type { LitElement, ReactiveController, ReactiveControllerHost } from 'lit';
import type { InputFormat } from './masks.ts';

type Host = ReactiveControllerHost & Pick<LitElement, 'renderRoot' | 'shadowRoot'>;

const eventTypes = ['focusin', 'focusout', 'change'] as const;
const formatted = 'input[data-format]';
const loadMasks = () => import('./masks.ts');

/** Listens where the events of all fields arrive. Without the masks, text stays as typed. */
export class FieldMasks implements ReactiveController {
  readonly #host: Host;
  #isRequested = false;
  #masks: Awaited<ReturnType<typeof loadMasks>> | undefined;
  #masked: { readonly input: HTMLInputElement; readonly stop: () => void } | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    // Captured, so that the text is formatted before the form reads it.
    for (const type of eventTypes) this.#host.renderRoot.addEventListener(type, this, true);
  }

  hostDisconnected(): void {
    for (const type of eventTypes) this.#host.renderRoot.removeEventListener(type, this, true);
    this.#stopMask();
  }

  handleEvent({ type, target }: Event): void {
    if (type === 'focusin') this.#mask(target);
    else if (type === 'focusout') this.#stopMask();
    else if (this.#masks && isFormatted(target)) {
      const text = this.#masks.formatInput(target.value, toFormat(target));
      if (text !== target.value) target.value = text;
    }
  }

  hostUpdated(): void {
    if (this.#masked?.input.isConnected === false) this.#stopMask();
    if (this.#isRequested || !this.#host.renderRoot.querySelector(formatted)) return;
    this.#isRequested = true;
    void this.#loadMasks();
  }

  async #loadMasks(): Promise<void> {
    try {
      this.#masks = await loadMasks();
      this.#mask(this.#host.shadowRoot?.activeElement ?? null);
    } catch {
      // Not requested again, because browsers may cache a failed module.
    }
  }

  #mask(target: EventTarget | null): void {
    this.#stopMask();
    if (!this.#masks || !isFormatted(target)) return;
    this.#masked = { input: target, stop: this.#masks.maskInput(target, toFormat(target)) };
  }

  #stopMask(): void {
    this.#masked?.stop();
    this.#masked = undefined;
  }
}

function isFormatted(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.matches(formatted);
}

function toFormat(input: HTMLInputElement): InputFormat {
  // Only the templates of the fields write this attribute, and their option has this type.
  return input.dataset['format'] as InputFormat;
}
