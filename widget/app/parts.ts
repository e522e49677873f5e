// Parts that steps of all features show: problems, errors of fields, waiting, counts, support, and links.

import { html, nothing, type TemplateResult } from 'lit';
import type { ErrorMessage, FieldContext } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import type { MessageKey, Translate } from '../i18n/messages.ts';
import type { FormChunk, Heading, StepContext, Wording } from './feature.ts';
import { allFields } from './form-fields.ts';
import type { FormStepId } from './navigation.ts';
import type { FormProblem, FormState } from './store.ts';

const minuteMs = 60_000;

/** The `aria-level` of a heading. Levels end at 6, as in HTML. */
export function toHeadingLevel(stepLevel: number | undefined, depth: 0 | 1 | 2): number {
  return Math.min(6, Math.max(1, Math.round(stepLevel || 2)) + depth);
}

/** Why an action failed. */
export function renderProblem(
  { t }: Pick<Wording, 't'>,
  problem: FormProblem | undefined,
  retryAfterMs?: number,
): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  const action = problem === 'page-outdated' ? renderReloadButton(t) : nothing;
  return renderNotice(toProblemText(t, problem, retryAfterMs), undefined, action);
}

/** The color and the icon of a notice. The error summary looks like a notice of the kind `error`. */
export type NoticeKind = 'information' | 'attention' | 'error' | 'success';

/** The look of all notices. A notice without `role` is not announced; a notice with an `id` is focusable by `context.focus`. */
export function renderNoticeOf(
  kind: NoticeKind,
  content: unknown,
  { role, id, isFocusable = id !== undefined }: NoticeOptions = {},
): TemplateResult {
  return html`<div
    class="notice"
    data-kind=${kind}
    part="notice"
    role=${role ?? nothing}
    id=${id ?? nothing}
    tabindex=${isFocusable ? -1 : nothing}
  >
    ${icons[kind === 'success' ? 'check' : 'alert']}
    <div>${content}</div>
  </div>`;
}

interface NoticeOptions {
  readonly role?: 'alert' | 'status';
  readonly id?: string | undefined;
  readonly isFocusable?: boolean;
}

/** @param id makes the notice focusable by `context.focus`. */
export function renderNotice(
  text: string,
  id?: string,
  action: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const content = html`<p>${text}</p>
    ${action}`;
  return renderNoticeOf('attention', content, { role: 'alert', id, isFocusable: true });
}

/** A notice at the lower edge of the viewport. Unlike other notices, it never takes the focus. */
export function renderStatusNotice(content: TemplateResult): TemplateResult {
  return renderNoticeOf('attention', content, { role: 'alert' });
}

export function renderReloadButton(t: Translate): TemplateResult {
  return html`<div class="actions">
    <button type="button" class="button" part="button" @click=${() => location.reload()}>
      ${t('reload')}
    </button>
  </div>`;
}

/** The message for a problem. For a rate limit of two minutes or longer, it contains the delay. */
export function toProblemText(t: Translate, problem: FormProblem, retryAfterMs = 0): string {
  return problem === 'too-many-requests' && retryAfterMs >= 2 * minuteMs
    ? t('problem.too-many-requests.long', { minutes: Math.ceil(retryAfterMs / minuteMs) })
    : t(t.has(`problem.${problem}`) ? `problem.${problem}` : 'problem.internal');
}

/**
 * @param style class and part. A `quiet` button looks like a link.
 * @param describedBy the id of its description.
 */
export function renderButton(
  label: unknown,
  handleClick: (event: MouseEvent) => void,
  style: 'button' | 'button secondary' | 'quiet' = 'button secondary',
  describedBy?: string,
): TemplateResult {
  return html`<button
    type="button"
    class=${style}
    part=${style === 'quiet' ? 'link' : style}
    aria-describedby=${describedBy ?? nothing}
    @click=${handleClick}
  >
    ${label}
  </button>`;
}

/** The second click of a double-click, which may hit what has replaced the first button. */
export function isSecondClick({ detail }: MouseEvent): boolean {
  return detail > 1;
}

