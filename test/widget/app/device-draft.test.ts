// Tests for the answers on the device: what is kept, who can decrypt it, and when it is erased.

import { describe, expect, it } from 'vitest';
import { DeviceDraft, type DeviceStore } from '../../../widget/app/device-draft.ts';
import { createForm, withAnswer, withStep } from '../../../widget/app/navigation.ts';
import { type FormState, initialState, Store } from '../../../widget/app/store.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus, fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

const day = 24 * 60 * 60_000;
const start = Date.parse('2026-11-20T15:00:00.000Z');
const filled: FormState = {
  ...withStep(createForm(createConfiguration()), 'identity'),
  draft: completeDraft,
};

const toKey = (position = '0') => `funding-application https://bff.example ${position}`;

/** The storage of a browser profile, with all its tabs. */
function createProfile() {
  const texts = new Map<string, string>();
  const listeners = new Set<() => void>();
  const profile = {
    texts,
    /** The browser stores nothing more. */
    isFull: false,
    get text() {
      return [...texts.values()].join('\n');
    },
    /** Also calls back for changes of the own tab, unlike browsers. */
    onStorage: (callback: () => void) => {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
    listKeys: () => [...texts.keys()],
    open: (name = 'https://partner.example form', position?: string): DeviceStore => {
      const key = toKey(position);
      return {
        name,
        key,
        read: () => texts.get(key),
        write: (text) => {
          if (text !== undefined && profile.isFull) return false;
          if (text === undefined) texts.delete(key);
          else texts.set(key, text);
          for (const listener of listeners) listener();
          return true;
        },
      };
    },
  };
  return profile;
}

interface TabOptions {
  readonly api?: FakeFundingApi;
  readonly profile?: ReturnType<typeof createProfile>;
  readonly now?: number;
  readonly name?: string;
  /** Where the form is among those of its page. */
  readonly position?: string;
  readonly form?: FormState | undefined;
}

/** One tab with the form. */
function openTab({
  api = new FakeFundingApi(),
  profile = createProfile(),
  now = start,
  name,
  position,
  ...rest
}: TabOptions = {}) {
  api.draftKeyExpiresAt = new Date(start + 7 * day).toISOString();
  const timers = createManualPolling();
  const clock = { now };
  let draft: DeviceDraft | undefined = undefined;
  const store: Store = new Store([(before, after) => draft?.react(before, after)], {
    ...initialState,
    isConnected: true,
    form: 'form' in rest ? rest.form : filled,
  });
  draft = new DeviceDraft({
    store,
    api,
    timers: timers.environment,
    now: () => new Date(clock.now),
    deviceStore: profile.open(name, position),
    onStorage: profile.onStorage,
    listKeys: profile.listKeys,
  });
  const created = draft;
  const isSettled = (status: string) => async () => {
    await expect.poll(() => store.state.device.status).toBe(status);
  };
  return {
    api,
    profile,
    timers,
    clock,
    store,
    draft: created,
    get device() {
      return store.state.device;
    },
    turnOn: async () => {
      created.toggle();
      await isSettled('on')();
    },
    isSettled,
    update: (change: (form: FormState) => FormState) => store.updateForm(change),
    type: (path: string, value: string) => {
      store.updateForm((form) => withAnswer(form, path, value));
      void timers.tick();
    },
  };
}

/** One tab whose answers are kept on the device. */
async function openTurnedOn(options: TabOptions = {}) {
  const tab = openTab(options);
  await tab.turnOn();
  return tab;
}

/** Another visit of the same browser profile. */
const comeBack = (
  { api, profile }: Pick<ReturnType<typeof openTab>, 'api' | 'profile'>,
  options: TabOptions = {},
) => openTab({ api, profile, form: undefined, now: start + day, ...options });

describe('answers on the device', () => {
  it('come back on the next day', async () => {
    const tab = await openTurnedOn();
    const later = comeBack(tab);
    const restored = await later.draft.restore();
    expect(restored).toMatchObject({
      ok: true,
      value: { step: 'identity', answers: { 'business/name': 'Rosa’s Bakery LLC' } },
    });
    expect(later.device).toEqual({ status: 'on', endsAt: start + 7 * day });
  });

  it('are stored without a readable answer', async () => {
    const tab = await openTurnedOn();
    const values = Object.values(completeDraft).filter((value) => value.length > 3);
    const bytes = Buffer.from(JSON.parse(tab.profile.text).data, 'base64').toString('latin1');
    expect(values.filter((value) => `${tab.profile.text}${bytes}`.includes(value))).toEqual([]);
  });

  it('contain no identity, home address, agreements, or signature', async () => {
    const home = { 'owner/homeAddress/street': '9 Oak St', 'owner/homeAddress/zip': '78702' };
    const tab = await openTurnedOn({ form: { ...filled, draft: { ...completeDraft, ...home } } });
    const restored = await comeBack(tab).draft.restore();
    const draft = restored.ok ? restored.value : undefined;
    const left = Object.keys({ ...completeDraft, ...home }).filter(
      (path) => completeDraft[path] !== '' && draft?.answers[path] === undefined,
    );
    expect(left).toEqual([
      'business/taxId',
      'owner/birthDate/month',
      'owner/birthDate/day',
      'owner/birthDate/year',
      'owner/ssn',
      'owner/creditScore',
      'owner/ownershipPercent',
      'owner/otherManagers',
      'consents/terms',
      'signature/name',
      'owner/homeAddress/street',
      'owner/homeAddress/zip',
    ]);
    expect(draft?.omitted.toSorted()).toEqual(left.toSorted());
  });

  it('are not stored before the applicant asks for it', async () => {
    const tab = openTab();
    tab.type('business/name', 'Ada’s');
    expect(tab.device.status).toBe('off');
    expect(tab.profile.text).toBe('');
    expect(await tab.api.getDraftKey()).toEqual(ok({ draftKey: null }));
  });
});

describe('the end of answers on the device', () => {
  it.each([
    ['the applicant turns it off', ({ draft }: ReturnType<typeof openTab>) => draft.toggle()],
    [
      'the answers are cleared',
      ({ update }) => update((form) => ({ ...form, draft: {}, timesCleared: 1 })),
    ],
    [
      'the application is sent',
      ({ update }) => update((form) => ({ ...form, application: acceptedStatus })),
    ],
    [
      'the application is closed',
      ({ store }) => store.update((state) => ({ ...state, form: undefined })),
    ],
  ] satisfies [string, (tab: ReturnType<typeof openTab>) => void][])(
    'comes at once when %s',
    async (_name, act) => {
      const tab = await openTurnedOn();
      act(tab);
      expect(tab.profile.text).toBe('');
      expect(tab.device.status).toBe('off');
      expect(tab.api.draftKeysEnded).toBe(1);
    },
  );

  it('comes when the clock reaches it on an open page', async () => {
    const tab = await openTurnedOn();
    tab.clock.now = start + 7 * day;
    tab.type('business/name', 'Ada’s');
    expect(tab.profile.text).toBe('');
    expect(tab.device.status).toBe('off');
  });

  it('comes before the next visit, without a request for the key', async () => {
    const tab = await openTurnedOn();
    const later = comeBack(tab, { now: start + 7 * day });
    expect(await later.draft.restore()).toEqual({ ok: true });
    expect(tab.profile.text).toBe('');
  });

  it.each([
    ['the clock of the device is set back', start - 30 * day, 0],
    ['the entry names a later one', start + day, day],
  ])('is not later if %s: the clock of the BFF decides', async (_why, now, shift) => {
    const tab = await openTurnedOn();
    const entry = JSON.parse(tab.profile.text);
    tab.profile.texts.set(toKey(), JSON.stringify({ ...entry, endsAt: entry.endsAt + shift }));
    if (shift === 0) tab.api.draftKey = ok({ draftKey: null });
    expect(await comeBack(tab, { now }).draft.restore()).toEqual({ ok: true });
    expect(tab.profile.text).toBe('');
  });
});

describe('an entry that cannot be decrypted', () => {
  it.each([
    ['no JSON', () => '{'],
    ['another value', () => '7'],
    ['another version', (entry: object) => JSON.stringify({ ...entry, version: 2 })],
    [
      'other data',
      (entry: object) => JSON.stringify({ ...entry, data: btoa('nonsense nonsense') }),
    ],
    ['data that is not Base64', (entry: object) => JSON.stringify({ ...entry, data: '§' })],
    ['a text as its end', (entry: object) => JSON.stringify({ ...entry, endsAt: 'never' })],
  ])('is erased without a message: %s', async (_name, change) => {
    const tab = await openTurnedOn();
    tab.profile.texts.set(toKey(), change(JSON.parse(tab.profile.text)));
    const later = comeBack(tab);
    expect(await later.draft.restore()).toEqual({ ok: true });
    expect(tab.profile.text).toBe('');
    expect(later.device.status).toBe('off');
  });

  it('is erased if it is of another page or form', async () => {
    const tab = await openTurnedOn();
    const other = comeBack(tab, { name: 'https://other.example form' });
    expect(await other.draft.restore()).toEqual({ ok: true });
    expect(tab.profile.text).toBe('');
  });

  it('stays if the BFF does not respond', async () => {
    const tab = await openTurnedOn();
    const { draftKey } = tab.api;
    tab.api.draftKey = fail('network');
    expect(await comeBack(tab).draft.restore()).toMatchObject({ ok: false, code: 'network' });
    tab.api.draftKey = draftKey;
    expect(await comeBack(tab).draft.restore()).toHaveProperty('value');
  });

  it('stays if the BFF has no keys', async () => {
    const tab = await openTurnedOn();
    tab.api.draftKey = fail('not-found');
    expect(await comeBack(tab).draft.restore()).toEqual({ ok: true });
    expect(tab.profile.text).not.toBe('');
  });
});

describe('keeping answers on the device', () => {
  it('is not offered if the api of the host page has no keys', () => {
    const api = Object.assign(new FakeFundingApi(), { createDraftKey: undefined });
    expect(openTab({ api: api as unknown as FakeFundingApi }).device.status).toBe('unavailable');
  });

  it.each<[string, (tab: ReturnType<typeof openTab>) => unknown]>([
    ['the browser refuses the cookie', ({ api }) => (api.keepsDraftCookie = false)],
    ['the browser refuses the entry', ({ profile }) => (profile.isFull = true)],
    ['the BFF does not respond', ({ api }) => (api.draftKey = fail('network'))],
  ])('fails if %s', async (_why, prepare) => {
    const tab = openTab();
    prepare(tab);
    tab.draft.toggle();
    await tab.isSettled('failed')();
    expect(tab.profile.text).toBe('');
    expect(tab.api.draftKeysEnded).toBe(1);
  });

  it('ends if the storage is full later', async () => {
    const tab = await openTurnedOn();
    tab.profile.isFull = true;
    tab.type('business/name', 'Ada’s');
    await tab.isSettled('failed')();
    expect(tab.profile.text).toBe('');
  });

  it('stores nothing if it is turned off while the key is on its way', async () => {
    const tab = openTab();
    tab.draft.toggle();
    tab.draft.toggle();
    await tab.api.getDraftKey();
    await new Promise((resolve) => setImmediate(resolve));
    expect(tab.device.status).toBe('off');
    expect(tab.profile.text).toBe('');
  });
});

describe('two tabs with answers on the device', () => {
  async function openTwo() {
    const one = await openTurnedOn();
    const other = comeBack(one);
    await other.draft.restore();
    other.store.update((state) => ({ ...state, form: filled }));
    return { one, other };
  }

  it('keep the latest answers', async () => {
    const { one, other } = await openTwo();
    other.type('business/name', 'Other');
    await expect.poll(async () => readName(one)).toBe('Other');
    one.type('business/name', 'One');
    await expect.poll(async () => readName(one)).toBe('One');
  });

  it('do not answer each other', async () => {
    const { one, other } = await openTwo();
    await one.isSettled('on')();
    const before = one.profile.text;
    one.type('business/name', 'One');
    await expect.poll(() => one.profile.text).not.toBe(before);
    const written = one.profile.text;
    await other.timers.tick();
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.profile.text).toBe(written);
  });

  it('stop together when one turns it off', async () => {
    const { one, other } = await openTwo();
    one.draft.toggle();
    expect(other.device.status).toBe('off');
    other.type('business/name', 'Other');
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.profile.text).toBe('');
  });

  async function readName(tab: ReturnType<typeof openTab>): Promise<string | undefined> {
    const restored = await comeBack(tab).draft.restore();
    return restored.ok ? restored.value?.answers['business/name'] : undefined;
  }
});

describe('two forms with answers on the device', () => {
  async function openTwo() {
    const first = await openTurnedOn({ position: '0' });
    const second = await openTurnedOn({ api: first.api, profile: first.profile, position: '1' });
    return { first, second };
  }

  it('share the key until both have ended', async () => {
    const { first, second } = await openTwo();
    first.draft.toggle();
    expect(first.api.draftKeysEnded).toBe(0);
    expect(await comeBack(second, { position: '1' }).draft.restore()).toHaveProperty('value');
    second.draft.toggle();
    expect(first.api.draftKeysEnded).toBe(1);
    expect(first.profile.text).toBe('');
  });
});
