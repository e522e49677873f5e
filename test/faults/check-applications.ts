// Invariants of applications: none is lost (I1), none is duplicated (I2), no existing application is reported as
// rejected (I3), and the same key always gets the same response (I8).

import type { ApplicationRow } from '../../bff/store/store.ts';
import type { Evidence, Violation } from './checker.ts';
import { groupBy } from './group-by.ts';
import type { ClientCall } from './history.ts';

/** I1 */
export function findLostApplications(evidence: Evidence): Violation[] {
  const { applications, history } = evidence;
  const rows = new Map(applications.map((row) => [row.id, row]));
  const leads = groupBy(evidence.ledger.leads, (lead) => lead.reference);
  const applicationCalls = history.calls.filter(
    ({ action }) => action === 'submit' || action === 'poll',
  );
  const violations: Violation[] = [];
  for (const [reference, calls] of groupBy(applicationCalls, (call) => call.reference)) {
    if (reference === undefined || !calls.some(({ outcome }) => outcome === 'ok')) continue;
    const count = leads.get(reference)?.length ?? 0;
    const description = describeLoss(reference, rows.get(reference), count, evidence);
    if (description)
      violations.push({
        invariant: 'I1',
        description: `${reference} was acknowledged and ${description}`,
      });
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
      // I3 checks whether the rejection is true.
      return undefined;
    case 'unconfirmed':
    case 'held':
      return alarms.has(reference)
        ? undefined
        : `is ${row.state}, and is not reported to the operator`;
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
export function findDuplicates({ ledger, applications }: Evidence): Violation[] {
  const rows = new Map(applications.map((row) => [row.id, row]));
  const sent = ledger.calls.filter(({ operation }) => operation === 'create-lead');
  const violations: Violation[] = [];
  const add = (description: string) => violations.push({ invariant: 'I2', description });

  for (const [reference, leads] of groupBy(ledger.leads, (lead) => lead.reference)) {
    if (leads.length > 1) add(`${reference} was accepted ${leads.length} times`);
  }
  for (const [applicant, leads] of groupBy(ledger.leads, (lead) => lead.applicant)) {
    if (leads.length > 1) add(`${applicant} has ${leads.length} leads`);
  }
  for (const [applicant, calls] of groupBy(sent, (call) => call.applicant)) {
    const ids = new Set(calls.map(({ reference }) => reference ?? 'none'));
    // An applicant may apply again after a rejection or an erasure.
    const live = [...ids].filter(
      (id) => !['rejected', 'erased'].includes(rows.get(id)?.state ?? ''),
    );
    if (live.length > 1) add(`${applicant} was sent under ${live.join(' and ')}`);
  }
  for (const [reference = 'none', calls] of groupBy(sent, (call) => call.reference)) {
    const bodies = new Set(calls.map(({ content }) => content)).size;
    if (bodies > 1) add(`${reference} was sent with ${bodies} bodies`);
    // After a 401, the same attempt renews the token and calls again.
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
  const reports = history.calls
    .filter(
      ({ responseStatus, applicant }) => isRejected(responseStatus) && applicants.has(applicant),
    )
    .map(({ applicant }) => `${applicant} was told rejected and exists at the service`);
  return [...rows, ...new Set(reports)].map((description) => ({
    invariant: 'I3',
    description,
  }));
}

function isRejected(responseStatus: string | undefined): boolean {
  return responseStatus === 'rejected' || responseStatus === 'application-rejected';
}

/** I8 */
export function findChangedResponses({ history }: Evidence): Violation[] {
  const submissions = history.calls.filter(({ action }) => action === 'submit');
  const violations: Violation[] = [];
  const add = (description: string) => violations.push({ invariant: 'I8', description });

  for (const [key = 'none', calls] of groupBy(submissions, (call) => call.key)) {
    const taken = calls.filter(({ outcome }) => outcome === 'ok');
    const references = new Set(taken.map(({ reference }) => reference));
    if (references.size > 1) add(`key ${key} got the references ${[...references].join(' and ')}`);
    const bodies = new Set(taken.map(({ content }) => content));
    if (bodies.size > 1) add(`key ${key} was accepted with ${bodies.size} bodies`);
    const refusal = taken[0] && calls.find((call) => isRefusedLater(call, taken[0]!));
    if (refusal) add(`key ${key} was accepted and then refused with ${refusal.responseStatus}`);
  }
  const callsWithReference = history.calls.filter(({ reference }) => reference !== undefined);
  for (const [reference, calls] of groupBy(callsWithReference, (call) => call.reference)) {
    const accepted = calls.find(({ responseStatus }) => responseStatus === 'accepted');
    const later =
      accepted &&
      calls.find((call) => call.invokedAt > accepted.endedAt && call.responseStatus !== 'accepted');
    if (later) add(`${reference} was told accepted and then ${later.responseStatus}`);
  }
  return violations;
}

/** These codes say nothing about the application. */
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
    !unrelated.has(call.responseStatus)
  );
}
