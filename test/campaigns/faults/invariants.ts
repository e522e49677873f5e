// Compares the history of the applicants, the data of the funding service, and the rows of the store, and reports every
// violated invariant.

import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import type { ApplicationRow, AttachmentKind, AttachmentRow } from '../../../bff/store/store.ts';
import { groupBy } from '../../support/group-by.ts';
import type { CampaignRow } from '../campaign.ts';
import type { ArrivedEvent } from './event-receiver.ts';
import type { Action, ClientCall, History } from './history.ts';
import type { Ledger, LedgerAttachment, ServiceCall } from './recorded-service.ts';
import type { FinalStore, Transition } from './storage.ts';
import transitionTable from './transitions.json' with { type: 'json' };

export interface Evidence extends FinalStore {
  readonly history: History;
  readonly ledger: Ledger;
  /** References of the rows that the store reports to the operator. */
  readonly alarms: ReadonlySet<string>;
  /** Events that a receiver of webhooks took. `undefined`: there was none. */
  readonly events?: readonly ArrivedEvent[] | undefined;
}

/** Yields a description of each violation, with the reference or the applicant. */
type Find = (evidence: Evidence) => Iterable<string>;

const invariants = {
  /** Every acknowledged application is at the funding service exactly once, or in a state that is reported to the operator. The same holds for its attachments. */
  I1: findLosses,
  /** No ID is accepted twice or sent with two bodies. No applicant has two IDs. */
  I2: findDuplicates,
  /** No rejected application is at the funding service. */
  I3: findFalseRejections,
  /** The funding service has at most one more copy of a document or bank report than attempts with an unknown outcome. */
  I4: findExcessCopies,
  /** Attachments are sent only with the ApplicationID of their own application. */
  I5: findMisdirected,
  /** Nothing is sent after it was erased. */
  I6: findSentAfterErasure,
  /** States follow the diagram, and a claim that was taken over writes nothing. */
  I7: findIllegalTransitions,
  /** An idempotency key always gets the same response. */
  I8: findChangedResponses,
  /** The receiver of webhooks gets each event at least once, the same each time, in the order of the application, and learns the final state of each application and attachment. */
  I9: findWrongEvents,
} satisfies Readonly<Record<string, Find>>;

export type Invariant = keyof typeof invariants;

export interface Violation {
  readonly invariant: Invariant;
  readonly description: string;
}

/** Returns an empty list when no invariant is violated. Call it when no delivery is in progress. */
export function findViolations(evidence: Evidence): readonly Violation[] {
  const checks = Object.entries(invariants) as [Invariant, Find][];
  return checks.flatMap(([invariant, find]) =>
    [...find(evidence)].map((description) => ({ invariant, description })),
  );
}

/** The figures of a campaign. */
export function judge(
  evidence: Evidence,
): Required<Pick<CampaignRow, 'acknowledged' | 'lost' | 'twice' | 'falselyRejected' | 'problems'>> {
  const submissions = evidence.history.calls.filter(({ action }) => action === 'submit');
  const acknowledged = submissions.filter(({ outcome }) => outcome === 'ok');
  const violations = findViolations(evidence);
  const count = (wanted: Invariant) =>
    violations.filter(({ invariant }) => invariant === wanted).length;
  return {
    acknowledged: new Set(acknowledged.map(({ reference }) => reference)).size,
    lost: count('I1'),
    twice: count('I2'),
    falselyRejected: count('I3'),
    problems: violations.map(({ invariant, description }) => `${invariant}: ${description}`),
  };
}

/** An attachment, the action that gives it, and the call that sends it. */
interface Kind {
  readonly kind: AttachmentKind;
  readonly action: Action;
  readonly operation: PartnerOperation;
}

export const kinds: readonly Kind[] = [
  { kind: 'document', action: 'upload', operation: 'upload-file' },
  { kind: 'bank-report', action: 'report', operation: 'asset-report' },
  { kind: 'contact', action: 'contact', operation: 'contact-user' },
];

