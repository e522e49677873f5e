// Functions that `typing.ts` runs in the page. Playwright sends their source text, so they must not use anything outside of them.

export interface KeyTiming {
  /** Time from the key press until the letter is painted, including up to 17 ms until the next frame. */
  readonly paintedMs: number;
  /** The part of `paintedMs` with work: handlers, rendering, layout, and paint. */
  readonly workMs: number;
}

export interface Field {
  readonly name: string;
  readonly id: string;
  readonly kind: 'text' | 'picker' | 'select' | 'consent' | 'radio';
}

/** Records the times of all key presses and step changes; `typing.ts` reads and clears them. */
export function watchTimes(): void {
  const keys: KeyTiming[] = [];
  const changes: number[] = [];
  Reflect.set(window, 'benchTimes', { keys, changes });

  const afterThisTask = (done: () => void) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', done);
    port1.start();
    port2.postMessage(0);
  };
  /** A message that the frame's callback posts arrives after the frame is painted. */
  const afterPaint = (done: (frameAt: number) => void) =>
    requestAnimationFrame(() => {
      const frameAt = performance.now();
      afterThisTask(() => done(frameAt));
    });

  let pressed: { readonly stamp: number; readonly beganAt: number } | undefined;
  const handleKey = ({ timeStamp }: Event) => {
    pressed = { stamp: timeStamp, beganAt: performance.now() };
  };
  const handleInput = () => {
    const key = pressed;
    pressed = undefined;
    if (!key) return;
    let handledAt = Infinity;
    afterThisTask(() => (handledAt = performance.now()));
    afterPaint((frameAt) => {
      const now = performance.now();
      const idleMs = Math.max(0, frameAt - handledAt);
      keys.push({ paintedMs: now - key.stamp, workMs: now - key.beganAt - idleMs });
    });
  };
  addEventListener('keydown', handleKey, true);
  addEventListener('input', handleInput, true);

  let observer: MutationObserver | undefined;
  const handleClick = (event: Event) => {
    const root = document.querySelector('funding-application')?.shadowRoot;
    const isButton = event.composedPath().some((target) => target instanceof HTMLButtonElement);
    observer?.disconnect();
    if (!root || !isButton) return;
    const headingOf = () => root.querySelector('#step-heading')?.textContent?.trim();
    const before = headingOf();
    observer = new MutationObserver(() => {
      if (headingOf() === before) return;
      observer?.disconnect();
      afterPaint(() => changes.push(performance.now() - event.timeStamp));
    });
    observer.observe(root, { childList: true, characterData: true, subtree: true });
  };
  addEventListener('click', handleClick, true);
}

/** Returns the visible fields of the current step, in document order. */
export function listFields(element: Element): Field[] {
  const controls = element.shadowRoot?.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    'form input[name], form select[name]',
  );
  const kindOf = (control: HTMLInputElement | HTMLSelectElement): Field['kind'] | undefined => {
    if (control instanceof HTMLSelectElement) return 'select';
    if (control.type === 'radio') return 'radio';
    if (control.type === 'checkbox')
      return control.name.startsWith('consents/') ? 'consent' : undefined;
    return control.getAttribute('role') === 'combobox' ? 'picker' : 'text';
  };
  return [...(controls ?? [])].flatMap((control) => {
    const kind = kindOf(control);
    // Skip the honeypot, which people cannot see.
    const isVisible = control.tabIndex >= 0 && control.checkVisibility();
    return kind && isVisible ? [{ name: control.name, id: control.id, kind }] : [];
  });
}
