// A field that no person sees, hears or reaches, and that programs fill in.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

/**
 * Moved off the screen instead of not displayed, which programs look for; out of the tab order and out of what screen readers
 * see. Its label is for programs.
 */
export function renderTrap(path: string, label: string, value: string): TemplateResult {
  return html`<div class="trap" aria-hidden="true">
    <label>
      ${label}
      <input type="text" name=${path} .value=${live(value)} tabindex="-1" autocomplete="off" />
    </label>
  </div>`;
}
