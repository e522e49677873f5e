// Advice below a field: how an amount was read, a suggestion for a mistyped answer, and the place that a ZIP code has filled in.

import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { Configuration } from '../../shared/api/configuration.ts';
import { maxDollars } from '../../shared/application/lists.ts';
import {
  isPlainAmount,
  suggestWholeDollars,
  toWholeDollars,
  toZip,
} from '../../shared/application/normalize-input.ts';
import type { FundingApi } from '../api/funding-api.ts';
import { toStateName } from '../app/answers.ts';
import type { Draft } from '../app/draft.ts';
import type { Wording } from '../app/feature.ts';
import { allFields } from '../app/form-fields.ts';
import { withAnswer } from '../app/navigation.ts';
import { renderButton } from '../app/parts.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import type { Advice, AppState, FormState, Store } from '../app/store.ts';
import { toFieldId } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import { formatMoney } from '../fields/masks.ts';
import { toStateOfZip } from './zip-states.ts';

export interface FieldAdviceEnvironment {
  readonly store: Store;
  readonly api: FundingApi;
  readonly timers: Pick<PollingEnvironment, 'setTimeout' | 'clearTimeout'>;
  /** Answers as the applicant does: with the masks, and with the errors that the answer corrects. */
  readonly answer: (path: string, value: string, isComplete: boolean) => void;
  /** The element whose shadow root contains the fields. */
  readonly host: Pick<LitElement, 'shadowRoot' | 'updateComplete'>;
}

/** Advice that Continue turns into an error, or that the lender may ask about. */
const warnings: ReadonlySet<Advice['kind']> = new Set(['unclear', 'range', 'other-state']);

const addresses = ['business/address', 'owner/homeAddress'] as const;
type AddressPath = (typeof addresses)[number];

const emailPath = 'owner/email';
const amountPath = 'fundingNeed/amount';
const amountPaths: ReadonlySet<string> = new Set(
  allFields.filter(({ kind }) => kind === 'dollars').map(({ path }) => path),
);

export class FieldAdvice {
  readonly #environment: FieldAdviceEnvironment;
  readonly #lookups = new Map<AddressPath, number>();

  constructor(environment: FieldAdviceEnvironment) {
    this.#environment = environment;
  }

  /**
   * Gives advice about an answer that the applicant has completed.
   *
   * @param typed the text before the mask has formatted it.
   */
  advise(path: string, typed: string): void {
    if (amountPaths.has(path))
      this.#advise(path, (form) => toAmountAdvice(form, path, typed.trim()));
    else if (path === emailPath) void this.#adviseEmail();
    else {
      const address = addresses.find((each) => path === `${each}/zip` || path === `${each}/state`);
      if (address) this.#advise(`${address}/zip`, (form) => toPlaceAdvice(form, address));
    }
  }