/** The heading of a step from the catalog. */
export function toStepHeading(step: 'start' | FormStepId) {
  return ({ t }: Pick<Wording, 't'>): Heading => ({
    title: t(`step.${step}.title`),
    why: t(`step.${step}.why`),
  });
}

/** Shows an operation in progress. */
export function renderWaiting(text: string): TemplateResult {
  return html`<p class="waiting" role="status"><span class="pulse"></span><span>${text}</span></p>`;
}

/** A message whose placeholders are replaced with templates. */
export function renderMessage(
  t: Translate,
  key: MessageKey,
  parts: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  return t(key)
    .split(/\{(\w+)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : parts[piece]));
}

/** The configured ways to reach the partner, or `nothing` if there are none. */
export function renderSupport(
  context: Pick<StepContext, 't' | 'configuration'>,
): readonly unknown[] | typeof nothing {
  const { name, phone, email, url } = context.configuration.support;
  const ways = [
    name,
    phone && html`<a href="tel:${phone.replaceAll(/[^\d+]/g, '')}">${phone}</a>`,
    email && html`<a href="mailto:${email}">${email}</a>`,
    // A host page with an `api` of its own may return anything.
    url?.startsWith('https://') && renderNewTab(context, url, url.slice('https://'.length)),
  ].filter(Boolean);
  return ways.length === 0
    ? nothing
    : ways.flatMap((way, index) => (index === 0 ? [way] : [', ', way]));
}

/**
 * A link that opens beside the form.
 *
 * @param style class and part, for example `button secondary`.
 * @param handleClick also called for a click with the middle button.
 */
export function renderNewTab(
  { t }: Pick<Wording, 't'>,
  url: string,
  label: unknown,
  style?: string,
  handleClick?: (event: MouseEvent) => void,
): TemplateResult {
  return html`<a
    class=${style ?? nothing}
    part=${style ?? nothing}
    href=${url}
    target="_blank"
    rel="noopener noreferrer"
    @click=${handleClick}
    @auxclick=${handleClick}
    >${label} <span class="visually-hidden">${t('opens-new')}</span></a
  >`;
}

/**
 * The language of the partner's texts in the configuration, for `lang` (WCAG 2.2, 3.1.2). After a change of the language it is
 * the previous one until the new configuration arrives.
 */
export function toPartnerLanguage({ configuration }: Pick<StepContext, 'configuration'>): string {
  return configuration.locale;
}

/** A field whose texts are `label.<path>` and, if there is one, `hint.<path>`. */
export function toFieldText(t: Translate, path: LabeledPath) {
  const hint = `hint.${path}`;
  return { path, label: t(`label.${path}`), hint: t.has(hint) ? t(hint) : '' };
}

/** A path with a label of its own. */
type LabeledPath = MessageKey extends infer Key
  ? Key extends `label.${infer Path}`
    ? Path
    : never
  : never;

export function createFieldContext(
  wording: Wording,
  form: FormState,
  entries: readonly ErrorMessage[],
  formChunk?: FormChunk,
): FieldContext {
  const { t } = wording;
  const errorOf = (path: string) => entries.find((entry) => entry.path === path)?.sentence;
  return {
    t,
    valueOf: (path) => form.draft[path] ?? '',
    errorOf,
    renderError: (path) => formChunk?.renderFieldError(t, path, errorOf(path)),
    isOptional: (path) => isOptional(path, form),
    hasAdvice: (path) => form.advice[path] !== undefined,
    renderAdvice: (path) => formChunk?.renderAdvice(wording, form, path),
  };
}

function isOptional(path: string, { configuration }: FormState): boolean {
  if (path.startsWith('consents/')) {
    return configuration.consents.some(
      ({ id, required }) => !required && path === `consents/${id}`,
    );
  }
  const field = allFields.find((candidate) => candidate.path === path);
  const name = path.slice(path.indexOf('/') + 1);
  return field?.requirement === 'partner'
    ? !configuration.requiredFields.some((required) => required === name)
    : field?.requirement === 'optional';
}
