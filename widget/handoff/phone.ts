// The feature "phone": the page of a phone that sends documents for an application that was begun on another device.

import { html, nothing, type TemplateResult } from 'lit';
import type { HandoffClaimRequest, PhoneHandoff } from '../../shared/api/handoff.ts';
import { toShortReference } from '../../shared/api/short-reference.ts';
import type { Failure, FailureCode } from '../api/funding-api.ts';
import { readPhoneDocuments } from '../app/attachment-parts.ts';
import type {
  Feature,
  FeatureEnvironment,
  Heading,
  StepContext,
  StepView,
} from '../app/feature.ts';
import { toCounted } from '../app/later-parts.ts';
import { isSecondClick, renderButton, renderProblem, renderWaiting } from '../app/parts.ts';
import { pollWhile } from '../app/poll-while.ts';
import { createPoller, toPollResult, type PollResult } from '../app/polling.ts';
import {
  emptyDocuments,
  type AppState,
  type DocumentsState,
  type PhoneState,
  type QueuedDocument,
} from '../app/store.ts';
import { renderErrorLine } from '../fields/errors.ts';
import { renderTextField } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';

/** After these failures, this handoff is over: only a new code helps. */
const endCodes: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'handoff-not-found',
  'handoff-expired',
  'handoff-claimed',
  'handoff-revoked',
  'handoff-wrong-number',
  'handoff-declined',
  'handoff-ended',
  'forbidden-scope',
  'session-missing',
]);

const codeFieldId = 'handoff-code';
const codeLength = 8;

/** The browser's page. Tests pass their own. */
export interface PhoneBrowser {
  /** Returns the token of the URL's fragment, and removes it from the URL, so that it gets into no bookmark and no screenshot. */
  readonly takeToken: () => string | undefined;
  /** Calls back when the page gets another fragment, for example because a second code was scanned. */
  readonly onNewToken: (callback: () => void) => void;
  /** The browser refuses all cookies, so the session ends with this page. */
  readonly refusesCookies: () => boolean;
}

export interface PhoneFeature extends Feature {
  /** Sends the number that the applicant picked. */
  readonly pick: (number: string) => Promise<void>;
  /** Ends the handoff, because the applicant is done or did not start it. */
  readonly leave: (screen: 'done' | 'declined') => Promise<void>;
  /** Repeats the first request of the page. */
  readonly tryAgain: () => Promise<void>;
}

