// Parts that only steps after the first one show: counts, folded content, consents, and the link to the funding service's page.

import { html, nothing, type TemplateResult } from 'lit';
import { toShortReference } from '../../shared/api/short-reference.ts';
import type { Consent } from '../../shared/application/consent.ts';
import type { MessageKey } from '../i18n/messages.ts';
import type { StepContext, Wording } from './feature.ts';
import { icons } from '../fields/icons.ts';
import { renderNewTab, renderNoticeOf, toPartnerLanguage } from './parts.ts';

/** The message for one, or for a count. */
export function toCounted(
  { t, format }: Pick<Wording, 't' | 'format'>,
  one: MessageKey,
  many: MessageKey,
  count: number,
): string {
  return count === 1 ? t(one) : t(many, { count: format.decimal(count) });
}

/** Beside consents that the applicant gave in another language. */
export function renderReworded({ t, form }: StepContext): TemplateResult | typeof nothing {
  return form.rewordedConsents.length > 0
    ? renderNoticeOf('attention', html`<p>${t('consents.language-changed')}</p>`, { role: 'alert' })
    : nothing;
}

/** The links of a consent. They are outside of its label, so that a click on a link does not check the box. */
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

/** Content that a button shows on the screen. On paper, it is always there. */
export function renderFolded(
  { isExpanded, toggle }: StepContext,
  id: string,
  label: unknown,
  content: unknown,
): TemplateResult {
  const isOpen = isExpanded(id);
  return html`<div>
    <button
      type="button"
      class="quiet"
      part="link"
      aria-expanded=${isOpen}
      aria-controls=${id}
      @click=${() => toggle(id)}
    >
      ${label}${icons.down}
    </button>
    <div id=${id} class=${isOpen ? '' : 'folded'}>${content}</div>
  </div>`;
}

/** On paper, each page shows the reference in its margin. */
export function renderPrintReference({ t, form }: StepContext): TemplateResult | typeof nothing {
  if (!form.application) return nothing;
  const short = toShortReference(form.application.reference);
  return html`<p class="print-reference" aria-hidden="true">
    ${t('submitted.reference')} ${short}
  </p>`;
}

export function renderTracking(context: StepContext): TemplateResult | typeof nothing {
  const url = toTrackingUrl(context);
  return url === undefined
    ? nothing
    : html`<p>${renderNewTab(context, url, context.t('tracking'))}</p>`;
}

/** The funding service's page about the application, if it has sent one. */
export function toTrackingUrl(context: StepContext): string | undefined {
  const { state, form } = context;
  const url = form.application?.trackingUrl ?? state.offers.response?.trackingUrl;
  return url !== undefined && isSafeUrl(url, context) ? url : undefined;
}

/**
 * True if a link to the URL cannot run a script in the host page. The BFF checks its URLs, but a host page with an `api` of its own
 * may return anything. Only the sandbox has `http:` URLs.
 */
function isSafeUrl(url: unknown, { configuration }: Pick<StepContext, 'configuration'>): boolean {
  const pattern = configuration.environment === 'sandbox' ? /^https?:\/\//i : /^https:\/\//i;
  return typeof url === 'string' && pattern.test(url);
}
