// Another language while the form is filled in: the BFF's labels and texts follow, and nothing given is lost.

import type { Configuration } from '../../shared/api/configuration.ts';
import { contactConsentId } from '../../shared/application/lists.ts';
import type { FundingApi } from '../api/funding-api.ts';
import type { ContactChange } from './contact-change.ts';
import { consentPath } from '../app/draft.ts';
import type { FlowState } from './state.ts';

export interface LanguageSwitchOptions {
  readonly api: Pick<FundingApi, 'getConfiguration'>;
  readonly readState: () => FlowState | undefined;
  readonly readContact: () => ContactChange | undefined;
  readonly onConfiguration: (configuration: Configuration) => void;
  readonly show: (state: FlowState) => void;
}

/** What the BFF does not answer is asked for again at the next chance; the form goes on meanwhile. */
export class LanguageSwitch {
  readonly #options: LanguageSwitchOptions;
  /** The language whose texts are still to come. */
  #wanted: string | undefined;
  #isAsking = false;

  constructor(options: LanguageSwitchOptions) {
    this.#options = options;
  }

  async switchTo(locale: string): Promise<void> {
    this.#wanted = locale;
    await this.retry();
  }

  async retry(): Promise<void> {
    const { api, readState, readContact, onConfiguration, show } = this.#options;
    const wanted = this.#wanted;
    const before = readState();
    if (wanted === undefined || !before || this.#isAsking) return;
    if (before.configuration.locale === wanted) {
      this.#wanted = undefined;
      return;
    }
    this.#isAsking = true;
    const answer = await api.getConfiguration(wanted);
    this.#isAsking = false;
    if (wanted !== this.#wanted) return this.retry();
    const state = readState();
    // What is being sent was read in the words that are shown.
    if (!answer.ok || !state || state.isSubmitting) return;
    // A BFF without this language answers in another one; it would do so again.
    this.#wanted = undefined;
    const contact = readContact();
    const isContactReworded =
      contact?.hasConsent === true &&
      isReworded(state.configuration, answer.value, contactConsentId);
    if (isContactReworded) contact.consent(false);
    onConfiguration(answer.value);
    show(withConfiguration(state, answer.value, isContactReworded));
  }
}

/** The same form in other words; what was agreed to in words that are no longer shown is asked for anew. */
export function withConfiguration(
  state: FlowState,
  configuration: Configuration,
  isContactReworded = false,
): FlowState {
  const reworded = configuration.consents
    .map(({ id }) => id)
    .filter((id) => state.draft[consentPath(id)] === 'yes')
    .filter((id) => isReworded(state.configuration, configuration, id));
  const paths = new Set([...state.rewordedConsents, ...reworded.map(consentPath)]);
  const answers = Object.entries(state.draft).filter(([path]) => !paths.has(path));
  return {
    ...state,
    configuration,
    draft: Object.fromEntries(answers),
    rewordedConsents: [...paths, ...(isContactReworded ? [consentPath(contactConsentId)] : [])],
  };
}

function isReworded(before: Configuration, after: Configuration, id: string): boolean {
  const wordsIn = ({ consents }: Configuration) =>
    JSON.stringify(consents.find((consent) => consent.id === id));
  return wordsIn(before) !== wordsIn(after);
}
