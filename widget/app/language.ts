// The language of the form: which one is shown, its messages, and its formats.

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Locale, locales } from '../../shared/application/lists.ts';
import en from '../i18n/en.json' with { type: 'json' };
import { createFormat, type Format } from '../i18n/format.ts';
import { createTranslate, loadMessages, type Messages, type Translate } from '../i18n/messages.ts';
import type { FundingMessages } from '../types.ts';
import type { TextStore } from './autosave.ts';
import type { AppState, Store } from './store.ts';
import { warnDeveloper } from './warn-developer.ts';

/** The chunks that bring messages to every applicant: the form, and the steps after the submission. */
const lazyChunks = 2;
/** Keys of parts that load only when an applicant uses them. */
const rarePart = /^(handoff|phone)\./;

export interface LanguageHost extends ReactiveControllerHost, Element {
  readonly locale: string | undefined;
}

/**
 * The language that the applicant chose counts until the host page changes its language: the element's `locale`, or the nearest
 * `lang` around it. Without any of these it is the first language of the configuration.
 */
export class LanguageController implements ReactiveController {
  t: Translate = createTranslate({});
  format: Format = createFormat('en-US');
  /** The first step has been rendered. From now on it stays while another language loads. */
  isShown = false;
  readonly #host: LanguageHost;
  readonly #store: Store;
  readonly #load: typeof loadMessages;
  readonly #observer = new MutationObserver(() => this.readPageLanguage());
  readonly #messages: Partial<Record<Locale, Messages>> & { en: Messages } = { en };
  #overrides: FundingMessages = {};
  #addedChunks = 0;
  #pageLocale: Locale | undefined;
  #chosen: Locale | undefined;
  #choiceStore: TextStore | undefined;
  #wanted: Locale = 'en';

  constructor(host: LanguageHost, store: Store, load = loadMessages) {
    this.#host = host;
    this.#store = store;
    this.#load = load;
    this.#build();
    host.addController(this);
  }

  hostConnected(): void {
    const { ownerDocument } = this.#host;
    this.#observer.observe(ownerDocument, { attributeFilter: ['lang'], subtree: true });
    this.readPageLanguage();
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  react(before: AppState, after: AppState): void {
    const configuration = after.form?.configuration;
    if (configuration && configuration !== before.form?.configuration)
      this.#offer(configuration.locales);
    // The next person at this device may speak another language.
    if (!before.closing.closedStep && after.closing.closedStep) this.#forgetChoice();
  }

  /** The language to request from the BFF. Undefined: the BFF's default. */
  get requestLocale(): Locale | undefined {
    const { locale } = this.#store.state.language;
    return this.isShown ? locale : (this.#chosen ?? this.#pageLocale);
  }

  /** A new language of the host page replaces the applicant's choice. */
  readPageLanguage(): void {
    const pageLocale = toLocale(this.#host.locale) ?? toLocale(findLang(this.#host));
    if (pageLocale !== this.#pageLocale) this.#forgetChoice();
    this.#pageLocale = pageLocale;
    this.#follow();
  }

  choose(locale: Locale): void {
    this.#chosen = locale;
    this.#choiceStore?.write(locale);
    this.#follow();
  }

  /** Restores the choice that the applicant made before a reload. */
  restoreChoice(store: TextStore | undefined): void {
    this.#choiceStore = store;
    this.#chosen ??= toLocale(store?.read());
    this.#follow();
  }

  override(overrides: FundingMessages | undefined): void {
    this.#overrides = overrides ?? {};
    this.#build();
  }

  /** Adds the English messages of a lazy-loaded chunk. */
  addMessages(messages: Messages): void {
    this.#messages.en = { ...this.#messages.en, ...messages };
    this.#addedChunks += 1;
    this.#build();
  }

  #forgetChoice(): void {
    this.#chosen = undefined;
    this.#choiceStore?.write(undefined);
  }

  #offer(tags: readonly string[]): void {
    const offered = tags.map(toLocale).filter((locale) => locale !== undefined);
    this.#store.merge('language', { offered });
    this.#follow();
  }

  #follow(): void {
    const { offered } = this.#store.state.language;
    const isOffered = (locale: Locale | undefined) => offered.some((one) => one === locale);
    const wanted = [this.#chosen, this.#pageLocale].find(isOffered) ?? offered[0] ?? 'en';
    if (wanted !== this.#wanted) void this.#switch(wanted);
  }

  async #switch(wanted: Locale): Promise<void> {
    this.#wanted = wanted;
    this.#store.merge('language', { failed: undefined, isLoading: true });
    try {
      this.#messages[wanted] = { ...this.#messages[wanted], ...(await this.#load(wanted)) };
    } catch {
      // The current language stays, and a message says so. Choosing the other language again retries.
      if (this.#wanted !== wanted) return;
      this.#wanted = this.#store.state.language.locale;
      this.#chosen = undefined;
      this.#store.merge('language', { failed: wanted, isLoading: false });
      return;
    }
    // The applicant may have chosen another language during the load.
    if (this.#wanted !== wanted) return;
    this.#build(wanted);
    this.#store.merge('language', { locale: wanted, isLoading: false });
  }

  /** English replaces missing messages, so that no key is ever shown. */
  #build(locale = this.#store.state.language.locale): void {
    const { en: english } = this.#messages;
    const own = Object.entries(this.#overrides[locale] ?? {});
    const isUsable = ([key, text]: [string, unknown]) =>
      Object.hasOwn(english, key) && typeof text === 'string';
    this.t = createTranslate({
      ...english,
      ...this.#messages[locale],
      ...Object.fromEntries(own.filter(isUsable)),
    });
    this.format = createFormat(`${locale}-US`);
    this.#host.requestUpdate();
    // Before all chunks are loaded, their keys are not known.
    const unknown =
      this.#addedChunks < lazyChunks
        ? []
        : own.filter((text) => !isUsable(text) && !rarePart.test(text[0]));
    if (unknown.length > 0) {
      const keys = unknown.map(([key]) => key).join(', ');
      warnDeveloper(`"messages" contains unknown keys or values: ${keys}`);
    }
  }
}

/** `es-MX` → `es`. Undefined for a language that the form does not have. */
function toLocale(tag: string | null | undefined): Locale | undefined {
  const [language] = (tag ?? '').toLowerCase().split('-');
  return locales.find((locale) => locale === language);
}

/** The `lang` around an element, through the shadow roots that contain it. */
function findLang(element: Element): string | undefined {
  const closest = element.closest('[lang]');
  if (closest) return closest.getAttribute('lang') ?? undefined;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? findLang(root.host) : undefined;
}
