// The lazy-loaded panel of a handoff: the codes for the phone, the number to pick, and the state of the connection.

import { generate, correction } from 'lean-qr/nano';
import { html, nothing, type TemplateResult } from 'lit';
import { isLive, readAttachments } from '../app/attachment-parts.ts';
import { toReference } from '../app/attachments.ts';
import type { FeatureEnvironment, StepContext, Wording } from '../app/feature.ts';
import { renderMessage } from '../app/parts.ts';
import { pollWhile } from '../app/poll-while.ts';
import { createPoller, toPollResult, type PollResult } from '../app/polling.ts';
import { type AppState, emptyHandoff } from '../app/store.ts';
import { icons } from '../fields/icons.ts';
import messages from '../i18n/en-handoff.json' with { type: 'json' };
import { handoffStyles } from './handoff.styles.ts';

export { messages };

export const styles = [handoffStyles];

/** The applicant looks from one screen to the other, so the second one must follow soon. */
const pollMs = 3_000;
/** Light modules around a QR code, without which scanners don't find it (ISO/IEC 18004, 9.1). */
const quietZone = 4;

type PanelContext = Pick<StepContext, 't' | 'format' | 'state'>;

interface PanelView {
  readonly content: TemplateResult;
  /** The label of the button. */
  readonly label: string;
}

export function createHandoffPanel({ store, api, polling }: FeatureEnvironment) {
  let failures = 0;
  const poller = createPoller(polling, check, pollMs);
  const followPolling = pollWhile(poller, (state) =>
    isLive(state.handoff) && state.isConnected && state.form?.step === 'documents'
      ? `${toReference(state)} ${state.handoff.invitation?.code}`
      : undefined,
  );

  /** Requests a new code, which ends an earlier one. */
  async function invite(): Promise<void> {
    const reference = toReference(store.state);
    const result = await api.createHandoff?.();
    if (toReference(store.state) !== reference || !result) return;
    failures = 0;
    store.merge('handoff', {
      ...emptyHandoff,
      ...(result.ok
        ? { view: 'open', invitation: result.value, status: 'waiting' }
        : { problem: result.code, retryAfterMs: result.retryAfterMs }),
    });
  }

  /** Cancels the code, or disconnects the phone. */
  async function end(): Promise<void> {
    const { handoff } = store.state;
    const wasConnected = handoff.status === 'connected';
    const result = await api.endHandoff?.();
    const isChanged = store.state.handoff.invitation !== handoff.invitation;
    if (isChanged || !result) return;
    if (result.ok) {
      store.merge('handoff', {
        ...emptyHandoff,
        ...(wasConnected && { view: 'open', status: 'revoked' }),
      });
      if (wasConnected) await readAttachments({ store, api });
    } else store.merge('handoff', { problem: result.code, retryAfterMs: result.retryAfterMs });
  }

  async function check(): Promise<PollResult> {
    const { invitation } = store.state.handoff;
    const result = await api.getHandoff?.();
    if (!result || store.state.handoff.invitation !== invitation || !isLive(store.state.handoff))
      return false;
    failures = result.ok ? 0 : failures + 1;
    if (!result.ok) {
      const isOver = result.code === 'session-missing';
      // One lost response is no news for the applicant.
      if (isOver || failures > 1)
        store.merge('handoff', {
          problem: result.code,
          retryAfterMs: result.retryAfterMs,
          ...(isOver && { status: 'revoked', invitation: undefined }),
        });
      return isOver ? false : toPollResult(result);
    }
    const { status } = store.state.handoff;
    const { state } = result.value;
    if (state === 'connected' || status === 'connected') await readAttachments({ store, api });
    // The applicant may have disconnected the phone while the documents were read.
    if (store.state.handoff.invitation !== invitation || !isLive(store.state.handoff)) return false;
    store.merge('handoff', {
      status: state === 'none' ? 'revoked' : state,
      invitation: state === 'waiting' || state === 'claimed' ? invitation : undefined,
      problem: undefined,
    });
    return isLive(store.state.handoff);
  }

  return {
    invite,
    end,
    react: followPolling,
    toView: (context: PanelContext): PanelView => {
      const { t, state } = context;
      const { status } = state.handoff;
      return {
        content: renderContent(context),
        label: t(
          !isLive(state.handoff)
            ? 'handoff.again'
            : status === 'connected'
              ? 'handoff.disconnect'
              : 'handoff.cancel',
        ),
      };
    },
    toAnnouncements,
  };
}

