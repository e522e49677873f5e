// The link to the application's page at the funding service.

import { html, nothing, type TemplateResult } from 'lit';
import { renderNewTab } from './new-tab.ts';
import type { StepContext } from './step-context.ts';

/** The service's own page about this application, as soon as there is one. */
export function toTrackingUrl({ state, flow }: StepContext): string | undefined {
  const url = state.application?.trackingUrl ?? flow.parts?.offers.offers?.trackingUrl;
  // The BFF has checked it; a host page with a transport of its own may not have.
  return url !== undefined && /^https?:\/\//i.test(url) ? url : undefined;
}

export function renderTracking(context: StepContext): TemplateResult | typeof nothing {
  const url = toTrackingUrl(context);
  return url === undefined
    ? nothing
    : html`<p>${renderNewTab(context, url, context.t('tracking'))}</p>`;
}