  /** Fills in city and state when the applicant enters a ZIP code. */
  react({ form: before }: AppState, { form: after, isConnected }: AppState): void {
    const { timers } = this.#environment;
    if (!after || after.isSubmitting || !isConnected) {
      for (const timer of this.#lookups.values()) timers.clearTimeout(timer);
      this.#lookups.clear();
      return;
    }
    // Prefilled and restored answers are complete, or the host page knows no more.
    if (!before || after.draft === after.initialDraft) return;
    for (const address of addresses) {
      const path = `${address}/zip`;
      const zip = toZip(after.draft[path] ?? '');
      if (zip === toZip(before.draft[path] ?? '') || !toStateOfZip(zip)) continue;
      // Browsers fill in the fields of an address one after another. What they have must arrive first.
      timers.clearTimeout(this.#lookups.get(address) ?? 0);
      const lookUp = () => {
        this.#lookups.delete(address);
        void this.#fillPlace(address, zip);
      };
      this.#lookups.set(address, timers.setTimeout(lookUp, 0));
    }
  }

  render({ t, format }: Wording, form: FormState, path: string): TemplateResult {
    const advice = form.advice[path];
    const isWrong = form.errors.some((error) => error.path === path);
    // The error says the same.
    const isShown = advice && !(isWrong && (advice.kind === 'unclear' || advice.kind === 'range'));
    const suggestion = advice?.kind === 'suggestion' ? advice.value : undefined;
    const id = `${toFieldId(path)}-advice`;
    const isWarning = isShown && warnings.has(advice.kind);
    return html`<div class="advice ${isShown ? 'shown' : ''}">
      <output class="hint ${isWarning ? 'warning' : ''}" part="hint" id=${id}
        >${isWarning ? icons.alert : nothing}${isShown ? html`<span>${toSentence({ t, format }, form, path, advice)}</span>` : nothing}</output
      >
      ${
        suggestion === undefined
          ? nothing
          : html`<div class="advice-actions">
              ${renderButton(t('advice.accept', { value: suggestion }), () => this.#close(path, suggestion), 'quiet', id)}
              ${
                // An amount with two meanings can't stay.
                path === emailPath
                  ? renderButton(t('advice.dismiss'), () => this.#close(path), 'quiet', id)
                  : nothing
              }
            </div>`
      }
    </div>`;
  }

  /** @param value replaces the answer. */
  #close(path: string, value?: string): void {
    const { host, answer } = this.#environment;
    // Before the pressed button is removed, which would lose the focus.
    host.shadowRoot?.getElementById(toFieldId(path))?.focus();
    if (value === undefined) this.#advise(path, () => undefined);
    else answer(path, value, true);
  }

  async #adviseEmail(): Promise<void> {
    const email = this.#environment.store.state.form?.draft[emailPath] ?? '';
    let suggestion: string | undefined;
    try {
      suggestion = (await import('./email-domains.ts')).suggestEmail(email);
    } catch {
      // The form works without the suggestion.
    }
    this.#advise(emailPath, ({ draft }) =>
      suggestion !== undefined && draft[emailPath] === email
        ? { kind: 'suggestion', value: suggestion }
        : undefined,
    );
  }

  async #fillPlace(address: AddressPath, zip: string): Promise<void> {
    const state = toStateOfZip(zip);
    if (state === undefined) return;
    this.#fill(address, zip, { state });
    const isFree = ({ form }: AppState) => form && canFill(form, `${address}/city`);
    if (!isFree(this.#environment.store.state)) return;
    const result = await this.#environment.api.getPlace?.(zip.slice(0, 5));
    // A city that belongs to an earlier ZIP code is removed.
    this.#fill(address, zip, { city: result?.ok ? (result.value.place?.city ?? '') : '', state });
  }

  #fill(address: AddressPath, zip: string, place: Readonly<Record<string, string>>): void {
    this.#environment.store.updateForm((form) => {
      const isOutdated = toZip(form.draft[`${address}/zip`] ?? '') !== zip;
      const values = Object.entries(place)
        .map(([part, value]) => [`${address}/${part}`, value] as const)
        .filter(([path, value]) => canFill(form, path) && (form.draft[path] ?? '') !== value);
      if (isOutdated || form.isSubmitting || values.length === 0) return form;
      const filled = Object.fromEntries(values);
      const answered = values.reduce(
        (changed, [path, value]) => withAnswer(changed, path, value),
        form,
      );
      const errors = form.errors.filter((error) => !filled[error.path]);
      const next = { ...answered, errors, filled: { ...form.filled, ...filled } };
      return withAdvice(next, `${address}/zip`, toPlaceAdvice(next, address));
    });
    void this.#selectFilled();
  }

  /** If the focus is in a field that was filled in, typing replaces the text, as if it had been there before the Tab key. */
  async #selectFilled(): Promise<void> {
    const { host, store } = this.#environment;
    await host.updateComplete;
    const input = host.shadowRoot?.activeElement;
    const filled = store.state.form?.filled ?? {};
    if (
      input instanceof HTMLInputElement &&
      input.value !== '' &&
      filled[input.name] === input.value
    )
      input.select();
  }

  #advise(path: string, toAdvice: (form: FormState) => Advice | undefined): void {
    this.#environment.store.updateForm((form) =>
      form.isSubmitting ? form : withAdvice(form, path, toAdvice(form)),
    );
  }
}

