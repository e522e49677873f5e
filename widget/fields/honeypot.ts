// A field that people can't see or reach. Programs that fill in every field fill in this one, too.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

/**
 * The field is off the screen, because programs skip fields that are not displayed. It is not in the tab order or the
 * accessibility tree. Its name is one that programs look for.
 */
export function renderHoneypot(
  label: string,
  value: string,
  onInput: (value: string) => void,
): TemplateResult {
  const handleInput = ({ target }: Event) => {
    if (target instanceof HTMLInputElement) onInput(target.value);
  };
  return html`<div class="honeypot" aria-hidden="true">
    <label>
      ${label}
      <input
        type="text"
        name="website"
        .value=${live(value)}
        tabindex="-1"
        autocomplete="off"
        @input=${handleInput}
        @change=${handleInput}
      />
    </label>
  </div>`;
}
