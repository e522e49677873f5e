// A handoff on the device where the application was begun: its states, polling, and announcements.

import decodeQr from 'qr/decode.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentStatus } from '../../../shared/api/attachments.ts';
import type { HandoffState } from '../../../shared/api/handoff.ts';
import { emptyHandoff } from '../../../widget/app/store.ts';
import { createTranslate } from '../../../widget/i18n/messages.ts';
import { createHandoff } from '../../../widget/handoff/handoff.ts';
import * as panelModule from '../../../widget/handoff/handoff-panel.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
} from '../../support/create-feature.ts';
import {
  acceptedStatus,
  createSession,
  deliveredDocument,
  fail,
  ok,
  waitingHandoff,
} from '../../support/fake-funding-api.ts';
import { english } from '../../support/messages.ts';

const photo: DocumentStatus = { ...deliveredDocument, status: 'received', fromPhone: true };

const t = createTranslate(english);

type Rig = ReturnType<typeof createRig>;

let rig: Rig;

beforeEach(() => {
  rig = createRig();
});

/** A code is on the screen. */
async function invite(): Promise<void> {
  rig.showStep('documents');
  await rig.press();
}

async function connect(): Promise<void> {
  await invite();
  await rig.report('claimed');
  await rig.report('connected');
}

describe('the button', () => {
  it('requests a code', async () => {
    await invite();
    expect(rig.api.handoffsCreated).toBe(1);
    expect(rig.getState()).toEqual({
      ...emptyHandoff,
      view: 'open',
      status: 'waiting',
      invitation: waitingHandoff,
    });
    expect(rig.focused).toEqual(['handoff-title']);
  });

  it('ignores a second press while the code loads', async () => {
    rig.showStep('documents');
    void rig.press();
    await rig.press();
    expect(rig.api.handoffsCreated).toBe(1);
  });

  it('cancels the code', async () => {
    await invite();
    await rig.press();
    expect(rig.api.handoffsEnded).toBe(1);
    expect(rig.getState()).toEqual(emptyHandoff);
    expect(rig.polling.waiting).toBe(0);
  });

  it.each([
    ['disconnects the phone', ok(undefined), { view: 'open', status: 'revoked' }, 0],
    [
      'keeps the connection if the BFF does not answer',
      fail('network'),
      { status: 'connected', problem: 'network' },
      1,
    ],
  ])('%s', async (_what, handoffEnded, state, waiting) => {
    await connect();
    rig.api.handoffEnded = handoffEnded;
    await rig.press();
    expect(rig.getState()).toMatchObject(state);
    expect(rig.polling.waiting).toBe(waiting);
  });

  it('reports that the BFF refuses a code', async () => {
    rig.api.handoff = { ...fail('too-many-requests'), retryAfterMs: 180_000 };
    await invite();
    expect(rig.getState()).toMatchObject({
      view: 'closed',
      problem: 'too-many-requests',
      retryAfterMs: 180_000,
    });
  });

  it('reports that the panel can’t be loaded', async () => {
    rig = createRig({ isPanelMissing: true });
    await invite();
    expect(rig.getState()).toMatchObject({ view: 'closed', problem: 'network' });
    expect(rig.api.handoffsCreated).toBe(0);
  });
});

