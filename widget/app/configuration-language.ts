// The BFF's texts in the language of the form.

import type { Configuration } from '../../shared/api/configuration.ts';
import { contactConsentId, type Locale } from '../../shared/application/lists.ts';
import type { FundingApi } from '../api/funding-api.ts';
import { consentPath } from './draft.ts';
import type { AppState, Store } from './store.ts';

/** Requests the BFF's texts in the language of the form. The earlier texts show until the response arrives. */
export class ConfigurationLanguage {
  readonly #store: Store;
  readonly #api: Pick<FundingApi, 'getConfiguration'>;
  /** The last requested language whose texts were received. The BFF may have sent another one. */
  #received: Locale | undefined;
  #isAsking = false;

  constructor(store: Store, api: Pick<FundingApi, 'getConfiguration'>) {
    this.#store = store;
    this.#api = api;
    void this.#request();
  }

  react(before: AppState, after: AppState): void {
    const isChanged =
      before.language !== after.language ||
      before.isOffline !== after.isOffline ||
      before.form?.step !== after.form?.step ||
      before.form?.isSubmitting !== after.form?.isSubmitting;
    if (before.language.locale !== after.language.locale) this.#received = undefined;
    if (isChanged) void this.#request();
  }

  async #request(): Promise<void> {
    const { form, language } = this.#store.state;
    const { locale } = language;
    if (
      !form ||
      language.isLoading ||
      this.#isAsking ||
      locale === this.#received ||
      locale === form.configuration.locale
    )
      return;
    this.#isAsking = true;
    const response = await this.#api.getConfiguration(locale);
    this.#isAsking = false;
    if (locale !== this.#store.state.language.locale) return this.#request();
    const current = this.#store.state.form;
    // The consents of an application that is being submitted are those on the screen.
    if (!response.ok || !current || current.isSubmitting) return;
    this.#received = locale;
    this.#store.update((state) => withConfiguration(state, response.value));
  }
}

/** Replaces the BFF's texts. The applicant must accept consents again if their text has changed. */
export function withConfiguration(state: AppState, configuration: Configuration): AppState {
  const { form, contact } = state;
  if (!form) return state;
  const isReworded = (id: string) =>
    toConsentText(form.configuration, id) !== toConsentText(configuration, id);
  const reworded = configuration.consents
    .map(({ id }) => id)
    .filter((id) => form.draft[consentPath(id)] === 'yes' && isReworded(id))
    .map(consentPath);
  const paths = new Set([...form.rewordedConsents, ...reworded]);
  const answers = Object.entries(form.draft).filter(([path]) => !paths.has(path));
  const isContactReworded = contact.hasConsent && isReworded(contactConsentId);
  if (isContactReworded) paths.add(consentPath(contactConsentId));
  return {
    ...state,
    contact: isContactReworded ? { ...contact, hasConsent: false } : contact,
    form: {
      ...form,
      configuration,
      draft: Object.fromEntries(answers),
      rewordedConsents: [...paths],
    },
  };
}

function toConsentText({ consents }: Configuration, id: string): string | undefined {
  return JSON.stringify(consents.find((consent) => consent.id === id));
}