/** Says what the phone did: it opened the code, is connected, sent a document, or is not connected any more. */
function toAnnouncements(
  before: AppState,
  after: AppState,
  { t }: Pick<Wording, 't'>,
): readonly string[] {
  const { status, invitation } = after.handoff;
  if (!after.form || toReference(before) !== toReference(after)) return [];
  const texts: string[] = [];
  if (status !== before.handoff.status && after.handoff.view === 'open') {
    if (status === 'claimed') texts.push(t('handoff.pick', { number: invitation?.number ?? '' }));
    else if (status !== 'waiting' && status !== 'none') texts.push(t(`handoff.${status}`));
  }
  for (const { status: document } of after.documents.uploaded) {
    const isKnown = before.documents.uploaded.some(
      (known) => known.status.number === document.number,
    );
    if (document.fromPhone && !isKnown && before.handoff.view === 'open')
      texts.push(
        t('handoff.arrived', {
          name: document.name ?? t('documents.unnamed', { number: document.number }),
        }),
      );
  }
  return texts;
}

function renderContent(context: PanelContext): TemplateResult {
  const { t, state } = context;
  return html`
    ${renderState(context)}
    ${state.isOffline && isLive(state.handoff) ? html`<p>${t('handoff.offline')}</p>` : nothing}
  `;
}

function renderState(context: PanelContext): TemplateResult | typeof nothing {
  const { t, state } = context;
  const { status } = state.handoff;
  switch (status) {
    case 'none':
      return nothing;
    case 'waiting':
      return renderInvitation(context);
    case 'claimed':
      return renderNumber(context);
    case 'connected':
      return html`<p class="state done">${icons.check}<span>${t('handoff.connected')}</span></p>
        <p class="hint" part="hint">${t('handoff.connected.text')}</p>`;
    default:
      return html`<p>${t(`handoff.${status}`)}</p>`;
  }
}

function renderInvitation({ t, format, state }: PanelContext): TemplateResult | typeof nothing {
  const { invitation } = state.handoff;
  if (!invitation) return nothing;
  const { url, code, expiresAt } = invitation;
  const [address = ''] = url.replace(/^https?:\/\//, '').split('#');
  return html`<div class="pairing">
    ${renderQrCode(url, t('handoff.qr'))}
    <div class="pairing-steps">
      <ol class="numbered">
        <li>${t('handoff.scan')}</li>
        <li>${t('handoff.then')}</li>
      </ol>
      <p>
        ${renderMessage(t, 'handoff.type', {
          address: html`<strong>${address}</strong>`,
          code: renderCode(code),
        })}
      </p>
      <p class="hint" part="hint">
        ${t('handoff.until', { time: format.time(new Date(expiresAt)) })}
      </p>
    </div>
  </div>`;
}

/** Screen readers spell the code. A selection of it copies the visible text. */
function renderCode(code: string): TemplateResult {
  return html`<strong class="typed-code figures" aria-hidden="true">${code}</strong
    ><span class="visually-hidden">${[...code].join(' ').replace('-', ',')}</span>`;
}

function renderNumber({ t, state }: PanelContext): TemplateResult {
  const number = html`<strong class="pairing-number figures"
    >${state.handoff.invitation?.number}</strong
  >`;
  return html`<p class="pick">${renderMessage(t, 'handoff.pick', { number })}</p>
    <p class="hint" part="hint">${t('handoff.pick.text')}</p>`;
}

/** Dark on white in every color scheme: many scanners don't read inverted codes. */
function renderQrCode(text: string, name: string): TemplateResult {
  const { path, size } = toQrPath(text);
  return html`<svg
    class="qr"
    role="img"
    aria-label=${name}
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <rect width=${size} height=${size} fill="white" />
    <path d=${path} fill="black" />
  </svg>`;
}

/** One rectangle for each run of dark modules in a row, which keeps the path short. */
export function toQrPath(text: string): { readonly path: string; readonly size: number } {
  const code = generate(text, { minCorrectionLevel: correction.M });
  let path = '';
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      const start = x;
      while (code.get(x, y)) x += 1;
      if (x > start)
        path += `M${start + quietZone} ${y + quietZone}h${x - start}v1H${start + quietZone}z`;
    }
  }
  return { path, size: code.size + 2 * quietZone };
}
