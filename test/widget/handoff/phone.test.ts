// The page of a phone in a handoff: its screens, the session of the phone, and its polling.

import { describe, expect, it } from 'vitest';
import type { DocumentStatus } from '../../../shared/api/attachments.ts';
import type { HandoffClaim, PhoneHandoff } from '../../../shared/api/handoff.ts';
import type { Failure, FailureCode, Result } from '../../../widget/api/funding-api.ts';
import type { Reaction } from '../../../widget/app/store.ts';
import { createDocumentQueue } from '../../../widget/documents/document-queue.ts';
import { createPhone } from '../../../widget/handoff/phone.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
} from '../../support/create-feature.ts';
import { claimedHandoff, deliveredDocument, fail, ok } from '../../support/fake-funding-api.ts';

const token = 'AAAAAAAAAAAAAAAAAAAAAA';

const connectedHandoff: PhoneHandoff = {
  ...claimedHandoff,
  state: 'connected',
  choices: undefined,
};

const photo: DocumentStatus = { ...deliveredDocument, status: 'received' };

describe('a scanned code', () => {
  it('is claimed', async () => {
    const phone = await openPage({ fragment: token });
    expect(phone.api.claims).toEqual([{ token }]);
    expect(phone.state).toMatchObject({ screen: 'confirm', handoff: claimedHandoff });
  });

  it('is claimed with a session token if the browser refuses cookies', async () => {
    const phone = await openPage({ fragment: token, refusesCookies: true });
    expect(phone.api.claims).toEqual([{ token, transport: 'handle' }]);
  });

  it.each<FailureCode>([
    'handoff-not-found',
    'handoff-expired',
    'handoff-claimed',
    'handoff-revoked',
    'handoff-wrong-number',
    'handoff-declined',
    'handoff-ended',
  ])('stops with the problem “%s”', async (code) => {
    const phone = await openPage({ fragment: token, claim: fail(code) });
    expect(phone.state).toMatchObject({ screen: 'stopped', problem: code });
    expect(phone.polling.waiting).toBe(0);
  });

  it('can be claimed again after a lost connection', async () => {
    const phone = await openPage({ fragment: token, claim: fail('network') });
    expect(phone.state).toMatchObject({ screen: 'starting', problem: 'network' });
    phone.api.claim = ok(claimedHandoff);
    await phone.feature.tryAgain();
    expect(phone.api.claims).toEqual([{ token }, { token }]);
    expect(phone.state.screen).toBe('confirm');
  });

  it('that this phone has claimed before can be continued', async () => {
    const phone = await openPage({
      fragment: token,
      claim: fail('handoff-claimed'),
      session: connectedHandoff,
    });
    expect(phone.state).toMatchObject({
      screen: 'stopped',
      problem: 'handoff-claimed',
      handoff: connectedHandoff,
    });
  });

  it('counts more than the session of an earlier code', async () => {
    const phone = await openPage({ fragment: token, session: connectedHandoff });
    expect(phone.state.screen).toBe('confirm');
  });

  it('on the open page replaces the earlier one', async () => {
    const phone = await openPage();
    await phone.scan(token);
    expect(phone.state.screen).toBe('confirm');
  });
});

describe('a page without a code', () => {
  it('asks for the code', async () => {
    const phone = await openPage();
    expect(phone.state).toMatchObject({ screen: 'code', problem: undefined });
    expect(phone.api.claims).toEqual([]);
  });

  it('continues where the phone was', async () => {
    const phone = await openPage({ session: claimedHandoff });
    expect(phone.state).toMatchObject({ screen: 'confirm', handoff: claimedHandoff });
  });

  it('continues with the documents that the phone has sent', async () => {
    const phone = await openPage({ session: connectedHandoff, documents: [photo] });
    expect(phone.state.screen).toBe('documents');
    expect(phone.store.state.documents.uploaded.map(({ status }) => status)).toEqual([photo]);
  });

  it('says that the handoff has ended', async () => {
    const phone = await openPage({ session: fail('handoff-revoked') });
    expect(phone.state).toMatchObject({ screen: 'stopped', problem: 'handoff-revoked' });
  });

  it('never starts the session of an application', async () => {
    const phone = await openPage();
    expect(phone.api.sessionsOpened).toBe(0);
  });
});

describe('the number', () => {
  it('connects the phone', async () => {
    const phone = await openPage({ fragment: token });
    await phone.feature.pick('42');
    expect(phone.api.pickedNumbers).toEqual(['42']);
    expect(phone.state.screen).toBe('documents');
  });

  it('ends the handoff if it is another one, but not after a lost connection', async () => {
    const phone = await openPage({ fragment: token });
    phone.api.confirmation = fail('network');
    await phone.feature.pick('17');
    expect(phone.state).toMatchObject({ screen: 'confirm', problem: 'network', isBusy: false });
    phone.api.confirmation = fail('handoff-wrong-number');
    await phone.feature.pick('17');
    expect(phone.state).toMatchObject({ screen: 'stopped', problem: 'handoff-wrong-number' });
  });
});

