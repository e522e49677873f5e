// The contract that both databases fulfill.

import { describe } from 'vitest';
import { describeApplications } from './applications.ts';
import { describeAttachments } from './attachments.ts';
import { describeClaims } from './claims.ts';
import { describeEvents } from './events.ts';
import { describeBusinessName, describeHandoffs } from './handoffs.ts';
import { describeOperatorActions } from './operator-actions.ts';
import { describeRetention } from './retention.ts';
import { describeRowCounts } from './row-counts.ts';
import type { OpenTestDatabase } from './rig.ts';

export function describeContract(name: string, open: OpenTestDatabase): void {
  const parts = [
    ['sessions and applications', describeApplications],
    ['attachments', describeAttachments],
    ['handoffs', describeHandoffs],
    ['masked business name', describeBusinessName],
    ['claims', describeClaims],
    ['events', describeEvents],
    ['operator actions', describeOperatorActions],
    ['retention', describeRetention],
    ['row counts', describeRowCounts],
  ] as const;
  describe.each(parts)(`the store on ${name}: %s`, (_name, describePart) => {
    describePart(open);
  });
}
