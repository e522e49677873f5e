// The frame of one field: label, hint, error, then the control.

import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import type { Translate } from '../i18n/text.ts';
import { icons } from './icons.ts';

/** What fields need to know: the answers, their errors as sentences, and which may stay empty. */
export interface FieldContext {
  readonly t: Translate;
  readonly valueOf: (path: string) => string;
  readonly errorOf: (path: string) => string | undefined;
  /** The error that was there until the field was mended. */
  readonly mendedOf: (path: string) => string | undefined;
  readonly isOptional: (path: string) => boolean;
}

export interface FieldText {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

/** The id of a field's control. */
export function toFieldId(path: string): string {
  return path.replaceAll('/', '-');
}

/** Ids of the hint and the error that describe a control, for `aria-describedby`. */
export function toDescription(
  context: FieldContext,
  { path, hint }: FieldText,
): string | typeof nothing {
  const id = toFieldId(path);
  const ids = [hint && `${id}-hint`, context.errorOf(path) !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return ids.length > 0 ? ids.join(' ') : nothing;
}

export function renderField(
  context: FieldContext,
  text: FieldText,
  control: TemplateResult | DirectiveResult,
): TemplateResult {
  const id = toFieldId(text.path);
  return html`
    <div
      class="field single ${context.errorOf(text.path) === undefined ? '' : 'wrong'}"
      part="field"
    >
      <label for=${id} part="label">${text.label}${renderOptional(context, text.path)}</label>
      ${renderHint(text)} ${renderError(context, text.path)} ${control}
    </div>
  `;
}

export function renderOptional(
  context: FieldContext,
  path: string,
): TemplateResult | typeof nothing {
  return context.isOptional(path)
    ? html` <span class="optional">${context.t('optional')}</span>`
    : nothing;
}

export function renderHint({ path, hint }: FieldText): TemplateResult | typeof nothing {
  return hint
    ? html`<p class="hint" id="${toFieldId(path)}-hint" part="hint">${hint}</p>`
    : nothing;
}

export function renderError(context: FieldContext, path: string): TemplateResult | typeof nothing {
  const error = context.errorOf(path);
  const line = error ?? context.mendedOf(path);
  return line === undefined
    ? nothing
    : renderErrorLine(context.t, line, `${toFieldId(path)}-error`, error === undefined);
}

/** What is wrong, and for the ear that it is an error; of what is mended only the room is left. */
export function renderErrorLine(
  t: Translate,
  sentence: string,
  id?: string,
  isMended = false,
): TemplateResult {
  return html`<p class="error ${isMended ? 'mended' : ''}" id=${id ?? nothing} part="error">
    ${isMended ? icons.check : icons.alert}<span
      ><span class="visually-hidden">${t('error.prefix')} </span>${sentence}</span
    >
  </p>`;
}