/** @param documentsView the documents step. Its main button ends the handoff. */
export function createPhone(
  { store, api, polling }: FeatureEnvironment,
  documentsView: StepView | undefined,
  browser: PhoneBrowser = currentBrowser,
): PhoneFeature {
  /** The claim that failed for a reason that can pass. */
  let lastClaim: HandoffClaimRequest | undefined;
  /** The application that the files on this page were chosen for. */
  let reference: string | undefined;
  const poller = createPoller(polling, check);
  const followPolling = pollWhile(poller, ({ isConnected, phone }) =>
    isConnected && isOpen(phone) ? phone.screen : undefined,
  );
  browser.onNewToken(() => void start());
  void start();

  /** A code that was just scanned counts more than the session of an earlier one. */
  async function start(): Promise<void> {
    const token = browser.takeToken();
    if (token === undefined) await resume();
    else await claim({ token });
  }

  /** Continues after a reload, for example because the camera needed the memory of this page. */
  async function resume(): Promise<void> {
    if (!begin()) return;
    const result = await api.getHandoff?.();
    if (result?.ok && 'partnerName' in result.value) await enter(result.value);
    else if (!result || result.ok || result.code === 'session-missing') show('code');
    else fail(result);
  }

  async function claim(request: HandoffClaimRequest): Promise<void> {
    if (!begin()) return;
    lastClaim = request;
    const result = await api.claimHandoff?.({
      ...request,
      ...(browser.refusesCookies() && { transport: 'handle' }),
    });
    if (!result) return;
    if (result.ok) return enter(result.value);
    fail(result);
    if (result.code === 'handoff-claimed') await offerToContinue();
  }

  const tryAgain = () => (lastClaim ? claim(lastClaim) : resume());

  /** This phone may have claimed a code before, for example on a page that was closed. */
  async function offerToContinue(): Promise<void> {
    const result = await api.getHandoff?.();
    if (store.state.phone.screen === 'stopped' && result?.ok && 'partnerName' in result.value)
      store.merge('phone', { handoff: result.value });
  }

  async function enter(handoff: PhoneHandoff): Promise<void> {
    lastClaim = undefined;
    store.update((state) => ({
      ...state,
      documents:
        reference === undefined || reference === handoff.reference
          ? withRetry(state.documents)
          : emptyDocuments,
    }));
    ({ reference } = handoff);
    if (handoff.state === 'connected') await readPhoneDocuments({ store, api });
    show(handoff.state === 'connected' ? 'documents' : 'confirm', { handoff, code: '' });
  }

  async function pick(number: string): Promise<void> {
    if (!begin()) return;
    const result = await api.confirmHandoff?.(number);
    if (result?.ok) show('documents');
    else if (result) fail(result);
  }

  async function leave(screen: 'done' | 'declined'): Promise<void> {
    if (!begin()) return;
    const result = await api.endHandoff?.();
    if (!result) return;
    // The desktop may have ended it first.
    if (result.ok || endCodes.has(result.code)) show(screen);
    else fail(result);
  }

  async function check(): Promise<PollResult> {
    const { screen } = store.state.phone;
    const result = await api.getHandoff?.();
    // A request of the applicant is newer than this response.
    if (!result || store.state.phone.screen !== screen || store.state.phone.isBusy) return true;
    if (!result.ok) {
      if (endCodes.has(result.code)) fail(result);
      return toPollResult(result);
    }
    const isDelivering = store.state.documents.uploaded.some(
      ({ status }) => status.status === 'received',
    );
    if (result.value.state === 'connected') {
      if (isDelivering) await readPhoneDocuments({ store, api });
      if (screen === 'confirm' && store.state.phone.screen === screen) show('documents');
    }
    return true;
  }

  /** Returns false if another request of the applicant is in progress. */
  function begin(): boolean {
    if (store.state.phone.isBusy) return false;
    store.merge('phone', {
      isBusy: true,
      problem: undefined,
      retryAfterMs: undefined,
      lacksCode: false,
    });
    return true;
  }

  function show(screen: PhoneState['screen'], changes: Partial<PhoneState> = {}): void {
    store.merge('phone', { screen, isBusy: false, problem: undefined, ...changes });
  }

  /** A code that was mistyped can be corrected in its field. */
  function fail({ code, retryAfterMs }: Failure): void {
    const isMistyped = code === 'handoff-not-found' && store.state.phone.screen === 'code';
    const isOver = endCodes.has(code) && !isMistyped;
    store.merge('phone', {
      isBusy: false,
      problem: code,
      retryAfterMs,
      ...(isOver && { screen: 'stopped', handoff: undefined }),
    });
  }

  async function sendCode(focus: StepContext['focus']): Promise<void> {
    const { code } = store.state.phone;
    const characters = code.replaceAll(/[^a-z\d]/gi, '');
    if (characters.length === codeLength) await claim({ code: characters });
    else store.merge('phone', { lacksCode: true, problem: undefined });
    const { screen, lacksCode, problem } = store.state.phone;
    if (screen === 'code' && (lacksCode || problem === 'handoff-not-found')) focus(codeFieldId);
  }

  function renderStarting({ t, state }: StepContext): TemplateResult {
    const { problem } = state.phone;
    return problem === undefined
      ? renderWaiting(t('phone.starting.text'))
      : html`<div class="actions">
          ${renderButton(t('try-again'), () => void tryAgain(), 'button')}
        </div>`;
  }

  function renderCode({ t, state, focus, fields }: StepContext): TemplateResult {
    const { code, lacksCode, problem, isBusy } = state.phone;
    const error = lacksCode
      ? t('phone.code.error')
      : problem === 'handoff-not-found'
        ? t('problem.handoff-not-found')
        : undefined;
    return html`<form
      class="group"
      novalidate
      @submit=${(event: Event) => {
        event.preventDefault();
        void sendCode(focus);
      }}
      @input=${({ target }: Event) => {
        if (target instanceof HTMLInputElement) store.merge('phone', { code: target.value });
      }}
    >
      ${renderTextField(
        {
          ...fields,
          valueOf: () => code,
          errorOf: () => error,
          // The page of a phone has no chunk of the form, which renders the errors of other fields.
          renderError: () => error && renderErrorLine(t, error, `${codeFieldId}-error`),
          isOptional: () => false,
        },
        {
          path: codeFieldId,
          label: t('phone.code.label'),
          hint: t('phone.code.hint'),
          autocomplete: 'off',
          autocapitalize: 'characters',
          width: 16,
          isLast: true,
        },
      )}
      ${isBusy ? renderWaiting(t('phone.starting.title')) : nothing}
      <div class="actions">
        <button type="submit" class="button" part="button">${t('continue')}</button>
      </div>
    </form>`;
  }

  function renderConfirmation({ t, state, headingLevel }: StepContext): TemplateResult {
    const { handoff, isBusy } = state.phone;
    if (!handoff) return html`${nothing}`;
    const { partnerName, businessName, reference, choices = [] } = handoff;
    const act = (event: MouseEvent, action: () => Promise<void>) => {
      if (!isSecondClick(event)) void action();
    };
    const facts = [
      ['phone.partner', partnerName],
      ['phone.business', businessName],
      ['submitted.reference', toShortReference(reference)],
    ] as const;
    return html`<dl class="facts-of-application" part="answers">
        ${facts.map(
          ([key, text]) =>
            text &&
            html`<div>
              <dt>${t(key)}</dt>
              <dd>${text}</dd>
            </div>`,
        )}
      </dl>
      <section class="group" aria-labelledby="pick-title">
        <h3 id="pick-title" aria-level=${headingLevel(1)}>${t('phone.pick')}</h3>
        <p class="hint" part="hint" id="pick-hint">${t('phone.pick.text')}</p>
        <div class="numbers" role="group" aria-labelledby="pick-title" aria-describedby="pick-hint">
          ${choices.map((number) =>
            renderButton(
              html`<span class="figures">${number}</span>`,
              (event) => act(event, () => pick(number)),
              'button secondary',
            ),
          )}
        </div>
        ${isBusy ? renderWaiting(t('phone.starting.text')) : nothing}
      </section>
      <div class="actions">
        ${renderButton(t('phone.decline'), (event) => act(event, () => leave('declined')), 'quiet')}
      </div>`;
  }

  function renderUploads(context: StepContext): TemplateResult {
    const { t, state } = context;
    const { handoff } = state.phone;
    const next = () => void leave('done');
    return html`${
      handoff &&
      html`<p class="hint" part="hint">
        ${t('phone.documents.for', {
          business: handoff.businessName ?? handoff.partnerName,
          reference: toShortReference(handoff.reference),
        })}
      </p>`
    }
    ${documentsView?.render({ ...context, actions: { ...context.actions, next } })}`;
  }

  function renderDone(context: StepContext): TemplateResult {
    const { t, state } = context;
    const count = state.documents.uploaded.length;
    return html`<p>${t('phone.done.text')}</p>
      ${
        count === 0
          ? nothing
          : html`<p class="state done">
              ${icons.check}<span
                >${toCounted(context, 'submitted.files.one', 'submitted.files.many', count)}</span
              >
            </p>`
      }`;
  }

  function renderStopped({ t, state }: StepContext): TemplateResult {
    const { problem, handoff } = state.phone;
    return html`<p>${t(toStoppedKey(problem))}</p>
      <div class="actions">
        ${handoff ? renderButton(t('phone.resume'), () => void enter(handoff)) : nothing}
        ${renderButton(t('phone.enter-code'), () => show('code'))}
      </div>`;
  }

  const renderers: Readonly<
    Record<PhoneState['screen'], (context: StepContext) => TemplateResult>
  > = {
    starting: renderStarting,
    code: renderCode,
    confirm: renderConfirmation,
    documents: renderUploads,
    done: renderDone,
    declined: ({ t }) => html`<p>${t('phone.declined.text')}</p>`,
    stopped: renderStopped,
  };

  async function followLanguage({ language }: AppState): Promise<void> {
    const result = await api.getConfiguration(language.locale);
    if (result.ok && store.state.language.locale === language.locale)
      store.updateForm((form) => ({ ...form, configuration: result.value }));
  }

  return {
    pick,
    leave,
    tryAgain,
    steps: {
      documents: {
        toHeading,
        render: (context) => {
          const { screen, problem, retryAfterMs } = context.state.phone;
          const isInField = screen === 'code' && problem === 'handoff-not-found';
          return html`${
            screen === 'stopped' || isInField
              ? nothing
              : renderProblem(context, problem, retryAfterMs)
          }
          ${renderers[screen](context)}`;
        },
      },
    },
    react: (before, after) => {
      followPolling(before, after);
      if (after.form && before.language.locale !== after.language.locale)
        void followLanguage(after);
      const refused = findEnd(after);
      if (refused && refused !== findEnd(before) && after.phone.screen === 'documents')
        fail({ ok: false, code: refused, errors: [] });
    },
    toAnnouncements: ({ phone: before }, { phone: after }, { t }) =>
      isOpen(before) && after.screen === 'stopped' ? [t(toStoppedKey(after.problem))] : [],
  };
}

