// Keeps answers on the device for 7 days, if the applicant turns it on: encrypted, with a key that only the BFF gives back.

import type { DraftKey } from '../../shared/api/draft-key.ts';
import { isObject, transientCodes, type Failure, type FundingApi } from '../api/funding-api.ts';
import { DelayedSave, parseDraft, toStoredDraft, type TextStore } from './autosave.ts';
import { addressParts } from './draft.ts';
import { isCleared, type StoredDraft } from './navigation.ts';
import type { PollingEnvironment } from './polling.ts';
import { isTyping, type AppState, type Store } from './store.ts';

/** Entries of other versions are erased. */
const version = 1;
const ivBytes = 12;

/**
 * Only these answers are kept. The tab also keeps the home address and the answers of the identity step, because its draft ends
 * with the tab. A person who opens the page on a shared device must not see them.
 */
const devicePaths: ReadonlySet<string> = new Set([
  'fundingNeed/amount',
  'fundingNeed/reason',
  'business/name',
  'business/type',
  'business/industry',
  ...addressParts.map((part) => `business/address/${part}`),
  'business/annualRevenue',
  'business/foundedMonth',
  'business/foundedDay',
  'business/foundedYear',
  'business/employees',
  'owner/firstName',
  'owner/lastName',
  'owner/email',
  'owner/phone',
  'owner/homeSameAsBusiness',
]);

export interface DeviceDraftEnvironment {
  readonly store: Store;
  readonly api: FundingApi;
  readonly timers: PollingEnvironment;
  readonly now: () => Date;
  /** Undefined: nothing is stored. */
  readonly deviceStore: DeviceStore | undefined;
  /** Tests pass their own. */
  readonly onStorage?: typeof onBrowserStorage;
  readonly listKeys?: typeof listBrowserKeys;
}

/** Stores one text for all tabs. */
export interface DeviceStore extends TextStore {
  /** Names the form and its page. An entry of another one does not decrypt. */
  readonly name: string;
  /** The key of the text, from `toStorageKey`. */
  readonly key: string;
}

interface Entry {
  /** Epoch milliseconds. Only for erasing the entry; the BFF decides about the end. */
  readonly endsAt: number;
  readonly iv: string;
  readonly data: string;
}

interface ActiveKey {
  readonly key: CryptoKey;
  readonly endsAt: number;
}

export class DeviceDraft {
  readonly #environment: DeviceDraftEnvironment;
  readonly #delayed: DelayedSave;
  #active: ActiveKey | undefined;
  /** Grows with each write, and when the answers are erased: an earlier encryption that ends later is not stored. */
  #generation = 0;
  #stopListening: (() => void) | undefined;