function* findLosses(evidence: Evidence) {
  const { applications, history, ledger } = evidence;
  const rows = new Map(applications.map((row) => [row.id, row]));
  const leads = groupBy(ledger.leads, ({ reference }) => reference);
  const acknowledged = history.calls.filter(
    ({ action, outcome }) => outcome === 'ok' && (action === 'submit' || action === 'poll'),
  );
  for (const reference of new Set(acknowledged.map((call) => call.reference))) {
    if (reference === undefined) continue;
    const copies = leads.get(reference)?.length ?? 0;
    const loss = describeLoss(reference, rows.get(reference), copies, evidence);
    if (loss) yield `${reference} was acknowledged and ${loss}`;
  }
  yield* findLostAttachments(evidence, rows);
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

/** An attachment that is not at the funding service is in the store, in a state that is reported to the operator. */
function* findLostAttachments(
  { history, ledger, attachments, alarms }: Evidence,
  applications: ReadonlyMap<string, ApplicationRow>,
) {
  const leads = groupBy(ledger.leads, ({ applicant }) => applicant);
  const delivered = groupBy(ledger.attachments, ({ applicationId }) => applicationId);
  const contacts = ledger.calls.filter(({ operation }) => operation === 'contact-user');
  const contacted = new Set(contacts.map(({ applicationId }) => applicationId));

  for (const [applicant, calls] of groupBy(history.calls, (call) => call.applicant)) {
    const ids = (leads.get(applicant) ?? []).map(({ applicationId }) => applicationId);
    const arrived = new Set(ids.flatMap((id) => delivered.get(id) ?? []).map(toContent));
    const references = new Set(calls.map(({ reference }) => reference));
    for (const { kind, action } of kinds) {
      const given = calls.filter((call) => call.action === action && call.outcome === 'ok');
      const contents = [...new Set(given.map(({ content = '' }) => content))];
      const missing =
        kind === 'contact' && ids.some((id) => contacted.has(id))
          ? 0
          : contents.filter((content) => !arrived.has(content)).length;
      const explained = attachments.filter(
        (row) =>
          row.kind === kind &&
          references.has(row.applicationId) &&
          isExplained(row, applications.get(row.applicationId), alarms),
      ).length;
      if (missing > explained)
        yield `${applicant}: ${missing} acknowledged of kind ${kind} are not at the service, ${explained} are explained`;
    }
  }
}

function toContent({ content }: { readonly content: string }): string {
  return content;
}

/** An attachment may be missing when it or its application is reported to the operator, or when the application ended. */
function isExplained(
  { state }: AttachmentRow,
  parent: ApplicationRow | undefined,
  alarms: ReadonlySet<string>,
): boolean {
  if (!parent || state === 'accepted') return false;
  if (parent.state === 'rejected' || parent.erasedAt !== undefined) return true;
  return (state === 'held' || parent.state !== 'accepted') && alarms.has(parent.id);
}

function* findDuplicates({ ledger, applications }: Evidence) {
  const rows = new Map(applications.map((row) => [row.id, row]));
  const sent = ledger.calls.filter(({ operation }) => operation === 'create-lead');
  for (const [reference, leads] of groupBy(ledger.leads, (lead) => lead.reference)) {
    if (leads.length > 1) yield `${reference} was accepted ${leads.length} times`;
  }
  for (const [applicant, leads] of groupBy(ledger.leads, (lead) => lead.applicant)) {
    if (leads.length > 1) yield `${applicant} has ${leads.length} leads`;
  }
  for (const [applicant, calls] of groupBy(sent, (call) => call.applicant)) {
    const ids = new Set(calls.map(({ reference = 'none' }) => reference));
    // An applicant may apply again after a rejection or an erasure.
    const live = [...ids].filter(
      (id) => !['rejected', 'erased'].includes(rows.get(id)?.state ?? ''),
    );
    if (live.length > 1) yield `${applicant} was sent under ${live.join(' and ')}`;
  }
  for (const [reference = 'none', calls] of groupBy(sent, (call) => call.reference)) {
    const bodies = new Set(calls.map(toContent)).size;
    if (bodies > 1) yield `${reference} was sent with ${bodies} bodies`;
    // After a 401, the same attempt renews the token and calls again.
    const sends = calls.filter(({ status }) => status !== 401).length;
    const attempts = rows.get(reference)?.attempts ?? 0;
    if (sends > attempts) yield `${reference} was sent ${sends} times in ${attempts} attempts`;
  }
}

function* findFalseRejections({ ledger, applications, history }: Evidence) {
  const ids = new Set(ledger.leads.map(({ reference }) => reference));
  const applicants = new Set(ledger.leads.map(({ applicant }) => applicant));
  for (const { id, state } of applications) {
    if (state === 'rejected' && ids.has(id))
      yield `${id} is rejected in the store and exists at the service`;
  }
  const told = history.calls.filter(({ responseStatus }) =>
    ['rejected', 'application-rejected'].includes(responseStatus ?? ''),
  );
  for (const applicant of new Set(told.map((call) => call.applicant))) {
    if (applicants.has(applicant)) yield `${applicant} was told rejected and exists at the service`;
  }
}

/** Each repeated send of these may create another copy, so delivery stops after `maxSends` and holds the row. */
const repeated: ReadonlySet<string> = new Set<PartnerOperation>(['asset-report', 'upload-file']);
const maxSends = 3;

function* findExcessCopies({ attachments, applications, ledger }: Evidence) {
  const delivered = groupBy(ledger.attachments, ({ applicationId }) => applicationId);
  const parts = groupBy(attachments, ({ applicationId }) => applicationId);
  const sent = groupBy(
    ledger.calls.filter(({ operation, status }) => repeated.has(operation) && status !== 401),
    ({ applicationId = '' }) => applicationId,
  );
  for (const { id, serviceId = '' } of applications) {
    const copies = delivered.get(serviceId) ?? [];
    const rows = parts.get(id) ?? [];
    for (const row of rows) {
      const count = countCopies(row, copies);
      if (count > 1 + row.uncertainAttempts)
        yield `${row.id} is at the service ${count} times after ${row.uncertainAttempts} in doubt`;
    }
    for (const { kind } of kinds) {
      const explained = rows
        .filter((row) => row.kind === kind)
        .reduce((sum, row) => sum + toExplainedCopies(row), 0);
      const count = copies.filter((copy) => copy.kind === kind).length;
      if (count > explained) yield `${id} has ${count} of kind ${kind}, ${explained} are explained`;
    }
    const cleared = rows.reduce((sum, { clearedAttempts }) => sum + clearedAttempts, 0);
    for (const [content, sends] of groupBy(sent.get(serviceId) ?? [], toContent)) {
      if (sends.length > maxSends + cleared)
        yield `${id}: ${content} was sent ${sends.length} times`;
    }
  }
}

/** Counts the copies with the same content as the accepted copy of this row. */
function countCopies({ serviceId }: AttachmentRow, copies: readonly LedgerAttachment[]): number {
  const own = copies.find((copy) => copy.serviceId === serviceId);
  return own ? copies.filter(({ content }) => content === own.content).length : 0;
}

/** An attempt that was in progress at the end may have created a copy as well. */
function toExplainedCopies({ state, uncertainAttempts }: AttachmentRow): number {
  return uncertainAttempts + Number(state === 'accepted' || state === 'sending');
}

/** Compares content, which no two applicants share. */
function* findMisdirected({ history, ledger }: Evidence) {
  const leads = new Map(ledger.leads.map((lead) => [lead.applicationId, lead.applicant]));
  for (const { kind, operation, action } of kinds) {
    const given = history.calls.filter((call) => call.action === action);
    const submitters = groupBy(given, ({ content = '' }) => content);
    for (const { applicationId = 'nobody', content } of ledger.calls.filter(
      (call) => call.operation === operation,
    )) {
      const target = leads.get(applicationId);
      const allowed = kind === 'contact' ? given : (submitters.get(content) ?? []);
      if (allowed.some(({ applicant }) => applicant === target)) continue;
      yield `${operation} of ${submitters.get(content)?.[0]?.applicant ?? 'nobody'} went to ${target ?? applicationId}`;
    }
  }
}

function* findSentAfterErasure({ history, ledger }: Evidence) {
  for (const { reference, at } of history.erasures) {
    const lead = ledger.leads.find((row) => row.reference === reference);
    const isAbout = (call: ServiceCall) =>
      call.reference === reference || (lead && call.applicationId === lead.applicationId);
    for (const call of ledger.calls) {
      if (call.at > at && isAbout(call))
        yield `${call.operation} of ${reference} was sent after its erasure`;
    }
  }
}

/**
 * Allowed transitions from each state. `none`: the row does not exist.
 * - To `sending` from `none`: the process that adds the row sends it at once. From `sending`: another worker claims the row after the
 *   lease expired.
 * - An attachment to `accepted` from `waiting`: a worker whose lease expired learned late that its attempt was accepted.
 */
const diagrams: Readonly<Record<Transition['table'], Readonly<Record<string, readonly string[]>>>> =
  transitionTable;

function* findIllegalTransitions({ transitions }: Evidence) {
  const accepted = new Set<string>();
  for (const { table, id, reference, from, to, fenceBefore, fence } of transitions) {
    const what = `${table} ${id} went from ${from} to ${to}`;
    if (!diagrams[table][from]?.includes(to)) yield what;
    if (to === 'sending' && fence !== fenceBefore + 1) yield `${what} without a new fence`;
    if (to !== 'sending' && fence !== fenceBefore) yield `${what} and changed its fence`;
    if (table === 'attachment' && to === 'sending' && !accepted.has(reference))
      yield `${what} before its application was accepted`;
    if (table === 'application' && to === 'accepted') accepted.add(id);
  }
}

function* findChangedResponses({ history }: Evidence) {
  const submissions = history.calls.filter(({ action }) => action === 'submit');
  for (const [key = 'none', calls] of groupBy(submissions, (call) => call.key)) {
    const taken = calls.filter(({ outcome }) => outcome === 'ok');
    const references = new Set(taken.map(({ reference }) => reference));
    if (references.size > 1) yield `key ${key} got the references ${[...references].join(' and ')}`;
    const bodies = new Set(taken.map(({ content }) => content));
    if (bodies.size > 1) yield `key ${key} was accepted with ${bodies.size} bodies`;
    const refusal = taken[0] && calls.find((call) => isRefusedLater(call, taken[0]!));
    if (refusal) yield `key ${key} was accepted and then refused with ${refusal.responseStatus}`;
  }
  for (const [reference, calls] of groupBy(history.calls, (call) => call.reference)) {
    const accepted = calls.find(({ responseStatus }) => responseStatus === 'accepted');
    if (reference === undefined || !accepted) continue;
    const later = calls.find(
      (call) => call.invokedAt > accepted.endedAt && call.responseStatus !== 'accepted',
    );
    if (later) yield `${reference} was told accepted and then ${later.responseStatus}`;
  }
}

/** These codes say nothing about the application. */
const unrelated: ReadonlySet<string> = new Set([
  'session-missing',
  'rate-limited',
  'application-rejected',
]);

function isRefusedLater(call: ClientCall, first: ClientCall): boolean {
  return (
    call.outcome === 'fail' &&
    call.invokedAt > first.endedAt &&
    call.content === first.content &&
    !unrelated.has(call.responseStatus ?? '')
  );
}

function* findWrongEvents({ events, applications, attachments }: Evidence) {
  if (events === undefined) return;
  const byReference = groupBy(events, ({ event }) => event.data.reference);
  for (const { id, state, erasedAt } of applications) {
    const first = new Map<number, ArrivedEvent>();
    let latest = 0;
    for (const arrived of byReference.get(id) ?? []) {
      const { sequence } = arrived.event.data;
      const before = first.get(sequence);
      if (before && (before.id !== arrived.id || before.body !== arrived.body))
        yield `event ${sequence} of ${id} changed`;
      // Again the same, or the next one.
      if (sequence !== latest && sequence !== latest + 1)
        yield `event ${sequence} of ${id} arrived after event ${latest}`;
      if (!before) first.set(sequence, arrived);
      latest = sequence;
    }
    const told = [...first.values()].map(({ event }) => event);
    if (told[0]?.type !== 'application.received') yield `${id} was not reported as received`;
    const final = told.findLast(({ type }) => type.startsWith('application.'))?.data.status;
    const isOpen = ['received', 'sending', 'waiting'].includes(state);
    const expected = erasedAt === undefined ? state : 'erased';
    if (!isOpen && final !== expected)
      yield `${id} is ${expected}, and was last reported as ${final}`;
    for (const row of attachments) {
      if (row.applicationId !== id || !['accepted', 'held'].includes(row.state)) continue;
      const last = told.findLast(
        ({ data }) => data.attachment?.kind === row.kind && data.attachment.number === row.number,
      )?.data.status;
      if (last !== row.state)
        yield `${row.kind} ${row.number} of ${id} is ${row.state}, and was reported as ${last}`;
    }
  }
}