/**
 * Removes the advice about an answer that has changed. The advice about a place is stored under its ZIP code. Returns the same form if
 * there is none, so that typing does not render the form.
 */
export function withoutAdvice(form: FormState, path: string): FormState {
  return withAdvice(form, path.replace(/(city|state)$/, 'zip'), undefined);
}

function withAdvice(form: FormState, path: string, added: Advice | undefined): FormState {
  const { [path]: replaced, ...others } = form.advice;
  if (!added) return replaced ? { ...form, advice: others } : form;
  return { ...form, advice: { ...others, [path]: added } };
}

/** @param typed the text before the mask has formatted it. */
function toAmountAdvice(
  { draft, configuration }: Pick<FormState, 'draft' | 'configuration'>,
  path: string,
  typed: string,
): Advice | undefined {
  const text = draft[path] ?? '';
  const dollars = toWholeDollars(text);
  if (dollars === undefined) return undefined;
  if (Number.isNaN(dollars)) {
    const suggestion = suggestWholeDollars(text);
    return suggestion === undefined
      ? { kind: 'unclear' }
      : { kind: 'suggestion', value: formatMoney(String(suggestion)) };
  }
  const { least, most } = toRange(configuration, path);
  if (dollars < least || dollars > most) return { kind: 'range' };
  return typed === '' || isPlainAmount(typed) ? undefined : { kind: 'read', dollars };
}

/** The amounts that the partner's lender funds, or any annual revenue. */
function toRange(
  { fundingNeed = {} }: Configuration,
  path: string,
): { readonly least: number; readonly most: number } {
  if (path !== amountPath) return { least: 0, most: maxDollars };
  const { minimum = 1, maximum = maxDollars } = fundingNeed;
  return { least: minimum, most: maximum };
}

function toPlaceAdvice({ draft, filled }: FormState, address: AddressPath): Advice | undefined {
  const typedState = draft[`${address}/state`] ?? '';
  const state = toStateOfZip(toZip(draft[`${address}/zip`] ?? ''));
  if (state !== undefined && typedState !== '' && typedState !== state)
    return { kind: 'other-state', state };
  const parts = ['city', 'state'].map((part) => `${address}/${part}`);
  const ours = parts.filter((path) => draft[path] && draft[path] === filled[path]);
  if (ours.length === 0) return undefined;
  const place = ours
    .map((path) => (path.endsWith('state') ? toStateName : String)(draft[path] ?? ''))
    .join(', ');
  return { kind: 'filled', place };
}

/** Returns true if the field is empty, or has the answer that the form itself has filled in. */
function canFill({ draft, filled }: { draft: Draft; filled: Draft }, path: string): boolean {
  const answer = draft[path]?.trim() ?? '';
  return answer === '' || answer === filled[path];
}

function toSentence(
  { t, format }: Pick<Wording, 't' | 'format'>,
  { configuration }: FormState,
  path: string,
  advice: Advice,
): string {
  switch (advice.kind) {
    case 'read':
      return t('advice.read', { amount: format.dollars(advice.dollars) });
    case 'unclear':
      return t('advice.unclear', { amount: format.number(75_000) });
    case 'range': {
      const { least, most } = toRange(configuration, path);
      return t('advice.range', { least: format.dollars(least), most: format.dollars(most) });
    }
    case 'suggestion': {
      const value = amountPaths.has(path) ? `$${advice.value}` : advice.value;
      return t('advice.suggestion', { value });
    }
    case 'filled':
      return t('advice.filled', { place: advice.place });
    case 'other-state':
      return t('advice.other-state', { state: toStateName(advice.state) });
  }
}
