// What a journal that belongs to one process must do with what that process left behind.

import { beforeEach, describe, expect, it } from 'vitest';
import { createLoginPauses } from '../../../../bff/funding-service/login-pauses.ts';
import { createJournalRig, leaseMs, type JournalRig, type OpenTestDatabase } from './rig.ts';
import { createChild, createNew } from './rows.ts';

export function describeRecovery(engine: string, open: OpenTestDatabase): void {
  describe(`the journal on ${engine} after a restart`, () => {
    let rig: JournalRig;

    beforeEach(async () => {
      rig = await createJournalRig(open);
      await rig.journal.addApplication(createNew(), []);
      return () => rig.journal.close();
    });

    it('lets an application found sending be claimed at once, as uncertain', async () => {
      await rig.claim();
      await rig.journal.recover();
      expect((await rig.claim()).application.uncertainAttempts).toBe(1);
    });

    it('lets a document found sending be claimed at once, as uncertain', async () => {
      await rig.complete('d1', 'one');
      await rig.accept();
      await rig.claim('document');
      await rig.journal.recover();
      expect(await rig.claim('document')).toMatchObject({ child: { uncertainAttempts: 1 } });
    });

    it('gives up incomplete documents, and keeps complete ones', async () => {
      await rig.complete('d1', 'one');
      await rig.journal.beginChild(createChild('d2'), 9);
      await rig.journal.recover();
      expect((await rig.journal.findChild('d1'))?.state).toBe('received');
      expect(await rig.journal.findChild('d2')).toBeUndefined();
    });

    it('ends a login that was under way, and no pause', async () => {
      const taken = { kind: 'taken', refusals: 1, until: rig.now + 15_000 } as const;
      const refused = { kind: 'refused', refusals: 2, until: rig.now + 300_000 } as const;
      await rig.journal.changeLogin('a', () => ({ state: taken, answer: undefined }));
      await rig.journal.changeLogin('b', () => ({ state: refused, answer: undefined }));
      await rig.journal.recover();
      expect(await createLoginPauses(rig.journal, 'a').begin()).toEqual({
        kind: 'mine',
        number: 2,
      });
      expect(await createLoginPauses(rig.journal, 'b').begin()).toMatchObject({ kind: 'paused' });
    });

    it('lets a row that ends the process again and again wait, longer each time', async () => {
      await rig.claim();
      for (let crash = 1; crash <= 2; crash += 1) {
        await rig.journal.recover();
        await rig.claim();
      }
      await rig.journal.recover();
      expect(await rig.journal.findNextDueMs(['application'])).toBe(leaseMs);
      const long = 10 * 60_000;
      await rig.database.all('update application set lease_until = {now} + ?', long);
      await rig.journal.recover();
      expect(await rig.journal.findNextDueMs(['application'])).toBe(4_000);
      await rig.database.all('update application set interruptions = 99');
      await rig.database.all('update application set lease_until = {now} + ?', 99 * long);
      await rig.journal.recover();
      expect(await rig.journal.findNextDueMs(['application'])).toBe(15 * 60_000);
    });
  });
}