describe('the connected phone', () => {
  it.each([
    [
      'notices that the desktop has disconnected it',
      'handoff-revoked',
      { screen: 'stopped', problem: 'handoff-revoked' },
      0,
    ],
    [
      'stays connected when a response is lost',
      'network',
      { screen: 'documents', problem: undefined },
      1,
    ],
  ] as const)('%s', async (_what, code, state, waiting) => {
    const phone = await connect();
    phone.api.handoffStatus = fail(code);
    await phone.polling.tick();
    expect(phone.state).toMatchObject(state);
    expect(phone.polling.waiting).toBe(waiting);
  });

  it('stops when an upload is refused because the handoff has ended', async () => {
    const phone = await connectRefused();
    expect(phone.state).toMatchObject({ screen: 'stopped', problem: 'handoff-ended' });
  });

  it('keeps a refused file for a new code of the same application', async () => {
    const phone = await connectRefused();
    await phone.scan(token);
    const [document] = phone.store.state.documents.queued;
    expect(document).toMatchObject({
      state: 'failed',
      problem: { kind: 'failed', code: 'document-incomplete' },
    });
  });

  it('forgets the files when the next code is for another application', async () => {
    const phone = await connectRefused();
    phone.api.claim = ok({ ...claimedHandoff, reference: 'other' });
    await phone.scan(token);
    expect(phone.store.state.documents.queued).toEqual([]);
  });

  it('follows the delivery of its documents', async () => {
    const phone = await connect([photo]);
    phone.api.phoneDocuments = [{ ...photo, status: 'delivered' }];
    await phone.polling.tick();
    expect(phone.store.state.documents.uploaded[0]?.status.status).toBe('delivered');
  });

  it('asks for no documents while all are delivered', async () => {
    const phone = await connect([{ ...photo, status: 'delivered' }]);
    phone.api.phoneDocuments = [];
    await phone.polling.tick();
    expect(phone.store.state.documents.uploaded).toHaveLength(1);
  });

  it.each([
    ['is done', ok(undefined), { screen: 'done' }],
    ['is done if the desktop was first', fail('handoff-revoked'), { screen: 'done' }],
    [
      'stays connected if the BFF does not answer',
      fail('network'),
      { screen: 'documents', problem: 'network' },
    ],
  ])('%s when the applicant says so', async (_what, handoffEnded, state) => {
    const phone = await connect();
    phone.api.handoffEnded = handoffEnded;
    await phone.feature.leave('done');
    expect(phone.api.handoffsEnded).toBe(1);
    expect(phone.state).toMatchObject(state);
  });
});

interface PageOptions {
  readonly fragment?: string;
  readonly refusesCookies?: boolean;
  readonly claim?: Result<HandoffClaim>;
  /** The session that this phone has from an earlier page. */
  readonly session?: PhoneHandoff | Failure;
  readonly documents?: DocumentStatus[];
}

async function openPage({
  refusesCookies = false,
  session = fail('session-missing'),
  documents = [],
  ...options
}: PageOptions = {}) {
  let { fragment } = options;
  let handleNewToken = () => undefined as unknown;
  const created = createFeature(
    (environment) => {
      Object.assign(environment.api, {
        ...(options.claim && { claim: options.claim }),
        handoffStatus: 'ok' in session ? session : ok(session),
        phoneDocuments: documents,
      });
      const queue = createDocumentQueue(environment, async (file) => ({
        file,
        keepsLocation: false,
        isHeic: false,
      }));
      const phone = createPhone(environment, undefined, {
        takeToken: () => {
          const taken = fragment;
          fragment = undefined;
          return taken;
        },
        onNewToken: (callback) => (handleNewToken = callback),
        refusesCookies: () => refusesCookies,
      });
      const react: Reaction = (before, after) => {
        phone.react?.(before, after);
        queue.react(before, after);
      };
      return { ...phone, queue, react };
    },
    createAcceptedState({
      form: createAcceptedForm({ step: 'documents', application: undefined }),
    }),
  );
  const { feature, polling, store } = created;
  await polling.settle();

  return {
    ...created,
    get state() {
      return store.state.phone;
    },
    async scan(scanned: string): Promise<void> {
      fragment = scanned;
      handleNewToken();
      await polling.settle();
    },
    async upload(name: string): Promise<void> {
      feature.queue.add([new File(['a'], name)]);
      const [document] = store.state.documents.queued;
      feature.queue.setCategory(document!.id, 'drivers-license');
      await polling.settle();
    },
  };
}

/** A connected phone whose upload is refused, because the handoff has ended. */
async function connectRefused() {
  const phone = await connect();
  phone.api.handleUpload = async () => fail('handoff-ended');
  await phone.upload('page.pdf');
  return phone;
}

async function connect(documents: DocumentStatus[] = []) {
  return openPage({ session: connectedHandoff, documents });
}