function toHeading({ t, state }: StepContext): Heading {
  const { screen, problem } = state.phone;
  if (screen === 'stopped') {
    const key = `phone.stopped.${problem}.title`;
    return { title: t(t.has(key) ? key : 'phone.stopped.title') };
  }
  const title = t(`phone.${screen}.title`);
  return screen === 'code' || screen === 'confirm' || screen === 'documents'
    ? { title, why: t(`phone.${screen}.text`) }
    : { title };
}

/** The session of a phone that was away for long is unknown to the BFF. For the applicant it has ended. */
function toStoppedKey(problem: FailureCode | undefined) {
  return problem === 'session-missing' || problem === 'forbidden-scope' || !problem
    ? 'problem.handoff-ended'
    : (`problem.${problem}` as const);
}

function isOpen({ screen }: PhoneState): boolean {
  return screen === 'confirm' || screen === 'documents';
}

/** Why an upload was refused, if the handoff is over. */
function findEnd({ documents }: AppState): FailureCode | undefined {
  return documents.queued
    .map(({ problem }) => (problem?.kind === 'failed' ? problem.code : undefined))
    .find((code) => code !== undefined && endCodes.has(code));
}

/** A new code for the same application: the applicant can retry files that the earlier handoff refused. */
function withRetry(documents: DocumentsState): DocumentsState {
  const queued = documents.queued.map((document): QueuedDocument => {
    const { problem } = document;
    return problem?.kind === 'failed' && endCodes.has(problem.code)
      ? { ...document, problem: { kind: 'failed', code: 'document-incomplete', isRetryable: true } }
      : document;
  });
  return { ...documents, queued };
}

const currentBrowser: PhoneBrowser = {
  takeToken: () => {
    const token = location.hash.slice(1);
    if (token === '') return undefined;
    history.replaceState(history.state, '', location.pathname + location.search);
    return token;
  },
  onNewToken: (callback) =>
    addEventListener('hashchange', () => {
      if (location.hash.length > 1) callback();
    }),
  refusesCookies: () => !navigator.cookieEnabled,
};
