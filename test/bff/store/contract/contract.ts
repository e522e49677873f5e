// The contract that both databases fulfill.

import { describe } from 'vitest';
import { describeAnyOperations } from './any-operations.ts';
import { describeApplications } from './applications.ts';
import { describeAttachments } from './attachments.ts';
import { describeClaims } from './claims.ts';
import { describeEvents } from './events.ts';
import { describeHandoffs } from './handoffs.ts';
import { describeOperatorActions } from './operator-actions.ts';
import { describeRetention } from './retention.ts';
import type { OpenTestDatabase } from './rig.ts';
import { describeStates } from './states.ts';

export function describeContract(name: string, open: OpenTestDatabase): void {
  describe.each([
    ['states', describeStates],
    ['sessions and applications', describeApplications],
    ['attachments', describeAttachments],
    ['handoffs', describeHandoffs],
    ['claims', describeClaims],
    ['events', describeEvents],
    ['operator actions', describeOperatorActions],
    ['retention', describeRetention],
    ['any operations', describeAnyOperations],
  ] as const)(`the store on ${name}: %s`, (_name, describePart) => {
    describePart(open);
  });
}
