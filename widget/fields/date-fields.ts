// A date as three text inputs in US order. There is no calendar, and the focus never moves by itself.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  renderError,
  renderHint,
  renderOptional,
  toFieldId,
  type FieldContext,
  type FieldText,
} from './field.ts';

export interface DatePart {
  readonly path: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly width: 2 | 4;
  /** The name of a month is accepted, so the touch keyboard has letters. */
  readonly acceptsName?: boolean;
}

/** @param options.path the group, for errors about the whole date. */
export function renderDateFields(
  context: FieldContext,
  options: FieldText & {
    readonly parts: readonly DatePart[];
    /** An explanation of the complete date, for example an age. An empty string reserves its line. */
    readonly meaning?: string;
  },
): TemplateResult {
  const { path, label, hint, parts, meaning } = options;
  const paths = [path, ...parts.map((part) => part.path)];
  const isWrong = paths.some((candidate) => context.errorOf(candidate) !== undefined);
  return html`<fieldset
    class="field ${isWrong ? 'wrong' : ''}"
    part="field"
    aria-describedby=${hint ? `${toFieldId(path)}-hint` : nothing}
  >
    <legend class="label" part="label">${label}${renderOptional(context, path)}</legend>
    ${renderHint(options)} ${paths.map((candidate) => renderError(context, candidate))}
    <div class="parts">${parts.map((part) => renderPart(context, path, part))}</div>
    ${meaning === undefined ? nothing : html`<output class="hint meaning" part="hint">${meaning}</output>`}
  </fieldset>`;
}

function renderPart(context: FieldContext, groupPath: string, part: DatePart): TemplateResult {
  const id = toFieldId(part.path);
  const errorPath = [groupPath, part.path].find((path) => context.errorOf(path) !== undefined);
  return html`<div class="field single" part="field">
    <label for=${id} part="label">${part.label}</label>
    <input
      class="control width-${part.width}"
      part="input"
      id=${id}
      name=${part.path}
      type="text"
      inputmode=${part.acceptsName ? nothing : 'numeric'}
      autocomplete=${part.autocomplete}
      autocapitalize=${part.acceptsName ? 'words' : nothing}
      enterkeyhint="next"
      spellcheck="false"
      aria-describedby=${errorPath === undefined ? nothing : `${toFieldId(errorPath)}-error`}
      aria-invalid=${errorPath === undefined ? nothing : 'true'}
      .value=${live(context.valueOf(part.path))}
    />
  </div>`;
}
