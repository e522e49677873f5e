// Re-enabling contact: always the applicant's own act, with a consent given now (47 CFR 64.1200).

import { html, nothing, type TemplateResult } from 'lit';
import { contactConsentId } from '../../shared/application/lists.ts';
import { renderErrorLine } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import type { ContactChange } from '../flow/contact-change.ts';
import { renderConsentLinks } from './consent-links.ts';
import { renderProblem, renderReworded } from './parts.ts';
import { toPartnerLanguage } from './partner-texts.ts';
import type { StepContext } from './step-context.ts';

export function renderContact(context: StepContext): TemplateResult | typeof nothing {
  const { t, flow, configuration, focusField } = context;
  const consent = configuration.consents.find(({ id }) => id === contactConsentId);
  const contact = flow.parts?.contact;
  if (!consent || !contact) return nothing;
  const allow = async () => {
    const { id, version } = consent;
    await contact.enable({ id, version, locale: configuration.locale });
    if (contact.lacksConsent) focusField('contact-consent');
    if (isKept(contact)) focusField('contact-status');
  };
  // Where it stands must not be hidden, least of all after the page was left and opened again.
  const isNews = contact.state !== 'idle' || contact.problem !== undefined;
  return html`<details class="contact" ?open=${isNews}>
    <summary>${t('contact.title')}</summary>
    <div class="group">
      <p>${t('contact.text')}</p>
      ${
        isKept(contact)
          ? renderStatus(context, contact.state)
          : html`
              <div class="field ${contact.lacksConsent ? 'wrong' : ''}" part="field">
                ${
                  contact.lacksConsent
                    ? renderErrorLine(t, t('contact.consent.required'), 'contact-consent-error')
                    : nothing
                }
                <label class="choice" part="choice" for="contact-consent">
                  <input
                    type="checkbox"
                    id="contact-consent"
                    aria-describedby=${contact.lacksConsent ? 'contact-consent-error' : nothing}
                    aria-invalid=${contact.lacksConsent ? 'true' : nothing}
                    .checked=${contact.hasConsent}
                    @change=${(event: Event) =>
                      contact.consent(
                        event.target instanceof HTMLInputElement && event.target.checked,
                      )}
                  />
                  <span lang=${toPartnerLanguage(context)}>${consent.label}</span>
                </label>
                ${renderConsentLinks(context, consent)}
                <p class="fine-print" lang=${toPartnerLanguage(context)}>${consent.text}</p>
                ${contact.hasConsent ? nothing : renderReworded(context)}
              </div>
              ${renderProblem(context, contact.problem)}
              <div class="actions">
                <button
                  type="button"
                  class="button secondary"
                  part="button secondary"
                  @click=${() => void allow()}
                >
                  ${t(contact.state === 'sending' ? 'contact.sending' : 'contact.button')}
                </button>
              </div>
            `
      }
    </div>
  </details>`;
}

type Kept = 'received' | 'enabled';

function isKept(contact: ContactChange): contact is ContactChange & { readonly state: Kept } {
  return contact.state === 'received' || contact.state === 'enabled';
}

/** One element for both, so that the second sentence is read out when it takes the place of the first. */
function renderStatus({ t }: StepContext, state: Kept): TemplateResult {
  const isDone = state === 'enabled';
  return html`<p
    class="state ${isDone ? 'done' : ''}"
    id="contact-status"
    role="status"
    tabindex="-1"
  >
    ${isDone ? icons.check : nothing}<span>${t(`contact.${state}`)}</span>
  </p>`;
}
