// What `typing.ts` runs within the page: each function is handed over as its text, and knows nothing of this file.

export interface KeyTiming {
  /** From the key until its letter was painted; the wait for the display's next turn is in it, up to 17 ms by itself. */
  readonly paintedMs: number;
  /** What of it was work: handlers, drawing, layout and paint. */
  readonly workMs: number;
}

export interface Field {
  readonly name: string;
  readonly id: string;
  readonly kind: 'text' | 'picker' | 'select' | 'consent' | 'radio';
}

/** Keeps the times of all keys and changes of the step, to be fetched and emptied. */
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
  /** What a frame's callback posts is read once that frame has been painted. */
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

/** What can be filled in on the step that is shown, in its order. */
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
    // The trap for scripts that fill in everything is not for people.
    const isForPeople = control.tabIndex >= 0 && control.checkVisibility();
    return kind && isForPeople ? [{ name: control.name, id: control.id, kind }] : [];
  });
}
