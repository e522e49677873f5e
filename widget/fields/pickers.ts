// Industry and state: pickers one types into; on touch screens and on request the system's own lists.

import type { TemplateResult } from 'lit';
import type { Locale } from '../../shared/application/lists.ts';
import { Combobox, type PickerHost, type TakeAnswer } from './combobox.ts';
import type { FieldContext } from './field.ts';
import { IndustryLists } from './industry-lists.ts';
import { renderSelectField } from './select-field.ts';
import { stateOptions } from './state-options.ts';

export class Pickers {
  readonly #combobox: Combobox;
  readonly #usesSelects: () => boolean;
  readonly #industries: IndustryLists;

  /** @param usesSelects whether native selects stand in for the pickers. */
  constructor(host: PickerHost, onAnswer: TakeAnswer, usesSelects: () => boolean) {
    this.#combobox = new Combobox(host, onAnswer);
    this.#usesSelects = usesSelects;
    this.#industries = new IndustryLists(() => host.requestUpdate());
  }

  renderIndustry(context: FieldContext, locale: Locale): TemplateResult {
    const { t } = context;
    const path = 'business/industry';
    const label = t('label.business/industry');
    const list = this.#industries.of(locale);
    if (this.#usesSelects()) {
      const hint = t('hint.business/industry.select');
      return renderSelectField(context, { path, label, hint, choices: list.options });
    }
    void this.#industries.load('en');
    return this.#combobox.render(context, {
      path,
      label,
      hint: t('hint.business/industry'),
      list,
      autocomplete: 'off',
      none: t('industry.none'),
      otherwise: 'Services',
      isPartial: this.#industries.isPartial,
    });
  }

  /** @param autocomplete autofill puts a code or a name into it. */
  renderState(context: FieldContext, path: string, autocomplete: string): TemplateResult {
    const { t } = context;
    const label = t('label.address/state');
    return this.#usesSelects()
      ? renderSelectField(context, { path, label, autocomplete, choices: stateOptions.options })
      : this.#combobox.render(context, {
          path,
          label,
          list: stateOptions,
          autocomplete,
          autocapitalize: 'characters',
          none: t('state.none'),
        });
  }

  toIndustryLabel(value: string, locale: Locale): string {
    return this.#industries.of(locale).toLabel(value);
  }
}
