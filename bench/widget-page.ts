// Functions that `widget.ts` runs in the page. Playwright sends their source text, so they must not use anything outside of them.

export interface PageTimes {
  /** Milliseconds since the navigation until the first field could take the focus, as of all times here. */
  usableAt: number | undefined;
  /** When each typed character was painted. */
  readonly paintedAt: number[];
  /** From each key press until its character was painted. */
  readonly keysMs: number[];
  readonly longTasks: { readonly startedAt: number; readonly ms: number }[];
  readonly changes: StepChange[];
}

/** From the release of the button until the first field of the next step was painted, and until the page was idle after that. */
export interface StepChange {
  readonly paintedMs: number;
  readonly idleMs: number;
}

/** Records the times of the page in `benchTimes`. Runs before the scripts of the page. */
export function watchTimes(): void {
  const times: PageTimes = {
    usableAt: undefined,
    paintedAt: [],
    keysMs: [],
    longTasks: [],
    changes: [],
  };
  Reflect.set(window, 'benchTimes', times);

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      times.longTasks.push({ startedAt: startTime, ms: duration });
    }
  }).observe({ type: 'longtask', buffered: true });

  const getRoot = () => document.querySelector('funding-application')?.shadowRoot ?? document;
  const findFirstField = () =>
    [...getRoot().querySelectorAll<HTMLElement>('form input, form select')].find(
      // Skip the honeypot, which people cannot see.
      (field) => field.tabIndex >= 0 && field.checkVisibility(),
    );
  /** A message that the frame's callback posts arrives after the frame is painted. */
  const afterPaint = (done: () => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', done);
      port1.start();
      port2.postMessage(0);
    });

  const checkUsable = () => {
    const field = findFirstField();
    field?.focus();
    if (field && getRoot().activeElement === field) times.usableAt = performance.now();
    else requestAnimationFrame(checkUsable);
  };
  requestAnimationFrame(checkUsable);

  let pressedAt: number | undefined;
  const handleKey = ({ timeStamp }: Event) => {
    pressedAt = timeStamp;
  };
  const handleInput = () => {
    const beganAt = pressedAt;
    pressedAt = undefined;
    if (beganAt === undefined) return;
    afterPaint(() => {
      const now = performance.now();
      times.paintedAt.push(now);
      times.keysMs.push(now - beganAt);
    });
  };
  addEventListener('keydown', handleKey, true);
  addEventListener('input', handleInput, true);

  const handleRelease = (event: Event) => {
    const isSubmit = event
      .composedPath()
      .some((target) => target instanceof HTMLButtonElement && target.type === 'submit');
    if (!isSubmit) return;
    const before = findFirstField();
    const check = () => {
      const field = findFirstField();
      if (!field || field === before) return void requestAnimationFrame(check);
      afterPaint(() => {
        const paintedMs = performance.now() - event.timeStamp;
        requestIdleCallback(() =>
          times.changes.push({ paintedMs, idleMs: performance.now() - event.timeStamp }),
        );
      });
    };
    requestAnimationFrame(check);
  };
  addEventListener('pointerup', handleRelease, true);
}

/** Fills in the fields of the step that `answers` names, also those that an answer shows. */
export async function fillFields(answers: Readonly<Record<string, string>>): Promise<void> {
  const root = document.querySelector('funding-application')?.shadowRoot ?? document;
  const done = new Set<HTMLInputElement>();
  const findNext = () =>
    [...root.querySelectorAll<HTMLInputElement>('form input, form select')].filter(
      (field) => !done.has(field) && field.checkVisibility(),
    );
  for (let fields = findNext(); fields.length > 0; fields = findNext()) {
    for (const field of fields) {
      done.add(field);
      const answer = answers[field.name] ?? answers[field.id.replaceAll('-', '/')];
      if (answer === undefined) continue;
      if (field.type === 'radio') {
        if (field.value !== answer) continue;
        field.checked = true;
      } else if (field.type === 'checkbox') field.checked = true;
      else field.value = answer;
      field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
      field.dispatchEvent(new Event('blur'));
    }
    await new Promise(requestAnimationFrame);
  }
}

/** Scrolls to the button that submits the step. Returns its center. */
export function findButton(): { readonly x: number; readonly y: number } {
  const root = document.querySelector('funding-application')?.shadowRoot ?? document;
  const button = root.querySelector('button[type=submit]');
  if (!button) throw new Error('The page has no button');
  button.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = button.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Returns false if the step has no such field. */
export function focusField(name: string): boolean {
  const root = document.querySelector('funding-application')?.shadowRoot ?? document;
  const fields = [...root.querySelectorAll<HTMLInputElement>('form input')];
  const field = fields.find((other) => other.name === name && other.checkVisibility());
  field?.focus();
  return field !== undefined;
}

/** The errors that the element shows. */
export function listErrors(): string[] {
  const root = document.querySelector('funding-application')?.shadowRoot;
  return [...(root?.querySelectorAll('.error') ?? [])].map(({ textContent }) => textContent ?? '');
}

/** The URLs of the scripts and style sheets that had arrived by this time. */
export function listCodeUrls(untilMs: number): string[] {
  return performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .filter(({ name, responseEnd }) => /\.(js|css)$/.test(name) && responseEnd <= untilMs)
    .map(({ name }) => name);
}
