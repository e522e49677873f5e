// Inspection pools for tests that are about something else.

import { inspectionDefaults } from '../../bff/config/settings.ts';
import { createInspectionPool, type InspectionPool } from '../../bff/documents/inspection-pool.ts';
import { startUnrefTimer } from '../../bff/runtime/timers.ts';

/** One real pool for all BFFs of a process. The timeout is long because the machine may be busy with other tests. */
export const sharedInspections: InspectionPool = {
  ...createInspectionPool({
    ...inspectionDefaults,
    startTimer: startUnrefTimer,
    timeoutSeconds: 30,
  }),
  close: () => Promise.resolve(),
};

/** Accepts every document that can be read, without a process. */
export const acceptingInspections: InspectionPool = {
  prepare: () => undefined,
  async inspect({ extension, content }) {
    const bytes = content()[Symbol.asyncIterator]();
    while (!(await bytes.next()).done) continue;
    return { kind: 'accepted', extension };
  },
  close: () => Promise.resolve(),
};
