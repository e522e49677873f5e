// In which language the form is shown, and its sentences in that language.

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { locales, type Locale } from '../shared/application/lists.ts';
import type { ChoiceStore } from './flow/draft-store.ts';
import { en } from './i18n/en.ts';
import { enProblems } from './i18n/en-problems.ts';
import { createFormat } from './i18n/format.ts';
import { loadMessages } from './i18n/load-messages.ts';
import { createTranslate, type Messages } from './i18n/text.ts';
import type { FundingMessages } from './types.ts';
import { warnDeveloper } from './app/warn-developer.ts';

export interface LanguageHost extends ReactiveControllerHost, Element {
  readonly locale: string | undefined;
}

export interface LanguageOptions {
  /** It is known which language is shown from now on. */
  readonly onSettled: () => void;
  readonly load?: typeof loadMessages;
}

/**
 * What the applicant chose is shown until the page says something else: by the `locale` of the element, or by the
 * nearest `lang` around it. Where neither does, it is the first language of the configuration.
 */
export class Language implements ReactiveController {
  locale: Locale = 'en';
  t = createTranslate({});
  format = createFormat('en-US');
  /** Those of the BFF's configuration, as far as the form speaks them. */
  offered: readonly Locale[] = locales;
  /** The sentences of this one could not be loaded. */
  failed: Locale | undefined;
  /** Something has been shown; from now on it stays while another language is loaded. */
  isShown = false;
  readonly #host: LanguageHost;
  readonly #onSettled: () => void;
  readonly #load: typeof loadMessages;
  readonly #observer = new MutationObserver(() => this.obeyPage());
  readonly #messages: Record<Locale, Messages> = { en: { ...en, ...enProblems }, es: {} };
  #own: FundingMessages = {};
  #isLate = false;
  #ofPage: Locale | undefined;
  #chosen: Locale | undefined;
  #store: ChoiceStore | undefined;
  #wanted: Locale = 'en';

  constructor(host: LanguageHost, { onSettled, load = loadMessages }: LanguageOptions) {
    this.#host = host;
    this.#onSettled = onSettled;
    this.#load = load;
    this.#build();
    host.addController(this);
  }

  hostConnected(): void {
    const { ownerDocument } = this.#host;
    this.#observer.observe(ownerDocument, { attributeFilter: ['lang'], subtree: true });
    this.obeyPage();
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  /** Nothing can be shown yet without a flash of another language. */
  get isPending(): boolean {
    return !this.isShown && this.#wanted !== this.locale;
  }

  /** What the BFF is asked for; undefined leaves it to the BFF. */
  get asked(): Locale | undefined {
    return this.isShown ? this.locale : (this.#chosen ?? this.#ofPage);
  }

  /** Looks what the page says; when that is new, it counts for more than what the applicant chose. */
  obeyPage(): void {
    const ofPage = toLocale(this.#host.locale) ?? toLocale(findLang(this.#host));
    if (ofPage !== this.#ofPage) this.forget();
    this.#ofPage = ofPage;
    this.#follow();
  }

  offer(tags: readonly string[]): void {
    this.offered = tags.map(toLocale).filter((locale) => locale !== undefined);
    this.#follow();
  }

  choose(locale: Locale): void {
    this.#chosen = locale;
    this.#store?.write(locale);
    this.#follow();
  }

  /** Takes up what was chosen on this page before a reload; without a store a choice goes with the page. */
  keepIn(store: ChoiceStore | undefined): void {
    this.#store = store;
    this.#chosen ??= toLocale(store?.read());
    this.#follow();
  }

  /** What is shown stays until the page, or a reload, brings another one. */
  forget(): void {
    this.#chosen = undefined;
    this.#store?.write(undefined);
  }

  /** Takes the host page's own texts. */
  override(own: FundingMessages | undefined): void {
    this.#own = own ?? {};
    this.#build();
  }

  /**
   * The steps after the submission are there, in English.
   *
   * @throws when their sentences cannot be loaded in the language that is shown.
   */
  async addLate(messages: Messages): Promise<void> {
    this.#isLate = true;
    this.#messages.en = { ...this.#messages.en, ...messages };
    await this.#fetch(this.#wanted);
    this.#build();
  }

  #follow(): void {
    const isOffered = (locale: Locale | undefined) => this.offered.some((one) => one === locale);
    const wanted =
      [this.#chosen, this.#ofPage].find((locale) => isOffered(locale)) ?? this.offered[0] ?? 'en';
    if (wanted !== this.#wanted) void this.#switch(wanted);
  }

  async #switch(wanted: Locale): Promise<void> {
    this.#wanted = wanted;
    this.failed = undefined;
    try {
      await this.#fetch(wanted);
    } catch {
      this.#giveUp(wanted);
      return;
    }
    // Another one may be wanted by now.
    if (this.#wanted !== wanted) return;
    this.locale = wanted;
    this.format = createFormat(`${wanted}-US`);
    this.#build();
    this.#onSettled();
  }

  /** What is shown stays, and says so; choosing the other language once more tries again. */
  #giveUp(wanted: Locale): void {
    if (this.#wanted !== wanted) return;
    this.failed = wanted;
    this.#wanted = this.locale;
    this.#chosen = undefined;
    this.#onSettled();
    this.#host.requestUpdate();
  }

  async #fetch(locale: Locale): Promise<void> {
    const messages = await this.#load(locale, this.#isLate);
    this.#messages[locale] = { ...this.#messages[locale], ...messages };
  }

  /** English stands in for whatever is missing, so that no key is ever shown. */
  #build(): void {
    const { en } = this.#messages;
    const own = Object.entries(this.#own[this.locale] ?? {});
    const isUsable = ([key, text]: [string, unknown]) =>
      Object.hasOwn(en, key) && typeof text === 'string';
    const usable = Object.fromEntries(own.filter(isUsable));
    this.t = createTranslate({ ...en, ...this.#messages[this.locale], ...usable });
    this.#host.requestUpdate();
    // Before the last steps are there, their keys are not known.
    const unknown = this.#isLate ? own.filter((text) => !isUsable(text)) : [];
    if (unknown.length > 0) {
      const keys = unknown.map(([key]) => key).join(', ');
      warnDeveloper(`"messages" holds what is no text of the form: ${keys}`);
    }
  }
}

/** `es-MX` → `es`; undefined for a language the form does not speak. */
function toLocale(tag: string | null | undefined): Locale | undefined {
  const [language] = (tag ?? '').toLowerCase().split('-');
  return locales.find((locale) => locale === language);
}

/** The language of what is around an element, through the shadow roots it is in. */
function findLang(element: Element): string | undefined {
  const closest = element.closest('[lang]');
  if (closest) return closest.getAttribute('lang') ?? undefined;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? findLang(root.host) : undefined;
}
