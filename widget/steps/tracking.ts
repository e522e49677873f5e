// The link to the application's page at the funding service.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext } from './step-context.ts';

/** The link to the service's own page about this application, as soon as there is one. */
export function renderTracking({ t, state, flow }: StepContext): TemplateResult | typeof nothing {
  const url = state.application?.trackingUrl ?? flow.parts?.offers.offers?.trackingUrl;
  return url === undefined
    ? nothing
    : html`<p>
        <a href=${url} target="_blank" rel="noopener noreferrer"
          >${t('tracking')} <span class="visually-hidden">${t('opens-new')}</span></a
        >
      </p>`;
}
