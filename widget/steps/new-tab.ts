// A link to a page of somebody else's, beside the form and not in its place.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext } from './step-context.ts';

/** @param look of a button, for what is a step on and not a reference, or of a line of its own; `act` hears of each press, also with the middle button. */
export function renderNewTab(
  { t }: Pick<StepContext, 't'>,
  url: string,
  label: unknown,
  look?: string,
  act?: (event: MouseEvent) => void,
): TemplateResult {
  return html`<a
    class=${look ?? nothing}
    part=${look ?? nothing}
    href=${url}
    target="_blank"
    rel="noopener noreferrer"
    @click=${act}
    @auxclick=${act}
    >${label} <span class="visually-hidden">${t('opens-new')}</span></a
  >`;
}