describe('polling', () => {
  it('repeats every 3 seconds', async () => {
    await invite();
    for (let times = 0; times < 5; times += 1) await rig.report('waiting');
    expect(new Set(rig.polling.delays)).toEqual(new Set([3_000]));
    expect(rig.api.handoffRequests).toBe(5);
  });

  it('keeps the number until the phone is connected', async () => {
    await invite();
    await rig.report('claimed');
    expect(rig.getState()).toMatchObject({ status: 'claimed', invitation: waitingHandoff });
    await rig.report('connected');
    expect(rig.getState()).toMatchObject({ status: 'connected', invitation: undefined });
  });

  it.each(['expired', 'wrong-number', 'declined', 'revoked', 'ended'] as const)(
    'ends with the state “%s”, until a new code',
    async (state) => {
      await invite();
      await rig.report('claimed');
      await rig.report(state);
      expect(rig.getState()).toMatchObject({ view: 'open', status: state, invitation: undefined });
      expect(rig.polling).toMatchObject({ waiting: 0, listeners: 0 });
      await rig.press();
      expect(rig.api.handoffsCreated).toBe(2);
      expect(rig.getState().status).toBe('waiting');
    },
  );

  it('stops while another step shows or the page is hidden', async () => {
    await connect();
    rig.showStep('offers');
    expect(rig.polling.waiting).toBe(0);
    rig.showStep('documents');
    expect(rig.polling.waiting).toBe(1);
    await rig.polling.setHidden(true);
    expect(rig.polling.waiting).toBe(0);
  });

  it('reports the second lost response', async () => {
    await invite();
    rig.api.handoffStatus = fail('network');
    await rig.polling.tick();
    expect(rig.getState().problem).toBeUndefined();
    await rig.polling.tick();
    expect(rig.getState().problem).toBe('network');
    await rig.report('waiting');
    expect(rig.getState().problem).toBeUndefined();
  });

  it('stops when the session is gone', async () => {
    await invite();
    rig.api.handoffStatus = fail('session-missing');
    await rig.polling.tick();
    expect(rig.getState()).toMatchObject({ status: 'revoked', problem: 'session-missing' });
    expect(rig.polling.waiting).toBe(0);
  });

  it('ignores a response to an earlier code', async () => {
    await invite();
    const send = rig.api.hold('getHandoff');
    await rig.polling.tick();
    await rig.press();
    rig.api.handoff = ok({ ...waitingHandoff, code: 'AAAA-BBBB' });
    await rig.press();
    send(ok({ state: 'expired' }));
    await rig.polling.settle();
    expect(rig.getState()).toMatchObject({ status: 'waiting', invitation: { code: 'AAAA-BBBB' } });
  });

  it('does not bring back a phone that is disconnected while its documents are read', async () => {
    await connect();
    const send = rig.api.hold('getSession');
    await rig.polling.tick();
    const pressed = rig.press();
    send(rig.api.session);
    await pressed;
    expect(rig.getState().status).toBe('revoked');
  });
});

describe('documents from the phone', () => {
  it('appear in the list', async () => {
    await connect();
    rig.setDocuments(photo);
    await rig.report('connected');
    expect(rig.store.state.documents.uploaded.map(({ status }) => status)).toEqual([photo]);
    expect(rig.announced.at(-1)).toBe(t('handoff.arrived', { name: 'a.pdf' }));
  });

  it.each<[string, () => Promise<void>]>([
    ['the phone is done', () => rig.report('ended')],
    ['the phone was disconnected', () => rig.press()],
  ])('appear when %s', async (_when, act) => {
    await connect();
    rig.setDocuments(photo);
    await act();
    await rig.polling.settle();
    expect(rig.store.state.documents.uploaded).toHaveLength(1);
  });

  it('of another application are ignored', async () => {
    await connect();
    rig.api.session = ok(
      createSession({
        application: { ...acceptedStatus, reference: 'other' },
        documents: [photo],
      }),
    );
    await rig.report('connected');
    expect(rig.store.state.documents.uploaded).toEqual([]);
  });
});

describe('announcements', () => {
  it('say the number, the connection, then its end, once each', async () => {
    await connect();
    await rig.report('connected');
    await rig.report('ended');
    expect(rig.announced).toEqual([
      t('handoff.pick', { number: '42' }),
      t('handoff.connected'),
      t('handoff.ended'),
    ]);
  });
});

