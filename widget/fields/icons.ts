// The icons, in the color of their text and hidden from screen readers.

import { html, svg, type TemplateResult } from 'lit';

export const icons = {
  back: renderIcon(svg`<path d="M15 5 8 12l7 7" />`),
  alert: renderIcon(svg`<circle cx="12" cy="12" r="9" /><path d="M12 7.5v5.5M12 16.4v.1" />`),
  check: renderIcon(svg`<path d="m5 12.5 4.5 4.5L19 7.5" />`),
  down: renderIcon(svg`<path d="m6 9 6 6 6-6" />`),
  document: renderIcon(svg`<path d="M7 3h7l5 5v13H7z" /><path d="M14 3v5h5" />`),
  newTab: renderIcon(svg`<path d="M10 5H5v14h14v-5M14 5h5v5M19 5l-8 8" />`),
  image: renderIcon(svg`<path d="M4 5h16v14H4z" /><path d="m4 16 5-5 4 4 3-3 4 4" />`),
} as const;

function renderIcon(shape: TemplateResult<2>): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;
}
