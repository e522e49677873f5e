// The feature "handoff" on the device where the application was begun: the block in the documents step that invites a phone.

import { css, html, nothing, type TemplateResult } from 'lit';
import { isLive } from '../app/attachment-parts.ts';
import { toReference } from '../app/attachments.ts';
import type { Feature, FeatureEnvironment, LazyPart, StepContext } from '../app/feature.ts';
import { isSecondClick, renderButton, renderProblem, renderWaiting } from '../app/parts.ts';
import { emptyHandoff, type FormState } from '../app/store.ts';
import type { createHandoffPanel } from './handoff-panel.ts';

export const handoffBlockStyles = css`
  .handoff {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 3);
  }
`;

/** The lazy-loaded panel. Only applicants who use a phone load it. */
interface PanelModule extends LazyPart {
  readonly createHandoffPanel: typeof createHandoffPanel;
}

export interface HandoffFeature extends Feature {
  readonly renderBlock: (context: StepContext) => TemplateResult | typeof nothing;
  /** The block's only button: requests a code, cancels it, or disconnects the phone. */
  readonly press: (focus: StepContext['focus']) => Promise<void>;
}

/**
 * A phone takes photos with its own camera, so it is not invited to a handoff. The height excludes a phone that is held
 * horizontally.
 */
const otherThanPhone = '(pointer: fine), (min-width: 48rem) and (min-height: 30rem)';

/**
 * @param load loads the panel.
 * @param isPhone whether the applicant uses a phone already.
 */
export function createHandoff(
  environment: FeatureEnvironment,
  load: () => Promise<PanelModule> = () => import('./handoff-panel.ts'),
  isPhone = () => !matchMedia(otherThanPhone).matches,
): HandoffFeature {
  const { store, api, addPart } = environment;
  let panel: ReturnType<typeof createHandoffPanel> | undefined;
  /** The step has been shown once. An earlier page may have left a phone connected. */
  let isChecked = false;

  /** Reports a chunk that can't be loaded as a network problem: the applicant can press the button again. */
  async function loadPanel(): Promise<typeof panel> {
    try {
      const part = await load();
      addPart(part);
      panel ??= part.createHandoffPanel(environment);
    } catch {
      store.merge('handoff', { view: 'closed', problem: 'network' });
    }
    return panel;
  }

  async function start(focus: StepContext['focus']): Promise<void> {
    const reference = toReference(store.state);
    store.merge('handoff', { ...emptyHandoff, view: 'starting' });
    const loaded = panel ?? (await loadPanel());
    // The application may have been closed meanwhile.
    if (!loaded || toReference(store.state) !== reference) return;
    await loaded.invite();
    if (store.state.handoff.view === 'open') focus('handoff-title');
  }

  /** After a reload, a phone may still be connected. Other handoffs lack their number, so that only a new code helps. */
  async function findConnectedPhone(): Promise<void> {
    const reference = toReference(store.state);
    const result = await api.getHandoff?.();
    const isConnected = result?.ok && result.value.state === 'connected';
    if (!isConnected || toReference(store.state) !== reference || !(await loadPanel())) return;
    if (toReference(store.state) === reference && store.state.handoff.view === 'closed')
      store.merge('handoff', { view: 'open', status: 'connected' });
  }

  function isOffered({ configuration, application }: FormState): boolean {
    const methods = [api.createHandoff, api.getHandoff, api.endHandoff];
    const isSupported = methods.every((method) => method !== undefined);
    return isSupported && configuration.handoff && application !== undefined;
  }

  async function press(focus: StepContext['focus']): Promise<void> {
    const { handoff } = store.state;
    if (handoff.view === 'starting') return;
    if (!panel || !isLive(handoff)) return start(focus);
    await panel.end();
    focus('handoff-title');
  }

  return {
    press,
    renderBlock: (context) => {
      const { t, state, form, headingLevel, focus } = context;
      const { view, problem, retryAfterMs } = state.handoff;
      const open = view === 'open' ? panel?.toView(context) : undefined;
      // A block that is open stays, for example when the window becomes narrow.
      if (!isOffered(form) || (view === 'closed' && isPhone())) return nothing;
      const handleClick = (event: MouseEvent) => {
        if (!isSecondClick(event)) void press(focus);
      };
      // One button for all states, so that the focus stays on it when the phone changes the state. Nothing is printed: a code
      // ends after minutes, and paper would show it to others.
      return html`<section class="handoff screen-only" aria-labelledby="handoff-title">
        <h3 id="handoff-title" tabindex="-1" aria-level=${headingLevel(1)}>
          ${t('handoff.title')}
        </h3>
        ${open ? open.content : html`<p>${t('handoff.text')}</p>`}
        ${renderProblem(context, problem, retryAfterMs)}
        ${view === 'starting' ? renderWaiting(t(panel ? 'handoff.starting' : 'loading')) : nothing}
        <div class="actions">${renderButton(open?.label ?? t('handoff.start'), handleClick)}</div>
      </section>`;
    },
    react: (before, after) => {
      const reference = toReference(before);
      if (reference !== undefined && reference !== toReference(after))
        store.merge('handoff', emptyHandoff);
      panel?.react(before, after);
      const { form } = after;
      if (isChecked || form?.step !== 'documents' || !isOffered(form)) return;
      isChecked = true;
      // The page that submitted the application has started no handoff yet.
      if (form.record === undefined) void findConnectedPhone();
    },
    toAnnouncements: (...change) => panel?.toAnnouncements(...change) ?? [],
  };
}
