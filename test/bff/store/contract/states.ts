// The contract of each operation in each state of an application, and of a document of an accepted application.

import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { type OpenTestDatabase, retention, type StoreRig, useStoreRig } from './rig.ts';
import { bytes, createAttachment, createHandoff, createSession } from './rows.ts';

type Run = (rig: StoreRig) => Promise<unknown>;

/** The steps that lead to a state. */
const paths: Readonly<Record<string, string>> = { sending: 'claim', erased: 'erase' };

const operations: Readonly<Record<string, Run>> = {
  claim: async (rig) => (await rig.claimId()) ?? rig.claimId('document'),
  nextDueMs: ({ store }) => store.findNextDueMs(['application']),
  retry: ({ store }) => store.retry('a1'),
  retryHeld: ({ store }) => store.retryHeld(),
  retryRejected: async ({ store }) => ((await store.retryRejected('a1')) as { rows: number }).rows,
  resolve: ({ store }) => store.resolve('a1', 'L7'),
  erase: ({ store }) => store.erase('a1'),
  async afterErase(rig) {
    await rig.store.erase('a1');
    return (await rig.find()).state;
  },
  beginUpload: ({ store }) => store.beginAttachment(createAttachment('d1'), 9),
  askForContact: async (rig) => (await rig.addContactRequest('w1')).kind,
  addHandoff: async ({ store }) => (await store.addHandoff(createHandoff('h1'), 100))?.state,
  addOther: async (rig) => (await rig.add('a2', { session: createSession('s1') })).kind,
  addSame: async (rig) => (await rig.add()).kind,
  ofSession: async ({ store }) => (await store.findSession('s1'))?.application?.id,
  move: async ({ store }) =>
    (await store.findOrMoveApplication(createSession('s2'), 'k1', () => true))?.sessionId,
  lead: async (rig) => (await rig.find()).encryptedLead,
  undelivered: async (rig) => (await rig.purgeAfter(retention.undeliveredDays)).undelivered,
  async afterEvidence(rig) {
    await rig.purgeAfter(retention.evidenceDays);
    return (await rig.store.findApplication('a1'))?.state;
  },
  needsOperator: async ({ store }) => (await store.listRowsNeedingOperator(9))[0]?.state,
  waiting: ({ store }) => store.findWaitingReference('application', 100),
  oldestAt: async ({ store }) => (await store.countStates())[0]?.oldestAt,
  async keys({ store }) {
    const samples = await store.listDataKeySamples();
    return `${samples.length}/${(await store.listKeysToRewrap('2', 9)).length}`;
  },

  resolveDocument: ({ store }) => store.resolveAttachment('a1', 'document', 1, '068'),
  changeCategory: async ({ store }) => (await store.changeCategory('a1', 1, 'other', 9)).kind,
  withdraw: async ({ store }) => (await store.withdrawDocument('a1', 1)).kind,
  async afterWithdraw(rig) {
    await rig.store.withdrawDocument('a1', 1);
    return (await rig.findDocument())?.state;
  },
  async discard(rig) {
    await rig.store.discardAttachment('d1');
    return (await rig.findDocument())?.state;
  },
  addChunk: ({ store }) => store.addChunk('d1', 9, bytes(9)),
  complete: async ({ store }) =>
    (await store.completeAttachment('d1', { fingerprint: 'other', bytes: 1, limit: 9 })).kind,
  list: async ({ store }) =>
    (await store.listAttachments('a1', 'document')).map(({ id }) => id).join(),
  uploadAgain: async (rig) => (await rig.complete('d2', 'document', { fingerprint: 'd1' })).kind,
  limit: ({ store }) => store.beginAttachment(createAttachment('d2'), 1),
  sizeLimit: async (rig) =>
    (await rig.complete('d2', 'document', { bytes: 2, maxTotalBytes: 2 })).kind,
  content: ({ store }) => store.readChunk('d1', 0),
  async rejectedLater(rig) {
    await rig.purgeAfter(retention.rejectedDays);
    return rig.store.readChunk('d1', 0);
  },
  async nameLater(rig) {
    await rig.purgeAfter(retention.recordDays);
    return (await rig.findDocument())?.encryptedName;
  },
  async afterEraseAll(rig) {
    await rig.store.erase('a1');
    return (await rig.findDocument())?.state;
  },
  waitingDocument: ({ store }) => store.findWaitingReference('document', 100),
};

/** The results of the operations, as texts. `-`: none. `full` stands for a limit, `active` for `other-active`. */
function readTable(file: string): (readonly [operation: string, state: string, result: string])[] {
  const text = readFileSync(new URL(`../../../fixtures/${file}`, import.meta.url), 'utf8');
  const [[, ...states] = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/));
  return rows.flatMap(([operation = '', ...results]) =>
    states.map((state, index) => [operation, state, results[index] ?? ''] as const),
  );
}

export function describeStates(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);
  const run = async (operation: string) => {
    const text = String((await operations[operation]!(rig)) ?? '') || '-';
    return text.replace(/(?:size-)?limit-reached/, 'full').replace('other-', '');
  };

  beforeEach(() => rig.add());

  it.each(readTable('store-application-states.txt'))(
    '%s of an application: %s',
    async (name, state, result) => {
      if (state !== 'received') await rig.play(paths[state] ?? state);
      expect((await rig.find()).state).toBe(state);
      expect(await run(name)).toBe(result);
    },
  );

  it.each(readTable('store-document-states.txt'))(
    '%s of a document: %s',
    async (name, state, result) => {
      await rig.play(state === 'receiving' ? 'accepted, begin d1' : 'accepted, add d1');
      if (state === 'erased') await rig.play('withdraw 1');
      else if (!state.startsWith('rece')) await rig.play(`document ${paths[state] ?? state}`);
      expect((await rig.findDocument())?.state).toBe(state);
      expect(await run(name)).toBe(result);
    },
  );
}
