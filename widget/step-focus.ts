// Where the focus goes when the step or its errors change.

import type { LitElement, ReactiveController } from 'lit';
import { toFieldId } from './fields/field.ts';

/** Fragment links and autofocus do not reach into a shadow root, so the focus is moved by hand (WCAG 2.2, 2.4.3). */
export class StepFocus implements ReactiveController {
  readonly #host: LitElement;
  #wanted: 'heading' | 'errors' | undefined;
  #awaitsField = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Moves it with the next drawing. */
  moveTo(target: 'heading' | 'errors'): void {
    this.#wanted = target;
    this.#host.requestUpdate();
  }

  /** Moves it once what has changed is drawn; of a group of fields the first one takes it. */
  async moveToField(path: string): Promise<void> {
    this.#awaitsField = true;
    await this.#host.updateComplete;
    this.#awaitsField = false;
    const id = CSS.escape(toFieldId(path));
    const field = this.#find(`#${id}`) ?? this.#find(`[id^="${id}-"]:is(input, select)`);
    if (!field) return this.hostUpdated();
    this.#wanted = undefined;
    field.focus();
    field.closest('.field')?.scrollIntoView({ block: 'nearest' });
  }

  /** What had the focus may be gone after a drawing: reading goes on at its row, or at the heading, not at the top of the host page. */
  keepThrough(draw: () => void): void {
    const focused = this.#host.shadowRoot?.activeElement;
    const nameOfRow = focused?.closest('.file')?.querySelector('.name')?.id;
    draw();
    if (!focused || (focused.isConnected && !focused.closest('.corrected'))) return;
    this.#wanted ??= 'heading';
    if (nameOfRow && !this.#awaitsField) void this.moveToField(nameOfRow);
  }

  hostUpdated(): void {
    // It lands once: a stop on the way would be read aloud, and could scroll the page.
    if (!this.#wanted || this.#awaitsField) return;
    const target =
      this.#wanted === 'heading'
        ? this.#find('#step-heading')
        : (this.#find('#error-summary:not(.corrected)') ?? this.#find('.notice[tabindex]'));
    if (!target) return;
    this.#wanted = undefined;
    target.focus({ preventScroll: true });
    const isAbove = this.#host.getBoundingClientRect().top < 0;
    if (isAbove || target.getBoundingClientRect().top > innerHeight) {
      this.#host.scrollIntoView({ block: 'start' });
    }
  }

  #find(selector: string): HTMLElement | null {
    return this.#host.renderRoot.querySelector<HTMLElement>(selector);
  }
}
