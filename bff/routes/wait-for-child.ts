// Waits a little for what becomes of a child that was just kept.

import type { ApplicationRow, ChildRow } from '../journal/records.ts';
import type { RouteDependencies } from './dependencies.ts';

/** The child as it stands after a short wait; there is nothing to wait for before its application is accepted. */
export async function waitForChild(
  application: ApplicationRow,
  child: ChildRow,
  { journal, delivery, answerWaitMs }: RouteDependencies,
): Promise<ChildRow> {
  delivery.wake();
  if (application.state !== 'accepted') return child;
  await delivery.waitForResult({ table: 'child', id: child.id }, answerWaitMs);
  const settled = await journal.findChild(child.id);
  if (!settled) throw new RangeError('A child has vanished from the journal');
  return settled;
}
