// Invariants about applications: none lost (I1), none doubled (I2), none called rejected that exists (I3), and the same
// answer for the same key (I8).

import type { ApplicationRow } from '../../bff/store/store.ts';
import type { Evidence, Violation } from './checker.ts';
import { groupBy } from './group-by.ts';
import type { ClientCall } from './history.ts';

/** I1 */
export function findLostApplications(evidence: Evidence): Violation[] {
  const { applications, history } = evidence;
  const rows = new Map(applications.map((row) => [row.id, row]));
  const leads = groupBy(evidence.ledger.leads, (lead) => lead.reference);
  const told = history.calls.filter(({ action }) => action === 'submit' || action === 'poll');
  const violations: Violation[] = [];
  for (const [reference, calls] of groupBy(told, (call) => call.reference)) {
    if (reference === undefined || !calls.some(({ outcome }) => outcome === 'ok')) continue;
    const count = leads.get(reference)?.length ?? 0;
    const what = describeLoss(reference, rows.get(reference), count, evidence);
    if (what)
      violations.push({ invariant: 'I1', what: `${reference} was acknowledged and ${what}` });
  }
  return violations;
}

function describeLoss(
  reference: string,
  row: ApplicationRow | undefined,
  leads: number,
  { history, alarms }: Evidence,
): string | undefined {
  switch (row?.state) {
    case undefined:
      return 'is not in the store';
    case 'accepted':
      return leads === 1 ? undefined : `is accepted, but ${leads} times at the service`;
    case 'rejected':
      // Whether that is true is I3's to find.
      return undefined;
    case 'unconfirmed':
    case 'held':
      return alarms.has(reference) ? undefined : `is ${row.state}, and no operator is told`;
    case 'erased':
      return history.erasures.some((erasure) => erasure.reference === reference)
        ? undefined
        : 'was erased without an order';
    case 'received':
    case 'sending':
    case 'waiting':
      return `is still ${row.state}`;
  }
}

/** I2 */
export function findDoubled({ ledger, applications }: Evidence): Violation[] {
  const rows = new Map(applications.map((row) => [row.id, row]));
  const sent = ledger.calls.filter(({ operation }) => operation === 'create-lead');
  const violations: Violation[] = [];
  const add = (what: string) => violations.push({ invariant: 'I2', what });

  for (const [reference, leads] of groupBy(ledger.leads, (lead) => lead.reference)) {
    if (leads.length > 1) add(`${reference} was accepted ${leads.length} times`);
  }
  for (const [applicant, leads] of groupBy(ledger.leads, (lead) => lead.applicant)) {
    if (leads.length > 1) add(`${applicant} has ${leads.length} leads`);
  }
  for (const [applicant, calls] of groupBy(sent, (call) => call.applicant)) {
    const ids = new Set(calls.map(({ reference }) => reference ?? 'none'));
    // Who was refused, or had it erased, may apply again.
    const live = [...ids].filter(
      (id) => !['rejected', 'erased'].includes(rows.get(id)?.state ?? ''),
    );
    if (live.length > 1) add(`${applicant} was sent under ${live.join(' and ')}`);
  }
  for (const [reference = 'none', calls] of groupBy(sent, (call) => call.reference)) {
    const bodies = new Set(calls.map(({ content }) => content)).size;
    if (bodies > 1) add(`${reference} was sent with ${bodies} bodies`);
    // A token that was refused is renewed and the call made again within one attempt.
    const sends = calls.filter(({ status }) => status !== 401).length;
    const attempts = rows.get(reference)?.attempts ?? 0;
    if (sends > attempts) add(`${reference} was sent ${sends} times in ${attempts} attempts`);
  }
  return violations;
}

/** I3 */
export function findFalseRejections({ ledger, applications, history }: Evidence): Violation[] {
  const ids = new Set(ledger.leads.map(({ reference }) => reference));
  const applicants = new Set(ledger.leads.map(({ applicant }) => applicant));
  const rows = applications
    .filter(({ id, state }) => state === 'rejected' && ids.has(id))
    .map(({ id }) => `${id} is rejected in the store and exists at the service`);
  const told = history.calls
    .filter(({ told, applicant }) => isToldRejected(told) && applicants.has(applicant))
    .map(({ applicant }) => `${applicant} was told rejected and exists at the service`);
  return [...rows, ...new Set(told)].map((what) => ({ invariant: 'I3', what }));
}

function isToldRejected(told: string | undefined): boolean {
  return told === 'rejected' || told === 'application-rejected';
}

/** I8 */
export function findBrokenPromises({ history }: Evidence): Violation[] {
  const submissions = history.calls.filter(({ action }) => action === 'submit');
  const violations: Violation[] = [];
  const add = (what: string) => violations.push({ invariant: 'I8', what });

  for (const [key = 'none', calls] of groupBy(submissions, (call) => call.key)) {
    const taken = calls.filter(({ outcome }) => outcome === 'ok');
    const references = new Set(taken.map(({ reference }) => reference));
    if (references.size > 1) add(`key ${key} was answered with ${[...references].join(' and ')}`);
    const bodies = new Set(taken.map(({ content }) => content));
    if (bodies.size > 1) add(`key ${key} was taken with ${bodies.size} bodies`);
    const refusal = taken[0] && calls.find((call) => isRefusedLater(call, taken[0]!));
    if (refusal) add(`key ${key} was taken and then answered with ${refusal.told}`);
  }
  const told = history.calls.filter(({ reference }) => reference !== undefined);
  for (const [reference, calls] of groupBy(told, (call) => call.reference)) {
    const accepted = calls.find(({ told }) => told === 'accepted');
    const later =
      accepted &&
      calls.find((call) => call.invokedAt > accepted.endedAt && call.told !== 'accepted');
    if (later) add(`${reference} was told accepted and then ${later.told}`);
  }
  return violations;
}

/** Without a session, or in haste, nothing is said about the application. */
const unrelated: ReadonlySet<string | undefined> = new Set([
  'session-missing',
  'rate-limited',
  'application-rejected',
]);

function isRefusedLater(call: ClientCall, first: ClientCall): boolean {
  return (
    call.outcome === 'fail' &&
    call.invokedAt > first.endedAt &&
    call.content === first.content &&
    !unrelated.has(call.told)
  );
}
