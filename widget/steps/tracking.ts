// The link to the application's page at the funding service.

import { html, nothing, type TemplateResult } from 'lit';
import { isSafeUrl } from '../app/parts.ts';
import { renderNewTab } from './new-tab.ts';
import type { StepContext } from './step-context.ts';

/** The service's own page about this application, as soon as there is one. */
export function toTrackingUrl(context: StepContext): string | undefined {
  const { state, flow } = context;
  const url = state.application?.trackingUrl ?? flow.parts?.offers.offers?.trackingUrl;
  return url !== undefined && isSafeUrl(url, context) ? url : undefined;
}

export function renderTracking(context: StepContext): TemplateResult | typeof nothing {
  const url = toTrackingUrl(context);
  return url === undefined
    ? nothing
    : html`<p>${renderNewTab(context, url, context.t('tracking'))}</p>`;
}
