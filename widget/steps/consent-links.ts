// The documents that a consent speaks of: beside its box and not in its label, so that opening one ticks nothing.

import { html, type TemplateResult } from 'lit';
import type { Consent } from '../../shared/application/consent.ts';
import { isSafeUrl } from '../app/parts.ts';
import { renderNewTab } from './new-tab.ts';
import { toPartnerLanguage } from './partner-texts.ts';
import type { StepContext } from './step-context.ts';

/** @param language of their words. */
export function renderConsentLinks(
  context: StepContext,
  { links }: Consent,
  language: unknown = toPartnerLanguage(context),
): TemplateResult | undefined {
  return (
    links &&
    html`<ul class="links">
      ${links.map(({ label, url }) => {
        const text = html`<span lang=${language}>${label}</span>`;
        return html`<li>
          ${isSafeUrl(url, context) ? renderNewTab(context, url, text, 'link') : text}
        </li>`;
      })}
    </ul>`
  );
}
