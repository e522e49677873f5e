// Invariants of the store: nothing is sent after its erasure (I6), and rows follow the state diagram (I7).

import type { Transition } from './audit.ts';
import type { Evidence, Violation } from './checker.ts';

/** I6 */
export function findSentAfterErasure({ history, ledger }: Evidence): Violation[] {
  return history.erasures.flatMap(({ reference, at }) => {
    const applicationId = ledger.leads.find((lead) => lead.reference === reference)?.applicationId;
    const isAbout = (call: (typeof ledger.calls)[number]) =>
      call.reference === reference ||
      (applicationId !== undefined && call.applicationId === applicationId);
    const late = ledger.calls.filter((call) => call.at > at && isAbout(call));
    return late.map(({ operation }) => ({
      invariant: 'I6' as const,
      description: `${operation} of ${reference} was sent after its erasure`,
    }));
  });
}

/** Allowed transitions from each state. `none` means that the row does not exist. */
const diagrams: Readonly<Record<Transition['table'], Readonly<Record<string, readonly string[]>>>> =
  {
    application: {
      none: ['received'],
      received: ['sending', 'erased'],
      // From `sending` to `sending`: another worker claims the row after the lease expired.
      sending: ['sending', 'accepted', 'rejected', 'waiting', 'unconfirmed', 'held'],
      waiting: ['sending', 'accepted', 'erased'],
      unconfirmed: ['accepted', 'erased'],
      held: ['waiting', 'accepted', 'erased'],
    },
    attachment: {
      none: ['receiving'],
      receiving: ['received', 'erased', 'none'],
      received: ['sending', 'rejected', 'erased'],
      sending: ['sending', 'accepted', 'rejected', 'waiting', 'held'],
      waiting: ['sending', 'rejected', 'erased'],
      held: ['waiting', 'rejected', 'erased'],
    },
  };

/** I7 */
export function findIllegalTransitions({ transitions }: Evidence): Violation[] {
  const accepted = new Set<string>();
  const violations: Violation[] = [];
  for (const transition of transitions) {
    const { table, id, reference, from = 'none', to = 'none', fenceBefore, fence } = transition;
    const add = (description: string) =>
      violations.push({
        invariant: 'I7',
        description: `${table} ${id} went from ${from} to ${to}${description}`,
      });
    if (!diagrams[table][from]?.includes(to)) add('');
    if (to === 'sending' && fence !== fenceBefore + 1) add(' without a new fence');
    if (to !== 'sending' && fence !== fenceBefore) add(' and changed its fence');
    if (table === 'attachment' && to === 'sending' && !accepted.has(reference)) {
      add(' before its application was accepted');
    }
    if (table === 'application' && to === 'accepted') accepted.add(id);
  }
  return violations;
}
