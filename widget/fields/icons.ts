// The icons of the first steps and of fields, in the color of their text and hidden from screen readers.

import { html, type TemplateResult } from 'lit';

export const icons = {
  back: renderIcon('M15 5 8 12l7 7'),
  alert: renderIcon('M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM12 7.5v5.5M12 16.4v.1'),
  check: renderIcon('m5 12.5 4.5 4.5L19 7.5'),
  down: renderIcon('m6 9 6 6 6-6'),
} as const;

/**
 * All icons have one template, because each template is parsed when it is first used.
 *
 * @param path `d` of a path in a box of 24 by 24.
 */
export function renderIcon(path: string): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}
