// Moves the focus when the step or its errors change.

import type { LitElement, ReactiveController } from 'lit';
import { toFieldId } from '../fields/field.ts';
import { isCleared, isRejection } from './navigation.ts';
import type { AppState } from './store.ts';

/** Fragment links and `autofocus` do not reach into a shadow root, so this controller moves the focus (WCAG 2.2, 2.4.3). */
export class FocusController implements ReactiveController {
  readonly #host: LitElement;
  #target: 'heading' | 'errors' | undefined;
  #awaitsField = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  react(before: AppState, after: AppState): void {
    const target = toFocusTarget(before, after);
    if (target) this.moveTo(target);
  }

  /** Moves the focus after the next render. */
  moveTo(target: 'heading' | 'errors'): void {
    this.#target = target;
    this.#host.requestUpdate();
  }

  /** Focuses the element with this id, or the first field of this path, after the pending render. */
  async moveToField(path: string): Promise<void> {
    this.#awaitsField = true;
    await this.#host.updateComplete;
    this.#awaitsField = false;
    const id = CSS.escape(toFieldId(path));
    const field = this.#find(`#${id}`) ?? this.#find(`[id^="${id}-"]:is(input, select)`);
    if (!field) return this.hostUpdated();
    this.#target = undefined;
    field.focus();
    field.closest('.field')?.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Renders. If the focused element is removed or hidden, the focus moves to the name of its file, or to the heading, instead of the top of
   * the host page.
   */
  keepDuring(render: () => void): void {
    const focused = this.#host.shadowRoot?.activeElement;
    const fileNameId = focused?.closest('.file')?.querySelector('.name')?.id;
    render();
    if (!focused || (focused.isConnected && !focused.closest('.corrected'))) return;
    this.#target ??= 'heading';
    if (fileNameId && !this.#awaitsField) void this.moveToField(fileNameId);
  }

  hostUpdated(): void {
    // The focus moves once: a screen reader would read an intermediate stop.
    if (!this.#target || this.#awaitsField) return;
    const element =
      this.#target === 'heading'
        ? this.#find('#step-heading')
        : (this.#find('#error-summary:not(.corrected)') ?? this.#find('.notice[tabindex]'));
    if (!element) return;
    this.#target = undefined;
    element.focus({ preventScroll: true });
    const scroll = () => {
      const isAbove = this.#host.getBoundingClientRect().top < 0;
      if (isAbove || element.getBoundingClientRect().top > innerHeight) {
        this.#host.scrollIntoView({ block: 'start' });
      }
      // In a low window, for example at 400% zoom, the error summary is below the window even then.
      element.scrollIntoView({ block: 'nearest' });
    };
    scroll();
    const { top } = element.getBoundingClientRect();
    // After Back, WebKit restores the scroll position of the earlier step when the step has rendered already. On a slow device, the
    // applicant can be in a field before the next frame. Scrolling then would move that field out of the window.
    requestAnimationFrame(() => {
      const isMoved = element.getBoundingClientRect().top !== top;
      if (isMoved && this.#host.shadowRoot?.activeElement === element) scroll();
    });
  }

  #find(selector: string): HTMLElement | null {
    return this.#host.renderRoot.querySelector<HTMLElement>(selector);
  }
}

function toFocusTarget(before: AppState, after: AppState): 'heading' | 'errors' | undefined {
  const { form } = after;
  if (!form) return before.form && 'heading';
  if (!before.form) return after.loading.isRepeated ? 'heading' : undefined;
  // A late session can report an application of an earlier page. That is no action of the applicant.
  const isOwn = before.form.isSubmitting || before.form.application !== undefined;
  const isReported =
    form.application !== before.form.application ||
    form.rejectedReference !== before.form.rejectedReference;
  if (isReported && !isOwn) return undefined;
  const known = before.form.errors;
  const hasNewErrors = form.errors.some((error) => !known.includes(error));
  const isRejected = isRejection(form.problem) && form.problem !== before.form.problem;
  if (hasNewErrors || isRejected) return 'errors';
  const isNewScreen = form.step !== before.form.step || before.phone.screen !== after.phone.screen;
  return isCleared(before.form, form) || isNewScreen ? 'heading' : undefined;
}
