// Where the focus goes when the step or its errors change.

import type { LitElement, ReactiveController } from 'lit';
import { toFieldId } from './fields/field.ts';

/** Fragment links and autofocus do not reach into a shadow root, so the focus is moved by hand (WCAG 2.2, 2.4.3). */
export class StepFocus implements ReactiveController {
  readonly #host: LitElement;
  #wanted: 'heading' | 'errors' | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Moves it with the next drawing. */
  moveTo(target: 'heading' | 'errors'): void {
    this.#wanted = target;
    this.#host.requestUpdate();
  }

  /** What had the focus may be gone after a drawing: reading goes on at the heading, not at the top of the host page. */
  keepThrough(draw: () => void): void {
    const focused = this.#host.shadowRoot?.activeElement;
    draw();
    if (focused && !focused.isConnected) this.#wanted ??= 'heading';
  }

  hostUpdated(): void {
    if (!this.#wanted) return;
    const target =
      this.#wanted === 'heading'
        ? this.#find('#step-heading')
        : (this.#find('#error-summary') ?? this.#find('.notice[tabindex]'));
    if (!target) return;
    this.#wanted = undefined;
    target.focus({ preventScroll: true });
    const isAbove = this.#host.getBoundingClientRect().top < 0;
    if (isAbove || target.getBoundingClientRect().top > innerHeight) {
      this.#host.scrollIntoView({ block: 'start' });
    }
  }

  /** Of a group of fields the first one takes it. */
  moveToField(path: string): void {
    const id = CSS.escape(toFieldId(path));
    const field = this.#find(`#${id}`) ?? this.#find(`[id^="${id}-"]:is(input, select)`);
    field?.focus();
    field?.closest('.field')?.scrollIntoView({ block: 'nearest' });
  }

  #find(selector: string): HTMLElement | null {
    return this.#host.renderRoot.querySelector<HTMLElement>(selector);
  }
}