describe('a page that was loaded again', () => {
  beforeEach(() => {
    rig = createRig({ isRestored: true });
  });

  it('finds a connected phone', async () => {
    rig.api.handoffStatus = ok({ state: 'connected' });
    rig.showStep('documents');
    await rig.polling.settle();
    expect(rig.getState()).toMatchObject({ view: 'open', status: 'connected' });
    expect(rig.polling.waiting).toBe(1);
  });

  it('offers a new code if it no longer knows the number', async () => {
    rig.api.handoffStatus = ok({ state: 'claimed' });
    rig.showStep('documents');
    await rig.polling.settle();
    expect(rig.getState()).toEqual(emptyHandoff);
  });

  it('asks once', async () => {
    for (const step of ['documents', 'offers', 'documents'] as const) rig.showStep(step);
    await rig.polling.settle();
    expect(rig.api.handoffRequests).toBe(1);
  });
});

describe('the end of the application', () => {
  it.each<[string, () => void]>([
    ['is closed', () => rig.close()],
    ['is rejected', () => rig.mergeForm({ application: undefined })],
  ])('forgets the handoff when it %s', async (_how, end) => {
    await connect();
    end();
    expect(rig.getState()).toEqual(emptyHandoff);
    expect(rig.polling).toMatchObject({ waiting: 0, listeners: 0 });
  });
});

describe('the QR code', () => {
  it.each([waitingHandoff.url, `https://${'funding.'.repeat(20)}example/phone#${'x'.repeat(22)}`])(
    'contains %s',
    (url) => {
      expect(decodeQr(toImage(url))).toBe(url);
    },
  );

  it('has four light modules around it', () => {
    const { isDark, size } = readModules(waitingHandoff.url);
    const rows = Array.from({ length: size }, (_none, y) =>
      Array.from({ length: size }, (_empty, x) => isDark(x, y)),
    );
    const darkRows = rows.flatMap((row, y) => (row.includes(true) ? [y] : []));
    const darkColumns = rows.flatMap((row) => row.flatMap((dark, x) => (dark ? [x] : [])));
    expect([Math.min(...darkRows), Math.max(...darkRows)]).toEqual([4, size - 5]);
    expect([Math.min(...darkColumns), Math.max(...darkColumns)]).toEqual([4, size - 5]);
  });
});

/** Reads the path as a browser fills it. */
function readModules(text: string) {
  const { path, size } = panelModule.toQrPath(text);
  const dark = new Set<string>();
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let offset = 0; offset < Number(width); offset += 1)
      dark.add(`${Number(x) + offset} ${y}`);
  }
  return { isDark: (x: number, y: number) => dark.has(`${x} ${y}`), size };
}

/** A picture with four pixels a module. */
function toImage(text: string) {
  const { isDark, size } = readModules(text);
  const side = size * 4;
  const data = new Uint8ClampedArray(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const value = isDark(x >> 2, y >> 2) ? 0 : 255;
      data.set([value, value, value, 255], (y * side + x) * 4);
    }
  }
  return { width: side, height: side, data };
}

/** The page that submitted the application, unless `isRestored`. */
function createRig({ isRestored = false, isPanelMissing = false } = {}) {
  const focused: string[] = [];
  const form = createAcceptedForm({
    configuration: createConfiguration({ handoff: true }),
    record: isRestored ? undefined : { answers: {}, consents: [], locale: 'en' },
  });
  const created = createFeature((environment) => {
    const load = async () => {
      if (isPanelMissing) throw new TypeError('Failed to fetch');
      return panelModule;
    };
    return createHandoff(environment, load, () => false);
  }, createAcceptedState({ form }));
  const { store, api, polling } = created;

  return {
    ...created,
    focused,
    getState: () => store.state.handoff,
    async press(): Promise<void> {
      await created.feature.press((id) => focused.push(id));
      await polling.settle();
    },
    /** The BFF reports this state at the next check. */
    async report(state: HandoffState): Promise<void> {
      api.handoffStatus = ok({ state });
      await polling.tick();
    },
    /** These documents arrived from the phone. */
    setDocuments(...documents: DocumentStatus[]): void {
      api.session = ok(createSession({ application: acceptedStatus, documents }));
    },
  };
}
