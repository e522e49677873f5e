// A line of text, a number, an amount of money or a secret, always in a native text input.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  renderField,
  toDescription,
  toFieldId,
  type FieldContext,
  type FieldText,
} from './field.ts';
import type { TypedFormat } from './typed-formats.ts';

export interface TextFieldOptions extends FieldText {
  /** A token of the HTML standard, or `off` (WCAG 2.2, 1.3.5). */
  readonly autocomplete: string;
  readonly type?: 'text' | 'email' | 'tel';
  readonly inputmode?: 'numeric' | 'email' | 'tel';
  /** For names of people, firms and places, on the keyboards of phones. */
  readonly autocapitalize?: 'words';
  /** How it is written while and after it is typed. */
  readonly format?: TypedFormat;
  /** Whether nothing more is to be typed on this step: the keyboard of a phone then offers to go on. */
  readonly isLast?: boolean;
  /** Roughly how many characters are expected; full width when left out. */
  readonly width?: 4 | 10 | 16;
  /** Stands in the frame before the text, for example `$`. */
  readonly before?: string;
  /** Stands in the frame after the text, for example `%`. */
  readonly after?: string;
}

export function renderTextField(context: FieldContext, options: TextFieldOptions): TemplateResult {
  return renderField(context, options, renderFramed(options, renderInput(context, options)));
}

/** The input alone, for fields that bring their own frame. */
export function renderInput(
  context: FieldContext,
  options: TextFieldOptions,
  extraClass = '',
): TemplateResult {
  const isFramed = options.before !== undefined || options.after !== undefined || extraClass !== '';
  const width = options.width && !isFramed ? `width-${options.width}` : '';
  return html`<input
    class="control ${width} ${extraClass}"
    part="input"
    id=${toFieldId(options.path)}
    name=${options.path}
    type=${options.type ?? 'text'}
    inputmode=${options.inputmode ?? nothing}
    autocomplete=${options.autocomplete}
    autocapitalize=${options.type === 'email' ? 'none' : (options.autocapitalize ?? nothing)}
    enterkeyhint=${options.isLast ? 'go' : 'next'}
    data-format=${options.format ?? nothing}
    spellcheck="false"
    aria-describedby=${toDescription(context, options)}
    aria-invalid=${context.errorOf(options.path) === undefined ? nothing : 'true'}
    .value=${live(context.valueOf(options.path))}
  />`;
}

function renderFramed(options: TextFieldOptions, input: TemplateResult): TemplateResult {
  const { before, after, width } = options;
  if (before === undefined && after === undefined) return input;
  return html`<div class="framed ${width ? `width-${width}` : ''}">
    ${before === undefined ? nothing : html`<span class="affix" aria-hidden="true">${before}</span>`}
    ${input}
    ${after === undefined ? nothing : html`<span class="affix after" aria-hidden="true">${after}</span>`}
  </div>`;
}
