// The contact request: the applicant allows the lender to contact them again, with a new consent (47 CFR 64.1200).

import { css, html, nothing, type TemplateResult } from 'lit';
import type { Consent } from '../../shared/application/consent.ts';
import { contactConsentId } from '../../shared/application/lists.ts';
import { renderStatus } from '../app/attachment-parts.ts';
import { toReference } from '../app/attachments.ts';
import type { Feature, FeatureEnvironment, StepContext } from '../app/feature.ts';
import { renderConsentLinks, renderReworded } from '../app/later-parts.ts';
import { renderButton, renderProblem, toPartnerLanguage } from '../app/parts.ts';
import { icons } from '../fields/icons.ts';
import { renderErrorLine } from '../fields/errors.ts';

/** A panel below the offers. */
export interface ContactFeature extends Feature {
  readonly render: (context: StepContext) => TemplateResult | typeof nothing;
}

/** Nobody asks a lender to stop calling, and changes their mind, so soon after applying. */
const earliestMs = 60 * 60_000;

export const contactStyles = css`
  .contact[open] summary {
    margin-block-end: calc(var(--_unit) * 3);
  }
`;

export function createContact({ store, api }: FeatureEnvironment): ContactFeature {
  async function allow({ configuration, focus }: StepContext, consent: Consent): Promise<void> {
    const { hasConsent, status } = store.state.contact;
    if (status === 'sending') return;
    store.merge('contact', { lacksConsent: !hasConsent, problem: undefined });
    if (!hasConsent) {
      focus('contact-consent');
      return;
    }
    const reference = toReference(store.state);
    const { id, version } = consent;
    store.merge('contact', { status: 'sending' });
    const result = await api.enableContact({ id, version, locale: configuration.locale });
    // The application was closed or rejected.
    if (reference !== toReference(store.state)) return;
    // Each request needs a new consent.
    store.merge('contact', {
      hasConsent: false,
      ...(result.ok ? { status: result.value.contact } : { status: 'idle', problem: result.code }),
    });
    if (result.ok) focus('contact-status');
  }

  function renderRequest(context: StepContext, consent: Consent): TemplateResult {
    const { t, state } = context;
    const { hasConsent, lacksConsent, status, problem } = state.contact;
    const language = toPartnerLanguage(context);
    return html`
      <div class="field ${lacksConsent ? 'wrong' : ''}" part="field">
        ${
          lacksConsent
            ? renderErrorLine(t, t('contact.consent.required'), 'contact-consent-error')
            : nothing
        }
        <label class="choice" part="choice" for="contact-consent">
          <input
            type="checkbox"
            id="contact-consent"
            aria-describedby=${lacksConsent ? 'contact-consent-error' : nothing}
            aria-invalid=${lacksConsent ? 'true' : nothing}
            .checked=${hasConsent}
            @change=${({ target }: Event) =>
              store.merge('contact', {
                hasConsent: target instanceof HTMLInputElement && target.checked,
                lacksConsent: false,
              })}
          />
          <span lang=${language}>${consent.label}</span>
        </label>
        ${renderConsentLinks(context, consent)}
        <p class="fine-print" lang=${language}>${consent.text}</p>
        ${hasConsent ? nothing : renderReworded(context)}
      </div>
      ${renderProblem(context, problem)}
      <div class="actions">
        ${renderButton(
          t(status === 'sending' ? 'contact.sending' : 'contact.button'),
          () => void allow(context, consent),
        )}
      </div>
    `;
  }

  return {
    render: (context) => {
      const { t, state, configuration } = context;
      const { status, problem } = state.contact;
      const consent = configuration.consents.find(({ id }) => id === contactConsentId);
      // The status stays visible after a reload of the page.
      const isOpen = status !== 'idle' || problem !== undefined;
      if (!consent || !(isOpen || mayMatter(context))) return nothing;
      return html`<details class="contact screen-only" ?open=${isOpen}>
        <summary>${t('contact.title')}${icons.down}</summary>
        <div class="group">
          <p>${t('contact.text')}</p>
          ${
            status === 'received' || status === 'enabled'
              ? renderStatus(
                  'contact-status',
                  t(`contact.${status}`),
                  status === 'enabled' ? 'success' : 'information',
                )
              : renderRequest(context, consent)
          }
        </div>
      </details>`;
    },
  };
}

/**
 * Returns true if the lender contacts the applicant next. The funding service never reports that it has marked a lead Do Not
 * Contact, so no other applicant is asked (docs/decisions/0016).
 */
function mayMatter({ state, form, now }: StepContext): boolean {
  const { response, chosen } = state.offers;
  if (chosen) return true;
  const { acceptedAt } = form.application ?? {};
  const isRecent =
    acceptedAt !== undefined && now().getTime() - new Date(acceptedAt).getTime() < earliestMs;
  return response?.decision === 'pending' && !isRecent;
}