  constructor(environment: DeviceDraftEnvironment) {
    this.#environment = environment;
    this.#delayed = new DelayedSave(environment.timers, () => void this.#save());
    if (environment.store.state.isConnected) this.#connect();
    if (this.#isAvailable) this.#setStatus('off');
  }

  react(before: AppState, after: AppState): void {
    if (!before.isConnected && after.isConnected) this.#connect();
    if (before.isConnected && !after.isConnected) {
      this.#delayed.flush();
      this.#stopListening?.();
    }
    const isSent = after.form?.application && !before.form?.application;
    if (isSent || (before.form && (!after.form || isCleared(before.form, after.form)))) this.end();
    else if (this.#active && after.form && before.form !== after.form) {
      if (isTyping(before, after)) this.#delayed.start();
      else void this.#save();
    }
  }

  /**
   * Decrypts what an earlier page has kept. Unreadable and expired answers are erased.
   *
   * @returns a failure if the BFF could not give the key back now. The answers stay.
   */
  async restore(): Promise<{ readonly ok: true; readonly value?: StoredDraft } | Failure> {
    const text = this.#text;
    const nothing = { ok: true } as const;
    if (text === undefined || !this.#isAvailable) return nothing;
    const entry = parseEntry(text);
    const isOver = !entry || entry.endsAt <= this.#now;
    const found = isOver ? undefined : await this.#environment.api.getDraftKey?.();
    if (found && !found.ok) return transientCodes.includes(found.code) ? found : nothing;
    const active = found?.value.draftKey ? await importKey(found.value.draftKey) : undefined;
    const draft = entry && active && (await this.#decrypt(entry, active));
    if (!draft) {
      this.end();
      return nothing;
    }
    this.#active = active;
    this.#setStatus('on');
    return { ok: true, value: draft };
  }

  /** The checkbox. */
  toggle(): void {
    const { status } = this.#environment.store.state.device;
    if (status === 'on' || status === 'starting') this.end();
    else void this.#start();
  }

  /** Erases the answers, and their key unless another form needs it. */
  end(status: 'off' | 'failed' = 'off'): void {
    const hasKey =
      this.#text !== undefined || this.#environment.store.state.device.status !== 'off';
    this.#stop();
    this.#environment.deviceStore?.write(undefined);
    if (!this.#isAvailable) return;
    if (hasKey && !this.#isKeyShared) void this.#environment.api.endDraftKey?.();
    this.#setStatus(status);
  }

  get #isAvailable(): boolean {
    const { deviceStore, api } = this.#environment;
    // Pages with plain `http:` have no WebCrypto.
    const hasCrypto = (globalThis.crypto as Crypto | undefined)?.subtle !== undefined;
    const hasMethods = api.getDraftKey && api.createDraftKey && api.endDraftKey;
    return deviceStore !== undefined && hasMethods !== undefined && hasCrypto;
  }

  /** Another form of this BFF keeps answers for the same origin. Without the key, nobody could read them any more. */
  get #isKeyShared(): boolean {
    const { deviceStore, listKeys = listBrowserKeys } = this.#environment;
    const own = deviceStore?.key ?? '';
    // The two words that the forms of a BFF have in common.
    const [common = own] = /^\S+ \S+ /.exec(own) ?? [];
    return listKeys().some((key) => key !== own && key.startsWith(common));
  }

  get #text(): string | undefined {
    return this.#environment.deviceStore?.read();
  }

  get #now(): number {
    return this.#environment.now().getTime();
  }

  #connect(): void {
    const { timers, onStorage = onBrowserStorage } = this.#environment;
    const stops = [
      timers.onVisibilityChange(() => this.#delayed.flush()),
      onStorage(() => {
        if (this.#active && this.#text === undefined) this.#endHere();
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  async #start(): Promise<void> {
    const { api } = this.#environment;
    this.#setStatus('starting');
    const generation = (this.#generation += 1);
    const created = await api.createDraftKey?.();
    // The browser may have refused the cookie.
    const returned = created?.ok ? await api.getDraftKey?.() : created;
    const draftKey = returned?.ok ? returned.value.draftKey : null;
    const active = draftKey ? await importKey(draftKey) : undefined;
    if (generation !== this.#generation) return;
    this.#active = active;
    const isKept = active !== undefined && (await this.#write(active));
    if (isKept) this.#setStatus('on');
    else if (this.#environment.store.state.device.status === 'starting') this.end('failed');
  }

  async #save(): Promise<void> {
    this.#delayed.cancel();
    const active = this.#active;
    // While the first entry is being written, `#start` continues.
    if (!active || this.#environment.store.state.device.status !== 'on') return;
    if (active.endsAt <= this.#now) return this.end();
    // Another tab has erased the answers. Writing them again would undo it.
    if (this.#text === undefined) return this.#endHere();
    const isKept = await this.#write(active, () => this.#text !== undefined);
    if (!isKept && this.#active === active) this.end('failed');
  }

  /** @returns false if the browser refuses to store it. */
  async #write(active: ActiveKey, isWanted = () => true): Promise<boolean> {
    const { store, deviceStore } = this.#environment;
    const { form } = store.state;
    if (!form || form.application) return false;
    const generation = (this.#generation += 1);
    const entry = await this.#encrypt(toStoredDraft(form, devicePaths), active);
    // A later write replaces this one.
    if (generation !== this.#generation || !isWanted()) return true;
    return deviceStore?.write(entry) ?? false;
  }

  /** The answers were erased in another tab. */
  #endHere(): void {
    this.#stop();
    this.#setStatus('off');
  }

  #stop(): void {
    this.#delayed.cancel();
    this.#generation += 1;
    this.#active = undefined;
  }

  #setStatus(status: AppState['device']['status']): void {
    const { store } = this.#environment;
    const endsAt = status === 'on' ? this.#active?.endsAt : undefined;
    if (store.state.device.status !== status || endsAt !== store.state.device.endsAt)
      store.merge('device', { status, endsAt });
  }

  async #encrypt(draft: StoredDraft, { key, endsAt }: ActiveKey): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const content = new TextEncoder().encode(JSON.stringify({ version, ...draft }));
    const data = await crypto.subtle.encrypt(this.#toAlgorithm(iv, endsAt), key, content);
    const entry: Entry = { endsAt, iv: toBase64(iv), data: toBase64(new Uint8Array(data)) };
    return JSON.stringify({ version, ...entry });
  }

  async #decrypt(
    { iv, data, endsAt }: Entry,
    { key }: ActiveKey,
  ): Promise<StoredDraft | undefined> {
    try {
      const algorithm = this.#toAlgorithm(fromBase64(iv), endsAt);
      const content = await crypto.subtle.decrypt(algorithm, key, fromBase64(data));
      return parseDraft(new TextDecoder().decode(content), devicePaths);
    } catch {
      // The entry is of another key, another form, or another script.
      return undefined;
    }
  }

  #toAlgorithm(iv: Uint8Array<ArrayBuffer>, endsAt: number): AesGcmParams {
    const bound = JSON.stringify([version, this.#environment.deviceStore?.name, endsAt]);
    return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(bound) };
  }
}

/** Calls back when another tab has changed the storage. Returns a function that stops listening. */
function onBrowserStorage(callback: () => void): () => void {
  addEventListener('storage', callback);
  return () => removeEventListener('storage', callback);
}

/** Empty if the browser refuses storage. */
function listBrowserKeys(): readonly string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Scripts can't export the key. Returns undefined if a host page's own `api` returned something else. */
async function importKey({ key, expiresAt }: DraftKey): Promise<ActiveKey | undefined> {
  try {
    const bytes = fromBase64(key.replaceAll('-', '+').replaceAll('_', '/'));
    const endsAt = Date.parse(expiresAt);
    if (Number.isNaN(endsAt)) return undefined;
    const usages = ['encrypt', 'decrypt'] as const;
    return { key: await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, usages), endsAt };
  } catch {
    return undefined;
  }
}

/** The text may be of another version, or of another script. */
function parseEntry(text: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    if (!isObject(entry)) return undefined;
    const { version: own, endsAt, iv, data } = entry;
    if (own !== version || typeof endsAt !== 'number') return undefined;
    return typeof iv === 'string' && typeof data === 'string' ? { endsAt, iv, data } : undefined;
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}
